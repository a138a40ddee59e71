import { answerOf, api } from "../../api/client.ts";
import type { components } from "../../api/schema.ts";
import { FigureTable } from "../../parts/figure-table.tsx";
import { msText } from "../../parts/figure-text.ts";
import { clockText } from "../../parts/plot.tsx";
import { Sheet } from "../../parts/sheet.tsx";
import { type Rhythm, usePoll } from "../../shell/poll.ts";
import { HOUR_SECONDS, type Latency, LatencyPlot, type Levels } from "./latency-plot.tsx";
import type { Overview } from "./types.ts";

type LoggedAlert = components["schemas"]["LoggedAlerts"]["alerts"][number];

const RHYTHM: Rhythm = { hears: { what: ["alerts"] }, anywayMs: 60_000 };
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
