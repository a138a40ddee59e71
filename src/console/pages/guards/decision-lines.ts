import type { Decision } from "./types.ts";

export interface DecisionLine extends Decision {
  readonly id: string;
}

/** A decision has no id: what is the same in one instant is told apart by its place among its like. */
export function withIds(decisions: readonly Decision[]): readonly DecisionLine[] {
  const counts = new Map<string, number>();
  // From the oldest on: what comes later does not change what stands.
  return decisions
    .toReversed()
    .map((decision) => {
      const { at, reason, ruleId, what } = decision;
      const key = JSON.stringify([at, what, ruleId, reason]);
      const nth = counts.get(key) ?? 0;
      counts.set(key, nth + 1);
      return { ...decision, id: `${key} ${nth}` };
    })
    .toReversed();
}
