import assert from "node:assert/strict";
import {
  Exchange,
  type OrderTaken,
  type Rejection,
} from "../../../src/brokers/paper/exchange/exchange.ts";
import type { ExchangeAccount } from "../../../src/brokers/paper/exchange/exchange-account.ts";
import { toReport } from "../../../src/brokers/paper/exchange/exchange-order.ts";
import { clOrdIdsOf } from "../../../src/brokers/paper/exchange/new-order.ts";
import type { Quote } from "../../../src/brokers/paper/exchange/contract-book.ts";
import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import type { AccountId, ClOrdId, OrderId } from "../../../src/domain/ids.ts";
import type {
  ExecutionReport,
  Fill,
  NewOrderSingle,
  OrderReport,
  ProtectionOrder,
} from "../../../src/domain/order.ts";
import { averagePrice, type Position } from "../../../src/domain/position.ts";
import { tickWorth } from "../../../src/domain/contracts/price.ts";
import type { BrokerPosition } from "../../../src/trading/ports.ts";
import { Identifiers } from "./identifiers.ts";
import type { Abilities } from "./knobs.ts";
import { openingQuote, productOf } from "./market.ts";
import type { ExchangeCommand } from "./wire.ts";

/** How a command ended: carried out, or refused for a reason and not carried out at all. */
export type DeskOutcome = OrderTaken | { readonly kind: "accepted" } | Rejection;

export interface DeskDeps {
  readonly now: () => number;
  /** Called while a command or quote is carried out, in the order in which things happen. */
  readonly onReport: (account: AccountId, report: ExecutionReport) => void;
  /** What the broker can do for the account at this moment. */
  readonly abilities: (account: AccountId) => Abilities;
}

/** What is held, worked and done on one account. Fills as far back as the exchange keeps them. */
export interface AccountView {
  readonly isActive: boolean;
  readonly positions: readonly BrokerPosition[];
  readonly workingOrders: readonly OrderReport[];
  readonly fills: readonly Fill[];
}

/**
 * The matching core with what a broker has around it: accounts that may be closed for trading,
 * duplicate orders that may be taken, and orders placed by hand. It knows no sessions.
 */
export class Desk {
  readonly #exchange: Exchange;
  readonly #identifiers = new Identifiers();
  readonly #accounts = new Map<AccountId, ExchangeAccount>();
  readonly #inactive = new Set<AccountId>();
  readonly #abilities: DeskDeps["abilities"];

  constructor({ now, onReport, abilities }: DeskDeps) {
    this.#abilities = abilities;
    this.#exchange = new Exchange({
      product: productOf,
      now,
      sessionHours: true,
      pairs: (account) => {
        const { nativeOco, cancelEndsLinkedLeg } = abilities(account);
        return { areLinked: nativeOco, cancelEndsBoth: cancelEndsLinkedLeg };
      },
      events: {
        onReport: (account, { fill, order, ...rest }) =>
          onReport(account, {
            ...rest,
            order: this.#identifiers.outside(order),
            ...(fill !== undefined && { fill: this.#identifiers.outside(fill) }),
          }),
      },
    });
  }

  /** Opens the account if it is not open yet; what it holds is kept for the life of the process. */
  open(id: AccountId): void {
    if (!this.#accounts.has(id)) this.#accounts.set(id, this.#exchange.addAccount(id));
  }

  accounts(): readonly AccountId[] {
    return [...this.#accounts.keys()];
  }

  setActive(account: AccountId, isActive: boolean): void {
    if (isActive) this.#inactive.delete(account);
    else this.#inactive.add(account);
  }

  isActive(account: AccountId): boolean {
    return !this.#inactive.has(account);
  }

  setQuote(contract: ContractCode, quote: Quote): void {
    this.#exchange.setQuote(contract, quote);
  }

  expireOrders(): void {
    this.#exchange.expireOrders();
  }

  /** With `takesDuplicates`, an identifier that was used before makes a second order. */
  carryOut(command: ExchangeCommand, takesDuplicates: boolean): DeskOutcome {
    const { account } = command;
    if (!this.#accounts.has(account)) return rejected("Unknown account");
    if (command.op === "cancelOrder") return this.#exchange.cancelOrder(account, command.orderId);
    if (!this.isActive(account)) return rejected("Account is not active");
    switch (command.op) {
      case "submitOrder": {
        const renews = takesDuplicates && clOrdIdsOf(command.order).some(this.#isUsedOn(account));
        return this.#submit(
          account,
          renews ? this.#identifiers.renew(command.order) : command.order,
        );
      }
      case "submitProtection": {
        const { order } = command;
        if (!this.#abilities(account).nativeOco) return rejected("Linked orders are not supported");
        this.#wantQuote(order.contract);
        return this.#exchange.submitProtection(
          account,
          takesDuplicates ? this.#renewLegs(account, order) : order,
        );
      }
      case "modifyOrder":
        return this.#exchange.modifyOrder(account, command.change);
      case "closePosition": {
        const { contract, clOrdId: id } = command;
        const renews = takesDuplicates && this.#isUsedOn(account)(id);
        this.#wantQuote(contract);
        const name = renews ? this.#identifiers.renewOne(id) : id;
        return this.#exchange.closePosition(account, contract, name);
      }
    }
  }

  /** An order that nobody sent over a session: it carries no identifier. */
  placeByHand(account: AccountId, order: Omit<NewOrderSingle, "clOrdId">): DeskOutcome {
    if (!this.#accounts.has(account)) return rejected("Unknown account");
    return this.#submit(account, this.#identifiers.hide(order));
  }

  cancelByHand(account: AccountId, order: OrderId): DeskOutcome {
    if (!this.#accounts.has(account)) return rejected("Unknown account");
    return this.#exchange.cancelOrder(account, order);
  }

  /** Undefined for an account that was never opened. */
  view(id: AccountId): AccountView | undefined {
    const account = this.#accounts.get(id);
    if (account === undefined) return undefined;
    return {
      isActive: this.isActive(id),
      positions: this.positions(id),
      workingOrders: this.workingOrders(id),
      fills: this.fills(id, 0),
    };
  }

  has(id: AccountId): boolean {
    return this.#accounts.has(id);
  }

  positions(id: AccountId): readonly BrokerPosition[] {
    return [...this.#account(id).positions.values()].map((held) => this.#toBrokerPosition(held));
  }

  workingOrders(id: AccountId): readonly OrderReport[] {
    const working = [...this.#account(id).working.values()];
    return working.map((order) => this.#identifiers.outside(toReport(order)));
  }

  findOrder(id: AccountId, name: ClOrdId): OrderReport | undefined {
    const order = this.#account(id).orderOf(name);
    return order && this.#identifiers.outside(toReport(order));
  }

  fills(id: AccountId, sinceAt: number): readonly Fill[] {
    return [...this.#account(id).fills.values()]
      .filter((fill) => fill.transactTimeAt >= sinceAt)
      .map((fill) => this.#identifiers.outside(fill));
  }

  #submit(account: AccountId, order: NewOrderSingle): DeskOutcome {
    const isTooMuch = order.bracket !== undefined && !this.#abilities(account).nativeBracket;
    if (isTooMuch) return rejected("Brackets are not supported");
    this.#wantQuote(order.contract);
    return this.#exchange.submitOrder(account, order);
  }

  #renewLegs(account: AccountId, order: ProtectionOrder): ProtectionOrder {
    const isUsed = this.#isUsedOn(account);
    const renew = <Leg extends { readonly clOrdId: ClOrdId }>(leg: Leg): Leg =>
      isUsed(leg.clOrdId) ? { ...leg, clOrdId: this.#identifiers.renewOne(leg.clOrdId) } : leg;
    const { takeProfit, stopLoss } = order;
    return {
      ...order,
      ...(takeProfit !== undefined && { takeProfit: renew(takeProfit) }),
      ...(stopLoss !== undefined && { stopLoss: renew(stopLoss) }),
    };
  }

  #isUsedOn(account: AccountId): (id: ClOrdId) => boolean {
    return (id) => this.#account(account).orderOf(id) !== undefined;
  }

  #wantQuote(contract: ContractCode): void {
    const isQuoted = this.#exchange.quote(contract) !== undefined;
    if (!isQuoted && productOf(contract) !== undefined) {
      this.#exchange.setQuote(contract, openingQuote(contract));
    }
  }

  #account(id: AccountId): ExchangeAccount {
    const account = this.#accounts.get(id);
    assert(account !== undefined, `account ${id} is open`);
    return account;
  }

  #toBrokerPosition(position: Position): BrokerPosition {
    const { contract, netQty, realizedTicks } = position;
    const avgPx = averagePrice(position);
    const product = productOf(contract);
    assert(avgPx !== undefined && product !== undefined, "what is held has a price and a product");
    return {
      contract,
      netQty,
      avgPx,
      realizedPnl: tickWorth(realizedTicks, product.tickValue),
    };
  }
}

function rejected(reason: string): Rejection {
  return { kind: "rejected", reason };
}
