import { answerOf, api } from "../../api/client.ts";
import { PageTitle } from "../../parts/page-title.tsx";
import { useNow } from "../../shell/clock.ts";
import { usePoll } from "../../shell/poll.ts";
import { OverviewKillSwitch } from "../accounts/kill-switch.tsx";
import { AlertsChart } from "./alerts-chart.tsx";
import { Attention } from "./attention.tsx";
import { Figures } from "./figures.tsx";
import { HoldingsTable } from "./holdings-table.tsx";
import { LatencyChart } from "./latency-chart.tsx";
import { OVERVIEW_RHYTHM } from "./overview-rhythm.ts";
import { Safety } from "./safety.tsx";

/** Older than this, what is shown says nothing about now. */
const STALE_AFTER_MS = 12_000;

/** What needs a person, what is held, and how alerts went. */
export function OverviewPage() {
  const poll = usePoll("overview", () => answerOf(api.GET("/v1/overview")), OVERVIEW_RHYTHM);
  const now = useNow();
  const { data, error, answeredAt } = poll;
  const isOld = answeredAt !== undefined && now - answeredAt > STALE_AFTER_MS;
  const isStale = error !== undefined || isOld;
  return (
    <>
      <PageTitle title="Overview" />
      <Safety overview={data} isStale={isStale} error={error} answeredAt={answeredAt} />
      {data !== undefined && (
        <div class={isStale ? "stale" : "fresh"}>
          <OverviewKillSwitch state={data.killSwitch} onChanged={poll.refresh} />
          <Attention troubles={data.troubles} />
          <HoldingsTable overview={data} refresh={poll.refresh} />
          <Figures overview={data} />
          <div class="split">
            <AlertsChart minutes={data.alerts.minutes} />
            <LatencyChart latency={data.alerts.latencyMs} />
          </div>
        </div>
      )}
    </>
  );
}
