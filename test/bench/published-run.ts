import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "../support/source-tree.ts";
import { throughputChart } from "./chart.ts";
import { throughputNote, throughputTable } from "./report.ts";
import type { ThroughputRow } from "./throughput.ts";

/** One run of the benchmark as it is kept beside its page. */
export interface Figures {
  readonly measuredAt: string;
  readonly commit: string;
  readonly machine: string;
  readonly rounds: number;
  readonly seconds: number;
  readonly rows: readonly ThroughputRow[];
}

/** Paths from the project's root. */
export const FIGURES = "docs/benchmark/figures.json";
export const CHART = "docs/benchmark/of-plain-worker.svg";

const ALTERNATIVE =
  "Alerts a second, and how long the slowest hundredth takes, as a multiple of the plain Worker's";

/** The part of the benchmark's page that shows the published run. */
export function describeBenchmark(): string {
  const figures = publishedFigures();
  if (figures === undefined) return "No run is published yet.\n";
  const { measuredAt, commit, machine } = figures;
  const chart = `![${ALTERNATIVE}](${path.posix.relative("docs", CHART)})`;
  const when = `Measured on ${measuredAt}, at commit ${commit}.`;
  return `${[chart, when, machine, throughputNote(figures), throughputTable(figures)].join("\n\n")}\n`;
}

/** The chart of the published run; undefined while there is none. */
export function drawBenchmark(): string | undefined {
  const figures = publishedFigures();
  return figures === undefined ? undefined : throughputChart(figures.rows);
}

function publishedFigures(): Figures | undefined {
  const file = path.join(ROOT, FIGURES);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Figures) : undefined;
}
