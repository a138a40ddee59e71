import { REASONS } from "../../../src/brokers/paper/exchange/check-order.ts";
import { accountId, clOrdId, orderId } from "../../../src/domain/ids.ts";
import type { EventLog, LogEntry } from "../exchange/event-log.ts";
import type { Clock } from "./clock.ts";
import type { Contracts } from "./contracts.ts";
import { toRequest } from "./core-request.ts";
import { type Envelope, ok, refused, STATUS } from "./entities.ts";
import type { Fault } from "./faults.ts";
import type { BookedOrder, OrderBook } from "./order-book.ts";
import {
  legProblem,
  NEEDS_AUTO_OCO,
  readOrder,
  type ReadingDeps,
  readPrices,
  readTrail,
  tagOf,
} from "./order-reader.ts";
import type { Body } from "./request.ts";
import type { Settings } from "./settings.ts";
import type { Change, Outcome, Trading } from "./trading.ts";
import type { Account } from "./users.ts";

export interface OrderDeskDeps {
  readonly clock: Clock;
  readonly contracts: Contracts;
  readonly orders: OrderBook;
  readonly trading: Trading;
  readonly log: EventLog;
}

/** One command, of somebody who may give it. */
export interface Command {
  readonly account: Account;
  readonly body: Body;
  readonly settings: Settings;
  readonly fault?: Fault | undefined;
}

/** What a refused order is answered with [OFF, the words COM]. */
const PLACE = {
  rejected: 2,
  closed: 5,
  noContract: 8,
  notActive: 9,
  accountRejected: 10,
} as const;
const CANCEL = { notFound: 2, rejected: 3, pending: 4, accountRejected: 6 } as const;
const CLOSE = {
  noPosition: 2,
  noContract: 3,
  notActive: 4,
  rejected: 5,
  accountRejected: 8,
} as const;
const PARTIAL = { ...CLOSE, wrongSize: 5, rejected: 6, accountRejected: 9 } as const;

const TAG_USED = "Specified custom tag is already in use";
const REJECT_LATER_MS = 5;

/** Carries out what is asked of orders and positions, and logs it. */
export class OrderDesk {
  readonly #deps: OrderDeskDeps;
  readonly #reading: ReadingDeps;

  constructor(deps: OrderDeskDeps) {
    this.#deps = deps;
    this.#reading = {
      listed: (id) => deps.contracts.byId(id),
      quoteOf: ({ code }) => deps.trading.quoteOf(code),
    };
  }

  place(command: Command): Envelope {
    const { account, body, settings, fault } = command;
    const tag = tagOf(body);
    const wanted = readOrder(account.id, body, { ...this.#reading, settings });
    const form = { withLegs: true, isDay: settings.ordersLast === "day" };
    const isOrder = !("reason" in wanted);
    const asked = isOrder ? { order: toRequest(wanted, clOrdId(tag ?? ""), form) } : {};
    const entry = this.#log("submitOrder", command, { tag, asked });
    const refuse = (code: number, reason: string, order?: BookedOrder): Envelope => {
      note(entry, "rejected", reason, order);
      // Of Position Brackets it is known that the answer names the order [COM].
      return refused(code, reason, { orderId: (reason === NEEDS_AUTO_OCO && order?.id) || null });
    };
    if ("reason" in wanted) {
      return refuse(wanted.why === "order" ? PLACE.rejected : PLACE.noContract, wanted.reason);
    }
    if (!account.canTrade) return refuse(PLACE.accountRejected, "Account is not allowed to trade");
    const { orders, trading, contracts } = this.#deps;
    if (tag !== null && orders.isUsed(account.id, tag)) return refuse(PLACE.rejected, TAG_USED);
    const problem = legProblem(wanted, settings);
    if (problem !== undefined) {
      const works = problem === NEEDS_AUTO_OCO && settings.refusedEntry === "works";
      const { takeProfit: _, stopLoss: __, ...bare } = wanted;
      const order = works ? trading.place(bare).order : trading.keepRefused(wanted);
      return refuse(PLACE.rejected, problem, order);
    }
    if (!contracts.isActive(wanted.code)) {
      return refuse(PLACE.notActive, "Contract is not active", trading.keepRefused(wanted));
    }
    if (fault?.kind === "rejectLater") {
      const order = trading.keepPending(wanted);
      note(entry, "accepted", undefined, order);
      const later = () => trading.refusePending(order);
      this.#deps.clock.after(fault.afterMs ?? REJECT_LATER_MS, later);
      return ok({ orderId: order.id });
    }
    return this.#answer(entry, trading.place(wanted));
  }

  cancel(command: Command): Envelope {
    const { body, settings } = command;
    const order = this.#find(command, body.integer("orderId"));
    const entry = this.#log("cancelOrder", command, { order, asked: { orderId: idOf(order) } });
    const refuse = (code: number, reason: string): Envelope => {
      note(entry, "rejected", reason, order);
      return refused(code, reason);
    };
    if (order === undefined) return refuse(CANCEL.notFound, "Order not found");
    if (settings.cancels === "none") {
      return refuse(CANCEL.accountRejected, "Follower accounts cannot cancel orders");
    }
    if (settings.cancels === "simulated" && !command.account.simulated) {
      return refuse(CANCEL.accountRejected, "Live accounts not supported");
    }
    if (order.isCanceling) return refuse(CANCEL.pending, "Cancellation is pending");
    const reason = this.#deps.trading.cancel(order);
    return reason === undefined ? ok() : refuse(CANCEL.rejected, reason);
  }

  modify(command: Command): Envelope {
    const { body, settings } = command;
    const order = this.#find(command, body.integer("orderId"));
    const size = body.optionalInteger("size");
    const prices = order && this.#readChange(order, body, settings);
    const resized = size === undefined ? {} : { orderQty: size };
    const asked = { change: { orderId: idOf(order), ...prices, ...resized } };
    const entry = this.#log("modifyOrder", command, { order, asked });
    const refuse = (code: number, reason: string): Envelope => {
      note(entry, "rejected", reason, order);
      return refused(code, reason);
    };
    if (order === undefined) return refuse(CANCEL.notFound, "Order not found");
    if (!command.account.canTrade) {
      return refuse(CANCEL.accountRejected, "Account is not allowed to trade");
    }
    if (prices === undefined) return refuse(CANCEL.rejected, "Invalid price");
    const isWaiting = order.status === STATUS.suspended;
    if (isWaiting && settings.modifySuspended === "refused") {
      return refuse(CANCEL.notFound, "Order not found");
    }
    if (isWaiting && settings.modifySuspended === "passedOver") return ok();
    const isChild = order.parent !== null;
    if (isChild && size !== undefined && settings.modifyChildSize === "refused") {
      return refuse(CANCEL.rejected, "Size of a bracket order cannot be changed");
    }
    const change = { ...prices, ...(size !== undefined && { size }) };
    const reason = this.#deps.trading.modify(order, change);
    return reason === undefined ? ok() : refuse(CANCEL.rejected, wordsOf(reason));
  }

  close(command: Command, isPartial: boolean): Envelope {
    const { account, body } = command;
    const codes = isPartial ? PARTIAL : CLOSE;
    const listed = this.#deps.contracts.byId(body.text("contractId"));
    const entry = this.#log("closePosition", command, { asked: {} });
    const refuse = (code: number, reason: string): Envelope => {
      note(entry, "rejected", reason);
      return refused(code, reason);
    };
    if (listed === undefined) return refuse(codes.noContract, "Contract not found");
    const held = Math.abs(this.#deps.trading.netQty(account.id, listed.code));
    if (held === 0) return refuse(codes.noPosition, "Position not found");
    const size = isPartial ? body.integer("size") : held;
    if (size < 1 || size > held) return refuse(PARTIAL.wrongSize, "Invalid close size");
    if (!account.canTrade) {
      return refuse(codes.accountRejected, "Account is not allowed to trade");
    }
    if (isPartial && command.settings.cancels !== "all" && !account.simulated) {
      return refuse(PARTIAL.accountRejected, "Live accounts not supported");
    }
    const outcome = this.#deps.trading.close(account.id, listed.code, size);
    if (outcome.kind === "refused") return refuse(codes.rejected, wordsOf(outcome.reason));
    note(entry, "accepted", undefined, outcome.order);
    return ok();
  }

  #answer(entry: LogEntry, outcome: Outcome): Envelope {
    const { order } = outcome;
    if (outcome.kind === "taken") {
      note(entry, "accepted", undefined, order);
      return ok({ orderId: outcome.order.id });
    }
    const code = outcome.reason === REASONS.closed ? PLACE.closed : PLACE.rejected;
    note(entry, "rejected", outcome.reason, order);
    return refused(code, wordsOf(outcome.reason), { orderId: null });
  }

  /** The prices that an order is to have; undefined where one of them is none. */
  #readChange(order: BookedOrder, body: Body, settings: Settings): Change | undefined {
    const listed = this.#deps.contracts.byCode(order.code);
    const prices = listed && readPrices(body, listed);
    const { ordType, side } = order.report;
    if (listed === undefined || prices === undefined) return undefined;
    if (ordType !== "TRAILING_STOP" || body.optionalNumber("trailPrice") === undefined) {
      return prices;
    }
    const { quoteOf } = this.#reading;
    const on = { listed, side: side === "BUY" ? 0 : 1, settings, quoteOf } as const;
    const trail = readTrail(body, on);
    return trail && { ...prices, ...trail };
  }

  #find({ account }: Command, id: number): BookedOrder | undefined {
    const order = this.#deps.orders.byId(id);
    return order?.account === account.id ? order : undefined;
  }

  /** Written first, so that the fills it causes come after it. */
  #log(
    op: string,
    { account, body }: Command,
    {
      tag,
      order,
      asked,
    }: {
      readonly tag?: string | null;
      readonly order?: BookedOrder | undefined;
      /** As the other simulators write it. */
      readonly asked: object;
    },
  ): LogEntry {
    return this.#deps.log.add({
      connection: account.user,
      account: accountId(String(account.id)),
      op,
      outcome: "accepted",
      ...(tag !== null && tag !== undefined && { clOrdId: clOrdId(tag) }),
      ...(order !== undefined && { orderId: orderId(String(order.id)) }),
      command: { op, account: accountId(String(account.id)), ...asked, wire: body.fields },
    });
  }
}

const idOf = (order: BookedOrder | undefined) => orderId(String(order?.id ?? ""));

function note(
  entry: LogEntry,
  outcome: "accepted" | "rejected",
  reason?: string,
  order?: BookedOrder,
): void {
  entry.outcome = outcome;
  if (reason !== undefined) entry.reason = reason;
  if (order !== undefined) entry.orderId = orderId(String(order.id));
}

const WORDS: Readonly<Record<string, string>> = {
  [REASONS.price]: "Invalid price",
  [REASONS.stopPx]: "Invalid stop price",
  [REASONS.wrongSide]: "Invalid stop price",
};

const wordsOf = (reason: string): string => WORDS[reason] ?? reason;
