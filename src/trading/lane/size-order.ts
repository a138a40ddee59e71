import type { AccountId } from "../../domain/ids.ts";
import type { DenialCode } from "../../domain/denials.ts";
import type { SizeRule } from "../../domain/order-handling.ts";
import type { PreparedOrder } from "../../domain/order-ticket.ts";
import {
  contractsFor,
  needsQuote,
  riskAllowed,
  riskInWords,
  riskOfOne,
  ticksToStop,
} from "../../domain/sizing.ts";
import { accountWorth } from "../money/account-worth.ts";
import type { LaneDeps, Refusal } from "./lane-deps.ts";

export type SizingDeps = Pick<
  LaneDeps,
  "describe" | "freshQuote" | "balancesOf" | "expectedFee" | "now"
>;

/** How many contracts a rule makes of an order. */
export type SizedOrder =
  | {
      readonly kind: "sized";
      readonly orderQty: number;
      /** What may be lost, in words. */
      readonly risk: string;
      /** It is more than the rule allows, since that is too little; in words. */
      readonly problem?: string;
    }
  | { readonly kind: "stop"; readonly outcome: Refusal };

/**
 * As many contracts as lose no more than the rule allows where their stop-loss is hit, with the fees
 * of both ways. It is counted from the order's own price, or from a fresh one of the market: never
 * from what an alert said that the price was.
 */
export async function sizeOrder(
  deps: SizingDeps,
  account: AccountId,
  order: Omit<PreparedOrder, "orderQty">,
  { rule, isFlat }: { readonly rule: SizeRule; readonly isFlat: boolean },
): Promise<SizedOrder> {
  const { symbol, tickValue, currency } = deps.describe(order.contract);
  if (tickValue === undefined || currency === undefined) {
    return unsized(`Nobody tells what a tick of ${symbol} is worth`);
  }
  if (order.bracket?.stopLoss === undefined) {
    return unsized("It has no stop-loss, and by that the risk is counted");
  }
  const quote = needsQuote(order)
    ? await deps.freshQuote(account, order.contract, order.side)
    : undefined;
  const ticks = ticksToStop(order, quote);
  if (ticks === undefined) {
    return unsized(
      `There is no fresh price of ${symbol} now: give a limit price, or the stop-loss as a distance`,
    );
  }
  if (ticks <= 0) {
    return stop(
      "VALIDATION_FAILED",
      "The stop-loss is not on the losing side of the price that the order would fill at",
    );
  }
  const worth =
    rule.by === "risk"
      ? undefined
      : accountWorth(await deps.balancesOf(account), { currency, isFlat, now: deps.now() });
  if (worth?.kind === "unknown") return unsized(worth.reason);
  const allowed = riskAllowed(rule, worth);
  if (allowed === undefined) return unsized("What may be risked is not known");

  const one = riskOfOne({ ticks, tickValue, fee: deps.expectedFee(order.contract) });
  const risk = `${riskInWords(allowed, currency)} ${currency}`;
  const count = contractsFor(allowed, one);
  const { min = 0 } = rule;
  const loses = `One contract of ${symbol} loses ${riskInWords(one, currency)} ${currency} at its stop-loss, fees included, and ${risk} may be risked`;
  if (count === 0 && min === 0) return stop("RISK_TOO_SMALL", loses);
  if (count >= min) return { kind: "sized", orderQty: count, risk };
  const problem = `${loses}: that is enough for ${count}, and ${min} at least were asked for`;
  return { kind: "sized", orderQty: min, risk, problem };
}

const unsized = (reason: string): SizedOrder => stop("SIZE_UNKNOWN", reason);

function stop(code: DenialCode, reason: string): SizedOrder {
  return { kind: "stop", outcome: { kind: "denied", code, reason } };
}
