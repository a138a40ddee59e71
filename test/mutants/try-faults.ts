import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { ROOT } from "../support/source-tree.ts";
import { SCRIPT_FAULTS, type ScriptFault } from "./script-faults.ts";

/** The parts of the tree that are copied: everything but what is installed, built or kept. */
const LEFT_OUT = new Set(["node_modules", "dist", "data", ".git"]);

/**
 * Plants each fault that has the word in its name in a copy of the tree, one at a time, and runs
 * the tests that should notice it. Says which test did. Without any fault, the same tests must pass.
 */
export async function tryFaults(word: string, say: (line: string) => void): Promise<boolean> {
  const faults = SCRIPT_FAULTS.filter(({ name }) => name.includes(word));
  if (faults.length === 0) throw new Error(`No fault has "${word}" in its name`);
  const folder = await mkdtemp(path.join(tmpdir(), "gateway-faults-"));
  try {
    const tree = path.join(folder, "tree");
    const isCopied = (source: string) => !LEFT_OUT.has(path.relative(ROOT, source));
    await cp(ROOT, tree, { recursive: true, filter: isCopied });
    await symlink(path.join(ROOT, "node_modules"), path.join(tree, "node_modules"));

    const files = [...new Set(faults.flatMap(({ noticedBy }) => noticedBy))];
    const failing = await failedTests(tree, files);
    if (failing.length > 0) throw new Error(`It fails without a fault: ${failing.join("; ")}`);

    let noticed = 0;
    for (const fault of faults) {
      const [test] = await withFault(tree, fault, () => failedTests(tree, fault.noticedBy));
      if (test !== undefined) noticed += 1;
      say(`${test === undefined ? "NOT NOTICED" : "noticed"}: ${fault.name} (${fault.file})`);
      if (test !== undefined) say(`  by "${test}"`);
    }
    say(`${noticed} of ${faults.length} noticed`);
    return noticed === faults.length;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function withFault<T>(
  tree: string,
  { file, text, replacement }: ScriptFault,
  work: () => Promise<T>,
): Promise<T> {
  const where = path.join(tree, file);
  const code = await readFile(where, "utf8");
  const [before, after, ...more] = code.split(text);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`${file} does not have this once: ${text}`);
  }
  await writeFile(where, before + replacement + after);
  try {
    return await work();
  } finally {
    await writeFile(where, code);
  }
}

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

/** The names of the tests that fail, up to the first few: one of them is enough. */
async function failedTests(tree: string, files: readonly string[]): Promise<readonly string[]> {
  const report = path.join(tree, "report.json");
  const args = ["vitest", "run", "--config", "test/vitest.config.ts", "--project", "integration"];
  await rm(report, { force: true });
  const output = await new Promise<string>((resolve) => {
    execFile(
      "npx",
      [...args, "--bail", "1", "--reporter", "json", "--outputFile", report, ...files],
      { cwd: tree, maxBuffer: 2 ** 28 },
      (_, stdout, stderr) => resolve(stdout + stderr),
    );
  });
  const text = await readFile(report, "utf8").catch(() => undefined);
  if (text === undefined) throw new Error(`The tests did not run: ${output}`);
  const { testResults } = JSON.parse(text) as VitestReport;
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === "failed");
    if (failed.length === 0 && status === "failed") return [path.relative(tree, name)];
    return failed.map(({ fullName }) => fullName);
  });
}
