import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { ROOT } from "../support/source-tree.ts";

/** What a simulator says on its one line of output once it listens. */
export interface Listening {
  /** Where a test asks and turns it. */
  readonly controlUrl: string;
}

/** A simulator as a process of its own. */
export interface SimulatorProcess<Server extends Listening> {
  readonly server: Server;
  readonly pid: number;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** Ends the process, a stopped one too; what it knew is gone. */
  readonly stop: () => Promise<void>;
  /** Posts `body` where there is one. Throws in words what is refused. */
  readonly ask: (path: string, body?: unknown) => Promise<string>;
  /** Page after page of a log, from entry number `from` on, until one is empty. */
  readonly readLog: <Entry>(path: string, from?: number) => Promise<readonly Entry[]>;
}

const START_MS = 30_000;
/** One that is stopped does not answer; who asks it then is told, and does not hang. */
const CONTROL_MS = 10_000;

/** `program` are the arguments of Node, `name` is for what is said where it does not start. */
export async function startSimulator<Server extends Listening>(
  program: readonly string[],
  name: string,
): Promise<SimulatorProcess<Server>> {
  const words = [...program, "--until-stdin-ends"];
  const child = spawn(process.execPath, words, { cwd: ROOT, stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const stop = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  const lines = createInterface(child.stdout);
  const ready = once(lines, "line", { signal: AbortSignal.timeout(START_MS) });
  const [line] = (await Promise.race([ready, exited]).catch(stop)) ?? [];
  if (typeof line !== "string") throw new Error(`${name} did not start`);
  const server = JSON.parse(line) as Server;

  return {
    server,
    pid: child.pid ?? 0,
    signal: (signal) => void child.kill(signal),
    stop,
    ask,
    readLog: async <Entry>(path: string, from = 1) => {
      const entries: Entry[] = [];
      for (;;) {
        const page = await ask(`${path}?from=${from + entries.length}`);
        if (page === "") return entries;
        for (const entry of page.trimEnd().split("\n")) entries.push(JSON.parse(entry) as Entry);
      }
    },
  };

  async function ask(path: string, body?: unknown): Promise<string> {
    const response = await fetch(`${server.controlUrl}${path}`, {
      signal: AbortSignal.timeout(CONTROL_MS),
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${answer}`);
    return answer;
  }
}

/** The other end: what the process of a simulator does. It ends with whoever started it. */
export async function serveSimulator(start: (port: number) => Promise<Listening>): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "0" },
      /** For who starts it: it ends with its parent, however that one ends. */
      "until-stdin-ends": { type: "boolean", default: false },
    },
  });
  if (values["until-stdin-ends"]) {
    process.stdin.resume();
    process.stdin.once("close", () => process.exit(0));
  }
  process.stdout.write(`${JSON.stringify(await start(Number(values.port)))}\n`);
}
