import type { ExitPlan } from "./exit-plan.ts";
import { shareOut } from "./share-out.ts";

/** What of a plan cannot come about with so many contracts, in words; undefined where all of it can. */
export function tooFewFor({ targets, breakeven }: ExitPlan, qty: number): string | undefined {
  const there = new Set(shareOut(targets, qty).map(({ target }) => target));
  const gone = [...targets.keys()].filter((place) => !there.has(place)).map((place) => place + 1);
  if (gone.length === 0) return undefined;
  const after = breakeven?.after.by === "target" ? breakeven.after.target : undefined;
  const isLost = after !== undefined && gone.includes(after);
  const names = gone.length === 1 ? `target ${gone[0]} gets` : `targets ${gone.join(", ")} get`;
  const stays = isLost ? `, and its stop does not go to the entry after target ${after}` : "";
  return `Of ${qty} contracts ${names} none${stays}`;
}
