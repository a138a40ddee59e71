import { program } from "../../support/program.ts";
import { startSimulator } from "../simulator-process.ts";
import type { AccountView, DeskOutcome } from "./desk.ts";
import type { LogEntry } from "./event-log.ts";
import type { Knob } from "./knobs.ts";
import type { ExchangeServer } from "./server.ts";

/** The broker as a process of its own. */
export interface ExchangeSimulator {
  /** Where an adapter logs in. */
  readonly url: string;
  readonly pid: number;
  /** Turns a knob; throws when there is none of that name. Orders by hand answer what became of them. */
  readonly control: (knob: Knob) => Promise<DeskOutcome>;
  /** Everything the broker saw, from entry number `from` on. */
  readonly log: (from?: number) => Promise<readonly LogEntry[]>;
  readonly state: () => Promise<{ readonly accounts: Readonly<Record<string, AccountView>> }>;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Ends the process, a stopped one too; what it knew is gone. */
  readonly stop: () => Promise<void>;
}

export async function startExchangeSimulator(
  start: readonly string[] = program("exchange-simulator"),
): Promise<ExchangeSimulator> {
  const { server, pid, signal, stop, ask, readLog } = await startSimulator<ExchangeServer>(
    start,
    "The exchange simulator",
  );
  return {
    url: server.url,
    pid,
    control: async (knob) => JSON.parse(await ask("/control", knob)) as DeskOutcome,
    log: async (from) => await readLog<LogEntry>("/log", from),
    state: async () => JSON.parse(await ask("/state")),
    signal,
    stop,
  };
}
