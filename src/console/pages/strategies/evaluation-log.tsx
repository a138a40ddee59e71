import { useId, useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { Choice } from "../../parts/fields.tsx";
import { msText, qtyText } from "../../parts/figure-text.ts";
import { LOG_PAGE, LogFoot, useLogFeed } from "../../parts/log.tsx";
import { Sheet } from "../../parts/page.tsx";
import { Stale } from "../../parts/problem.tsx";
import { Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { go, place } from "../../shell/router.ts";
import { EvaluationDetails } from "./evaluation-details.tsx";
import { Became, DecisionMark } from "./strategy-marks.tsx";
import type { Evaluation } from "./types.ts";

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

const COLUMNS = ["When", "Decision", "Why", "Outcome", "Position", { figure: "Took" }];

/** Evaluations, a line each; each unfolds to all that it saw. */
function EvaluationTable({ evaluations }: { evaluations: readonly Evaluation[] }) {
  return (
    <div class="evaluations">
      <Table look="cards" columns={COLUMNS}>
        {evaluations.map((evaluation) => (
          <EvaluationRows key={evaluation.id} evaluation={evaluation} />
        ))}
      </Table>
    </div>
  );
}

function EvaluationRows({ evaluation }: { evaluation: Evaluation }) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const { decision, dryRun, durationMs, reason, slotAt, startedAt, trigger } = evaluation;
  return (
    <>
      <tr class={isOpen ? "unfolded" : ""}>
        <th scope="row" data-name="When">
          <button
            type="button"
            class="fold"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setIsOpen(!isOpen)}
          >
            <span class="sign" aria-hidden="true" />
            <Time at={slotAt ?? startedAt} />
          </button>
          {trigger === "request" && <span class="quiet">{dryRun ? "dry run" : "asked for"}</span>}
        </th>
        <td data-name="Decision">
          <DecisionMark decision={decision} />
        </td>
        <td data-name="Why">{reason ?? ""}</td>
        <td data-name="Outcome" class="ended">
          <Became evaluation={evaluation} />
        </td>
        <td data-name="Position">
          <Move evaluation={evaluation} />
        </td>
        <td data-name="Took" class="number">
          {msText(durationMs ?? undefined)}
        </td>
      </tr>
      <tr id={id} class="details" hidden={!isOpen}>
        <td colSpan={6}>{isOpen && <EvaluationDetails evaluation={evaluation} />}</td>
      </tr>
    </>
  );
}

function Move({ evaluation: { heldQty, targetQty } }: { evaluation: Evaluation }) {
  if (heldQty === null) return <span class="quiet absent">–</span>;
  return (
    <span>
      {qtyText(heldQty)}
      {targetQty !== null && ` → ${qtyText(targetQty)}`}
    </span>
  );
}
