import type { ConditionName } from "./strategy.ts";

/** What a strategy wants now. `exit`: to be flat; `hold`: nothing. */
export const DECISIONS = ["enterLong", "enterShort", "exit", "hold"] as const;
export type Decision = (typeof DECISIONS)[number];

export interface Decided {
  readonly decision: Decision;
  /** Why, in words. */
  readonly reason: string;
}

/**
 * What follows from the conditions and the position held (signed). An entry on the other side turns
 * the position; one on the side that is held changes nothing. Turning goes before leaving, and of
 * two entries at once from flat neither is taken.
 */
export function decide(
  isTrue: Readonly<Partial<Record<ConditionName, boolean>>>,
  netQty: number,
): Decided {
  const { enterLong = false, exitLong = false, enterShort = false, exitShort = false } = isTrue;
  if (netQty > 0) {
    if (enterShort) return { decision: "enterShort", reason: "enterShort is true, it holds long" };
    if (exitLong) return { decision: "exit", reason: "exitLong is true, it holds long" };
    return { decision: "hold", reason: "It holds long, and nothing says to leave" };
  }
  if (netQty < 0) {
    if (enterLong) return { decision: "enterLong", reason: "enterLong is true, it holds short" };
    if (exitShort) return { decision: "exit", reason: "exitShort is true, it holds short" };
    return { decision: "hold", reason: "It holds short, and nothing says to leave" };
  }
  if (enterLong && enterShort) {
    return { decision: "hold", reason: "enterLong and enterShort are true at once" };
  }
  if (enterLong) return { decision: "enterLong", reason: "enterLong is true, it is flat" };
  if (enterShort) return { decision: "enterShort", reason: "enterShort is true, it is flat" };
  return { decision: "hold", reason: "It is flat, and no entry is true" };
}

/** The conditions that matter to a position. */
export function asksOf(netQty: number): readonly ConditionName[] {
  if (netQty > 0) return ["enterShort", "exitLong"];
  return netQty < 0 ? ["enterLong", "exitShort"] : ["enterLong", "enterShort"];
}

/** What is to be held after it, signed; undefined when nothing is to change. */
export function targetOf(decision: Decision, qty: number): number | undefined {
  switch (decision) {
    case "enterLong":
      return qty;
    case "enterShort":
      return -qty;
    case "exit":
      return 0;
    case "hold":
      return undefined;
  }
}
