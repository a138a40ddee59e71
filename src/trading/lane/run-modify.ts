import { clOrdIdOf, type Intent, type Outcome } from "../../domain/intent.ts";
import {
  isClosed,
  isOpaque,
  type OrderReport,
  understood,
  type WorkingOrder,
} from "../../domain/order.ts";
import { checkQty, hasValues, withValues } from "../../domain/order-change.ts";
import { changed } from "./settle/find-change.ts";
import { guardEntry, type Guarded } from "./guard-order.ts";
import { beforeSending, type LaneDeps, type LaneTask } from "./lane-deps.ts";

type Modify = Extract<Intent, { kind: "MODIFY" }>;

/**
 * Changes one working order. A quantity that grows is held to everything that a new entry is held
 * to, where the order adds risk; a smaller one and a new price always pass. Answers `held` when it
 * must not be sent before earlier outcomes are known.
 */
export async function runModify(
  deps: LaneDeps,
  task: LaneTask,
  intent: Modify,
): Promise<Outcome | "parked"> {
  const { record, context, broker } = task;
  const { orderId, change } = intent;
  const working = await broker.workingOrders(record.accountId);
  const order = working.find((one) => one.orderId === orderId);
  if (order === undefined) return gone();
  // What it is now is not known, so neither is what the change would make of it.
  if (isOpaque(order)) return { kind: "rejected", reason: `${order.problem}; nothing was changed` };
  if (isClosed(order.ordStatus)) return gone();
  // Sent again it would lose its place in the queue. An unknown change may still move it, though.
  if (context.unknown.length === 0 && hasValues(order, change)) return changed(order);
  const impossible = change.orderQty === undefined ? undefined : checkQty(change.orderQty, order);
  if (impossible !== undefined) return denied(`qty ${impossible}`);

  const guarded = await guardGrowth(deps, task, order, intent, working);
  if (guarded?.kind === "stop") return guarded.outcome;
  if (guarded?.kind === "park") return "parked";
  const entry = guarded?.adds === true ? guarded.terms : undefined;
  const clOrdId = clOrdIdOf(record.intentId, 1);
  const refused = await beforeSending(deps, task, { clOrdId, entry });
  if (refused !== undefined) return refused;

  const answer = await broker.modifyOrder(record.accountId, { orderId, ...change });
  if (answer.kind !== "accepted") return answer;
  return changed((await readAgain(task, intent)) ?? withValues(order, change));
}

/**
 * How the order as it would stand is judged; undefined when its quantity does not grow. The position
 * is read after the orders: what fills in between is counted twice, and never missed.
 */
async function guardGrowth(
  deps: LaneDeps,
  task: LaneTask,
  order: OrderReport,
  { change: { orderQty } }: Modify,
  all: readonly WorkingOrder[],
): Promise<Guarded | undefined> {
  if (orderQty === undefined || orderQty <= order.orderQty) return undefined;
  const positions = await task.broker.positions(task.record.accountId);
  const others = understood(all).filter(({ orderId }) => orderId !== order.orderId);
  const hasLegs = others.some(({ parentOrderId }) => parentOrderId === order.orderId);
  const grown = { ...order, orderQty, ...(hasLegs && { bracket: {} }) };
  const snapshot = { positions, working: others, opaque: all.filter(isOpaque) };
  return await guardEntry(task, grown, snapshot, deps);
}

/** The broker has confirmed the change: where a read fails now, the answer holds what is known. */
async function readAgain(
  { record, broker }: LaneTask,
  { clOrdId }: Modify,
): Promise<OrderReport | undefined> {
  try {
    return await broker.findOrder(record.accountId, clOrdId);
  } catch {
    return undefined;
  }
}

const gone = (): Outcome => ({
  kind: "rejected",
  reason: "The order works no more: it has filled or ended, and nothing was changed",
});

const denied = (reason: string): Outcome => ({ kind: "denied", code: "VALIDATION_FAILED", reason });
