import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { GENERATED_PARTS, replacePart } from "../support/generated-part.ts";
import { ROOT } from "../support/source-tree.ts";
import { throughputChart } from "./chart.ts";
import { CHART, FIGURES, type Figures } from "./published-run.ts";

/** The commit that is measured; `-dirty` where files differ from it. */
export async function measuredCommit(): Promise<string> {
  const words = ["describe", "--always", "--dirty", "--exclude=*"];
  const { stdout } = await promisify(execFile)("git", words, { cwd: ROOT });
  return stdout.trim();
}

/** The page in docs/, its chart and the figures behind them show this run from now on. */
export async function publish(figures: Figures): Promise<void> {
  await mkdir(path.join(ROOT, path.dirname(FIGURES)), { recursive: true });
  const kept = asJson(figures);
  await writeFile(path.join(ROOT, FIGURES), kept);
  // As it is drawn again later: from the figures that are kept.
  await writeFile(path.join(ROOT, CHART), throughputChart((JSON.parse(kept) as Figures).rows));
  for (const part of GENERATED_PARTS.filter(({ name }) => name === "benchmark")) {
    const page = path.join(ROOT, part.page);
    await writeFile(page, replacePart(await readFile(page, "utf8"), part));
  }
}

/** Four digits behind the point are more than is known. */
export function asJson(figures: Figures): string {
  const short = (_: string, value: unknown) =>
    typeof value === "number" ? Number(value.toFixed(4)) : value;
  return `${JSON.stringify(figures, short, 1)}\n`;
}
