import type uPlot from "uplot";
import type { PlotKit } from "../../parts/plot.tsx";
import type { Line } from "./chart-panes.ts";

const WIDTH = 1.5;
const DASHES = [5, 4];

/** How a line of an indicator is drawn. */
export function seriesOf({ ink, look }: Line, kit: PlotKit): uPlot.Series {
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

export const valuesOf = ({ values }: Line): (number | null)[] => [...values];
