import { Mark } from "../../parts/mark.tsx";
import { Time } from "../../parts/time.tsx";
import type { Tone } from "../../parts/tone.ts";
import { OutcomeMark } from "../alerts/outcome-mark.tsx";
import { decisionInWords, DECISIONS, isUnsent, outcomeInWords } from "./decision-words.ts";
import type { Decision, Evaluation, Strategy, StrategyMode, StrategyState } from "./types.ts";

const STATES: Readonly<Record<StrategyState, readonly [Tone, string]>> = {
  failing: ["bad", "Failing"],
  scheduled: ["good", "Scheduled"],
  onRequest: ["quiet", "On request"],
  off: ["quiet", "Off"],
};

/** How a strategy stands, and why where it does not do what it should. */
export function StrategyStanding({
  strategy: { reason, state },
}: {
  strategy: Pick<Strategy, "reason" | "state">;
}) {
  const [tone, word] = STATES[state];
  return (
    <div class="stack">
      <Mark tone={tone}>{word}</Mark>
      {reason !== null && <span>{reason}</span>}
    </div>
  );
}

const modeWord = (mode: StrategyMode): string => (mode === "trade" ? "Trades" : "Observes only");

/** Whether it sends orders; one that is off sends none, whatever its mode. */
export function ModeMark({ mode }: { mode: StrategyMode }) {
  return mode === "trade" ? (
    <Mark tone="watch">{modeWord(mode)}</Mark>
  ) : (
    <Mark tone="quiet">{modeWord(mode)}</Mark>
  );
}

/** What it decided last, when, and what became of it. */
export function LastDecision({ evaluation }: { evaluation: Evaluation | null }) {
  if (evaluation === null) return <span class="quiet">Not evaluated yet</span>;
  return (
    <span>
      <Time at={evaluation.slotAt ?? evaluation.startedAt} /> {decisionInWords(evaluation)}
    </span>
  );
}

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
