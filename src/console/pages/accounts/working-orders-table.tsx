import { Mark } from "../../parts/mark.tsx";
import { ACTS, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { actionText, priceText, roleText, typeText } from "./exits.ts";
import type { WorkingOrder } from "./types.ts";

const COLUMNS = ["Contract", "Order", "For", "Price", "State", "Changed", ACTS];

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
        <Table look="cards" columns={COLUMNS}>
          {orders.map((order) => (
            <OrderRow key={order.orderId} order={order} onCancel={() => onCancel(order)} />
          ))}
        </Table>
      )}
    </section>
  );
}

function OrderRow({ order, onCancel }: { order: WorkingOrder; onCancel: () => void }) {
  const { orderId, problem, source, symbol, timeInForce, updatedAt } = order;
  return (
    <tr>
      <th scope="row" data-name="Contract">
        {symbol ?? "not named"}
      </th>
      <td data-name="Order">
        <div>
          {actionText(order)}
          <div class="mono quiet">{orderId}</div>
        </div>
      </td>
      <td data-name="For">
        <div>
          {roleText(order)}
          {source === "foreign" && <div class="quiet">placed elsewhere</div>}
        </div>
      </td>
      <td data-name="Price">
        <div>
          {priceText(order)}
          <div class="quiet">
            {problem ?? `${typeText(order)}, ${timeInForce ?? "duration not known"}`}
          </div>
        </div>
      </td>
      <td data-name="State">
        <OrderState order={order} />
      </td>
      <td data-name="Changed">{updatedAt === null ? "not known" : <Time at={updatedAt} />}</td>
      <td>
        <div class="actions end">
          <button type="button" class="small danger" onClick={onCancel}>
            Cancel …<span class="unseen"> order {orderId}</span>
          </button>
        </div>
      </td>
    </tr>
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
