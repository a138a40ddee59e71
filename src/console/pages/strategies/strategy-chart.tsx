import { useMemo, useState } from "preact/hooks";
import { answerOf, api, Refused } from "../../api/client.ts";
import { Sheet } from "../../parts/page.tsx";
import { Stale } from "../../parts/problem.tsx";
import { FigureTable } from "../../parts/table.tsx";
import { usePoll } from "../../shell/poll.ts";
import { barTimeText } from "./bar-axis.ts";
import {
  countsInWords,
  type DecisionPoint,
  decisionsOn,
  type Line,
  type PaneLines,
  panesOf,
} from "./chart-data.ts";
import { PanePlot, PricePlot } from "./chart-plots.tsx";
import { barWord, numberText } from "./term-words.ts";
import type { ChartBar, Strategy, StrategyChart } from "./types.ts";

const EVERY_MS = 10_000;

/** What it looks at now: bars, indicators, and its decisions on them. */
export function ChartSheet({ strategy }: { strategy: Strategy }) {
  const params = { path: { id: strategy.id } };
  const { answeredAt, data, error } = usePoll(
    `chart ${strategy.id}`,
    () => answerOf(api.GET("/v1/strategies/{id}/chart", { params })),
    { everyMs: EVERY_MS },
  );
  return (
    <Sheet
      title="Chart"
      end={data !== undefined && <span class="quiet">{data.symbol}, from its broker</span>}
    >
      <div class="body">
        {data !== undefined && <Stale error={error} since={answeredAt} />}
        {data === undefined && <NotDrawn error={error} />}
        {data !== undefined && data.bars.length === 0 && (
          <p class="empty">
            The account's broker tells the gateway no bars of {data.symbol} now, so there is nothing
            to draw, and nothing to decide on. A strategy can still be evaluated over the API on
            bars in the request.
          </p>
        )}
        {data !== undefined && data.bars.length > 0 && <ChartOf strategy={strategy} chart={data} />}
      </div>
    </Sheet>
  );
}

/** Why there is no chart yet. */
function NotDrawn({ error }: { error: Error | undefined }) {
  if (error === undefined) return <p class="empty">One moment …</p>;
  const isBroker = error instanceof Refused && error.code === "BROKER_UNAVAILABLE";
  return (
    <p class="empty" role="status">
      {isBroker
        ? "The account's broker cannot be asked for bars now: its connection is down. The chart comes when it is up again."
        : `The chart could not be read: ${error.message}.`}{" "}
      Trying again every ten seconds.
    </p>
  );
}

/** Bars with what is drawn over and below them, and all of it as a table. */
function ChartOf({ strategy, chart }: { strategy: Strategy; chart: StrategyChart }) {
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

/** What the colours and marks stand for, and the figures of the bar that is pointed at. */
function ChartKeys({
  bar,
  place,
  isPointed,
  lines,
}: {
  /** The one that is pointed at, or the newest. */
  bar: ChartBar | undefined;
  place: number;
  isPointed: boolean;
  lines: readonly Line[];
}) {
  return (
    <>
      {bar !== undefined && (
        <p class="keys">
          <span class="quiet">{isPointed ? barTimeText(bar) : "newest bar"}</span>
          <span>
            open <strong>{numberText(bar.open)}</strong>
          </span>
          <span>
            high <strong>{numberText(bar.high)}</strong>
          </span>
          <span>
            low <strong>{numberText(bar.low)}</strong>
          </span>
          <span>
            close <strong>{numberText(bar.close)}</strong>
          </span>
        </p>
      )}
      <p class="keys">
        {lines.map(({ ink, look, name, values }) => {
          const value = values[place] ?? null;
          return (
            <span key={name}>
              <i class={`ink ${ink} ${look}`} aria-hidden="true" /> {name}{" "}
              <strong>{value === null ? "–" : numberText(value)}</strong>
            </span>
          );
        })}
        <span class="quiet">▲ enters long, ▼ enters short, ✕ exits; hollow: not carried out</span>
      </p>
    </>
  );
}

/** All that the chart draws, newest bar first. */
function ChartTable({
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
