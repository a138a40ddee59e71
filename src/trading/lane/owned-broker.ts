import type { ContractCode } from "../../domain/contract.ts";
import type { AccountId, ClOrdId, OrderId } from "../../domain/ids.ts";
import type { NewOrderSingle, OrderChange, ProtectionOrder } from "../../domain/order.ts";
import type { Broker, OwnedConnection, Ownership } from "../ports.ts";
import { StoreError } from "../store-ports.ts";

/** Throws when another process may be the owner: what is under way is left for it as it stands. */
export function requireHeld({ isHeld }: Ownership): void {
  if (isHeld()) return;
  throw new StoreError("the connection is another owner's now", { certainlyNotWritten: true });
}

/**
 * The only broker that the lanes send through. Each command asks once more, in the same instant,
 * whether the connection is still owned here: a process that was frozen after its write-ahead sends
 * nothing. It throws `StoreError` then, and the intent stays SENDING for its new owner.
 */
export class OwnedBroker implements Broker {
  readonly #broker: Broker;
  readonly #ownership: Ownership;

  constructor({ broker, ownership }: Pick<OwnedConnection, "broker" | "ownership">) {
    this.#broker = broker;
    this.#ownership = ownership;
  }

  async submitOrder(account: AccountId, order: NewOrderSingle) {
    requireHeld(this.#ownership);
    return await this.#broker.submitOrder(account, order);
  }

  async submitProtection(account: AccountId, order: ProtectionOrder) {
    requireHeld(this.#ownership);
    return await this.#broker.submitProtection(account, order);
  }

  async modifyOrder(account: AccountId, change: OrderChange) {
    requireHeld(this.#ownership);
    return await this.#broker.modifyOrder(account, change);
  }

  async cancelOrder(account: AccountId, order: OrderId) {
    requireHeld(this.#ownership);
    return await this.#broker.cancelOrder(account, order);
  }

  async closePosition(account: AccountId, contract: ContractCode, clOrdId: ClOrdId) {
    requireHeld(this.#ownership);
    return await this.#broker.closePosition(account, contract, clOrdId);
  }

  accounts() {
    return this.#broker.accounts();
  }

  positions(account: AccountId) {
    return this.#broker.positions(account);
  }

  workingOrders(account: AccountId) {
    return this.#broker.workingOrders(account);
  }

  unread() {
    return this.#broker.unread();
  }

  contractDoubt(contract: ContractCode) {
    return this.#broker.contractDoubt(contract);
  }

  findOrder(account: AccountId, clOrdId: ClOrdId) {
    return this.#broker.findOrder(account, clOrdId);
  }

  fills(account: AccountId, sinceAt: number) {
    return this.#broker.fills(account, sinceAt);
  }
}
