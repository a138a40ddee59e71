import { Mark } from "../../parts/mark.tsx";
import type { Tone } from "../../parts/tone.ts";
import type { Strategy, StrategyMode, StrategyState } from "./types.ts";

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

export const modeWord = (mode: StrategyMode): string =>
  mode === "trade" ? "Trades" : "Observes only";

/** Whether it sends orders; one that is off sends none, whatever its mode. */
export function ModeMark({ mode }: { mode: StrategyMode }) {
  return mode === "trade" ? (
    <Mark tone="watch">{modeWord(mode)}</Mark>
  ) : (
    <Mark tone="quiet">{modeWord(mode)}</Mark>
  );
}
