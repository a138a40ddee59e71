import { useMemo, useState } from "preact/hooks";
import { countsInWords, decisionsOn } from "./chart-decisions.ts";
import { ChartKeys } from "./chart-keys.tsx";
import { type PaneLines, panesOf } from "./chart-panes.ts";
import { ChartTable } from "./chart-table.tsx";
import { barTimeText } from "./bar-axis.ts";
import { PanePlot } from "./pane-plot.tsx";
import { PricePlot } from "./price-plot.tsx";
import { barWord, numberText } from "./term-words.ts";
import type { Strategy, StrategyChart } from "./types.ts";

/** Bars with what is drawn over and below them, and all of it as a table. */
export function ChartOf({ strategy, chart }: { strategy: Strategy; chart: StrategyChart }) {
  const [pointed, setPointed] = useState<number | null>(null);
  const { bars } = chart;
  const { below, decisions, lines, price } = useMemo(() => drawnOf(strategy, chart), [chart]);
  // The pointer moves often, and the table is long.
  const table = useMemo(
    () => <ChartTable chart={chart} decisions={decisions} lines={lines} />,
    [chart],
  );
  const bar = pointed ?? bars.length - 1;
  return (
    <>
      <ChartKeys bar={bars[bar]} place={bar} isPointed={pointed !== null} lines={lines} />
      <PricePlot
        key={namesOf(price.lines)}
        drawn={price}
        summary={summaryOf(chart, countsInWords(decisions))}
        onPoint={setPointed}
      />
      {below.map(({ pane, lines: drawn }) => (
        <PanePlot
          key={`${pane} ${namesOf(drawn)}`}
          bars={bars}
          lines={drawn}
          summary={paneInWords(drawn)}
        />
      ))}
      {table}
    </>
  );
}

function drawnOf(strategy: Strategy, chart: StrategyChart) {
  const decisions = decisionsOn(chart);
  const panes = panesOf(strategy, chart);
  const over = panes.find(({ pane }) => pane === "price")?.lines ?? [];
  return {
    decisions,
    price: { bars: chart.bars, lines: over, decisions },
    below: panes.filter(({ pane }) => pane !== "price"),
    lines: panes.flatMap(({ lines }) => lines),
  };
}

/** Another set of lines needs another plot. */
const namesOf = (lines: PaneLines["lines"]): string => lines.map(({ name }) => name).join(" ");

function summaryOf({ barMinutes, bars, symbol }: StrategyChart, counts: string): string {
  const [first, last] = [bars[0], bars.at(-1)];
  if (first === undefined || last === undefined) return "";
  const when = `from ${barTimeText(first)} to ${barTimeText(last)}`;
  return `${bars.length} bars of ${barWord(barMinutes)} of ${symbol} ${when}, last price ${numberText(last.close)}, with ${counts}`;
}

function paneInWords(lines: PaneLines["lines"]): string {
  const values = lines.map(({ name, values: of }) => {
    const last = of.at(-1) ?? null;
    return `${name} ${last === null ? "without a number" : numberText(last)}`;
  });
  return `Below the bars, now: ${values.join(", ")}`;
}
