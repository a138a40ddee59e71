import { answerOf, api } from "../../api/client.ts";
import { PageTitle } from "../../parts/page.tsx";
import { useNow } from "../../shell/clock.ts";
import { useMoney } from "../../shell/use-money.ts";
import { OVERVIEW_RHYTHM, usePoll } from "../../shell/poll.ts";
import { OverviewKillSwitch } from "../accounts/kill-switch.tsx";
import { AlertsChart } from "./alerts-chart.tsx";
import { AccountTable } from "./account-table.tsx";
import { Attention } from "./attention.tsx";
import { HoldingsTable } from "./holdings-table.tsx";
import { LatencyChart } from "./latency-chart.tsx";
import { Safety } from "./safety.tsx";
import { SilentDestinations } from "./silent-destinations.tsx";
import type { Overview } from "./types.ts";

/** Older than this, what is shown says nothing about now. */
const STALE_AFTER_MS = 12_000;

/** What every account is worth, what needs a person, what is held, and how alerts went. */
export function OverviewPage() {
  const poll = usePoll("overview", () => answerOf(api.GET("/v1/overview")), OVERVIEW_RHYTHM);
  const money = useMoney();
  const now = useNow();
  const { data, error, answeredAt } = poll;
  const isOld = answeredAt !== undefined && now - answeredAt > STALE_AFTER_MS;
  const isStale = error !== undefined || isOld;
  return (
    <>
      <PageTitle title="Overview" />
      <SilentDestinations />
      <AccountTable money={money} />
      <Safety overview={data} isStale={isStale} error={error} answeredAt={answeredAt} />
      {data !== undefined && answeredAt !== undefined && (
        <div class={isStale ? "stale" : "fresh"}>
          <OverviewKillSwitch state={data.killSwitch} onChanged={poll.refresh} />
          <Attention troubles={data.troubles} />
          <HoldingsTable
            overview={data}
            answeredAt={answeredAt}
            money={money}
            refresh={poll.refresh}
          />
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

const LONG_WAIT_SECONDS = 10;

/** What the answer is made of. */
function Figures({ overview }: { overview: Overview }) {
  const { connections, positions, unknownOutcomes } = overview;
  const { waiting, oldestWaitingSeconds } = overview;
  const down = connections.total - connections.connected;
  return (
    <dl class="figures">
      <Figure
        name="Connections up"
        value={
          connections.total === 0 ? "none" : `${connections.connected} of ${connections.total}`
        }
        wrong={down > 0 && `${down} down`}
        note={connections.total === 0 ? "no broker connected" : "paused ones not counted"}
      />
      <Figure
        name="Unanswered orders"
        value={String(unknownOutcomes)}
        wrong={unknownOutcomes > 0 && "check at the broker"}
        note="may be live at the broker"
      />
      <Figure
        name="Positions with a stop-loss"
        value={positions.held === 0 ? "none open" : `${positions.protected} of ${positions.held}`}
        wrong={positions.missing > 0 && `${positions.missing} lost an exit`}
        note={
          positions.noneAsked > 0 ? `${positions.noneAsked} without, by choice` : "all accounts"
        }
      />
      <Figure
        name="Oldest waiting order"
        value={oldestWaitingSeconds === null ? "none" : spanText(oldestWaitingSeconds)}
        wrong={(oldestWaitingSeconds ?? 0) >= LONG_WAIT_SECONDS && "waiting too long"}
        note={waiting === 0 ? "nothing is waiting" : `${waiting} waiting`}
      />
    </dl>
  );
}

function Figure({
  name,
  value,
  wrong,
  note,
}: {
  name: string;
  value: string;
  /** What is wrong with it, in words; false when nothing. */
  wrong: string | false;
  note: string;
}) {
  return (
    <div class={wrong === false ? "figure" : "figure bad"}>
      <dt class="name">{name}</dt>
      <dd class="value">{value}</dd>
      <dd class="note">
        {wrong === false ? (
          note
        ) : (
          <strong>
            <span aria-hidden="true">✕ </span>
            {wrong}
          </strong>
        )}
      </dd>
    </div>
  );
}

/** "0.4 s", "42 s", "3 min". */
function spanText(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.floor(seconds)} s`;
  return `${Math.floor(seconds / 60)} min`;
}
