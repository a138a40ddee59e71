import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { AccountId, ClOrdId, OrderId } from "../../domain/ids.ts";
import type { NewOrderSingle, OrderChange, ProtectionOrder } from "../../domain/order.ts";
import type { Broker, CommandFailure } from "../ports.ts";

/** A broker of which every command passes through `send`, and every question goes on as it is. */
export abstract class RelayedBroker implements Broker {
  readonly #broker: Broker;

  constructor(broker: Broker) {
    this.#broker = broker;
  }

  protected abstract send<Answer extends { readonly kind: string }>(
    run: () => Promise<Answer>,
  ): Promise<Answer | CommandFailure>;

  submitOrder(account: AccountId, order: NewOrderSingle) {
    return this.send(() => this.#broker.submitOrder(account, order));
  }

  submitProtection(account: AccountId, order: ProtectionOrder) {
    return this.send(() => this.#broker.submitProtection(account, order));
  }

  modifyOrder(account: AccountId, change: OrderChange) {
    return this.send(() => this.#broker.modifyOrder(account, change));
  }

  cancelOrder(account: AccountId, order: OrderId) {
    return this.send(() => this.#broker.cancelOrder(account, order));
  }

  closePosition(account: AccountId, contract: ContractCode, clOrdId: ClOrdId) {
    return this.send(() => this.#broker.closePosition(account, contract, clOrdId));
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
