import { useMemo, useRef } from "preact/hooks";
import type uPlot from "uplot";
import { axisOf, Plot, PLOT_PADDING, type PlotKit } from "../../parts/plot.tsx";
import { BAR_SCALE, barAxisOf, VALUE_AXIS_SIZE } from "./bar-axis.ts";
import type { Line } from "./chart-panes.ts";
import { seriesOf, valuesOf } from "./pane-series.ts";
import { numberText } from "./term-words.ts";
import type { ChartBar } from "./types.ts";

/** Lines of one scale that is not the price's, below the bars. */
export function PanePlot({
  bars,
  lines,
  summary,
}: {
  bars: readonly ChartBar[];
  lines: readonly Line[];
  summary: string;
}) {
  const newest = useRef(bars);
  newest.current = bars;
  const data = useMemo<uPlot.AlignedData>(
    () => [bars.map((_, place) => place), ...lines.map(valuesOf)],
    [bars, lines],
  );
  const optionsOf = (kit: PlotKit): Omit<uPlot.Options, "width" | "height"> => ({
    legend: { show: false },
    cursor: { show: false },
    padding: PLOT_PADDING,
    scales: { x: BAR_SCALE },
    series: [{}, ...lines.map((line) => seriesOf(line, kit))],
    axes: [
      barAxisOf(kit, () => newest.current),
      axisOf(kit, { size: VALUE_AXIS_SIZE, values: (_, splits) => splits.map(numberText) }),
    ],
  });
  return <Plot summary={summary} look="low" data={data} optionsOf={optionsOf} />;
}
