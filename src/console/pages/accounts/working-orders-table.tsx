import { answerOf, api } from "../../api/client.ts";
import { AccountName } from "../../parts/account-of.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Mark } from "../../parts/mark.tsx";
import { ACTS, CardTable, type Column } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { actionText, contractsText, orderText, priceText, roleText, typeText } from "./exits.ts";
import type { Account, WorkingOrder } from "./types.ts";

const columnsOf = (onCancel: (order: WorkingOrder) => void): readonly Column<WorkingOrder>[] => [
  { head: "Contract", cell: ({ symbol }) => symbol ?? "not named" },
  {
    head: "Order",
    cell: (order) => (
      <div>
        {actionText(order)}
        <div class="mono quiet">{order.orderId}</div>
      </div>
    ),
  },
  {
    head: "For",
    cell: (order) => (
      <div>
        {roleText(order)}
        {order.source === "foreign" && <div class="quiet">placed elsewhere</div>}
      </div>
    ),
  },
  {
    head: "Price",
    cell: (order) => (
      <div>
        {priceText(order)}
        <div class="quiet">
          {order.problem ?? `${typeText(order)}, ${order.timeInForce ?? "duration not known"}`}
        </div>
      </div>
    ),
  },
  { head: "State", cell: (order) => <OrderState order={order} /> },
  {
    head: "Changed",
    cell: ({ updatedAt }) => (updatedAt === null ? "not known" : <Time at={updatedAt} />),
  },
  {
    head: ACTS,
    cell: (order) => (
      <div class="actions end">
        <button type="button" class="small danger" onClick={() => onCancel(order)}>
          Cancel …<span class="unseen"> order {order.orderId}</span>
        </button>
      </div>
    ),
  },
];

/** Everything that may still fill, what was placed by hand included. */
export function WorkingOrdersTable({
  orders,
  onCancel,
}: {
  orders: readonly WorkingOrder[] | undefined;
  onCancel: (order: WorkingOrder) => void;
}) {
  return (
    <section class="block">
      <header>
        <h4>Working orders</h4>
      </header>
      {orders === undefined && <p class="empty">One moment …</p>}
      {orders?.length === 0 && <p class="empty">No working orders.</p>}
      {orders !== undefined && orders.length > 0 && (
        <CardTable rows={orders} keyOf={({ orderId }) => orderId} columns={columnsOf(onCancel)} />
      )}
    </section>
  );
}

const STATES = {
  pending: ["watch", "On its way"],
  held: ["quiet", "Waits for its entry"],
  working: ["good", "Working"],
  partiallyFilled: ["good", "Partly filled"],
  filled: ["good", "Filled"],
  canceled: ["quiet", "Cancelled"],
  expired: ["quiet", "Expired"],
  rejected: ["bad", "Rejected"],
} as const;

function OrderState({ order: { status } }: { order: WorkingOrder }) {
  const [tone, word] = status === null ? (["bad", "Not understood"] as const) : STATES[status];
  return <Mark tone={tone}>{word}</Mark>;
}

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
