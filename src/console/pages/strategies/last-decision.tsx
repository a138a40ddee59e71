import { Time } from "../../parts/time.tsx";
import { decisionInWords } from "./decision-words.ts";
import type { Evaluation } from "./types.ts";

/** What it decided last, when, and what became of it. */
export function LastDecision({ evaluation }: { evaluation: Evaluation | null }) {
  if (evaluation === null) return <span class="quiet">Not evaluated yet</span>;
  return (
    <span>
      <Time at={evaluation.slotAt ?? evaluation.startedAt} /> {decisionInWords(evaluation)}
    </span>
  );
}
