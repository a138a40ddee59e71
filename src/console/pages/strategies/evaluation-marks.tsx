import { Mark } from "../../parts/mark.tsx";
import { OutcomeMark } from "../alerts/outcome-mark.tsx";
import { DECISIONS, isUnsent, outcomeInWords } from "./decision-words.ts";
import type { Decision, Evaluation } from "./types.ts";

export function DecisionMark({ decision }: { decision: Decision }) {
  const { tone, word } = DECISIONS[decision];
  return <Mark tone={tone}>{word}</Mark>;
}

/** What became of a decision, with the reason. */
export function Became({ evaluation }: { evaluation: Evaluation }) {
  const { outcome } = evaluation;
  if (isUnsent(outcome)) return <span class="quiet">{outcomeInWords(evaluation)}</span>;
  return (
    <div class="stack">
      <OutcomeMark outcome={outcome} />
      <span>{outcomeInWords(evaluation)}</span>
    </div>
  );
}
