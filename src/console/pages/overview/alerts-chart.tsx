import { useMemo, useState } from "preact/hooks";
import type uPlot from "uplot";
import { Sheet } from "../../parts/page.tsx";
import {
  axisOf,
  clockText,
  Plot,
  PLOT_PADDING,
  type PlotKit,
  timeAxisOf,
} from "../../parts/plot.tsx";
import { FigureTable } from "../../parts/table.tsx";
import type { Overview } from "./types.ts";

type Minute = Overview["alerts"]["minutes"][number];

/** Alerts of each minute of the last hour: what was handed on, and what was not. */
export function AlertsChart({ minutes }: { minutes: readonly Minute[] }) {
  const [at, setAt] = useState<number | null>(null);
  const accepted = sum(minutes.map((minute) => minute.accepted));
  const refused = sum(minutes.map((minute) => minute.refused));
  const data = useMemo(() => toData(minutes), [JSON.stringify(minutes)]);
  const summary = `Alerts in the last hour: ${accepted} accepted, ${refused} refused`;
  const pointed = at === null ? undefined : minutes[at];
  return (
    <Sheet title="Alerts per minute" end={<span class="quiet">last hour</span>}>
      <div class="body">
        <p class="keys">
          <span>
            <i class="ink accepted" aria-hidden="true" /> accepted{" "}
            <strong>{pointed?.accepted ?? accepted}</strong>
          </span>
          <span>
            <i class="ink refused" aria-hidden="true" /> refused{" "}
            <strong>{pointed?.refused ?? refused}</strong>
          </span>
          <span class="quiet">
            {pointed === undefined ? "in all" : `at ${clockText(secondsOf(pointed))}`}
          </span>
        </p>
        {accepted + refused === 0 ? (
          <p class="plot empty">No alerts in the last hour.</p>
        ) : (
          <>
            <Plot summary={summary} data={data} optionsOf={(kit) => optionsOf(kit, setAt)} />
            <p class="quiet">
              Accepted alerts reached their account. That includes tests, and orders that a limit or
              the broker refused after that.
            </p>
            <AlertsTable minutes={minutes} />
          </>
        )}
      </div>
    </Sheet>
  );
}

function AlertsTable({ minutes }: { minutes: readonly Minute[] }) {
  const busy = minutes.filter((minute) => minute.accepted + minute.refused > 0);
  return (
    <FigureTable
      rowName="Minute"
      figureNames={["Accepted", "Refused"]}
      rows={busy.map((minute) => ({
        name: clockText(secondsOf(minute)),
        figures: [minute.accepted, minute.refused],
      }))}
    />
  );
}

const sum = (counts: readonly number[]) => counts.reduce((all, one) => all + one, 0);
const secondsOf = ({ at }: Minute) => Date.parse(at) / 1_000;

/** Stacked: the bar of all stands behind the one of the accepted. */
function toData(minutes: readonly Minute[]): uPlot.AlignedData {
  return [
    minutes.map(secondsOf),
    minutes.map(({ accepted, refused }) => accepted + refused),
    minutes.map(({ accepted }) => accepted),
  ];
}

const MINUTE_SECONDS = 60;
const COUNTS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000];
/** An empty chart still has a height to be empty of. */
const LOWEST_TOP = 4;

function optionsOf(
  kit: PlotKit,
  onPoint: (at: number | null) => void,
): Omit<uPlot.Options, "width" | "height"> {
  const bars = kit.uPlot.paths.bars?.({ size: [0.8, 40], align: 1 });
  const series = (name: string): uPlot.Series => ({
    ...(bars !== undefined && { paths: bars }),
    fill: () => kit.ink(name),
    width: 0,
    points: { show: false },
  });
  return {
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    padding: PLOT_PADDING,
    // The last minute's bar begins where its minute does.
    scales: {
      x: { range: (_, first, last) => [first, last + MINUTE_SECONDS] },
      y: { range: (_, __, top) => [0, Math.max(LOWEST_TOP, top)] },
    },
    series: [{}, series("refused"), series("accepted")],
    axes: [timeAxisOf(kit), axisOf(kit, { size: 36, incrs: COUNTS })],
    hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
  };
}
