import { formatScaled } from "../../domain/contracts/decimal.ts";
import type { DrawdownRule, GuardRule, Lots, LotsRule } from "../../domain/guards/rule.ts";
import { formatMinor, type Minor } from "../../domain/money.ts";
import type { ShownRule } from "../schemas/guard-rules.ts";

/** A rule as a caller may send it again. */
export function presentRule(rule: GuardRule, currency: string): ShownRule {
  const money = (amount: Minor): number => presentAmount(amount, currency);
  switch (rule.kind) {
    case "loss":
    case "profit": {
      const { together, ...terms } = rule;
      return {
        ...terms,
        limit: money(rule.limit),
        ...(together !== undefined && { together: [...together] }),
      };
    }
    case "drawdown":
      return { ...rule, ...drawdownAmounts(rule, money) };
    case "lots": {
      const { ladder, weights, ...terms } = rule;
      return {
        ...terms,
        max: presentLots(rule.max),
        weights: Object.fromEntries(
          Object.entries(weights).map(([root, weight]) => [root, presentLots(weight)]),
        ),
        ...(ladder !== undefined && { ladder: presentLadder(ladder, money) }),
      };
    }
    case "orderValue":
      return { ...rule, max: money(rule.max) };
    case "opposite":
      return { ...rule, groups: rule.groups.map((roots) => [...roots]) };
    case "count":
    case "consistency":
      return rule;
    case "window":
    case "flatBy":
    case "flatBeforeClose":
    case "flatBeforeRoll":
    case "news":
      return rule as Mutable<typeof rule>;
  }
}

type Mutable<Value> = Value extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : Value extends object
    ? { -readonly [Name in keyof Value]: Mutable<Value[Name]> }
    : Value;

function drawdownAmounts(
  { size, start, peak, locksAt }: DrawdownRule,
  money: (amount: Minor) => number,
) {
  return {
    size: money(size),
    start: money(start),
    ...(peak !== undefined && { peak: money(peak) }),
    ...(locksAt !== undefined && { locksAt: money(locksAt) }),
  };
}

const presentLadder = (
  { start, counts, steps }: NonNullable<LotsRule["ladder"]>,
  money: (amount: Minor) => number,
) => ({
  start: money(start),
  counts,
  steps: steps.map(({ above, max }) => ({ above: money(above), max: presentLots(max) })),
});

/** An exact decimal as a number, which prints as the same digits. */
export const presentAmount = (amount: Minor, currency: string): number =>
  Number(formatMinor(amount, currency));

/** From thousandths. */
export const presentLots = (thousandths: Lots): number =>
  Number(formatScaled({ units: BigInt(thousandths), scale: 3 }));
