import path from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./source-tree.ts";

/** Every program that tests start as a process of its own, and its source. */
export const PROGRAMS = {
  gateway: "src/main.ts",
  "chaos-member": "test/chaos/gateway.ts",
  "exchange-simulator": "test/simulators/exchange/main.ts",
  "tradovate-simulator": "test/simulators/tradovate/main.ts",
  "hold-data-folder": "test/support/hold-data-folder.ts",
  "thread-program": "src/evaluation/thread-program.ts",
} as const;

/** Where a run keeps its programs compiled, for its own workers. */
export const COMPILED = "TEST_PROGRAMS";

/** What the thread that evaluates runs, for a gateway in the test's own process: Node reads no source. */
export function evaluationProgram(): URL | undefined {
  const folder = process.env[COMPILED];
  return folder === undefined ? undefined : pathToFileURL(path.join(folder, "thread-program.js"));
}

/** The words after `node` that start it: compiled once for the run, or from source outside of one. */
export function program(name: keyof typeof PROGRAMS): readonly string[] {
  const folder = process.env[COMPILED];
  if (folder !== undefined) return [path.join(folder, `${name}.js`)];
  return ["--import", "tsx", path.join(ROOT, PROGRAMS[name])];
}
