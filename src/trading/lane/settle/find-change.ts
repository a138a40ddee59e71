import type { AccountId } from "../../../domain/ids.ts";
import type { Intent, Outcome } from "../../../domain/intent.ts";
import { isClosed, type OrderReport, pricesOf, understood } from "../../../domain/order.ts";
import { hasValues } from "../../../domain/order-change.ts";
import type { Broker } from "../../ports.ts";
import type { Finding } from "./find-placed.ts";

/**
 * Whether a change whose answer was lost was carried out. The new values on the order are proof,
 * whether it still works or has ended with them. Without them it ends as lost after two look-ups.
 *
 * So does a change of an order that the broker shows no more. It filled or was cancelled, and whether
 * the change came first cannot be known: `done` and `rejected` would each claim to know. Nothing of
 * it can still come, which is what `lost` promises and what the entries behind it wait for; staying
 * unknown would hold them for a question that has no answer. What was filled is in the fills.
 */
export async function findChange(
  account: AccountId,
  { orderId, clOrdId, change }: Extract<Intent, { kind: "MODIFY" }>,
  broker: Broker,
): Promise<Finding> {
  const working = understood(await broker.workingOrders(account));
  const order =
    working.find((one) => one.orderId === orderId) ?? (await broker.findOrder(account, clOrdId));

  if (order === undefined) {
    return absent(
      "The broker shows the order no more; it is looked up again",
      "The broker shows the order no more; whether it was changed before it ended is not known",
    );
  }
  if (hasValues(order, change)) return { kind: "settled", outcome: changed(order) };
  if (isClosed(order.ordStatus)) {
    return absent(
      "The order has ended without the new values; it is looked up again",
      "The order has ended, and it did so without the new values",
    );
  }
  return absent(
    "The order works without the new values; the change may be under way",
    "The broker did not change the order; it works without the new values",
  );
}

/** An order that was changed, as it stands now. */
export function changed(order: OrderReport): Outcome {
  const { orderId, contract, ordStatus, orderQty, cumQty, leavesQty } = order;
  return {
    kind: "done",
    result: {
      kind: "MODIFY",
      order: {
        orderId,
        contract,
        ordStatus,
        orderQty,
        cumQty,
        leavesQty,
        ...pricesOf(order),
      },
    },
  };
}

function absent(waiting: string, reason: string): Finding {
  return { kind: "absent", waiting, afterwards: { kind: "lost", reason }, sought: [] };
}
