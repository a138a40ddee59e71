import type { ContractCode } from "../../../domain/contracts/contract.ts";
import { levelOf, type Bracket, type OrderPrices, type Side } from "../../../domain/order.ts";
import type { ExitPlan } from "../../../domain/exits/exit-plan.ts";
import { type Fraction, whole } from "../../../domain/exits/fraction.ts";
import { wrongTarget } from "../../../domain/exits/wrong-side.ts";
import { priceFor } from "../../../domain/quote.ts";
import { bracketOfPlan, needsEntryPrice } from "../../../domain/exits/plan-bracket.ts";
import type { LaneDeps, LaneTask, Refusal } from "../lane-deps.ts";

/** The order that a plan comes with, as far as its bracket depends on it. */
export interface PlannedOrder extends OrderPrices {
  readonly contract: ContractCode;
  readonly bracket?: Bracket;
  /** Absent where only what is held then tells. */
  readonly side?: Side;
}

export type WithBracket<Order> =
  | { readonly kind: "order"; readonly order: Order }
  | { readonly kind: "stop"; readonly outcome: Refusal };

/**
 * The order with its exit plan's first stop and first target as its own bracket: from its first fill
 * on the broker itself holds them, whoever is there to see it. A level that counts in percent of the
 * entry's price is counted from the order's own, or from what the contract trades at now; without
 * either nothing is sent.
 */
export async function withPlannedBracket<Order extends PlannedOrder>(
  deps: LaneDeps,
  { record: { accountId } }: Pick<LaneTask, "record">,
  plan: ExitPlan | undefined,
  order: Order,
): Promise<WithBracket<Order>> {
  if (plan === undefined || order.bracket !== undefined) return { kind: "order", order };
  const { contract, side } = order;
  const refusal = side && refuseTargets(plan, { ...order, side });
  if (refusal !== undefined) return { kind: "stop", outcome: refusal };
  let entry = entryOf(levelOf(order));
  if (needsEntryPrice(plan) && entry === undefined) {
    const quote = await deps.freshQuote(accountId, contract, side);
    entry = entryOf(quote && priceFor(quote, side)?.px);
    if (entry === undefined) return refuse(NO_PRICE);
  }
  const { tickValue } = deps.describe(contract);
  // Which way a distance goes, the broker's bracket says by itself.
  const bracket = bracketOfPlan(plan, { side: "BUY", plan, entry, tickValue });
  if (bracket === undefined) return refuse(NO_WORTH);
  return { kind: "order", order: { ...order, bracket } };
}

/** A target that the trade has passed already would take its part out at once. */
export function refuseTargets(
  plan: ExitPlan | undefined,
  { side, ...order }: OrderPrices & { readonly side: Side },
): Refusal | undefined {
  const wrong = plan && wrongTarget(plan, side, order);
  return wrong === undefined ? undefined : refuse(wrong).outcome;
}

const entryOf = (px: number | undefined): Fraction | undefined =>
  px === undefined ? undefined : whole(px);

const refuse = (reason: string): Extract<WithBracket<never>, { kind: "stop" }> => ({
  kind: "stop",
  outcome: { kind: "denied", code: "VALIDATION_FAILED", reason: `${reason}; nothing was sent` },
});

const NO_PRICE =
  "Its exit plan counts from the entry's price, the order names none, and nothing tells what the contract trades at now: give a limit price, or levels in ticks";
const NO_WORTH =
  "Its exit plan counts in money, and what a tick of the contract is worth is not known: give levels in ticks";
