import type { Outcome } from "../../../domain/intent.ts";
import type { LegPlan } from "../../../domain/carried-plan.ts";
import { isClosed, isOpaque, type OrderReport } from "../../../domain/order.ts";
import { type BrokerPosition, BrokerReadError } from "../../ports.ts";
import { beforeSending, type LaneDeps, type LaneTask } from "../lane-deps.ts";
import { describeLegs, haveClosed, readPosition, legsIdOf, PLACED_NTH } from "./legs.ts";
import { placeLegs } from "./place-legs.ts";
import { noPosition, protectedBy } from "./protect-outcomes.ts";

/** A protection whose levels no pair at the broker can be changed to. */
export interface Replacement {
  readonly plan: LegPlan;
  /** As it was read when the plan was made. */
  readonly position: BrokerPosition;
}

/** Without a broker's own pair the stop comes first, and stays. */
const missing = ["TAKE_PROFIT"] as const;

/**
 * Ends all legs that protect the position and places one pair for its full size. Old removed and new
 * refused is said loudly, after one attempt to put the old levels back.
 */
export async function replaceLegs(
  deps: LaneDeps,
  task: LaneTask,
  old: readonly OrderReport[],
  { plan, position }: Replacement,
): Promise<Outcome> {
  const stopped = await cancelAll(deps, task, old, plan);
  if (stopped !== undefined) return stopped;
  // A leg may have filled while it was being cancelled: what is left decides the size.
  const left = old.length === 0 ? position : await readPosition(task, plan);
  if (left === undefined) return noPosition(deps, plan.contract);
  const isAsBefore = left.netQty === position.netQty;
  if (isAsBefore && (await haveClosed(task, old, left))) return noPosition(deps, plan.contract);

  const orderQty = Math.abs(left.netQty);
  const placed = await placeLegs(deps, task, plan, { orderQty, nth: PLACED_NTH });
  switch (placed.kind) {
    case "accepted":
      return protectedBy(left, placed);
    case "unknown":
      return placed;
    case "partial": {
      if ((await readPosition(task, plan)) === undefined) return noPosition(deps, plan.contract);
      const { reason, standing } = placed;
      const { canceled } = plan;
      return { kind: "unprotected", canceled, reason, restored: false, missing, standing };
    }
    case "rejected":
    case "notSent":
    case "refused":
      if (old.length === 0) return placed.kind === "refused" ? placed.outcome : placed;
      return await putBack(deps, task, { plan, position: left }, { old, reason: placed.reason });
  }
}

/** One attempt to restore the old levels; its result goes into the caller's answer either way. */
async function putBack(
  deps: LaneDeps,
  task: LaneTask,
  { plan, position }: Replacement,
  { old, reason }: { readonly old: readonly OrderReport[]; readonly reason: string },
): Promise<Outcome> {
  const left = await readAgain(task, plan, position);
  if (left === undefined) return noPosition(deps, plan.contract);
  const { takeProfitPx: _, stopLossPx: __, ...rest } = plan;
  const restored = await placeLegs(
    deps,
    task,
    { ...rest, ...plan.before, putBackAfter: reason },
    { orderQty: Math.abs(left.netQty), nth: 3 },
  );
  const { canceled } = plan;
  if (restored.kind === "accepted") {
    const several =
      old.length > 2 ? "; of several old levels the nearest ones now protect all" : "";
    return { kind: "unprotected", canceled, reason: `${reason}${several}`, restored: true };
  }
  const both = `${reason}; putting the old levels back failed too: ${restored.reason}`;
  const partly = restored.kind === "partial" ? { missing, standing: restored.standing } : {};
  return { kind: "unprotected", canceled, reason: both, restored: false, ...partly };
}

/** A broker that cannot be read now must not keep the old levels from being put back. */
async function readAgain(
  task: LaneTask,
  plan: LegPlan,
  known: BrokerPosition,
): Promise<BrokerPosition | undefined> {
  try {
    return await readPosition(task, plan);
  } catch (error) {
    if (error instanceof BrokerReadError) return known;
    throw error;
  }
}

/** Cancels the old legs, stops last. Answers an outcome only when it is not certain that they are gone. */
async function cancelAll(
  deps: LaneDeps,
  task: LaneTask,
  legs: readonly OrderReport[],
  plan: LegPlan,
): Promise<Outcome | undefined> {
  const { record, broker, connection } = task;
  if (legs.length === 0) return undefined;
  const clOrdId = legsIdOf(record, 1);
  const refused = await beforeSending(deps, task, { clOrdId, plan });
  if (refused !== undefined) return refused;

  const ended = new Set<string>();
  let refusal: string | undefined;
  for (const leg of legs.toSorted(stopsLast)) {
    if (ended.has(leg.orderId)) continue;
    const canceled = await broker.cancelOrder(record.accountId, leg.orderId);
    if (canceled.kind === "unknown") return canceled;
    if (canceled.kind === "notSent") return ended.size === 0 ? canceled : interrupted();
    if (canceled.kind === "rejected") refusal = canceled.reason;
    ended.add(leg.orderId);
    if (connection.cancelEndsLinkedLeg && leg.linkedOrderId !== undefined) {
      ended.add(leg.linkedOrderId);
    }
  }
  return refusal === undefined ? undefined : await judgeRefusal(deps, task, { legs, refusal });
}

const stopsLast = (one: OrderReport, other: OrderReport): number =>
  Number(one.role === "STOP_LOSS") - Number(other.role === "STOP_LOSS");

/** Refused mostly means that the leg has just filled or gone. One that still works must stay alone. */
async function judgeRefusal(
  deps: LaneDeps,
  { record, broker }: LaneTask,
  { legs, refusal }: { readonly legs: readonly OrderReport[]; readonly refusal: string },
): Promise<Outcome | undefined> {
  const working = await broker.workingOrders(record.accountId);
  // One that is about to end may fill until it has.
  const open = new Set(
    working
      .filter((order) => isOpaque(order) || !isClosed(order.ordStatus))
      .map(({ orderId }) => orderId),
  );
  const still = legs.filter(({ orderId }) => open.has(orderId));
  if (still.length === 0) return undefined;
  const reason = `an old level could not be cancelled: ${refusal}`;
  if (still.length === legs.length) return { kind: "rejected", reason };
  const gone = legs.filter((leg) => !still.includes(leg));
  const [canceled, standing] = [describeLegs(deps, gone), describeLegs(deps, still)];
  return { kind: "unprotected", canceled, reason, restored: false, standing };
}

const interrupted = (): Outcome => ({
  kind: "unknown",
  reason: "The connection failed while the old levels were being cancelled",
});
