import type { OrderId } from "../../domain/ids.ts";
import { clOrdIdOf, type IntentResult, type Outcome } from "../../domain/intent.ts";
import { isClosed, type OrderReport } from "../../domain/order.ts";
import { describeLeg, placeLegs } from "./legs.ts";
import { beforeSending, type LaneDeps, type LaneTask } from "./lane-deps.ts";

/**
 * Cancels one order. A leg that is cancelled leaves its position open, and the other leg is placed
 * again under a new id (specification 3.2).
 */
export async function runCancel(
  deps: LaneDeps,
  task: LaneTask,
  orderId: OrderId,
): Promise<Outcome> {
  const { record, broker } = task;
  const working = await broker.workingOrders(record.accountId);
  const order = working.find((candidate) => candidate.orderId === orderId);
  const survivor = order === undefined ? undefined : linkedLeg(order, working);

  if (order?.ordStatus === "HELD") {
    const reason = "The leg waits for its entry to fill; cancel the entry instead";
    return { kind: "rejected", reason };
  }
  const refused = await beforeSending(deps, task, clOrdIdOf(record.intentId, 1));
  if (refused !== undefined) return refused;

  const canceled = await broker.cancelOrder(record.accountId, orderId);
  if (canceled.kind !== "accepted") return canceled;
  if (order === undefined || survivor === undefined) return done({ kind: "CANCEL", orderId });
  return await placeSurvivor(deps, task, order, survivor);
}

/** The leg that is left of the pair goes back to the broker on its own. */
async function placeSurvivor(
  deps: LaneDeps,
  task: LaneTask,
  canceled: OrderReport,
  survivor: OrderReport,
): Promise<Outcome> {
  const { record, broker, connection } = task;
  const { orderId } = canceled;
  if (!connection.cancelEndsLinkedLeg) {
    const ended = await broker.cancelOrder(record.accountId, survivor.orderId);
    // It may have filled meanwhile: then there is nothing to place again.
    if (ended.kind === "rejected") return done({ kind: "CANCEL", orderId });
    if (ended.kind !== "accepted") return ended;
  }

  const after = await broker.findOrder(
    record.accountId,
    survivor.clOrdId ?? clOrdIdOf(record.intentId, 0),
  );
  const leavesQty = survivor.orderQty - (after?.cumQty ?? survivor.cumQty);
  if (leavesQty <= 0) return done({ kind: "CANCEL", orderId });

  const placed = await placeLegs(deps, task, {
    contract: survivor.contract,
    side: survivor.side,
    orderQty: leavesQty,
    ...(survivor.role === "TAKE_PROFIT"
      ? { takeProfitPx: survivor.price }
      : { stopLossPx: survivor.stopPx }),
    firstId: 2,
  });
  if (placed.kind === "accepted") {
    const replacedLeg = { role: survivor.role, orderId: placed.orderId };
    return done({ kind: "CANCEL", orderId, replacedLeg });
  }
  if (placed.kind === "unknown") return placed;
  return { kind: "unprotected", canceled: describeLeg(deps, survivor), reason: placed.reason };
}

function linkedLeg(order: OrderReport, working: readonly OrderReport[]): OrderReport | undefined {
  if (order.role === "ORDER") return undefined;
  return working.find(
    ({ orderId, ordStatus }) => orderId === order.linkedOrderId && !isClosed(ordStatus),
  );
}

const done = (result: IntentResult): Outcome => ({ kind: "done", result });
