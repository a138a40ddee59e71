import type { Minor } from "../money.ts";
import type { GuardRule, GuardSettings, RuleOf } from "./rule.ts";

/** What of an account's guards another set of them would loosen. */
export interface Loosened {
  /** The rules that would hold less, or not any more: all, where what holds for all of them is looser. */
  readonly rules: readonly GuardRule[];
}

/**
 * Compares two sets of guards. What is not known to be tighter counts as looser; what only tells loosens
 * nothing when it goes.
 */
export function loosens(former: GuardSettings, next: GuardSettings): Loosened {
  const inForce = former.rules.filter((rule) => rule.mode === "on" && rule.kind !== "consistency");
  if (!areTermsAsTight(former, next)) return { rules: inForce };
  const rules = inForce.filter((rule) => {
    const other = next.rules.find(({ id }) => id === rule.id);
    return other === undefined || !isAsTight(rule, other);
  });
  return { rules };
}

/**
 * The rules that another word of what the account was worth as its day began would loosen: they count
 * from it, and a higher one leaves them more room. So does the first one: without it they hold back.
 */
export function loosenedByBalance(
  { rules }: GuardSettings,
  known: Minor | undefined,
  given: Minor | undefined,
): readonly GuardRule[] {
  if (given === undefined || (known !== undefined && given <= known)) return [];
  return rules.filter(
    (rule) =>
      rule.mode === "on" &&
      (rule.kind === "drawdown" || (rule.kind === "lots" && rule.ladder !== undefined)),
  );
}

export const BLIND_RANK = { alarm: 0, flattenUnprotected: 1, flatten: 2 } as const;

export function areTermsAsTight(former: GuardSettings, next: GuardSettings): boolean {
  const [was, is] = [former.whenBlind, next.whenBlind];
  return (
    former.currency === next.currency &&
    next.entriesOffPercent <= former.entriesOffPercent &&
    next.bufferPercent >= former.bufferPercent &&
    BLIND_RANK[is.then] >= BLIND_RANK[was.then] &&
    (was.then === "alarm" || is.afterSeconds <= was.afterSeconds)
  );
}

export function isAsTight(rule: GuardRule, other: GuardRule): boolean {
  if (other.mode !== "on" || (rule.lock === "hard" && other.lock !== "hard")) return false;
  if ("then" in rule && rule.then === "flatten" && !("then" in other && other.then === "flatten")) {
    return false;
  }
  switch (rule.kind) {
    case "loss":
    case "profit":
      return other.kind === rule.kind && isPnlAsTight(rule, other);
    case "drawdown":
      return other.kind === "drawdown" && isDrawdownAsTight(rule, other);
    case "lots":
      return other.kind === "lots" && areLotsAsTight(rule, other);
    case "orderValue":
      return other.kind === "orderValue" && other.max <= rule.max;
    case "count":
      return other.kind === "count" && other.of === rule.of && other.max <= rule.max;
    case "opposite":
      return (
        other.kind === "opposite" &&
        rule.groups.every((group) =>
          other.groups.some((one) => group.every((root) => one.includes(root))),
        )
      );
    case "consistency":
      return true;
    case "window":
      return isSame(rule, other, {});
    case "flatBy":
      return isSame(rule, other, { entriesOffMinutes: 6 * 60, flattenSeconds: 6 * 3_600 });
    case "flatBeforeClose":
      return isSame(rule, other, { entriesOffMinutes: 6 * 60, seconds: 6 * 3_600 });
    case "flatBeforeRoll":
      return isSame(rule, other, { businessDays: Infinity });
    case "news":
      return isSame(rule, other, { beforeSeconds: Infinity, afterSeconds: Infinity });
  }
}

type Pnl = Extract<GuardRule, { readonly period: unknown }>;

const isPnlAsTight = (rule: Pnl, other: Pnl): boolean =>
  other.period === rule.period &&
  other.counts === rule.counts &&
  other.limit <= rule.limit &&
  equal(rule.together ?? [], other.together ?? []);

/** A floor that stands higher is tighter; one that follows live follows at the end of a day, too. */
const isDrawdownAsTight = (rule: RuleOf<"drawdown">, other: RuleOf<"drawdown">): boolean =>
  (other.trails === rule.trails || other.trails === "live") &&
  other.size <= rule.size &&
  other.start >= rule.start &&
  (other.peak ?? -Infinity) >= (rule.peak ?? -Infinity) &&
  (other.locksAt ?? Infinity) >= (rule.locksAt ?? Infinity);

const WHOLE_LOT = 1_000;

function areLotsAsTight(rule: RuleOf<"lots">, other: RuleOf<"lots">): boolean {
  const roots = [...Object.keys(rule.weights), ...Object.keys(other.weights)];
  const areWeightsAsTight = roots.every(
    (root) => (other.weights[root] ?? WHOLE_LOT) >= (rule.weights[root] ?? WHOLE_LOT),
  );
  // Without a ladder the least of it holds.
  const isLadderAsTight = other.ladder === undefined || equal(rule.ladder, other.ladder);
  return areWeightsAsTight && isLadderAsTight && other.max <= rule.max;
}

/**
 * The same, but for figures of which more is tighter, up to so much: being flat half a day before a close
 * is another way of trading, and not the same one held tighter.
 */
function isSame(
  rule: GuardRule,
  other: GuardRule,
  moreIsTighter: Readonly<Record<string, number>>,
): boolean {
  const [was, is] = [rule, other].map((one) => one as unknown as Record<string, unknown>);
  const names = new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})]);
  return [...names].every((name) => {
    // Judged above.
    if (name === "lock" || name === "mode") return true;
    const [before, after, most] = [Number(was?.[name]), Number(is?.[name]), moreIsTighter[name]];
    if (most !== undefined && after > before) return after <= most;
    return equal(was?.[name], is?.[name]);
  });
}

/** Plain data; the order of an object's fields says nothing. */
export function equal(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || one === null || typeof other !== "object" || other === null) {
    return one === other;
  }
  const [names, others] = [Object.keys(one), Object.keys(other)];
  return (
    names.length === others.length &&
    names.every((name) =>
      equal((one as Record<string, unknown>)[name], (other as Record<string, unknown>)[name]),
    )
  );
}
