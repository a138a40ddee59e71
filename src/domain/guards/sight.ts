import { formatMinor, minor } from "../money.ts";
import { QUOTE_STALE_AFTER_MS } from "../quote.ts";
import type { GuardFacts, Uncounted } from "./guard-facts.ts";
import type { GuardSettings } from "./rule.ts";
import type { Level, Verdict } from "./verdict.ts";

/** Of what is found of a rule, all but which rule it is. */
export interface Found extends Omit<Verdict, "ruleId" | "kind" | "isShadow" | "asOf"> {
  /** Why the rule cannot see all that it judges, in words that stay the same meanwhile. */
  readonly blind?: string;
}

/** Whose figures are new enough to be judged by. */
export interface Sight {
  /** Our own: nothing is open, or all of its prices are new. */
  readonly own: boolean;
  readonly broker: boolean;
  readonly isFresh: (heardAt: number | undefined) => boolean;
}

export function sightOf({ now, open, pricedAt, broker, doubt }: GuardFacts): Sight {
  const isNew = (at: number | undefined) => at !== undefined && now - at <= QUOTE_STALE_AFTER_MS;
  const isFresh = (heardAt: number | undefined) => heardAt === undefined || isNew(heardAt);
  return {
    own: doubt === undefined && open !== undefined && isFresh(pricedAt),
    broker: isNew(broker?.at),
    isFresh,
  };
}

/** Something may be won or lost beside what was counted: only a breach is certain all the same. */
export function withUncounted(found: Found, uncounted: Uncounted | undefined): Found {
  if (uncounted === undefined) return found;
  const { why: blind, amount } = uncounted;
  const level = found.level === "breach" ? found.level : "unknown";
  const left = amount === undefined ? blind : `${blind}. It has brought ${amount}`;
  return { ...found, level, blind, reason: `${left}. Without it: ${found.reason}` };
}

/** At the limit less the buffer it is breached. Integers all through: no amount is rounded. */
export function levelOf(
  used: number,
  limit: number,
  {
    warnPercent,
    entriesOffPercent,
    bufferPercent,
  }: Pick<GuardSettings, "warnPercent" | "entriesOffPercent" | "bufferPercent">,
): Level {
  const percent = used * 100;
  if (percent >= limit * (100 - bufferPercent)) return "breach";
  if (percent >= limit * entriesOffPercent) return "entriesOff";
  return percent >= limit * warnPercent ? "warn" : "ok";
}

/** What would be breached if every resting stop were hit keeps entries out already. */
export function levelWithStops(
  used: number,
  atStops: number | undefined,
  limit: number,
  grades: Parameters<typeof levelOf>[2],
): Level {
  const level = levelOf(used, limit, grades);
  if (atStops === undefined || (level !== "ok" && level !== "warn")) return level;
  return levelOf(atStops, limit, grades) === "breach" ? "entriesOff" : level;
}

export function unknown(unit: Verdict["unit"], reason: string, resetsAt?: number): Found {
  return {
    level: "unknown",
    unit,
    source: "gateway",
    reason,
    blind: reason,
    ...(resetsAt !== undefined && { resetsAt }),
  };
}

export const say = (amount: number, { currency }: GuardSettings): string =>
  `${formatMinor(minor(amount), currency)} ${currency}`;
