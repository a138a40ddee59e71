import { Mark } from "../../parts/mark.tsx";
import { OutcomeMark, outcomeWord } from "../alerts/outcome-mark.tsx";
import type { CopyOutcome } from "./types.ts";

/** As they are offered to choose from. */
export const OUTCOMES: readonly CopyOutcome[] = [
  "done",
  "pending",
  "skipped",
  "denied",
  "rejected",
  "unprotected",
  "notSent",
  "expired",
  "overtaken",
  "withdrawn",
  "unknown",
  "lost",
];

export const copyOutcomeWord = (outcome: CopyOutcome): string =>
  outcome === "skipped" ? "Nothing sent" : outcomeWord(outcome);

/** What became of a copy, in the words of the alert log. */
export function CopyOutcomeMark({ outcome }: { outcome: CopyOutcome }) {
  if (outcome === "skipped") return <Mark tone="watch">{copyOutcomeWord(outcome)}</Mark>;
  return <OutcomeMark outcome={outcome} />;
}
