import { useMemo, useRef } from "preact/hooks";
import type uPlot from "uplot";
import { axisOf, Plot, PLOT_PADDING, type PlotKit } from "../../parts/plot.tsx";
import { BAR_SCALE, barAxisOf, VALUE_AXIS_SIZE } from "./bar-axis.ts";
import type { DecisionPoint } from "./chart-decisions.ts";
import type { Line } from "./chart-panes.ts";
import { drawCandles } from "./draw-candles.ts";
import { drawDecisions } from "./draw-decisions.ts";
import { seriesOf, valuesOf } from "./pane-series.ts";
import { numberText } from "./term-words.ts";
import type { ChartBar } from "./types.ts";

/** What is drawn of a chart at its prices. */
export interface PriceDrawn {
  readonly bars: readonly ChartBar[];
  readonly lines: readonly Line[];
  readonly decisions: readonly DecisionPoint[];
}

/** Bars with the lines that are in their range of prices, and the decisions on them. */
export function PricePlot({
  drawn,
  summary,
  onPoint,
}: {
  /** New whenever something in it is. */
  drawn: PriceDrawn;
  summary: string;
  /** Which bar is pointed at. */
  onPoint: (bar: number | null) => void;
}) {
  const newest = useRef(drawn);
  newest.current = drawn;
  const data = useMemo(() => toData(drawn), [drawn]);
  const optionsOf = (kit: PlotKit) => optionsFor(kit, () => newest.current, onPoint);
  return <Plot summary={summary} look="tall" data={data} optionsOf={optionsOf} />;
}

/** The prices stand where `draw-candles.ts` looks for them. */
function toData({ bars, lines }: PriceDrawn): uPlot.AlignedData {
  return [
    bars.map((_, place) => place),
    bars.map(({ open }) => open),
    bars.map(({ high }) => high),
    bars.map(({ low }) => low),
    bars.map(({ close }) => close),
    ...lines.map(valuesOf),
  ];
}

/** It is drawn by a hook; as a series it only makes room. */
const UNDRAWN: uPlot.Series = { paths: () => null, points: { show: false } };

function optionsFor(
  kit: PlotKit,
  drawn: () => PriceDrawn,
  onPoint: (bar: number | null) => void,
): Omit<uPlot.Options, "width" | "height"> {
  return {
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    padding: PLOT_PADDING,
    scales: { x: BAR_SCALE },
    series: [
      {},
      UNDRAWN,
      UNDRAWN,
      UNDRAWN,
      UNDRAWN,
      ...drawn().lines.map((line) => seriesOf(line, kit)),
    ],
    axes: [
      barAxisOf(kit, () => drawn().bars),
      axisOf(kit, {
        size: VALUE_AXIS_SIZE,
        values: (_, splits) => splits.map(numberText),
      }),
    ],
    hooks: {
      drawAxes: [(plot) => drawCandles(plot, kit)],
      draw: [(plot) => drawDecisions(plot, kit, drawn().decisions)],
      setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)],
    },
  };
}
