import { program } from "../../support/program.ts";
import type { AccountView } from "../exchange/desk.ts";
import type { LogEntry } from "../exchange/event-log.ts";
import { startSimulator } from "../simulator-process.ts";
import type { Knob, KnobAnswer } from "./knobs.ts";
import type { TradovateServer } from "./server.ts";
import type { WireEntry } from "../wire-log.ts";

/** The broker as a process of its own. */
export interface TradovateSimulator extends TradovateServer {
  readonly pid: number;
  /** Turns a knob; throws in words where it cannot be turned. */
  readonly control: (knob: Knob) => Promise<KnobAnswer>;
  /** Sets a price in points, by the broker's name of the contract. */
  readonly setPrice: (price: object) => Promise<void>;
  /** Commands, fills, logins and ends of sessions, from entry number `from` on. */
  readonly log: (from?: number) => Promise<readonly LogEntry[]>;
  /** Requests, answers and frames as they were, from entry number `from` on. */
  readonly wire: (from?: number) => Promise<readonly WireEntry[]>;
  readonly state: () => Promise<{ readonly accounts: Readonly<Record<string, AccountView>> }>;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Ends the process, a stopped one too; what it knew is gone. */
  readonly stop: () => Promise<void>;
}

/** At a port of its own, unless it is to come back where one was stopped. */
export async function startTradovateSimulator(port = 0): Promise<TradovateSimulator> {
  const { server, pid, signal, stop, ask, readLog } = await startSimulator<TradovateServer>(
    [...program("tradovate-simulator"), "--port", String(port)],
    "The Tradovate simulator",
  );
  return {
    ...server,
    pid,
    control: async (knob) => JSON.parse(await ask("/control", knob)) as KnobAnswer,
    setPrice: async (price) => void (await ask("/__sim/price", price)),
    log: async (from) => await readLog<LogEntry>("/log", from),
    wire: async (from) => await readLog<WireEntry>("/wire", from),
    state: async () => JSON.parse(await ask("/state")),
    signal,
    stop,
  };
}
