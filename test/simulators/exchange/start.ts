import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { program } from "../../support/program.ts";
import { ROOT } from "../../support/source-tree.ts";
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

const START_MS = 30_000;
/** A broker that is stopped does not answer; who asks it then is told, and does not hang. */
const CONTROL_MS = 10_000;

export async function startExchangeSimulator(
  start: readonly string[] = program("exchange-simulator"),
): Promise<ExchangeSimulator> {
  const words = [...start, "--until-stdin-ends"];
  const child = spawn(process.execPath, words, {
    cwd: ROOT,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const stop = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  const lines = createInterface(child.stdout);
  const ready = once(lines, "line", { signal: AbortSignal.timeout(START_MS) });
  const [line] = (await Promise.race([ready, exited]).catch(stop)) ?? [];
  if (typeof line !== "string") throw new Error("The exchange simulator did not start");
  const { url, controlUrl } = JSON.parse(line) as ExchangeServer;

  return {
    url,
    pid: child.pid ?? 0,
    control: async (knob) => {
      const body = JSON.stringify(knob);
      return JSON.parse(await fetchText(`${controlUrl}/control`, body)) as DeskOutcome;
    },
    log: async (from) => await readLog(controlUrl, from),
    state: async () => JSON.parse(await fetchText(`${controlUrl}/state`)),
    signal: (signal) => void child.kill(signal),
    stop,
  };
}

/** Page after page, until one is empty. */
async function readLog(controlUrl: string, from = 1): Promise<readonly LogEntry[]> {
  const entries: LogEntry[] = [];
  for (;;) {
    const page = await fetchText(`${controlUrl}/log?from=${from + entries.length}`);
    if (page === "") return entries;
    for (const line of page.trimEnd().split("\n")) entries.push(JSON.parse(line) as LogEntry);
  }
}

async function fetchText(url: string, body?: string): Promise<string> {
  const response = await fetch(url, {
    signal: AbortSignal.timeout(CONTROL_MS),
    ...(body !== undefined && { method: "POST", body }),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${answer}`);
  return answer;
}
