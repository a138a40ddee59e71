import type { ContractCode } from "../../domain/contract.ts";
import { clOrdIdOf, type Outcome } from "../../domain/intent.ts";
import {
  type Bracket,
  isClosed,
  type LegLevel,
  type OrderReport,
  type Side,
} from "../../domain/order.ts";
import type { AveragePrice, Ticks } from "../../domain/price.ts";
import type { BrokerPosition, SubmitOutcome } from "../ports.ts";
import { beforeSending, type LaneDeps, type LaneTask } from "./lane-deps.ts";
import { describeLeg, type LegPlan, placeLegs } from "./legs.ts";

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

  const old = liveLegs(await broker.workingOrders(record.accountId), position);
  const oldLevels = levelsOf(old);
  const newLevels = { ...oldLevels, ...levelsFor(bracket, position) };
  const removed = await cancelAll(deps, task, old);
  if (removed !== undefined) return removed;

  // A leg may have filled while it was being cancelled: what is left decides the size.
  const left = old.length === 0 ? position : await openPosition(task, contract);
  if (left === undefined) return noPosition();

  const placed = await placeLegs(deps, task, planFor(left, newLevels, 2));
  switch (placed.kind) {
    case "accepted":
      return protectedBy(left, placed);
    case "unknown":
      return placed;
    case "rejected":
    case "notSent":
      return old.length === 0 ? placed : await putBack(deps, task, left, old, placed.reason);
  }
}

/** One attempt to restore the old levels; whatever becomes of it, the caller is told. */
async function putBack(
  deps: LaneDeps,
  task: LaneTask,
  position: BrokerPosition,
  old: readonly OrderReport[],
  reason: string,
): Promise<Outcome> {
  const restored = await placeLegs(deps, task, planFor(position, levelsOf(old), 4));
  const result =
    restored.kind === "accepted"
      ? "the old levels were put back"
      : `putting the old levels back failed too: ${restored.reason}`;
  const canceled = old.map((leg) => describeLeg(deps, leg)).join(" and ");
  return { kind: "unprotected", canceled, reason: `${reason}; ${result}` };
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
): Promise<Outcome | undefined> {
  const { record, broker, connection } = task;
  if (legs.length === 0) return undefined;
  const refused = await beforeSending(deps, task, clOrdIdOf(record.intentId, 1));
  if (refused !== undefined) return refused;

  const ended = new Set<string>();
  for (const leg of legs) {
    if (ended.has(leg.orderId)) continue;
    const canceled = await broker.cancelOrder(record.accountId, leg.orderId);
    // Refused means that it has just filled or gone: the position is read again anyway.
    if (canceled.kind === "unknown" || canceled.kind === "notSent") return canceled;
    if (connection.cancelEndsLinkedLeg && leg.linkedOrderId !== undefined) {
      ended.add(leg.linkedOrderId);
    }
  }
  return undefined;
}

function liveLegs(working: readonly OrderReport[], position: BrokerPosition): OrderReport[] {
  const side = exitSide(position);
  return working.filter(
    (order) =>
      order.contract === position.contract &&
      order.side === side &&
      order.role !== "ORDER" &&
      order.ordStatus !== "HELD" &&
      !isClosed(order.ordStatus),
  );
}

function levelsOf(legs: readonly OrderReport[]): Levels {
  const takeProfitPx = legs.find(({ role }) => role === "TAKE_PROFIT")?.price;
  const stopLossPx = legs.find(({ role }) => role === "STOP_LOSS")?.stopPx;
  return {
    ...(takeProfitPx !== undefined && { takeProfitPx }),
    ...(stopLossPx !== undefined && { stopLossPx }),
  };
}

function levelsFor({ takeProfit, stopLoss }: Bracket, position: BrokerPosition): Levels {
  const direction = position.netQty > 0 ? 1 : -1;
  return {
    ...(takeProfit !== undefined && {
      takeProfitPx: priceOf(takeProfit, position.avgPx, direction),
    }),
    ...(stopLoss !== undefined && { stopLossPx: priceOf(stopLoss, position.avgPx, -direction) }),
  };
}

/** A distance counts from the average price, rounded to the nearest tick. */
function priceOf(level: LegLevel, average: AveragePrice, direction: number): Ticks {
  if (level.by === "price") return level.price;
  const { numerator, denominator } = average;
  return (Math.round(numerator / denominator) + direction * level.distance) as Ticks;
}

function planFor(position: BrokerPosition, levels: Levels, firstId: number): LegPlan {
  const { contract, netQty } = position;
  return { contract, side: exitSide(position), orderQty: Math.abs(netQty), ...levels, firstId };
}

function protectedBy(
  position: BrokerPosition,
  placed: Extract<SubmitOutcome, { kind: "accepted" }>,
): Outcome {
  const { kind: _, orderId: __, ...legIds } = placed;
  const { contract, netQty } = position;
  return {
    kind: "done",
    result: { kind: "PROTECT", contract, orderQty: Math.abs(netQty), ...legIds },
  };
}

const exitSide = ({ netQty }: BrokerPosition): Side => (netQty > 0 ? "SELL" : "BUY");

const noPosition = (): Outcome => ({
  kind: "denied",
  code: "NO_POSITION",
  reason: "The position was closed before it could be protected",
});
