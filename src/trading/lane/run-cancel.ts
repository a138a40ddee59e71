import { legIdOf, type OrderId } from "../../domain/ids.ts";
import { clOrdIdOf, type Outcome } from "../../domain/intent.ts";
import type { IntentResult } from "../../domain/intent-result.ts";
import type { LegPlan } from "../../domain/carried-plan.ts";
import { isEntryWorking, waitsForEntry } from "../../domain/legs.ts";
import { isClosed, isOpaque, type OrderReport, understood } from "../../domain/order.ts";
import { beforeSending, type LaneDeps, type LaneTask } from "./lane-deps.ts";
import {
  describeLeg,
  haveClosed,
  linkedLeg,
  readPosition,
  SURVIVOR_NTH,
  survivorIdOf,
} from "./legs/legs.ts";
import { placeLegs } from "./legs/place-legs.ts";

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
  const working = understood(await broker.workingOrders(record.accountId));
  // One that is not understood is cancelled by its number, and nothing else is known to hang on it.
  const order = working.find((candidate) => candidate.orderId === orderId);
  const survivor = order === undefined ? undefined : linkedLeg(order, working);

  if (order !== undefined && waitsForEntry(order)) {
    const reason = "The leg waits for its entry to fill; cancel the entry instead";
    return { kind: "rejected", reason };
  }
  if (order !== undefined && isEntryWorking(order, { working })) {
    const reason = "Its entry is still being filled, and the rest of it would have no such exit";
    return { kind: "rejected", reason: `${reason}; cancel the entry's rest first` };
  }
  const plan = order && planFor(deps, order, survivor);
  const clOrdId = clOrdIdOf(record.intentId, 1);
  const refused = await beforeSending(deps, task, { clOrdId, plan });
  if (refused !== undefined) return refused;

  if (survivor !== undefined && survivor.role !== "ORDER") {
    const name = legIdOf(survivorIdOf(record.intentId), survivor.role);
    await deps.exits.rename(record.accountId, survivor, name);
  }
  const canceled = await broker.cancelOrder(record.accountId, orderId);
  if (canceled.kind !== "accepted") return canceled;
  if (survivor === undefined || plan === undefined) return done({ kind: "CANCEL", orderId });
  return await placeSurvivor(deps, task, orderId, survivor, plan);
}

/** The leg that is left of the pair goes back to the broker on its own. */
async function placeSurvivor(
  deps: LaneDeps,
  task: LaneTask,
  orderId: OrderId,
  survivor: OrderReport,
  plan: LegPlan,
): Promise<Outcome> {
  const { record, broker, connection } = task;
  const ended = connection.cancelEndsLinkedLeg
    ? undefined
    : await broker.cancelOrder(record.accountId, survivor.orderId);
  // It still stands as it stood: nothing is to be placed again, only its id is the old one.
  if (ended?.kind === "notSent") return done({ kind: "CANCEL", orderId });
  if (ended?.kind === "unknown") return ended;
  // Refused mostly means that it has just filled; one that still works must stay alone.
  const refused = ended?.kind === "rejected" ? await workingAs(task, survivor) : undefined;
  if (refused?.ordStatus === "PENDING_CANCEL") return unsure();
  if (refused !== undefined) return done({ kind: "CANCEL", orderId });

  // Either leg may have filled meanwhile: only what is held now tells how much is to be protected.
  const held = await readPosition(task, plan);
  if (held === undefined || (await haveClosed(task, [survivor], held))) {
    return done({ kind: "CANCEL", orderId });
  }
  const orderQty = Math.min(survivor.leavesQty, Math.abs(held.netQty));
  const placed = await placeLegs(deps, task, plan, { orderQty, nth: SURVIVOR_NTH });
  if (placed.kind === "accepted") {
    const replacedLeg = { role: survivor.role, orderId: placed.orderId };
    return done({ kind: "CANCEL", orderId, replacedLeg });
  }
  if (placed.kind === "unknown") return placed;
  const { canceled } = plan;
  return { kind: "unprotected", canceled, reason: placed.reason, restored: false };
}

/** The leg as it works now; undefined when it works no more. */
async function workingAs(
  { record, broker }: LaneTask,
  leg: OrderReport,
): Promise<OrderReport | undefined> {
  const working = await broker.workingOrders(record.accountId);
  const found = working.find(({ orderId }) => orderId === leg.orderId);
  if (found === undefined) return undefined;
  // What cannot be read of it is as it was.
  if (isOpaque(found)) return leg;
  return isClosed(found.ordStatus) ? undefined : found;
}

/** By the identifiers in it a lost answer is settled. */
function planFor(
  deps: LaneDeps,
  { contract, side, clOrdId }: OrderReport,
  survivor: OrderReport | undefined,
): LegPlan {
  const named = {
    contract,
    side,
    ...(clOrdId !== undefined && { canceledClOrdId: clOrdId }),
  };
  if (survivor === undefined) return { ...named, canceled: "" };
  const { orderId, clOrdId: survivorClOrdId, leavesQty, role, price, stopPx } = survivor;
  return {
    ...named,
    oldOrderIds: [orderId],
    ...(survivorClOrdId !== undefined && { survivorClOrdId }),
    orderQty: leavesQty,
    ...(role === "TAKE_PROFIT" && price !== undefined && { takeProfitPx: price }),
    ...(role === "STOP_LOSS" && stopPx !== undefined && { stopLossPx: stopPx }),
    canceled: describeLeg(deps, survivor),
  };
}

const unsure = (): Outcome => ({
  kind: "unknown",
  reason: "The other leg is about to end, and its own cancel was refused",
});

const done = (result: IntentResult): Outcome => ({ kind: "done", result });
