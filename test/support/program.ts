import path from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./source-tree.ts";

/** Every program that tests start as a process of its own, and its source. */
export const PROGRAMS = {
  gateway: "src/main.ts",
  "chaos-member": "test/chaos/gateway.ts",
  "exchange-simulator": "test/simulators/exchange/main.ts",
  "notify-simulator": "test/simulators/notify/main.ts",
  "projectx-simulator": "test/simulators/projectx/main.ts",
  "tradovate-simulator": "test/simulators/tradovate/main.ts",
  "hold-data-folder": "test/support/hold-data-folder.ts",
  "thread-program": "src/evaluation/thread-program.ts",
} as const;

/** Where a run keeps its programs compiled, for its own workers. */
export const COMPILED = "TEST_PROGRAMS";

/**
 * What the thread that evaluates runs, for a gateway that is run from source: a thread reads no source
 * by itself, whatever its process can.
 */
export function evaluationProgram(): URL {
  const folder = process.env[COMPILED];
  if (folder !== undefined) return pathToFileURL(path.join(folder, "thread-program.js"));
  const source = pathToFileURL(path.join(ROOT, PROGRAMS["thread-program"])).href;
  const code = `import { register } from "${import.meta.resolve("tsx/esm/api")}";
    register();
    await import("${source}");`;
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}

/** The words after `node` that start it: compiled once for the run, or from source outside of one. */
export function program(name: keyof typeof PROGRAMS): readonly string[] {
  const folder = process.env[COMPILED];
  if (folder !== undefined) return [path.join(folder, `${name}.js`)];
  return ["--import", "tsx", path.join(ROOT, PROGRAMS[name])];
}
