import { Mark } from "../../parts/mark.tsx";
import { ACTS, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { priceText, roleText, typeText } from "./exits.ts";
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
      {orders?.length === 0 && <p class="empty">Nothing rests.</p>}
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
  const { action, filledQty, orderId, qty, remainingQty, source, symbol, timeInForce } = order;
  return (
    <tr>
      <th scope="row" data-name="Contract">
        {symbol}
      </th>
      <td data-name="Order">
        <div>
          {action === "buy" ? "Buy" : "Sell"} {remainingQty}
          {filledQty > 0 && ` of ${qty}`}
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
            {typeText(order)}, {timeInForce}
          </div>
        </div>
      </td>
      <td data-name="State">
        <OrderState order={order} />
      </td>
      <td data-name="Changed">
        <Time at={order.updatedAt} />
      </td>
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
  const [tone, word] = STATES[status];
  return <Mark tone={tone}>{word}</Mark>;
}
