import { program, type PROGRAMS } from "../support/program.ts";
import type { AccountView } from "./exchange/desk.ts";
import type { LogEntry } from "./exchange/event-log.ts";
import { type Listening, startSimulator } from "./simulator-process.ts";
import type { WireEntry } from "./wire-log.ts";

/** What a knob answers: what was done by hand as the broker would answer it, all else `{"ok":true}`. */
export type KnobAnswer = Readonly<Record<string, unknown>>;

/** A look-alike of a broker as a process of its own, as a test has it in its hand. */
export interface BrokerProcess<Knob> {
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

/** At a port of its own, unless it is to come back where one was stopped; `name` is for its failure. */
export async function startBrokerProcess<Server extends Listening, Knob>(
  source: keyof typeof PROGRAMS,
  name: string,
  port: number,
): Promise<Server & BrokerProcess<Knob>> {
  const { server, pid, signal, stop, ask, readLog } = await startSimulator<Server>(
    [...program(source), "--port", String(port)],
    name,
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
