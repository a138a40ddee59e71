import type { Exchange } from "../../../src/brokers/paper/exchange/exchange.ts";
import { ticks } from "../../../src/domain/contracts/price.ts";
import { accountId, type ClOrdId, legIdOf } from "../../../src/domain/ids.ts";
import { opposite } from "../../../src/domain/order.ts";
import type { Clock } from "./clock.ts";
import { childReport, type WantedLeg, type WantedOrder } from "./core-request.ts";
import { STATUS } from "./entities.ts";
import type { Journal } from "./journal.ts";
import { type BookedOrder, hasEnded, type OrderBook } from "./order-book.ts";
import type { Settings } from "./settings.ts";

export interface ChildrenDeps {
  readonly clock: Clock;
  readonly orders: OrderBook;
  readonly journal: Journal;
  readonly settings: (account: number) => Settings;
  readonly exchange: Exchange;
  /** A fresh name for an order of the core. */
  readonly newName: () => ClOrdId;
}

/** Children that the core does not know yet. */
interface Waiting {
  readonly entry: BookedOrder;
  readonly children: readonly BookedOrder[];
}

/** The children of entries: how they are called, and by which of our own rules they go live. */
export class Children {
  readonly #deps: ChildrenDeps;
  #waiting: Waiting[] = [];

  constructor(deps: ChildrenDeps) {
    this.#deps = deps;
  }

  /**
   * The stop's number follows the entry's, and the target's the stop's; the target names the stop, and
   * the stop nothing [CAP]. By our own rules the core hears of them when they go live.
   */
  book(entry: BookedOrder, wanted: WantedOrder, isOurs: boolean): void {
    const { takeProfit, stopLoss, account, tag } = wanted;
    const { orders, clock } = this.#deps;
    const book = (role: "TAKE_PROFIT" | "STOP_LOSS", leg: WantedLeg, linked?: number) =>
      orders.add({
        account,
        customTag: tag === null ? null : `${tag}-${role === "TAKE_PROFIT" ? "TP" : "SL"}`,
        parent: entry.id,
        linked,
        distance: leg.ticks,
        report: childReport(wanted, role, clock.now()),
      });
    const stop = stopLoss && book("STOP_LOSS", stopLoss);
    const target = takeProfit && book("TAKE_PROFIT", takeProfit, stop?.id);
    const children = [stop, target].filter((child) => child !== undefined);
    if (isOurs && children.length > 0) this.#waiting.push({ entry, children });
  }

  /** Which of the core's orders they are, once it knows them under the entry's name. */
  bind(entry: BookedOrder, name: ClOrdId): void {
    const { orders, exchange } = this.#deps;
    const core = exchange.account(accountId(String(entry.account)));
    for (const child of orders.childrenOf(entry.id)) {
      const known = core?.orderOf(legIdOf(name, roleOf(child)));
      if (known !== undefined) orders.bind(child, known.orderId);
    }
  }

  /** Lets those go live, or end, that wait no longer. */
  activate(): void {
    this.#waiting = this.#waiting.filter((group) => !this.#isOver(group));
  }

  cancelWaiting(child: BookedOrder): void {
    const { orders, journal } = this.#deps;
    orders.update(child, { ...child.report, ordStatus: "CANCELED", leavesQty: 0 });
    journal.tellOrder(child, 1);
  }

  #isOver({ entry, children }: Waiting): boolean {
    const { childrenOn } = this.#deps.settings(entry.account);
    const isFilled = entry.status === STATUS.filled;
    const isDue = childrenOn === "fullFill" ? isFilled : entry.report.cumQty > 0;
    const left = children.filter((child) => !hasEnded(child));
    if (isDue) this.#goLive(entry, left);
    else if (hasEnded(entry)) for (const child of left) this.cancelWaiting(child);
    return isDue || hasEnded(entry);
  }

  #goLive(entry: BookedOrder, children: readonly BookedOrder[]): void {
    const { orders, exchange, newName } = this.#deps;
    const { avgPx, side, cumQty, contract } = entry.report;
    if (avgPx === undefined || children.length === 0) return;
    const from = Math.round(avgPx.numerator / avgPx.denominator);
    const account = accountId(String(entry.account));
    const name = newName();
    const target = children.find((child) => roleOf(child) === "TAKE_PROFIT");
    const stop = children.find((child) => roleOf(child) === "STOP_LOSS");
    const at = (child: BookedOrder, own: "price" | "stopPx") =>
      ticks(child.report[own] ?? from + (child.distance ?? 0));
    const outcome = exchange.submitProtection(account, {
      contract,
      side: opposite(side),
      orderQty: cumQty,
      ...(target !== undefined && {
        takeProfit: { clOrdId: legIdOf(name, "TAKE_PROFIT"), price: at(target, "price") },
      }),
      ...(stop !== undefined && {
        stopLoss: { clOrdId: legIdOf(name, "STOP_LOSS"), stopPx: at(stop, "stopPx") },
      }),
    });
    for (const child of children) {
      // The market has passed the stop by then: both are gone, and the position stands bare.
      if (outcome.kind === "rejected") this.cancelWaiting(child);
      else {
        const core = exchange.account(account)?.orderOf(legIdOf(name, roleOf(child)));
        if (core !== undefined) orders.bind(child, core.orderId);
      }
    }
  }
}

const roleOf = ({ report }: BookedOrder): "TAKE_PROFIT" | "STOP_LOSS" =>
  report.role === "TAKE_PROFIT" ? "TAKE_PROFIT" : "STOP_LOSS";
