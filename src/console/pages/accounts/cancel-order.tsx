import { answerOf, api } from "../../api/client.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { AccountName } from "./account-name.tsx";
import { contractsText, orderText } from "./exits.ts";
import type { Account, WorkingOrder } from "./types.ts";

/** Cancels one order, after saying what goes with it and what that leaves open. */
export function CancelOrder({
  account,
  order,
  orders,
  onClose,
  onDone,
}: {
  account: Account;
  order: WorkingOrder;
  orders: readonly WorkingOrder[];
  onClose: () => void;
  onDone: () => void;
}) {
  const params = { path: { id: account.id, orderId: order.orderId } };
  return (
    <Confirm
      title="Cancel the order"
      verb={order.remainingQty === null ? "Cancel" : `Cancel ${contractsText(order.remainingQty)}`}
      onClose={onClose}
      onConfirm={async () => {
        await answerOf(api.DELETE("/v1/accounts/{id}/orders/{orderId}", { params }));
        onDone();
      }}
    >
      <AccountName account={account} />
      <p>
        This order is cancelled: <strong>{orderText(order)}</strong>{" "}
        <span class="mono quiet">{order.orderId}</span>
      </p>
      <p>{consequence(order, orders)}</p>
      <p>No position is closed by it. What has filled by then stays.</p>
    </Confirm>
  );
}

function consequence(order: WorkingOrder, orders: readonly WorkingOrder[]): string {
  if (order.role === null) return "What hangs on it is not known here: see it at the broker first.";
  if (order.role === "entry") {
    const legs = orders.filter(({ parentOrderId }) => parentOrderId === order.orderId);
    if (legs.length === 0) return "No other order depends on it.";
    const which = legs.map(orderText).join("; ");
    return (order.filledQty ?? 0) === 0
      ? `Its exits go with it: ${which}.`
      : `What has filled keeps its exits: ${which}.`;
  }
  const other = orders.find(({ orderId }) => orderId === order.linkedOrderId);
  const left =
    order.role === "stopLoss"
      ? "The position is then without this stop-loss."
      : "The position is then without this take-profit.";
  return other === undefined
    ? left
    : `${left} The other exit stays, under a new id: ${orderText(other)}.`;
}
