import { FigureTable } from "../../parts/figure-table.tsx";
import { barTimeText } from "./bar-axis.ts";
import type { DecisionPoint } from "./chart-decisions.ts";
import type { Line } from "./chart-panes.ts";
import { numberText } from "./term-words.ts";
import type { StrategyChart } from "./types.ts";

/** All that the chart draws, newest bar first. */
export function ChartTable({
  chart: { bars },
  decisions,
  lines,
}: {
  chart: StrategyChart;
  decisions: readonly DecisionPoint[];
  lines: readonly Line[];
}) {
  const rows = bars.map((bar, place) => ({
    name: barTimeText(bar),
    figures: [
      ...[bar.open, bar.high, bar.low, bar.close].map(numberText),
      ...lines.map(({ values }) => figureOf(values[place] ?? null)),
      decidedOn(place, decisions),
    ],
  }));
  return (
    <FigureTable
      rowName="Bar"
      figureNames={["Open", "High", "Low", "Close", ...lines.map(({ name }) => name), "Decision"]}
      rows={rows.toReversed()}
    />
  );
}

/** What is decided again on the same bar is told once. */
function decidedOn(bar: number, decisions: readonly DecisionPoint[]): string {
  const told = decisions.filter((point) => point.bar === bar).map(({ words }) => words);
  return [...new Set(told)].join("; ");
}

const figureOf = (value: number | null): string => (value === null ? "–" : numberText(value));
