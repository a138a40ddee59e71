import { clOrdIdOf, type Outcome } from "../../domain/intent.ts";
import type { OrderId } from "../../domain/ids.ts";
import { assessRisk } from "../../domain/risk.ts";
import { beforeSending, type LaneDeps, type LaneTask } from "./lane-deps.ts";

/** Cancels every resting order that could open or grow a position; exits and legs stay. */
export async function runCancelEntries(deps: LaneDeps, task: LaneTask): Promise<Outcome> {
  const { record, broker } = task;
  const [positions, working] = await Promise.all([
    broker.positions(record.accountId),
    broker.workingOrders(record.accountId),
  ]);
  const entries = working.filter((order) => {
    const held = positions.find(({ contract }) => contract === order.contract)?.netQty ?? 0;
    const { side, leavesQty } = order;
    return order.role === "ORDER" && assessRisk({ side, orderQty: leavesQty }, held, []).adds;
  });
  if (entries.length === 0) return done([]);

  const refused = await beforeSending(deps, task, clOrdIdOf(record.intentId, 1));
  if (refused !== undefined) return refused;
  const canceled: OrderId[] = [];
  for (const { orderId } of entries) {
    const answer = await broker.cancelOrder(record.accountId, orderId);
    if (answer.kind === "unknown" || answer.kind === "notSent") return answer;
    if (answer.kind === "accepted") canceled.push(orderId);
  }
  return done(canceled);
}

const done = (canceledOrderIds: readonly OrderId[]): Outcome => ({
  kind: "done",
  result: { kind: "CANCEL_ENTRIES", canceledOrderIds },
});
