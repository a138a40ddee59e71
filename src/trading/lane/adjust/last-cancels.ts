import type { OrderId } from "../../../domain/ids.ts";
import type { AdjustSteps } from "../../../domain/adjust.ts";
import type { OrderReport } from "../../../domain/order.ts";
import { cancelOrders } from "../closing/end-rest.ts";
import { hasClosed, isUnderWay } from "../closing/progress.ts";
import { isExitOf } from "../closing/read-rest.ts";
import type { LaneTask } from "../lane-deps.ts";
import type { Snapshot } from "../read-snapshot.ts";
import type { Adjusting, AdjustRun } from "./adjust-answer.ts";

/** It is not done while an exit works still that would open the other side. */
export async function cancelAfter(
  { deps, task, run }: Adjusting,
  orders: readonly OrderReport[],
): Promise<void> {
  const { progress } = run;
  await cancelOrders(deps, task, orders, progress);
  await noteLeft(
    task,
    run,
    orders.filter(({ orderId }) => !progress.canceled.has(orderId)),
  );
}

/** The orders that work still of those that the broker would not cancel or cut. */
async function noteLeft(
  { record, broker }: LaneTask,
  run: AdjustRun,
  refused: readonly OrderReport[],
): Promise<void> {
  if (refused.length === 0) return;
  const working = await broker.workingOrders(record.accountId);
  const orders = refused.filter((one) => working.some(({ orderId }) => orderId === one.orderId));
  run.left = { ...run.left, orders: [...run.left.orders, ...orders] };
}

/** Whether something of its contract was to be closed, and is not. */
const isLeft = ({ left }: AdjustRun, { contract }: OrderReport): boolean =>
  left.positions.some((position) => position.contract === contract);

/** Orders that were to be cancelled, and whose position is closed by now. */
export async function cancelOverdue(
  adjusting: Adjusting,
  read: () => Promise<Pick<Snapshot, "working" | "positions">>,
): Promise<void> {
  const { run } = adjusting;
  const { progress } = run;
  const { cancels, canceled, refusals } = progress;
  const isDue = (id: OrderId) => cancels.has(id) && !canceled.has(id) && !refusals.has(id);
  if (![...cancels.keys()].some(isDue)) return;
  const { working, positions } = await read();
  const staysHeld = (order: OrderReport) =>
    isExitOf(positions, order) && (isLeft(run, order) || !hasClosed(progress, order.contract));
  const isHeld = (order: OrderReport) => isUnderWay(progress, order.contract) || staysHeld(order);
  await cancelAfter(
    adjusting,
    working.filter((order) => isDue(order.orderId) && !isHeld(order)),
  );
}

/** Needs no write-ahead: it names an order that is there, and can open nothing. */
export async function cutExits(
  { task, intent, run }: Adjusting,
  { cuts }: AdjustSteps,
): Promise<void> {
  const refused: OrderReport[] = [];
  const { progress } = run;
  // An exit covers what is held until the broker has closed it.
  const isOpenStill = (order: OrderReport) =>
    progress.waits.has(order.contract) ||
    isUnderWay(progress, order.contract) ||
    isLeft(run, order);
  for (const { order, leavesQty } of cuts.filter((cut) => !isOpenStill(cut.order))) {
    const { orderId, cumQty } = order;
    const change = { orderId, orderQty: cumQty + leavesQty };
    const answer = await task.broker.modifyOrder(task.record.accountId, change);
    if (answer.kind === "accepted") continue;
    refused.push(order);
    run.problems.push(
      `Exit ${orderId} is larger than what stays open and was not cut to it: ${answer.reason}`,
    );
  }
  // Only a target is planned anew, and cuts them then.
  if (intent.aim.to === "position") await noteLeft(task, run, refused);
}
