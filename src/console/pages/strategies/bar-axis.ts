import type uPlot from "uplot";
import { axisOf, clockText, type PlotKit } from "../../parts/plot.tsx";
import type { ChartBar } from "./types.ts";

const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });

const dayText = ({ time }: ChartBar): string => DAY.format(new Date(time));

/** "22 Nov, 14:25": a bar's beginning by the person's own clock. */
export const barTimeText = (bar: ChartBar): string =>
  `${dayText(bar)}, ${clockText(Date.parse(bar.time) / 1_000)}`;

/** Bars stand side by side, also where a market was closed between them. */
const STEPS = [1, 2, 5, 10, 15, 20, 25, 30, 50, 100, 200];

/** The time below bars that are numbered from 0; a day is told where it begins. */
export function barAxisOf(kit: PlotKit, barsNow: () => readonly ChartBar[]): uPlot.Axis {
  const labelOf = (at: number, before: number | undefined): string => {
    const bars = barsNow();
    const bar = bars[at];
    if (bar === undefined) return "";
    const former = before === undefined ? undefined : bars[before];
    const isSameDay = former !== undefined && dayText(former) === dayText(bar);
    return isSameDay ? clockText(Date.parse(bar.time) / 1_000) : dayText(bar);
  };
  return axisOf(kit, {
    space: 70,
    size: 28,
    incrs: STEPS,
    grid: { show: false },
    values: (_, splits) => splits.map((at, place) => labelOf(at, splits[place - 1])),
  });
}

/** A bar that is narrower than this many pixels of the page is not told from the next one. */
const NARROWEST = 3;

/** As many of the newest bars as fit, with the outer halves of the first and the last one. */
export const BAR_SCALE: uPlot.Scale = {
  time: false,
  range({ bbox }, first, last) {
    const most = Math.floor(bbox.width / devicePixelRatio / NARROWEST);
    const oldest = most > 0 ? Math.max(first, last - most + 1) : first;
    return [oldest - 0.5, last + 0.5];
  },
};

/** Which bars are seen: the first of them, and how many. */
export function seenOf({ data, scales }: uPlot): { readonly from: number; readonly count: number } {
  const from = Math.ceil(scales["x"]?.min ?? 0);
  return { from, count: data[0].length - from };
}

/** Of all plots of one page alike, so that their bars stand below each other. */
export const VALUE_AXIS_SIZE = 64;
