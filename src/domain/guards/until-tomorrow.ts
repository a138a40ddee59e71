import { minor } from "../money.ts";
import { areTermsAsTight, BLIND_RANK, equal, isAsTight, type Loosened } from "./loosens.ts";
import { type GuardRule, type GuardSettings, lots } from "./rule.ts";

/**
 * What holds until the next trading day where a hard rule is loosened: of each term and each hard rule
 * the stricter of what was and what is wanted, and of the rest what is wanted. Amounts of two currencies
 * cannot be compared: then all of what was goes on.
 */
export function untilTomorrow(
  former: GuardSettings,
  next: GuardSettings,
  { rules: loosened }: Loosened,
): GuardSettings {
  if (former.currency !== next.currency) return former;
  const held = loosened.filter(({ lock }) => lock === "hard");
  const rules = held.map((rule) => {
    const wanted = next.rules.find(({ id }) => id === rule.id);
    return wanted === undefined ? rule : stricterRule(rule, wanted);
  });
  const others = next.rules.filter(({ id }) => !held.some((rule) => rule.id === id));
  return { ...stricterTerms(former, next), rules: [...rules, ...others] };
}

function stricterTerms(former: GuardSettings, next: GuardSettings): GuardSettings {
  if (areTermsAsTight(former, next)) return next;
  const entriesOffPercent = Math.min(former.entriesOffPercent, next.entriesOffPercent);
  return {
    ...next,
    // It only tells, and has to stay below where entries end.
    warnPercent: Math.min(next.warnPercent, entriesOffPercent - 1),
    entriesOffPercent,
    bufferPercent: Math.max(former.bufferPercent, next.bufferPercent),
    whenBlind: stricterBlind(former.whenBlind, next.whenBlind),
  };
}

/** What does more, and of the same the sooner; what only tells is not compared by its time. */
function stricterBlind(
  was: GuardSettings["whenBlind"],
  is: GuardSettings["whenBlind"],
): GuardSettings["whenBlind"] {
  if (BLIND_RANK[is.then] < BLIND_RANK[was.then]) return was;
  if (was.then === "alarm") return is;
  return { then: is.then, afterSeconds: Math.min(was.afterSeconds, is.afterSeconds) };
}

/** Where the two cannot be taken together, the hard one that was goes on. */
function stricterRule(rule: GuardRule, wanted: GuardRule): GuardRule {
  if (isAsTight(rule, wanted)) return wanted;
  if (wanted.mode !== "on") return rule;
  const both = together(rule, wanted);
  const flattens = [rule, wanted].some((one) => "then" in one && one.then === "flatten");
  return "then" in both && flattens ? { ...both, then: "flatten" } : both;
}

function together(rule: GuardRule, wanted: GuardRule): GuardRule {
  switch (rule.kind) {
    case "loss":
    case "profit":
      return wanted.kind === rule.kind && isButFor(rule, wanted, ["limit", "then"])
        ? { ...rule, limit: minor(Math.min(rule.limit, wanted.limit)) }
        : rule;
    case "drawdown":
      return wanted.kind === "drawdown" && isButFor(rule, wanted, ["size", "then"])
        ? { ...rule, size: minor(Math.min(rule.size, wanted.size)) }
        : rule;
    case "lots":
      return wanted.kind === "lots" && isButFor(rule, wanted, ["max"])
        ? { ...rule, max: lots(Math.min(rule.max, wanted.max)) }
        : rule;
    case "orderValue":
      return wanted.kind === "orderValue"
        ? { ...rule, max: minor(Math.min(rule.max, wanted.max)) }
        : rule;
    case "count":
      return wanted.kind === "count" && wanted.of === rule.of
        ? { ...rule, max: Math.min(rule.max, wanted.max) }
        : rule;
    case "opposite":
    case "consistency":
    case "window":
    case "flatBy":
    case "flatBeforeClose":
    case "flatBeforeRoll":
    case "news":
      return rule;
  }
}

/** The same but for these, and for who may end its lock: that stays hard. */
function isButFor(rule: GuardRule, wanted: GuardRule, names: readonly string[]): boolean {
  const free = Object.fromEntries([...names, "lock"].map((name) => [name, undefined]));
  return equal({ ...rule, ...free }, { ...wanted, ...free });
}
