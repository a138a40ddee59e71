import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { open, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ROOT } from "../support/source-tree.ts";

/** A program that was started here, and writes to a file: nobody has to read what it says. */
export interface Child {
  readonly pid: number;
  /** What it has said so far, errors included. */
  readonly said: () => Promise<string>;
  /** Waits until it has said this, and answers everything it has said; fails when it ends instead. */
  readonly untilSaid: (pattern: RegExp) => Promise<string>;
  /** Asks it to end, and makes it end when it takes too long. */
  readonly end: () => Promise<void>;
}

interface Start {
  /** The file that its output goes to. */
  readonly output: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Ends the waiting for its words; whoever started it still has to end it. */
  readonly signal: AbortSignal;
}

const POLL_MS = 5;
const START_WITHIN_MS = 120_000;
const END_WITHIN_MS = 30_000;

/** Nothing of the environment that the benchmark runs in gets into what it measures. */
export function bareEnvironment(home: string): Record<string, string> {
  const binary = process.env["REDIS_SERVER_BIN"];
  return {
    HOME: home,
    PATH: process.env["PATH"] ?? "",
    ...(binary !== undefined && { REDIS_SERVER_BIN: binary }),
  };
}

/** What Node is started with in `npm start`: the same for everything that is measured. */
const NODE_OPTIONS = nodeOptionsOf(readFileSync(path.join(ROOT, "package.json"), "utf8"));

function nodeOptionsOf(manifest: string): readonly string[] {
  const [, options] = /"start": "exec node (.+) dist\/src\/main\.js"/.exec(manifest) ?? [];
  if (options === undefined) throw new Error("package.json has no start command as it is known");
  return options.split(" ");
}

export async function startNode(args: readonly string[], start: Start): Promise<Child> {
  const { output, cwd, env, signal } = start;
  const file = await open(output, "w");
  const child = spawn(process.execPath, [...NODE_OPTIONS, ...args], {
    cwd,
    env,
    stdio: ["ignore", file.fd, file.fd],
  });
  const ended = endOf(child);
  await file.close();
  const said = async () => await readFile(output, "utf8");

  return {
    pid: child.pid ?? 0,
    said,
    untilSaid: async (pattern) => {
      const deadline = performance.now() + START_WITHIN_MS;
      for (;;) {
        // Whether it has ended is asked first: what it said last is then certainly in the file.
        const isOver = child.exitCode !== null || child.signalCode !== null;
        const text = await said();
        if (pattern.test(text)) return text;
        if (isOver || performance.now() > deadline) throw new Error(`It did not start:\n${text}`);
        await sleep(POLL_MS, undefined, { signal });
      }
    },
    end: async () => {
      child.kill("SIGTERM");
      const late = setTimeout(() => child.kill("SIGKILL"), END_WITHIN_MS);
      await ended;
      clearTimeout(late);
    },
  };
}

/** Resolves when it has ended, or could not be started at all. */
function endOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
}
