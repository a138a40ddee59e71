import type { AccountId, OrderId } from "../../domain/ids.ts";
import { type BrokerReport, isClosed, isUnderstood, type OrderReport } from "../../domain/order.ts";

/** More orders than one leader has under way at a time. */
const MOST_KEPT = 2_000;

/** How leaders' orders stood when their broker last told of them, those that work no more too. */
export class LeaderOrders {
  readonly #last = new Map<AccountId, Map<OrderId, OrderReport>>();

  onReport(leader: AccountId, report: BrokerReport): void {
    // One that is not understood stands for no order of a follower's.
    if (!isUnderstood(report)) return;
    const { order } = report;
    const orders = this.#last.get(leader) ?? new Map<OrderId, OrderReport>();
    this.#last.set(leader, orders);
    orders.delete(order.orderId);
    orders.set(order.orderId, order);
    for (const oldest of orders.keys()) {
      if (orders.size <= MOST_KEPT) break;
      orders.delete(oldest);
    }
  }

  /** Undefined where nothing was told of it here. */
  find(leader: AccountId, id: OrderId): OrderReport | undefined {
    return this.#last.get(leader)?.get(id);
  }

  /** The order as it ended; undefined where that was not told here. */
  findEnded(leader: AccountId, id: OrderId): OrderReport | undefined {
    const order = this.find(leader, id);
    return order !== undefined && isClosed(order.ordStatus) ? order : undefined;
  }
}
