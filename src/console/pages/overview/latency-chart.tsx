import { useMemo } from "preact/hooks";
import type uPlot from "uplot";
import { answerOf, api } from "../../api/client.ts";
import type { components } from "../../api/schema.ts";
import { msText } from "../../parts/figure-text.ts";
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
import { type Rhythm, usePoll } from "../../shell/poll.ts";
import type { Overview } from "./types.ts";

type LoggedAlert = components["schemas"]["LoggedAlerts"]["alerts"][number];

const RHYTHM: Rhythm = { refreshOn: { what: ["alerts"] }, anywayMs: 60_000 };
/** As many as the gateway counts in its percentiles. */
const NEWEST = 200;
const NONE: readonly Latency[] = [];

async function readLatencies(): Promise<readonly Latency[]> {
  const from = new Date(Date.now() - HOUR_SECONDS * 1_000).toISOString();
  const query = { limit: NEWEST, from };
  const { alerts } = await answerOf(api.GET("/v1/alerts", { params: { query } }));
  return alerts.flatMap(toLatency).sort((a, b) => a.at - b.at);
}

function toLatency({ times: { received, acknowledged } }: LoggedAlert): Latency[] {
  if (acknowledged === null) return [];
  const at = Date.parse(received);
  return [{ at: at / 1_000, ms: Date.parse(acknowledged) - at }];
}

/** How long alerts take from receipt to the broker's acknowledgement: each one, and the two levels. */
export function LatencyChart({ latency }: { latency: Overview["alerts"]["latencyMs"] }) {
  const { data: alerts = NONE } = usePoll("latencies", readLatencies, RHYTHM);
  return (
    <Sheet title="Received to acknowledged" end={<span class="quiet">last hour</span>}>
      <div class="body">
        <p class="keys">
          <span>
            <i class="ink median" aria-hidden="true" /> half within{" "}
            <strong>{msText(latency?.p50)}</strong>
          </span>
          <span>
            <i class="ink slow" aria-hidden="true" /> 99 % within{" "}
            <strong>{msText(latency?.p99)}</strong>
          </span>
          <span class="quiet">
            <i class="ink one" aria-hidden="true" /> one alert each, {latency?.count ?? 0} in all
          </span>
        </p>
        {latency === null ? (
          <p class="plot empty">No alerts acknowledged in the last hour.</p>
        ) : (
          <>
            <LatencyPlot alerts={alerts} latency={latency} />
            <LatencyTable alerts={alerts} latency={latency} />
          </>
        )}
      </div>
    </Sheet>
  );
}

function LatencyTable({ alerts, latency }: { alerts: readonly Latency[]; latency: Levels }) {
  const slowest = alerts.toSorted((a, b) => b.ms - a.ms).slice(0, 5);
  const rows = [
    { name: "Half of them within", figures: [msText(latency.p50)] },
    { name: "99 % within", figures: [msText(latency.p99)] },
    ...slowest.map(({ at, ms }) => ({
      name: `Slow: the one of ${clockText(at)}`,
      figures: [msText(ms)],
    })),
  ];
  return <FigureTable rowName="What" figureNames={["Time"]} rows={rows} />;
}

/** How long one alert took from receipt to acknowledgement. */
interface Latency {
  /** Unix seconds. */
  readonly at: number;
  readonly ms: number;
}

/** Within which half of the alerts stay, and 99 in 100 of them. */
type Levels = NonNullable<Overview["alerts"]["latencyMs"]>;

/** How far back the chart reaches. */
const HOUR_SECONDS = 3_600;

/** Each alert by its time, and the two levels. */
function LatencyPlot({ alerts, latency }: { alerts: readonly Latency[]; latency: Levels }) {
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
