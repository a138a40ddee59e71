import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { ROOT } from "../support/source-tree.ts";

/** The programs that are measured, as plain JavaScript: no loader of TypeScript runs in them. */
export interface Programs {
  readonly gateway: string;
  readonly gatewayOnSimulator: string;
  readonly exchangeSimulator: string;
  readonly plainServer: string;
}

const BUILD_WITHIN_MS = 300_000;

export async function buildPrograms(): Promise<Programs> {
  const compiler = path.join(ROOT, "node_modules/typescript/bin/tsc");
  await promisify(execFile)(process.execPath, [compiler, "-p", import.meta.dirname], {
    timeout: BUILD_WITHIN_MS,
  }).catch(({ stdout, message }: Error & { stdout?: string }) => {
    throw new Error(`The gateway cannot be built: ${message}\n${stdout ?? ""}`);
  });
  return {
    gateway: path.join(ROOT, "dist/src/main.js"),
    gatewayOnSimulator: path.join(ROOT, "dist/test/bench/gateway-on-simulator.js"),
    exchangeSimulator: path.join(ROOT, "dist/test/simulators/exchange/main.js"),
    plainServer: await translate(new URL("./plain-server.ts", import.meta.url)),
  };
}

/** It is one file that imports packages only; `npm run lint` checks it. */
async function translate(source: URL): Promise<string> {
  const code = await readFile(source, "utf8");
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
  });
  const file = path.join(ROOT, "dist/bench", path.basename(source.pathname, ".ts") + ".js");
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, outputText);
  return file;
}
