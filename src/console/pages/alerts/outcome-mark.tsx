import { Mark } from "../../parts/mark.tsx";
import { outcomeTone, outcomeWord } from "./outcome-words.ts";
import type { AlertOutcome } from "./types.ts";

export function OutcomeMark({ outcome }: { outcome: AlertOutcome }) {
  return <Mark tone={outcomeTone(outcome)}>{outcomeWord(outcome)}</Mark>;
}
