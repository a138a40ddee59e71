import { answerOf, api } from "../../api/client.ts";
import { Choice } from "../../parts/choice.tsx";
import { LogFoot } from "../../parts/log-foot.tsx";
import { Sheet } from "../../parts/sheet.tsx";
import { Stale } from "../../parts/stale.tsx";
import { LOG_PAGE, useLogFeed } from "../../parts/use-log-feed.ts";
import { go, place } from "../../shell/router.ts";
import { EvaluationTable } from "./evaluation-table.tsx";

/** What it decided and what became of it, newest first and live. */
export function EvaluationLog({ strategyId }: { strategyId: string }) {
  const isNotable = place.value.query.get("notable") === "true";
  const choose = (chosen: boolean) =>
    go(`/strategies/${strategyId}${chosen ? "?notable=true" : ""}`, { replace: true });
  return (
    <Sheet
      title="Log"
      end={
        <Choice isChosen={isNotable} onChoose={choose}>
          Only what mattered
        </Choice>
      }
    >
      <Lines key={String(isNotable)} strategyId={strategyId} isNotable={isNotable} />
    </Sheet>
  );
}

function Lines({ strategyId, isNotable }: { strategyId: string; isNotable: boolean }) {
  const feed = useLogFeed(`evaluations ${strategyId} ${isNotable}`, async (cursor) => {
    const query = {
      limit: LOG_PAGE,
      ...(isNotable && { notable: true }),
      ...(cursor !== undefined && { cursor }),
    };
    const params = { path: { id: strategyId }, query };
    const { logs: lines, nextCursor } = await answerOf(
      api.GET("/v1/strategies/{id}/logs", { params }),
    );
    return { lines, nextCursor };
  });
  const { answeredAt, error, isReady, olderCursor, shown } = feed;
  return (
    <>
      <Stale error={error} since={answeredAt} />
      {shown.length > 0 && <EvaluationTable evaluations={shown} />}
      {!isReady && error === undefined && <p class="empty">One moment …</p>}
      {isReady && shown.length === 0 && olderCursor === undefined && (
        <p class="empty">
          {isNotable
            ? "Nothing was to change yet, and nothing went wrong."
            : "It was not evaluated yet."}
        </p>
      )}
      <LogFoot feed={feed} verb="Older evaluations" />
    </>
  );
}
