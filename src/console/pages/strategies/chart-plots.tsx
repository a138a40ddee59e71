import { useMemo, useRef } from "preact/hooks";
import type uPlot from "uplot";
import { axisOf, Plot, PLOT_PADDING, type PlotKit } from "../../parts/plot.tsx";
import { BAR_SCALE, barAxisOf, VALUE_AXIS_SIZE } from "./bar-axis.ts";
import type { DecisionPoint, Line } from "./chart-data.ts";
import { drawCandles, drawDecisions } from "./draw-bars.ts";
import { numberText } from "./term-words.ts";
import type { ChartBar } from "./types.ts";

/** What is drawn of a chart at its prices. */
interface PriceDrawn {
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

/** The prices stand where `draw-bars.ts` looks for them. */
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

const WIDTH = 1.5;
const DASHES = [5, 4];

/** How a line of an indicator is drawn. */
function seriesOf({ ink, look }: Line, kit: PlotKit): uPlot.Series {
  const stroke = () => kit.ink(ink);
  if (look === "columns") {
    const paths = kit.uPlot.paths.bars?.({ size: [0.6, 12] });
    return { fill: stroke, width: 0, points: { show: false }, ...(paths && { paths }) };
  }
  return {
    stroke,
    width: WIDTH,
    points: { show: false },
    ...(look === "dashed" && { dash: DASHES }),
  };
}

const valuesOf = ({ values }: Line): (number | null)[] => [...values];
