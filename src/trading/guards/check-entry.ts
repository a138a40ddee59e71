import { rootOfCode } from "../../domain/contracts/contract.ts";
import { type Exposure, exposuresOf, worstQty } from "../../domain/exposure.ts";
import { type Countable, countTicks } from "../../domain/guards/countable.ts";
import type { EntriesRefused } from "../../domain/guards/decide.ts";
import { formatLots, lotsOf } from "../../domain/guards/lots.ts";
import type { GuardRule, GuardSettings, LotsRule, RuleOf } from "../../domain/guards/rule.ts";
import type { Restriction, ScheduleRule } from "../../domain/guards/schedule-rule.ts";
import { say } from "../../domain/guards/sight.ts";
import type { Verdict } from "../../domain/guards/verdict.ts";
import { roundToMinor } from "../../domain/money.ts";
import { levelOf } from "../../domain/order.ts";
import type { Quote } from "../../domain/quote.ts";
import { entryPrice, needsQuote, ticksToStop } from "../../domain/sizing.ts";
import type { ContractTerms } from "../orders/describe-contract.ts";
import type { EntryOrder, PricedOrder } from "./entry-guards.ts";
import type { Snapshot } from "../lane/read-snapshot.ts";
import { feesBothWays, feesToClose, restingRisk, type RiskDeps } from "./risk-at-stops.ts";

/** One order that opens or grows a position, with all that its account's rules are held against. */
export interface EntryCase extends RiskDeps {
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
      return uncountable(entry) ?? overRoom(rule, entry);
    case "profit":
      return uncountable(entry);
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
    case "consistency":
    case "opposite":
      return undefined;
  }
}

/** A result that nothing can count would leave its rule blind: stop or not, it stays out. */
function uncountable({ terms, settings }: EntryCase): string | undefined {
  const tick = countTicks(1, terms, settings.currency);
  return tick.kind === "counted" ? undefined : `Its result cannot be counted: ${tick.why}`;
}

/**
 * Its own stop, those of entries that rest, and the fees of all of it must leave something of the room: a
 * loss that is exactly the limit has reached it. An order without a stop is only stopped by the limit.
 */
function overRoom({ id }: GuardRule, entry: EntryCase): string | undefined {
  const { verdicts, settings, order, quote, snapshot } = entry;
  const { currency } = settings;
  const room = verdicts.find(({ ruleId }) => ruleId === id)?.room;
  if (room === undefined || order.bracket?.stopLoss === undefined) return undefined;
  const ticks = ticksToStop(order, quote);
  // `lacksPrice` refuses it right before it leaves.
  if (ticks === undefined) return undefined;
  const atStop = riskOf(ticks, entry);
  if (atStop.kind === "uncountable") return `The loss at its stop cannot be counted: ${atStop.why}`;
  const atOthers = restingRisk(snapshot, currency, entry);
  if (atOthers.kind === "uncountable") {
    return `The loss of an entry that rests cannot be counted: ${atOthers.why}`;
  }
  const resting = atOthers.amount;
  const fees = roundToMinor(feesBothWays(order, entry), currency);
  const closing = roundToMinor(feesToClose(snapshot, entry), currency);
  if (fees === undefined || closing === undefined) return "The fees are too large to be counted";
  const own = atStop.amount + fees;
  if (own + resting + closing < room) return undefined;
  const beside = resting > 0 ? `, and those of entries that rest ${say(resting, settings)}` : "";
  const toClose = closing > 0 ? `, and closing positions costs ${say(closing, settings)}` : "";
  return `Its stop would lose ${say(own, settings)}${beside}${toClose}; ${say(Math.max(0, room), settings)} is left of rule "${id}", and some of it must stay`;
}

/** The loss at the order's own stop, so many ticks from where it fills. */
const riskOf = (ticks: number, { order, terms, settings }: EntryCase): Countable =>
  countTicks(Math.max(0, ticks) * order.orderQty, terms, settings.currency);

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
  const price = levelOf(order) ?? entryPrice(order, quote);
  const value = countTicks(Math.abs(price ?? 1) * order.orderQty, terms, settings.currency);
  if (value.kind === "uncountable") {
    return `The worth of the order is not known, and rule "${id}" limits it: ${value.why}`;
  }
  // `lacksPrice` refuses it right before it leaves.
  if (price === undefined || value.amount <= max) return undefined;
  return `The order is worth ${say(value.amount, settings)}, and ${say(max, settings)} is the most`;
}

/**
 * Whether a rule can be held against the order only once its contract has a price. A plan goes on without
 * one; the order does not leave without one.
 */
export function lacksPrice(
  { kind }: GuardRule,
  order: PricedOrder,
  quote: Quote | undefined,
): boolean {
  const isAtStop = kind === "loss" || kind === "drawdown";
  if (kind !== "orderValue" && !(isAtStop && needsQuote(order))) return false;
  return (levelOf(order) ?? entryPrice(order, quote)) === undefined;
}

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
