import type { Tone } from "../../parts/tone.ts";
import { outcomeMeaning, outcomeWord } from "../alerts/outcome-words.ts";
import type { Decision, Evaluation, EvaluationOutcome } from "./types.ts";

interface DecisionWords {
  readonly tone: Tone;
  readonly word: string;
}

export const DECISIONS: Readonly<Record<Decision, DecisionWords>> = {
  enterLong: { tone: "good", word: "Enter long" },
  enterShort: { tone: "good", word: "Enter short" },
  exit: { tone: "good", word: "Exit" },
  hold: { tone: "quiet", word: "Hold" },
  notReady: { tone: "watch", word: "Not ready" },
  stale: { tone: "watch", word: "Bars too old" },
  failed: { tone: "bad", word: "Failed" },
  missed: { tone: "bad", word: "Missed" },
  skipped: { tone: "quiet", word: "Skipped" },
};

/** Of those that came to no intent; the others are in the words of the alert log. */
const UNSENT: Readonly<Record<"none" | "dryRun" | "observed" | "off", string>> = {
  none: "Nothing was to change.",
  dryRun: "A dry run: nothing was sent.",
  observed: "It only observes: nothing was sent.",
  off: "It is off: nothing was sent.",
};

export const isUnsent = (outcome: EvaluationOutcome): outcome is keyof typeof UNSENT =>
  outcome in UNSENT;

/** What became of what was decided, in one sentence. */
export function outcomeInWords({
  outcome,
  outcomeReason,
}: Pick<Evaluation, "outcome" | "outcomeReason">): string {
  if (isUnsent(outcome)) return UNSENT[outcome];
  return outcomeReason ?? outcomeMeaning(outcome);
}

/** "Enter long: Bought 1 MNQZ6 at 25210.75". */
export function decisionInWords(
  evaluation: Pick<Evaluation, "decision" | "outcome" | "outcomeReason">,
): string {
  const { decision, outcome } = evaluation;
  const { word } = DECISIONS[decision];
  if (outcome === "none") return word;
  const became = isUnsent(outcome) ? "" : `${outcomeWord(outcome).toLowerCase()}, `;
  return `${word}: ${became}${outcomeInWords(evaluation)}`;
}

/** Whether something was sent for it that may have changed the position. */
export const isCarriedOut = ({ outcome }: Pick<Evaluation, "outcome">): boolean =>
  outcome === "done" || outcome === "unprotected";
