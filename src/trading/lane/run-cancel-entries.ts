import type { AccountId, OrderId } from "../../domain/ids.ts";
import { clOrdIdOf, type Outcome } from "../../domain/intent.ts";
import { isForeign } from "../../domain/order.ts";
import { riskyResting } from "../../domain/risk.ts";
import type { Broker } from "../ports.ts";
import { readStanding } from "./read-standing.ts";
import { beforeSending, type LaneDeps, type LaneTask } from "./lane-deps.ts";

/** Cancels every resting order that could open or grow a position; exits and legs stay. */
export async function runCancelEntries(deps: LaneDeps, task: LaneTask): Promise<Outcome> {
  const { record, broker } = task;
  const clOrdId = clOrdIdOf(record.intentId, 1);
  const refused = await beforeSending(deps, task, { clOrdId });
  return refused ?? (await cancelEntries(record.accountId, broker));
}

/** May be run again after an interruption: an order can be cancelled only once. */
export async function cancelEntries(accountId: AccountId, broker: Broker): Promise<Outcome> {
  const { positions, working } = await readStanding(accountId, broker);
  const contracts = new Set(working.map(({ contract }) => contract));
  const entries = [...contracts].flatMap((contract) => {
    const held = positions.find((position) => position.contract === contract)?.netQty ?? 0;
    const risky = riskyResting(
      held,
      working.filter((order) => order.contract === contract),
    );
    // What a person placed by hand is theirs.
    return risky.filter((order) => !isForeign(order));
  });

  const canceledOrderIds: OrderId[] = [];
  for (const { orderId } of entries) {
    const answer = await broker.cancelOrder(accountId, orderId);
    if (answer.kind === "accepted") canceledOrderIds.push(orderId);
    // Refused means that it has filled or gone. Whatever else: it is tried again.
    if (answer.kind === "unknown" || answer.kind === "notSent") {
      return { kind: "unknown", reason: `Not every resting entry is cancelled: ${answer.reason}` };
    }
  }
  return { kind: "done", result: { kind: "CANCEL_ENTRIES", canceledOrderIds } };
}
