import { alertAnswer } from "../../../../src/http/present/alert.ts";
import { errorForSender, hookStatus, outcomeError } from "../../../../src/http/present/outcome.ts";
import { errorAnswer } from "../../../../src/http/answer.ts";
import type { AdjustIntent } from "../../../../src/domain/adjust.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import type { Intent, IntentRecord } from "../../../../src/domain/intent.ts";
import type { Bracket, OrderReport, Side } from "../../../../src/domain/order.ts";
import { at } from "../../../unit/trading/lane/exits/exits-kit.ts";
import type { Desk } from "./desk.ts";

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;

/** An alert's `flat`, `close half` and `position 0`, as they reach the lane. */
export const FLAT: Intent = { kind: "FLATTEN", cancelResting: true };
export const closeHalf = (contract: ContractCode): Intent =>
  adjust(contract, { to: "close", percent: 50 });
export const toBe = (contract: ContractCode, netQty: number): Intent => ({
  ...adjust(contract, { to: "position", netQty }),
  cancelFirst: true,
});
/** A call of `/v1`. */
export const CALL_TO_FLATTEN: Intent = {
  kind: "FLATTEN",
  cancelResting: false,
  whenClosed: "refuse",
};

const adjust = (contract: ContractCode, aim: AdjustIntent["aim"]): AdjustIntent => ({
  kind: "ADJUST",
  contract,
  isFrontMonth: true,
  aim,
  terms: { ordType: "MARKET", timeInForce: "DAY" },
});

/** Distances of the exits from the entry, in ticks. */
export const STOP = 40;
export const TARGET = 80;

const PAIR: Bracket = {
  takeProfit: { by: "distance", distance: ticks(TARGET) },
  stopLoss: { by: "distance", distance: ticks(STOP) },
};

export const enter = (contract: ContractCode, netQty: number, bracket?: Bracket): Intent => ({
  kind: "PLACE",
  order: {
    contract,
    side: netQty > 0 ? "BUY" : "SELL",
    orderQty: Math.abs(netQty),
    ordType: "MARKET",
    timeInForce: "DAY",
    ...(bracket !== undefined && { bracket }),
  },
  isFrontMonth: true,
});

/** A position with a stop and a target that are good until they are cancelled. */
export async function hold(desk: Desk, contract: ContractCode, netQty: number): Promise<void> {
  const { state } = await desk.ask(enter(contract, netQty, PAIR));
  if (state !== "DONE") throw new Error(`it was to be entered, and is ${state}`);
}

/** An order that rests until it is cancelled, with a stop of its own. */
export const rest = (contract: ContractCode, side: Side, price: number): Intent => ({
  kind: "PLACE",
  order: {
    contract,
    side,
    orderQty: 1,
    ordType: "LIMIT",
    timeInForce: "GTC",
    price: ticks(price),
    bracket: { stopLoss: { by: "distance", distance: ticks(STOP) } },
  },
  isFrontMonth: true,
});

/** An entry whose parts leave at targets of their own; distances are ticks. */
export const enterByPlan = (
  contract: ContractCode,
  orderQty: number,
  { targets, stop }: { readonly targets: readonly number[]; readonly stop: number },
): Intent => ({
  kind: "PLACE",
  order: { contract, side: "BUY", orderQty, ordType: "MARKET", timeInForce: "DAY" },
  isFrontMonth: true,
  handling: { exitPlan: { targets: targets.map((away) => ({ at: at(away) })), stop: at(stop) } },
});

/** A stop and a target that are orders of their own, as a strategy places them. */
export async function exitByOrders(
  desk: Desk,
  timeInForce: "DAY" | "GTC",
  { side, orderQty, stop, target }: OwnExits,
): Promise<void> {
  const order = { contract: desk.index, side, orderQty, timeInForce } as const;
  for (const one of [
    { ...order, ordType: "STOP", stopPx: ticks(stop) } as const,
    { ...order, ordType: "LIMIT", price: ticks(target) } as const,
  ]) {
    const { state } = await desk.ask({ kind: "PLACE", order: one, isFrontMonth: true });
    if (state !== "DONE") throw new Error(`an exit was to rest, and is ${state}`);
  }
}

interface OwnExits {
  readonly side: Side;
  readonly orderQty: number;
  readonly stop: number;
  readonly target: number;
}

/** The orders that work in a contract, in words; exits of an entry that has not filled do not. */
export async function ordersOf(desk: Desk, contract: ContractCode): Promise<readonly string[]> {
  const working = await desk.exchange.working(contract);
  return working
    .filter(({ ordStatus }) => ordStatus !== "HELD")
    .map(inWords)
    .toSorted();
}

const inWords = ({ side, leavesQty, ordType, price, stopPx }: OrderReport): string =>
  `${side} ${leavesQty} ${ordType} ${stopPx ?? price}`;

/** The pair of a position that was entered at `px`. */
export function pairAt(netQty: number, px: number): readonly string[] {
  const side = netQty > 0 ? "SELL" : "BUY";
  const [qty, by] = [Math.abs(netQty), Math.sign(netQty)];
  return [`${side} ${qty} LIMIT ${px + by * TARGET}`, `${side} ${qty} STOP ${px - by * STOP}`];
}

/** The answer to the sender of the alert. */
export function answerTo(record: IntentRecord) {
  const { outcome, intentId } = record;
  if (outcome === undefined) throw new Error("it has no outcome yet");
  const settled = { record: { ...record, outcome }, replayed: false };
  return alertAnswer(
    { alertId: intentId, unread: [], settled },
    {
      describe: () => ({ symbol: "", tickSize: "0.25", tickValue: "1.25", currency: "USD" }),
      requestId: "r1",
      told: (error) => {
        const told = errorForSender(error);
        return { error: told, status: hookStatus(told) };
      },
    },
  );
}

/** The answer of `/v1` to what was refused. */
export function refusalOf(record: IntentRecord) {
  const { outcome } = record;
  if (outcome?.kind !== "denied" && outcome?.kind !== "rejected") {
    throw new Error(`it was to be refused, and is ${outcome?.kind}`);
  }
  return errorAnswer(outcomeError(record, outcome), "r1");
}
