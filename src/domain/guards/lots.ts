import type { Minor } from "../money.ts";
import { type Lots, lots, type LotsRule } from "./rule.ts";

const WHOLE = 1000;

/** What so many contracts of a root count as, signs left out. */
export const lotsOf = ({ weights }: LotsRule, root: string, qty: number): number =>
  Math.abs(qty) * (weights[root] ?? WHOLE);

/** All that is held, by root; longs and shorts add up. */
export function heldLots(rule: LotsRule, held: ReadonlyMap<string, number>): Lots {
  let all = 0;
  for (const [root, qty] of held) all += lotsOf(rule, root, qty);
  return lots(all);
}

/** The most that may be held now. While what the account has won is not known, that is the first step. */
export function mostLots(
  { max, ladder }: LotsRule,
  worth: { readonly dayBegan: Minor | undefined; readonly live: number | undefined },
): Lots {
  if (ladder === undefined) return max;
  const now = ladder.counts === "nextDay" ? worth.dayBegan : worth.live;
  if (now === undefined) return max;
  const won = now - ladder.start;
  return ladder.steps.reduce((most, step) => (won > step.above ? step.max : most), max);
}

/** In decimals, as it is written at the API. */
export function formatLots(thousandths: number): string {
  const whole = Math.trunc(thousandths / WHOLE);
  const rest = Math.abs(thousandths % WHOLE);
  if (rest === 0) return String(whole);
  return `${whole}.${String(rest).padStart(3, "0").replace(/0+$/, "")}`;
}
