import { useMemo } from "preact/hooks";
import type uPlot from "uplot";
import { answerOf, api } from "../../api/client.ts";
import type { components } from "../../api/schema.ts";
import {
  axisOf,
  clockText,
  Plot,
  PLOT_PADDING,
  type PlotKit,
  timeAxisOf,
} from "../../parts/plot.tsx";
import { Sheet } from "../../parts/sheet.tsx";
import { usePoll } from "../../shell/poll.ts";
import type { Overview } from "./types.ts";

type LoggedAlert = components["schemas"]["LoggedAlerts"]["alerts"][number];

interface Latency {
  /** Unix seconds. */
  readonly at: number;
  readonly ms: number;
}

const HOUR_SECONDS = 3_600;
const EVERY_MS = 15_000;
/** As many as the gateway counts in its percentiles. */
const NEWEST = 200;

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
  const { data: alerts } = usePoll("latencies", readLatencies, EVERY_MS);
  const drawn = useMemo(() => toData(alerts ?? [], latency), [alerts, latency?.p50, latency?.p99]);
  const summary =
    latency === null
      ? "No alert was acknowledged in the last hour"
      : `Received to acknowledged: half within ${msText(latency.p50)}, 99 in 100 within ${msText(latency.p99)}, of ${latency.count}`;
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
          <p class="plot empty">No alert was acknowledged in the last hour.</p>
        ) : (
          <>
            <Plot summary={summary} data={drawn} optionsOf={optionsOf} />
            <LatencyTable alerts={alerts ?? []} latency={latency} />
          </>
        )}
      </div>
    </Sheet>
  );
}

function LatencyTable({
  alerts,
  latency,
}: {
  alerts: readonly Latency[];
  latency: Overview["alerts"]["latencyMs"];
}) {
  const slowest = alerts.toSorted((a, b) => b.ms - a.ms).slice(0, 5);
  return (
    <details>
      <summary>As a table</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col" class="number">
              Time
            </th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Half of them within</th>
            <td class="number">{msText(latency?.p50)}</td>
          </tr>
          <tr>
            <th scope="row">99 in 100 within</th>
            <td class="number">{msText(latency?.p99)}</td>
          </tr>
          {slowest.map(({ at, ms }) => (
            <tr key={`${at} ${ms}`}>
              <th scope="row">Slow: the one of {clockText(at)}</th>
              <td class="number">{msText(ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

/** "12 ms", "1.4 s". */
function msText(ms: number | undefined): string {
  if (ms === undefined) return "–";
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${Number((ms / 1_000).toFixed(1))} s`;
}

/** The levels reach from the hour's begin to now; between them stands each alert. */
function toData(
  alerts: readonly Latency[],
  latency: Overview["alerts"]["latencyMs"],
): uPlot.AlignedData {
  const now = Date.now() / 1_000;
  const level = (ms: number | undefined) => Array(alerts.length + 2).fill(ms ?? null);
  return [
    [now - HOUR_SECONDS, ...alerts.map(({ at }) => at), now],
    // A logarithm begins above zero.
    [null, ...alerts.map(({ ms }) => Math.max(1, ms)), null],
    level(latency === null ? undefined : Math.max(1, latency.p50)),
    level(latency === null ? undefined : Math.max(1, latency.p99)),
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
