import { useMemo } from "preact/hooks";
import type uPlot from "uplot";
import { msText } from "../../parts/figure-text.ts";
import { axisOf, Plot, PLOT_PADDING, type PlotKit, timeAxisOf } from "../../parts/plot.tsx";
import type { Overview } from "./types.ts";

/** How long one alert took from receipt to acknowledgement. */
export interface Latency {
  /** Unix seconds. */
  readonly at: number;
  readonly ms: number;
}

/** Within which half of the alerts stay, and 99 in 100 of them. */
export type Levels = NonNullable<Overview["alerts"]["latencyMs"]>;

/** How far back the chart reaches. */
export const HOUR_SECONDS = 3_600;

/** Each alert by its time, and the two levels. */
export function LatencyPlot({ alerts, latency }: { alerts: readonly Latency[]; latency: Levels }) {
  const { p50, p99, count } = latency;
  const data = useMemo(() => toData(alerts, latency), [alerts, p50, p99]);
  const summary = `Received to acknowledged: half within ${msText(p50)}, 99 in 100 within ${msText(p99)}, of ${count}`;
  return <Plot summary={summary} data={data} optionsOf={optionsOf} />;
}

/** The levels reach from the hour's begin to now; between them stands each alert. */
function toData(alerts: readonly Latency[], { p50, p99 }: Levels): uPlot.AlignedData {
  const now = Date.now() / 1_000;
  // A logarithm begins above zero.
  const drawn = (ms: number) => Math.max(1, ms);
  const level = (ms: number) => Array<number>(alerts.length + 2).fill(drawn(ms));
  return [
    [now - HOUR_SECONDS, ...alerts.map(({ at }) => at), now],
    [null, ...alerts.map(({ ms }) => drawn(ms)), null],
    level(p50),
    level(p99),
  ];
}

const LOGARITHMIC = 3;

/** Whole powers of ten around what there is. */
function decades(low: number | null, top: number | null): [number, number] {
  const least = 10 ** Math.floor(Math.log10(low ?? 1));
  return [least, Math.max(least * 10, 10 ** Math.ceil(Math.log10(top ?? 100)))];
}

const decadesOnly = (_: uPlot, splits: number[]) =>
  splits.map((ms) => (Number.isInteger(Math.log10(ms)) ? ms : null));

function optionsOf(kit: PlotKit): Omit<uPlot.Options, "width" | "height"> {
  const level = (name: string): uPlot.Series => ({
    stroke: () => kit.ink(name),
    width: 2,
    dash: [6, 4],
    points: { show: false },
  });
  const each: uPlot.Series = {
    paths: () => null,
    points: { show: true, size: 6, width: 0, fill: () => kit.ink("one") },
  };
  return {
    legend: { show: false },
    cursor: { show: false },
    padding: PLOT_PADDING,
    scales: { y: { distr: LOGARITHMIC, range: (_, low, top) => decades(low, top) } },
    series: [{}, each, level("median"), level("slow")],
    axes: [
      timeAxisOf(kit),
      axisOf(kit, {
        size: 52,
        grid: { stroke: () => kit.ink("grid"), width: 1, filter: decadesOnly },
        filter: decadesOnly,
        values: (_, splits) => splits.map((ms) => (ms === null ? "" : msText(ms))),
      }),
    ],
  };
}
