import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, statSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./source-tree.ts";

const SOURCE = path.join(ROOT, "test/support/shifted-clock.c");
const FOLDER = path.join(ROOT, "node_modules/.cache/run-date");
const LIBRARY = "libshifted-clock.so";

/** Carries the run's date and zone to a process. LD_PRELOAD takes no path that has a space. */
const CLOCK = ["LD_PRELOAD", "LD_LIBRARY_PATH", "CLOCK_SHIFT_SECONDS", "TZ"] as const;

/** The run's date and zone, for a program that gets nothing else of the tester's environment. */
export const clockEnvironment = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    CLOCK.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

/** The environment that a run with another date is started with. */
export function withoutClock(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !CLOCK.some((one) => one === name)),
  );
}

/** Every process that is started from now on lives from this instant on. */
export function beginAt(date: string): void {
  const at = Date.parse(date);
  if (Number.isNaN(at)) {
    throw new Error(`CHECK_DATE is no date: ${date}. It looks like 2026-11-26T15:00:00Z`);
  }
  const library = compile();
  // This process may be shifted already, and times of files never are: the library was made just now.
  const madeAt = statSync(library).ctimeMs;
  process.env["LD_PRELOAD"] = LIBRARY;
  process.env["LD_LIBRARY_PATH"] = FOLDER;
  process.env["CLOCK_SHIFT_SECONDS"] = String(Math.round((at - madeAt) / 1_000));
}

/** Under a name of its own first: another run may be loading it. Answers its path. */
function compile(): string {
  mkdirSync(FOLDER, { recursive: true });
  const made = path.join(FOLDER, `${process.pid}.so`);
  const options = ["-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", made, SOURCE];
  try {
    execFileSync("cc", options, { stdio: ["ignore", "inherit", "inherit"] });
  } catch (cause) {
    const message = "CHECK_DATE needs a C compiler: sh config/system-packages.sh cc";
    throw new Error(message, { cause });
  }
  const library = path.join(FOLDER, LIBRARY);
  renameSync(made, library);
  return library;
}
