import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { AccountId, ClOrdId, OrderId } from "../../domain/ids.ts";
import type { NewOrderSingle, OrderChange, ProtectionOrder } from "../../domain/order.ts";
import type { Broker, CommandFailure, Decider, OwnedConnection, Ownership } from "../ports.ts";
import { LeaseLostError } from "../store-error.ts";
import type { Ahead } from "./ahead.ts";

/** Throws when another process may be the owner: that one takes up what is under way. */
export function requireOwned({ isOwned: isHeld }: Ownership): void {
  if (isHeld()) return;
  throw new LeaseLostError("the connection is another owner's now");
}

/** A broker of which every command passes through `send`, and what is read now through `ask`. */
export abstract class RelayedBroker implements Broker {
  readonly #broker: Broker;
  readonly #by: Decider | undefined;

  /** `by` is what decides on all that is read, unless a read itself names another. */
  constructor(broker: Broker, by?: Decider) {
    this.#broker = broker;
    this.#by = by;
  }

  protected abstract send<Answer extends { readonly kind: string }>(
    run: () => Promise<Answer>,
  ): Promise<Answer | CommandFailure>;

  protected ask<Answer>(read: () => Promise<Answer>): Promise<Answer> {
    return read();
  }

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
    return this.ask(() => this.#broker.accounts());
  }

  positions(account: AccountId, by = this.#by) {
    return this.ask(() => this.#broker.positions(account, by));
  }

  workingOrders(account: AccountId, by = this.#by) {
    return this.ask(() => this.#broker.workingOrders(account, by));
  }

  unread() {
    return this.#broker.unread();
  }

  hasRoomFor(requests: number) {
    return this.#broker.hasRoomFor(requests);
  }

  tendsExits(entry: ClOrdId) {
    return this.#broker.tendsExits(entry);
  }

  contractDoubt(contract: ContractCode) {
    return this.ask(() => this.#broker.contractDoubt(contract));
  }

  findOrder(account: AccountId, clOrdId: ClOrdId, by = this.#by) {
    return this.ask(() => this.#broker.findOrder(account, clOrdId, by));
  }

  fills(account: AccountId, sinceAt: number) {
    return this.ask(() => this.#broker.fills(account, sinceAt));
  }
}

/**
 * The only broker that lanes send through. Each command checks once more, synchronously, whether the
 * connection is still owned here, so that a process that was frozen after its write-ahead sends
 * nothing. It throws `LeaseLostError` then, and the intent stays SENDING for its new owner.
 */
export class OwnedBroker extends RelayedBroker {
  readonly #ownership: Ownership;

  constructor({ broker, ownership }: Pick<OwnedConnection, "broker" | "ownership">, by?: Decider) {
    super(broker, by);
    this.#ownership = ownership;
  }

  protected override async send<Answer>(run: () => Promise<Answer>): Promise<Answer> {
    this.requirePass();
    return await run();
  }

  /** Throws where no command may pass now. */
  protected requirePass(): void {
    requireOwned(this.#ownership);
  }
}

/**
 * The broker of an intent that is run before it is accepted: no command passes until it is, and nothing
 * is asked for a run that counts for nothing.
 */
export class HeldBroker extends OwnedBroker {
  readonly #ahead: Pick<Ahead, "isAccepted" | "requireGoingOn">;

  constructor(
    connection: Pick<OwnedConnection, "broker" | "ownership">,
    ahead: Pick<Ahead, "isAccepted" | "requireGoingOn">,
    by?: Decider,
  ) {
    super(connection, by);
    this.#ahead = ahead;
  }

  protected override requirePass(): void {
    if (!this.#ahead.isAccepted) throw new Error("a command came before its intent was accepted");
    super.requirePass();
  }

  protected override async ask<Answer>(read: () => Promise<Answer>): Promise<Answer> {
    this.#ahead.requireGoingOn();
    return await super.ask(read);
  }
}
