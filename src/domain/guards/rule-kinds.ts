import type { RuleKind } from "./rule.ts";

/** One that is forgotten does not compile. */
const KINDS: Readonly<Record<RuleKind, true>> = {
  loss: true,
  profit: true,
  drawdown: true,
  lots: true,
  orderValue: true,
  opposite: true,
  count: true,
  consistency: true,
  window: true,
  flatBy: true,
  flatBeforeClose: true,
  flatBeforeRoll: true,
  news: true,
};

export const RULE_KINDS = Object.keys(KINDS) as readonly RuleKind[];
