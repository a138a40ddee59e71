import type uPlot from "uplot";
import { axisOf, clockText, type PlotKit } from "../../parts/plot.tsx";
import type { ChartBar } from "./types.ts";

const DAY = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });

const dayText = ({ time }: ChartBar): string => DAY.format(new Date(time));

/** "22 Nov, 14:25": a bar's beginning by the person's own clock. */
export const barTimeText = (bar: ChartBar): string =>
  `${dayText(bar)}, ${clockText(Date.parse(bar.time) / 1_000)}`;

/** Bars stand side by side, also where a market was closed between them. */
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200];

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

/** The outer halves of the first and the last bar are seen too. */
export const BAR_SCALE: uPlot.Scale = {
  time: false,
  range: (_, first, last) => [first - 0.5, last + 0.5],
};

/** Of all plots of one page alike, so that their bars stand below each other. */
export const VALUE_AXIS_SIZE = 64;
