import type { CoreRunner } from "./core-runner.ts";
import type { EntityStore } from "./entity-store.ts";
import { toPrice } from "./contract-directory.ts";
import { isDead, type JournalOrder } from "./order-journal.ts";
import type { Users } from "./users.ts";

/**
 * Where trailing stops stand. The core moves them with the market and reports nothing; here the
 * newest version of each is brought up to date, as an event of its own. How the real service shows
 * it is not documented.
 */
export class TrailingStops {
  readonly #deps: {
    readonly store: EntityStore;
    readonly users: Users;
    readonly runner: CoreRunner;
  };
  readonly #orders = new Set<JournalOrder>();

  constructor(deps: { store: EntityStore; users: Users; runner: CoreRunner }) {
    this.#deps = deps;
    deps.runner.onTold(() => this.#follow());
  }

  watch(order: JournalOrder): void {
    this.#orders.add(order);
  }

  #follow(): void {
    const { store, users, runner } = this.#deps;
    for (const order of this.#orders) {
      if (isDead(order)) {
        this.#orders.delete(order);
        continue;
      }
      const { accountId, listed } = order.origin;
      const working = runner.desk.workingOrders(users.deskName(accountId));
      const stopPx = working.find(({ orderId }) => orderId === order.coreId)?.stopPx;
      if (stopPx === undefined) continue;
      const stopPrice = toPrice(stopPx, listed.tickSize);
      if (stopPrice === order.version.stopPrice) continue;
      order.version = store.update("orderVersion", order.version.id, { stopPrice });
    }
  }
}
