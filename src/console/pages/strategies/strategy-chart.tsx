import { answerOf, api, Refused } from "../../api/client.ts";
import { Sheet } from "../../parts/sheet.tsx";
import { Stale } from "../../parts/stale.tsx";
import { usePoll } from "../../shell/poll.ts";
import { ChartOf } from "./chart-of.tsx";
import type { Strategy } from "./types.ts";

const EVERY_MS = 10_000;

/** What it looks at now: bars, indicators, and its decisions on them. */
export function StrategyChart({ strategy }: { strategy: Strategy }) {
  const params = { path: { id: strategy.id } };
  const { answeredAt, data, error } = usePoll(
    `chart ${strategy.id}`,
    () => answerOf(api.GET("/v1/strategies/{id}/chart", { params })),
    { everyMs: EVERY_MS },
  );
  return (
    <Sheet
      title="Chart"
      end={data !== undefined && <span class="quiet">{data.symbol}, from its broker</span>}
    >
      <div class="body">
        {data !== undefined && <Stale error={error} since={answeredAt} />}
        {data === undefined && <NotDrawn error={error} />}
        {data !== undefined && data.bars.length === 0 && (
          <p class="empty">
            The account's broker tells the gateway no bars of {data.symbol} now, so there is nothing
            to draw, and nothing to decide on. A strategy can still be evaluated over the API on
            bars in the request.
          </p>
        )}
        {data !== undefined && data.bars.length > 0 && <ChartOf strategy={strategy} chart={data} />}
      </div>
    </Sheet>
  );
}

/** Why there is no chart yet. */
function NotDrawn({ error }: { error: Error | undefined }) {
  if (error === undefined) return <p class="empty">One moment …</p>;
  const isBroker = error instanceof Refused && error.code === "BROKER_UNAVAILABLE";
  return (
    <p class="empty" role="status">
      {isBroker
        ? "The account's broker cannot be asked for bars now: its connection is down. The chart comes when it is up again."
        : `The chart could not be read: ${error.message}.`}{" "}
      Trying again every ten seconds.
    </p>
  );
}
