import { type AccountId, orderId } from "../../domain/ids.ts";
import { type BrokerReport, isClosed, isUnderstood } from "../../domain/order.ts";
import { BrokerReadError } from "../../trading/ports.ts";
import type { OrderNames } from "../../trading/ports.ts";
import type { EntityStore } from "./entity-store.ts";

export interface NameBookDeps {
  readonly store: EntityStore;
  /** Absent where nothing is kept. */
  readonly names: OrderNames | undefined;
  readonly accountOf: (brokerAccount: number) => AccountId;
  readonly onTrouble: (error: unknown) => void;
}

/** What orders were placed as, by our own records, for when the broker does not say so any more. */
export class NameBook {
  readonly #deps: NameBookDeps;

  constructor(deps: NameBookDeps) {
    this.#deps = deps;
  }

  /**
   * The broker was asked for the names of these orders; whose it has none, our records may. Throws
   * `BrokerReadError` where they cannot be read: an order is not foreign because of that.
   */
  async settle(orders: readonly number[]): Promise<void> {
    const { store, accountOf, names } = this.#deps;
    const byAccount = new Map<AccountId, number[]>();
    for (const id of orders) {
      const account = store.get("order", id)?.accountId;
      if (account === undefined || store.isNameSettled(id)) continue;
      const own = accountOf(account);
      byAccount.set(own, [...(byAccount.get(own) ?? []), id]);
    }
    for (const [account, ids] of byAccount) {
      const asked = ids.map((id) => orderId(String(id)));
      const found = await names?.find(account, asked).catch((error: unknown) => {
        throw new BrokerReadError("What orders were placed as could not be read", { cause: error });
      });
      for (const id of ids) store.recall(id, found?.get(orderId(String(id))));
    }
  }

  /** Keeps the name of an order for as long as it may work. */
  note(account: AccountId, report: BrokerReport): void {
    const { names, onTrouble } = this.#deps;
    if (!isUnderstood(report)) return;
    const { execType, order } = report;
    const { orderId: id, clOrdId: name, ordStatus } = order;
    if (isClosed(ordStatus)) names?.drop(account, id).catch(onTrouble);
    else if (execType === "NEW" && name !== undefined) {
      names?.keep(account, id, name).catch(onTrouble);
    }
  }
}
