import type { OrderChange, OrderReport } from "../../domain/order.ts";
import { ORDER_PRICES } from "../../domain/declared/order-types.ts";
import type { CommandFailure, CommandOutcome } from "../../trading/ports.ts";
import { BrokerReadError } from "../../trading/ports.ts";
import { reportOf, statusOf, viewOrder } from "./order-view.ts";
import { hasEnded } from "./parse.ts";
import type { SessionView } from "./session-view.ts";
import { ORDER_STATUS } from "./wire.ts";

/** An order that was taken may be refused right after; so long the hub is waited for. */
const TAKEN_WITHIN_MS = 2_000;
/** A change or cancel may only be on its way when it is answered. */
const CARRIED_OUT_WITHIN_MS = 3_000;
/** The broker shows an order that it took: if not by the hub, then by its number. */
const SHOWN_NOWHERE = "ProjectX has taken the order and shows it nowhere";

export const unknownOutcome = (reason: string): CommandFailure => ({ kind: "unknown", reason });

/**
 * Waits until the broker has shown what became of what it took: by the hub, and where that is silent, by
 * the order's number. A list of open orders is never asked: that an order is not in it proves nothing.
 */
export class Confirmations {
  readonly #session: SessionView;

  constructor(session: SessionView) {
    this.#session = session;
  }

  /** Undefined when the order was taken, as far as the time allows to know; else its refusal. */
  async refusalOf(account: string, order: string): Promise<CommandFailure | undefined> {
    await this.#session.until(() => this.#isSettled(order), TAKEN_WITHIN_MS);
    if (!this.#isSettled(order) && !(await this.#learn(account, order))) {
      return unknownOutcome(SHOWN_NOWHERE);
    }
    // The hub names no reason; the answer to the order would have.
    return this.isRejected(order)
      ? { kind: "rejected", reason: "ProjectX took the order and refused it without a reason" }
      : undefined;
  }

  /** Waits for the end of an order that was canceled. */
  async endOf(account: string, order: string): Promise<CommandOutcome> {
    const isOver = () => this.hasEnded(order);
    await this.#session.until(isOver, CARRIED_OUT_WITHIN_MS);
    if (!isOver()) await this.#learn(account, order);
    if (!isOver()) return unknownOutcome("ProjectX has not shown in time that it is canceled");
    const known = this.#session.store.order(order);
    const status = known && statusOf(this.#session.store, known);
    if (status === ORDER_STATUS.cancelled || status === ORDER_STATUS.expired) {
      return { kind: "accepted" };
    }
    const how = status === ORDER_STATUS.filled ? "is filled" : "has ended";
    return { kind: "rejected", reason: `The order ${how} already` };
  }

  /** Waits until an order shows what was changed. */
  async changeOf(account: string, order: string, change: OrderChange): Promise<CommandOutcome> {
    const isShown = () => showsChange(this.report(order), change);
    const isOver = () => isShown() || this.hasEnded(order);
    await this.#session.until(isOver, CARRIED_OUT_WITHIN_MS);
    // What has ended may have been changed before, which the hub left out.
    if (!isShown()) await this.#learn(account, order);
    if (isShown()) return { kind: "accepted" };
    return this.hasEnded(order)
      ? { kind: "rejected", reason: "The order has ended already, unchanged" }
      : unknownOutcome("ProjectX has not shown the change in time");
  }

  /** What the broker knows of an order now that a command about it was refused. */
  async lookAgain(account: string, order: string): Promise<void> {
    if (!this.hasEnded(order)) await this.#learn(account, order);
  }

  hasEnded(order: string): boolean {
    const known = this.#session.store.order(order);
    return known !== undefined && hasEnded(statusOf(this.#session.store, known));
  }

  /** A refusal of what has filled something is none. */
  isRejected(order: string): boolean {
    const { store } = this.#session;
    return (
      store.order(order)?.status === ORDER_STATUS.rejected && store.tradesOf(order).length === 0
    );
  }

  report(order: string): OrderReport | undefined {
    const { store, contracts } = this.#session;
    const view = viewOrder(store, order, contracts.byId);
    return view && reportOf(store, view);
  }

  #isSettled(order: string): boolean {
    const { store } = this.#session;
    const { status = ORDER_STATUS.none } = store.order(order) ?? {};
    return !UNDER_WAY.has(status) || store.tradesOf(order).length > 0;
  }

  /** Whether the broker shows the order when it is asked for it. */
  async #learn(account: string, order: string): Promise<boolean> {
    try {
      return (await this.#session.learnOrder(account, order)) !== undefined;
    } catch (error) {
      if (!(error instanceof BrokerReadError)) throw error;
      return false;
    }
  }
}

/** Taken in, and neither placed nor refused. */
const UNDER_WAY: ReadonlySet<number> = new Set([ORDER_STATUS.none, ORDER_STATUS.pending]);

function showsChange(report: OrderReport | undefined, change: OrderChange): boolean {
  if (report === undefined) return false;
  const { orderQty = report.orderQty } = change;
  const areEqual = ORDER_PRICES.every(
    (name) => change[name] === undefined || change[name] === report[name],
  );
  return areEqual && report.orderQty === orderQty;
}
