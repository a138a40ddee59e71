import { countText } from "../../parts/figure-text.ts";
import { decisionInWords, isCarriedOut } from "./decision-words.ts";
import type { Decision, Evaluation, StrategyChart } from "./types.ts";

/** A decision where it stands in the chart. */
export interface DecisionPoint {
  /** Which bar it was taken on, the oldest being 0. */
  readonly bar: number;
  readonly decision: Decision;
  /** Whether it was carried out, or only said. */
  readonly isDone: boolean;
  readonly words: string;
}

const MINUTE_MS = 60_000;

/** Each decision on the newest bar that had ended by then. */
export function decisionsOn({
  barMinutes,
  bars,
  decisions,
}: Pick<StrategyChart, "bars" | "barMinutes" | "decisions">): readonly DecisionPoint[] {
  const ends = bars.map(({ time }) => Date.parse(time) + barMinutes * MINUTE_MS);
  return decisions.flatMap((evaluation) => {
    const endAt = Date.parse(evaluation.barsEndAt ?? evaluation.startedAt);
    const bar = ends.findLastIndex((end) => end <= endAt);
    return bar === -1 ? [] : [toPoint(evaluation, bar)];
  });
}

const toPoint = (evaluation: Evaluation, bar: number): DecisionPoint => ({
  bar,
  decision: evaluation.decision,
  isDone: isCarriedOut(evaluation),
  words: decisionInWords(evaluation),
});

const KINDS = [
  ["enterLong", "entry long", "entries long"],
  ["enterShort", "entry short", "entries short"],
  ["exit", "exit", "exits"],
] as const;

/** "2 entries long, 1 exit"; "no decision". */
export function countsInWords(points: readonly DecisionPoint[]): string {
  const words = KINDS.flatMap(([decision, one, many]) => {
    const count = points.filter((point) => point.decision === decision).length;
    return count === 0 ? [] : [countText(count, one, many)];
  });
  return words.length === 0 ? "no decision" : words.join(", ");
}
