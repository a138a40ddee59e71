import type { ContractCode } from "../../domain/contract.ts";
import { clOrdIdOf, type LegPlan, type Outcome } from "../../domain/intent.ts";
import type { Bracket, LegLevel, OrderReport } from "../../domain/order.ts";
import { type AveragePrice, roundAverage, type Ticks } from "../../domain/price.ts";
import type { BrokerPosition, SubmitOutcome } from "../ports.ts";
import { beforeSending, type LaneDeps, type LaneTask } from "./lane-deps.ts";
import { describeLeg, exitSide, liveLegs, placeLegs } from "./legs.ts";

type Levels = Pick<LegPlan, "takeProfitPx" | "stopLossPx">;

/**
 * Attaches or replaces a position's take-profit and stop-loss, for its full size. A level that is
 * not given stays as it is. Old removed and new refused is said loudly, after one attempt to put
 * the old ones back (specification 3.2; "Rules for money" 7).
 */
export async function runProtect(
  deps: LaneDeps,
  task: LaneTask,
  contract: ContractCode,
  bracket: Bracket,
): Promise<Outcome> {
  const { record, broker } = task;
  const position = await openPosition(task, contract);
  if (position === undefined) return noPosition();

  const side = exitSide(position);
  const old = liveLegs(await broker.workingOrders(record.accountId), { contract, side });
  const canceled = old.map((leg) => describeLeg(deps, leg)).join(" and ");
  const levels = { ...levelsOf(old), ...levelsFor(bracket, position) };
  const plan: LegPlan = { contract, side, ...levels, canceled };
  if (isCrossed(plan)) return crossed();

  const removed = await cancelAll(deps, task, old, plan);
  if (removed !== undefined) return removed;
  // A leg may have filled while it was being cancelled: what is left decides the size.
  const left = old.length === 0 ? position : await openPosition(task, contract);
  if (left === undefined) return noPosition();

  const placed = await placeLegs(deps, task, plan, { orderQty: Math.abs(left.netQty), nth: 2 });
  switch (placed.kind) {
    case "accepted":
      return protectedBy(left, placed);
    case "unknown":
      return placed;
    case "rejected":
    case "notSent":
    case "refused":
      if (old.length === 0) return placed.kind === "refused" ? placed.outcome : placed;
      return await putBack(deps, task, left, { ...plan, ...levelsOf(old) }, placed.reason);
  }
}

/** One attempt to restore the old levels; whatever becomes of it, the caller is told. */
async function putBack(
  deps: LaneDeps,
  task: LaneTask,
  { netQty }: BrokerPosition,
  old: LegPlan,
  reason: string,
): Promise<Outcome> {
  const restored = await placeLegs(deps, task, old, { orderQty: Math.abs(netQty), nth: 3 });
  const { canceled } = old;
  if (restored.kind === "accepted") {
    return { kind: "unprotected", canceled, reason, restored: true };
  }
  const both = `${reason}; putting the old levels back failed too: ${restored.reason}`;
  return { kind: "unprotected", canceled, reason: both, restored: false };
}

async function openPosition({ record, broker }: LaneTask, contract: ContractCode) {
  const positions = await broker.positions(record.accountId);
  return positions.find((position) => position.contract === contract);
}

/** Cancels the old legs. Answers an outcome only when it is not certain that they are gone. */
async function cancelAll(
  deps: LaneDeps,
  task: LaneTask,
  legs: readonly OrderReport[],
  plan: LegPlan,
): Promise<Outcome | undefined> {
  const { record, broker, connection } = task;
  if (legs.length === 0) return undefined;
  const clOrdId = clOrdIdOf(record.intentId, 1);
  const refused = await beforeSending(deps, task, { clOrdId, plan });
  if (refused !== undefined) return refused;

  const ended = new Set<string>();
  for (const leg of legs) {
    if (ended.has(leg.orderId)) continue;
    const canceled = await broker.cancelOrder(record.accountId, leg.orderId);
    // Refused means that it has just filled or gone: the position is read again anyway.
    if (canceled.kind === "unknown") return canceled;
    if (canceled.kind === "notSent") return ended.size === 0 ? canceled : interrupted();
    ended.add(leg.orderId);
    if (connection.cancelEndsLinkedLeg && leg.linkedOrderId !== undefined) {
      ended.add(leg.linkedOrderId);
    }
  }
  return undefined;
}

function levelsOf(legs: readonly OrderReport[]): Levels {
  const takeProfitPx = legs.find(({ role }) => role === "TAKE_PROFIT")?.price;
  const stopLossPx = legs.find(({ role }) => role === "STOP_LOSS")?.stopPx;
  return {
    ...(takeProfitPx !== undefined && { takeProfitPx }),
    ...(stopLossPx !== undefined && { stopLossPx }),
  };
}

function levelsFor({ takeProfit, stopLoss }: Bracket, { netQty, avgPx }: BrokerPosition): Levels {
  const direction = netQty > 0 ? 1 : -1;
  return {
    ...(takeProfit !== undefined && { takeProfitPx: priceOf(takeProfit, avgPx, direction) }),
    ...(stopLoss !== undefined && { stopLossPx: priceOf(stopLoss, avgPx, -direction) }),
  };
}

/** A distance counts from the average price, rounded to the nearest tick. */
function priceOf(level: LegLevel, average: AveragePrice, direction: number): Ticks {
  if (level.by === "price") return level.price;
  return (roundAverage(average) + direction * level.distance) as Ticks;
}

/** A take-profit on the wrong side of its own stop-loss is refused before anything is cancelled. */
function isCrossed({ side, takeProfitPx, stopLossPx }: LegPlan): boolean {
  if (takeProfitPx === undefined || stopLossPx === undefined) return false;
  return side === "SELL" ? takeProfitPx <= stopLossPx : takeProfitPx >= stopLossPx;
}

function protectedBy(
  { contract, netQty }: BrokerPosition,
  { takeProfitOrderId, stopLossOrderId }: Extract<SubmitOutcome, { kind: "accepted" }>,
): Outcome {
  return {
    kind: "done",
    result: {
      kind: "PROTECT",
      contract,
      orderQty: Math.abs(netQty),
      ...(takeProfitOrderId !== undefined && { takeProfitOrderId }),
      ...(stopLossOrderId !== undefined && { stopLossOrderId }),
    },
  };
}

const noPosition = (): Outcome => ({
  kind: "denied",
  code: "NO_POSITION",
  reason: "There is no open position any more",
});

const crossed = (): Outcome => ({
  kind: "denied",
  code: "VALIDATION_FAILED",
  reason: "the take-profit would lie on the wrong side of the stop-loss; nothing was changed",
});

const interrupted = (): Outcome => ({
  kind: "unknown",
  reason: "The connection failed while the old levels were being cancelled",
});
