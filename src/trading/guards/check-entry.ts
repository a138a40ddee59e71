import { rootOfCode } from "../../domain/contracts/contract.ts";
import { worthOfTicks } from "../../domain/contracts/price.ts";
import { type Exposure, exposuresOf, worstQty } from "../../domain/exposure.ts";
import type { EntriesRefused } from "../../domain/guards/decide.ts";
import { formatLots, lotsOf } from "../../domain/guards/lots.ts";
import type { GuardRule, GuardSettings, LotsRule, RuleOf } from "../../domain/guards/rule.ts";
import type { Restriction, ScheduleRule } from "../../domain/guards/schedule-rule.ts";
import { say } from "../../domain/guards/sight.ts";
import type { Verdict } from "../../domain/guards/verdict.ts";
import { type Minor, roundToMinor } from "../../domain/money.ts";
import { levelOf, sign } from "../../domain/order.ts";
import type { Quote } from "../../domain/quote.ts";
import { entryPrice, ticksToStop } from "../../domain/sizing.ts";
import type { ContractTerms } from "../orders/describe-contract.ts";
import type { EntryOrder } from "./entry-guards.ts";
import type { Snapshot } from "../lane/read-snapshot.ts";

/** One order that opens or grows a position, with all that its account's rules are held against. */
export interface EntryCase {
  readonly settings: GuardSettings;
  readonly verdicts: readonly Verdict[];
  readonly order: EntryOrder;
  readonly exposure: Exposure;
  readonly snapshot: Snapshot;
  readonly terms: ContractTerms;
  readonly quote: Quote | undefined;
  /** What the rule forbids for the order's contract now. */
  readonly restriction: (rule: ScheduleRule) => Restriction | undefined;
}

export interface EntryRefusal extends EntriesRefused {
  readonly ruleId: string;
  readonly isShadow: boolean;
}

/** Why the order may not be sent by each rule that only an order decides; rules that tell only, too. */
export function checkEntry(entry: EntryCase): readonly EntryRefusal[] {
  return entry.settings.rules.flatMap((rule) => {
    const reason = refusedBy(rule, entry);
    if (reason === undefined) return [];
    const isShadow = rule.mode === "shadow";
    return [{ code: "GUARD_REFUSED" as const, reason, ruleId: rule.id, isShadow }];
  });
}

/** In words; undefined where the rule lets it pass. */
function refusedBy(rule: GuardRule, entry: EntryCase): string | undefined {
  switch (rule.kind) {
    case "loss":
    case "drawdown":
      return overRoom(rule, entry);
    case "lots":
      return overLots(rule, entry);
    case "orderValue":
      return overValue(rule, entry);
    case "count":
      return overTrades(rule, entry);
    case "window":
    case "flatBy":
    case "flatBeforeClose":
    case "flatBeforeRoll":
    case "news":
      return entry.restriction(rule)?.reason;
    // Figures alone decide, or only tell; other accounts are asked apart.
    case "profit":
    case "consistency":
    case "opposite":
      return undefined;
  }
}

/**
 * Its own stop must not be able to breach a limit, together with those of entries that rest; what has no
 * stop is only stopped by the limit.
 */
function overRoom({ id }: GuardRule, entry: EntryCase): string | undefined {
  const { verdicts, settings, order, terms, quote, snapshot } = entry;
  const room = verdicts.find(({ ruleId }) => ruleId === id)?.room;
  if (room === undefined) return undefined;
  const own = riskOf(order, terms, quote, settings.currency);
  if (own === undefined) return undefined;
  const resting = restingRisk(snapshot, order.contract, terms, settings.currency);
  if (own + resting <= room) return undefined;
  const beside = resting > 0 ? `, and those of entries that rest ${say(resting, settings)}` : "";
  return `Its stop would lose ${say(own, settings)}${beside}; ${say(Math.max(0, room), settings)} is left of rule "${id}"`;
}

/** What entries of the same contract would lose that have not filled, where their stops are hit. */
function restingRisk(
  { working }: Snapshot,
  contract: EntryOrder["contract"],
  { tickValue }: ContractTerms,
  currency: string,
): number {
  if (tickValue === undefined) return 0;
  const ticks = working.map((leg) => {
    if (leg.ordStatus !== "HELD" || leg.stopPx === undefined || leg.contract !== contract) return 0;
    const parent = working.find(({ orderId }) => orderId === leg.parentOrderId);
    const level = parent && levelOf(parent);
    if (parent === undefined || level === undefined) return 0;
    return Math.max(0, (level - leg.stopPx) * sign(parent.side)) * parent.leavesQty;
  });
  const all = ticks.reduce((sum, one) => sum + one, 0);
  return worth(all, tickValue, currency) ?? 0;
}

/** What the order loses where its own stop is hit; undefined where it has none, or nobody can say. */
function riskOf(
  order: EntryOrder,
  { tickValue, currency }: ContractTerms,
  quote: Quote | undefined,
  counted: string,
): Minor | undefined {
  const ticks = ticksToStop(order, quote);
  if (ticks === undefined || tickValue === undefined || currency !== counted) return undefined;
  return worth(Math.max(0, ticks) * order.orderQty, tickValue, counted);
}

function worth(count: number, tickValue: string, currency: string): Minor | undefined {
  return roundToMinor(worthOfTicks(count, tickValue), currency);
}

function overLots(
  rule: LotsRule & { readonly id: string },
  { verdicts, order, exposure, snapshot }: EntryCase,
): string | undefined {
  const max = verdicts.find(({ ruleId }) => ruleId === rule.id)?.limit ?? rule.max;
  let all = 0;
  for (const one of exposuresOf(snapshot)) {
    if (one.contract === order.contract) continue;
    const most = largest(one);
    if (most === undefined) {
      return `How large the position in ${one.contract} could grow is not known`;
    }
    all += lotsOf(rule, rootOfCode(one.contract), most);
  }
  const own = worstQty(order, exposure);
  if (own.kind === "unclear") return own.doubt;
  all += lotsOf(rule, rootOfCode(order.contract), Math.max(own.qty, Math.abs(exposure.netQty)));
  if (all <= max) return undefined;
  return `All positions could grow to ${formatLots(all)} lots, and ${formatLots(max)} are the most`;
}

/** Whichever of its working orders fill. */
function largest({ range, netQty, expectedQty }: Exposure): number | undefined {
  if (range.kind === "unclear") return undefined;
  const all = [range.lowQty, range.highQty, netQty, expectedQty];
  return Math.max(...all.map((qty) => Math.abs(qty)));
}

function overValue(
  { max, id }: RuleOf<"orderValue">,
  { settings, order, terms, quote }: EntryCase,
): string | undefined {
  const { tickValue, currency } = terms;
  const price = levelOf(order) ?? entryPrice(order, quote);
  const value =
    price === undefined || tickValue === undefined || currency !== settings.currency
      ? undefined
      : worth(Math.abs(price) * order.orderQty, tickValue, currency);
  // Of another currency it can never be known; without a price it is asked for right before it leaves.
  if (value === undefined) return price === undefined ? undefined : OTHER_CURRENCY(settings, id);
  if (value <= max) return undefined;
  return `The order is worth ${say(value, settings)}, and ${say(max, settings)} is the most`;
}

const OTHER_CURRENCY = ({ currency }: GuardSettings, id: string): string =>
  `What the order is worth in ${currency} is not known, and rule "${id}" limits it`;

/** Entries that rest in other contracts may each become a trade, too. */
function overTrades(
  { of, max, id }: RuleOf<"count">,
  { verdicts, exposure, snapshot }: EntryCase,
): string | undefined {
  if (of !== "trades" || exposure.netQty !== 0) return undefined;
  const traded = verdicts.find(({ ruleId }) => ruleId === id)?.figure;
  if (traded === undefined) return undefined;
  const pending = exposuresOf(snapshot).filter(
    ({ contract, netQty, working }) =>
      contract !== exposure.contract && netQty === 0 && working.length > 0,
  ).length;
  if (traded + pending < max) return undefined;
  return `The trading day has had ${traded} of ${max} trades, and ${pending} more may come of what works already`;
}
