import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { program } from "../../support/program.ts";
import { ROOT } from "../../support/source-tree.ts";
import type { AccountView } from "../exchange/desk.ts";
import type { LogEntry } from "../exchange/event-log.ts";
import type { Knob, KnobAnswer } from "./knobs.ts";
import type { TradovateServer } from "./server.ts";
import type { WireEntry } from "./wire-log.ts";

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

const START_MS = 30_000;
/** A broker that is stopped does not answer; who asks it then is told, and does not hang. */
const CONTROL_MS = 10_000;

/** At a port of its own, unless it is to come back where one was stopped. */
export async function startTradovateSimulator(port = 0): Promise<TradovateSimulator> {
  const words = [...program("tradovate-simulator"), "--until-stdin-ends", "--port", String(port)];
  const child = spawn(process.execPath, words, { cwd: ROOT, stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const stop = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  const lines = createInterface(child.stdout);
  const ready = once(lines, "line", { signal: AbortSignal.timeout(START_MS) });
  const [line] = (await Promise.race([ready, exited]).catch(stop)) ?? [];
  if (typeof line !== "string") throw new Error("The Tradovate simulator did not start");
  const server = JSON.parse(line) as TradovateServer;
  const { controlUrl } = server;

  return {
    ...server,
    pid: child.pid ?? 0,
    control: async (knob) =>
      JSON.parse(await fetchText(`${controlUrl}/control`, JSON.stringify(knob))) as KnobAnswer,
    setPrice: async (price) => {
      await fetchText(`${controlUrl}/__sim/price`, JSON.stringify(price));
    },
    log: (from) => readLines<LogEntry>(`${controlUrl}/log`, from),
    wire: (from) => readLines<WireEntry>(`${controlUrl}/wire`, from),
    state: async () => JSON.parse(await fetchText(`${controlUrl}/state`)),
    signal: (signal) => void child.kill(signal),
    stop,
  };
}

/** Page after page, until one is empty. */
async function readLines<Entry>(url: string, from = 1): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  for (;;) {
    const page = await fetchText(`${url}?from=${from + entries.length}`);
    if (page === "") return entries;
    for (const line of page.trimEnd().split("\n")) entries.push(JSON.parse(line) as Entry);
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
