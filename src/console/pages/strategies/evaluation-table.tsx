import { useId, useState } from "preact/hooks";
import { msText, qtyText } from "../../parts/figure-text.ts";
import { Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { EvaluationDetails } from "./evaluation-details.tsx";
import { Became, DecisionMark } from "./evaluation-marks.tsx";
import type { Evaluation } from "./types.ts";

const COLUMNS = ["When", "Decision", "Why", "Outcome", "Position", { figure: "Took" }];

/** Evaluations, a line each; each unfolds to all that it saw. */
export function EvaluationTable({ evaluations }: { evaluations: readonly Evaluation[] }) {
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
