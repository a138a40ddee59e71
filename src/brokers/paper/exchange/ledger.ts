import assert from "node:assert/strict";
import type { ContractCode } from "../../../domain/contracts/contract.ts";
import { type AccountId, type ExecId, execId } from "../../../domain/ids.ts";
import type { ExecutionReport, Fill, OrdStatus } from "../../../domain/order.ts";
import { formatScaled, type Scaled, times } from "../../../domain/contracts/decimal.ts";
import { type Ticks, tickWorth } from "../../../domain/contracts/price.ts";
import type { ExchangeAccount } from "./exchange-account.ts";
import type { PaperProduct } from "./product.ts";
import { type ExchangeOrder, toReport, type Writable } from "./exchange-order.ts";

export type EntryKind = "account" | "order" | "position" | "fill";

/** Who listens to the exchange. Called while a command or quote is carried out, in its order. */
export interface ExchangeEvents {
  onReport(account: AccountId, report: ExecutionReport): void;
  /** An entry of the account's state changed or is gone: for whoever keeps that state. */
  onChange?(account: AccountId, kind: EntryKind, id: string): void;
  /** Whether the contract has live orders, and so needs its quotes. */
  onInterest?(contract: ContractCode, isWanted: boolean): void;
}

/** What of an order was filled at once, and in which product. */
interface Trade {
  readonly qty: number;
  readonly px: Ticks;
  readonly product: PaperProduct;
}

/** Writes what happens to an order into its account, and tells the listeners. */
export class Ledger {
  readonly #accounts: ReadonlyMap<AccountId, ExchangeAccount>;
  readonly #events: ExchangeEvents;
  readonly #now: () => number;
  readonly #feeOf: ((contract: ContractCode) => Scaled) | undefined;
  #lastPriority = 0;

  constructor(deps: {
    accounts: ReadonlyMap<AccountId, ExchangeAccount>;
    events: ExchangeEvents;
    now: () => number;
    feeOf?: (contract: ContractCode) => Scaled;
  }) {
    this.#accounts = deps.accounts;
    this.#events = deps.events;
    this.#now = deps.now;
    this.#feeOf = deps.feeOf;
  }

  account(id: AccountId): ExchangeAccount {
    const account = this.#accounts.get(id);
    assert(account !== undefined, `account ${id} is at the exchange`);
    return account;
  }

  /** Counts on from the clock, so that it follows what was given before a restart and not loaded yet. */
  nextPriority(): number {
    this.#lastPriority = Math.max(this.#lastPriority + 1, this.#now() * 1_000);
    return this.#lastPriority;
  }

  /** An order is back after a restart; whatever comes now comes after it. */
  resumed({ priority }: ExchangeOrder): void {
    this.#lastPriority = Math.max(this.#lastPriority, priority);
  }

  /** A new order is in: working, held, or refused on arrival. */
  entered(order: ExchangeOrder): void {
    const account = this.account(order.account);
    account.add(order);
    this.#events.onChange?.(order.account, "account", "");
    this.#report(order, order.ordStatus === "REJECTED" ? "REJECTED" : "NEW");
    if (order.ordStatus === "REJECTED") this.#forget(account);
  }

  /** The exchange itself changed the order. */
  restated(order: ExchangeOrder): void {
    this.#report(order, "RESTATED");
  }

  /** Its owner changed the order. */
  replaced(order: ExchangeOrder): void {
    this.#report(order, "REPLACED");
  }

  /** Something to keep but not to report, such as a trailing stop's new price. */
  changed(order: ExchangeOrder): void {
    this.#events.onChange?.(order.account, "order", order.orderId);
  }

  traded(order: ExchangeOrder, trade: Trade): void {
    const { qty, px } = trade;
    const account = this.account(order.account);
    order.cumQty += qty;
    order.filledTicks += qty * px;
    order.ordStatus = this.#statusAfterFill(account, order);
    if (order.ordStatus === "FILLED") account.close(order);

    const fill = this.#fillOf(account, order, trade);
    account.fills.set(fill.execId, fill);
    this.#events.onChange?.(order.account, "account", "");
    this.#events.onChange?.(order.account, "fill", fill.execId);
    this.#events.onChange?.(order.account, "position", order.contract);
    this.#report(order, "TRADE", fill);
    this.#forget(account);
  }

  /** Nothing more will happen to the order. */
  closed(order: ExchangeOrder, ordStatus: "FILLED" | "CANCELED" | "EXPIRED", text?: string): void {
    const account = this.account(order.account);
    order.ordStatus = ordStatus;
    order.text = text;
    account.close(order);
    this.#report(order, ordStatus === "FILLED" ? "RESTATED" : ordStatus);
    this.#forget(account);
  }

  /** A leg that is used up waits for more as long as its entry may still fill. */
  #statusAfterFill(account: ExchangeAccount, order: ExchangeOrder): OrdStatus {
    if (order.cumQty < order.orderQty) return "PARTIALLY_FILLED";
    const { parentOrderId } = order;
    return parentOrderId !== undefined && account.working.has(parentOrderId) ? "HELD" : "FILLED";
  }

  #fillOf(
    account: ExchangeAccount,
    { orderId, clOrdId, contract, side }: ExchangeOrder,
    { qty, px, product }: Trade,
  ): Fill {
    const gained = account.book({ contract, side, lastQty: qty, lastPx: px });
    const fill: Writable<Fill> = {
      execId: execId(account.nextId()),
      orderId,
      contract,
      side,
      lastQty: qty,
      lastPx: px,
      transactTimeAt: this.#now(),
    };
    if (clOrdId !== undefined) fill.clOrdId = clOrdId;
    if (gained !== undefined) fill.realizedPnl = tickWorth(gained, product.tickValue);
    const fee = this.#feeOf?.(contract);
    if (fee !== undefined) {
      fill.fee = formatScaled(times(fee, qty), 2);
      fill.feeCurrency = product.currency;
    }
    return fill;
  }

  #report(order: ExchangeOrder, execType: ExecutionReport["execType"], fill?: Fill): void {
    order.transactTimeAt = this.#now();
    this.changed(order);
    const report = toReport(order);
    const told =
      fill === undefined ? { execType, order: report } : { execType, order: report, fill };
    this.#events.onReport(order.account, told);
  }

  #forget(account: ExchangeAccount): void {
    for (const id of account.forgetOrders(this.#now())) this.#gone(account, "order", id);
    for (const id of account.forgetFills()) this.#gone(account, "fill", id);
  }

  #gone(account: ExchangeAccount, kind: EntryKind, id: string | ExecId): void {
    this.#events.onChange?.(account.accountId, kind, id);
  }
}
