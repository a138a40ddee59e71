import { REASONS } from "../../../src/brokers/paper/exchange/check-order.ts";
import { parseTicks } from "../../../src/domain/contracts/price.ts";
import { accountId, clOrdId, orderId } from "../../../src/domain/ids.ts";
import type { EventLog, LogEntry } from "../exchange/event-log.ts";
import type { Contracts, Listed } from "./contracts.ts";
import { type Envelope, ok, ORDER_TYPE, refused, STATUS } from "./entities.ts";
import type { Fault } from "./faults.ts";
import type { BookedOrder, OrderBook } from "./order-book.ts";
import type { Body } from "./request.ts";
import type { Settings } from "./settings.ts";
import { type Outcome, toRequest, type Trading, type WantedOrder } from "./trading.ts";
import type { Account } from "./users.ts";

export interface OrderDeskDeps {
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
const CANCEL = { notFound: 2, rejected: 3, accountRejected: 6 } as const;
const CLOSE = {
  noPosition: 2,
  noContract: 3,
  notActive: 4,
  rejected: 5,
  accountRejected: 8,
} as const;
const PARTIAL = { ...CLOSE, wrongSize: 5, rejected: 6, accountRejected: 9 } as const;

const TAG_USED = "Specified custom tag is already in use";
const NEEDS_AUTO_OCO =
  "Brackets cannot be used with Position Brackets. You must enable Auto OCO Brackets.";
/** Longer tags are refused: children's have three characters more [COM]. */
const LONGEST_TAG = 64;
const REJECT_LATER_MS = 5;

/** Why an order is none. */
interface Refusal {
  readonly code: number;
  readonly reason: string;
}

/** Carries out what is asked of orders and positions, and logs it. */
export class OrderDesk {
  readonly #deps: OrderDeskDeps;

  constructor(deps: OrderDeskDeps) {
    this.#deps = deps;
  }

  place(command: Command): Envelope {
    const { account, body, fault } = command;
    const tag = body.optionalText("customTag") ?? null;
    const wanted = this.#read(command, tag);
    const isOrder = !("reason" in wanted);
    const asked = isOrder ? { order: toRequest(wanted, clOrdId(tag ?? ""), true) } : {};
    const entry = this.#log("submitOrder", command, { tag, asked });
    const none = { orderId: null };
    const refuse = (code: number, reason: string, order?: BookedOrder): Envelope => {
      note(entry, "rejected", reason, order);
      return refused(code, reason, none);
    };
    if ("reason" in wanted) return refuse(wanted.code, wanted.reason);
    if (!account.canTrade) return refuse(PLACE.accountRejected, "Account is not allowed to trade");
    const { orders, trading, contracts } = this.#deps;
    if (tag !== null && orders.isUsed(account.id, tag)) return refuse(PLACE.rejected, TAG_USED);
    const problem = problemOf(wanted, command.settings);
    if (problem !== undefined) return refuse(PLACE.rejected, problem, trading.keepRefused(wanted));
    if (!contracts.isActive(wanted.code)) {
      return refuse(PLACE.notActive, "Contract is not active", trading.keepRefused(wanted));
    }
    if (fault?.kind === "rejectLater") {
      const order = trading.keepPending(wanted);
      note(entry, "accepted", undefined, order);
      const later = () => trading.refusePending(order);
      setTimeout(later, fault.afterMs ?? REJECT_LATER_MS).unref();
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
    if (settings.refusesCancels) {
      return refuse(CANCEL.accountRejected, "Account does not allow cancellations");
    }
    const reason = this.#deps.trading.cancel(order);
    return reason === undefined ? ok() : refuse(CANCEL.rejected, reason);
  }

  modify(command: Command): Envelope {
    const { body, settings } = command;
    const order = this.#find(command, body.integer("orderId"));
    const size = body.optionalInteger("size");
    const listed = order && this.#deps.contracts.byCode(order.code);
    const prices = listed && readPrices(body, listed);
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

  #read({ account, body }: Command, tag: string | null): WantedOrder | Refusal {
    const listed = this.#deps.contracts.byId(body.text("contractId"));
    const type = TYPES[body.integer("type")];
    const side = body.integer("side");
    const size = body.integer("size");
    const wrong = (reason: string) => ({ code: PLACE.rejected, reason });
    if (listed === undefined) return { code: PLACE.noContract, reason: "Contract not found" };
    if (type === undefined) return wrong("Invalid order type");
    if (side !== 0 && side !== 1) return wrong("Invalid order side");
    if (size < 1) return wrong("Invalid order size");
    if (tag !== null && tag.length > LONGEST_TAG) return wrong("Custom tag is too long");
    const prices = readPrices(body, listed);
    if (prices === undefined || (type === "LIMIT" && prices.price === undefined)) {
      return wrong("Invalid price");
    }
    if (type === "STOP" && prices.stopPx === undefined) return wrong("Invalid stop price");
    const direction = side === 0 ? 1 : -1;
    const stop = readLeg(body.object("stopLossBracket"), {
      name: "stop loss",
      type: ORDER_TYPE.stop,
      direction: -direction,
      side,
    });
    const target = readLeg(body.object("takeProfitBracket"), {
      name: "take profit",
      type: ORDER_TYPE.limit,
      direction,
      side,
    });
    const problem = [stop, target].find((leg) => typeof leg === "string");
    if (typeof problem === "string") return wrong(problem);
    return {
      account: account.id,
      code: listed.code,
      side: side === 0 ? "BUY" : "SELL",
      size,
      type,
      tag,
      ...prices,
      ...(typeof stop === "object" && { stopLoss: stop }),
      ...(typeof target === "object" && { takeProfit: target }),
    };
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

const TYPES: Readonly<Record<number, WantedOrder["type"]>> = {
  [ORDER_TYPE.limit]: "LIMIT",
  [ORDER_TYPE.market]: "MARKET",
  [ORDER_TYPE.stop]: "STOP",
};

/** In ticks; undefined where a price is between two. */
function readPrices(
  body: Body,
  { tickSize }: Listed,
): { readonly price?: number; readonly stopPx?: number } | undefined {
  const prices: { price?: number; stopPx?: number } = {};
  for (const [name, own] of [
    ["limitPrice", "price"],
    ["stopPrice", "stopPx"],
  ] as const) {
    const value = body.optionalNumber(name);
    if (value === undefined) continue;
    const at = parseTicks(decimalOf(value), tickSize);
    if (at === undefined) return undefined;
    prices[own] = at;
  }
  return prices;
}

/** Without an exponent, as tiny ticks print. */
const decimalOf = (value: number): string =>
  String(value).includes("e") ? value.toFixed(12).replace(/0+$/, "") : String(value);

/** A leg in ticks, or why it is none [COM: the words of live refusals]. */
function readLeg(
  leg: Body | undefined,
  wanted: {
    readonly name: "stop loss" | "take profit";
    readonly type: number;
    readonly direction: number;
    readonly side: number;
  },
): { readonly distance: number } | string | undefined {
  if (leg === undefined) return undefined;
  const { name, type, direction, side } = wanted;
  const given = leg.integer("ticks");
  const givenType = leg.integer("type");
  if (givenType !== type) return `Invalid ${name} type (${TYPE_NAMES[givenType] ?? "Unknown"})`;
  const going = side === 0 ? "longing" : "going short";
  const than = direction > 0 ? "greater" : "less";
  if (given * direction <= 0) {
    return `Invalid ${name} ticks (${given}). Ticks should be ${than} than zero when ${going}.`;
  }
  return { distance: Math.abs(given) };
}

const TYPE_NAMES: Readonly<Record<number, string>> = {
  1: "Limit",
  2: "Market",
  3: "StopLimit",
  4: "Stop",
  5: "TrailingStop",
};

/** Why an order with legs is kept as a refused one. */
function problemOf(wanted: WantedOrder, settings: Settings): string | undefined {
  const { stopLoss, takeProfit } = wanted;
  if (stopLoss === undefined && takeProfit === undefined) return undefined;
  if (settings.bracketMode === "positionBrackets") return NEEDS_AUTO_OCO;
  const { leastTicks } = settings;
  const tooNear = (name: string, leg: { readonly distance: number } | undefined) =>
    leg !== undefined && leg.distance < leastTicks
      ? `Invalid ${name} ticks (${leg.distance}). ${name === "stop loss" ? "Stop loss" : "Take profit"} tick value should be at least ${leastTicks} ticks.`
      : undefined;
  return tooNear("stop loss", stopLoss) ?? tooNear("take profit", takeProfit);
}

const WORDS: Readonly<Record<string, string>> = {
  [REASONS.price]: "Invalid price",
  [REASONS.stopPx]: "Invalid stop price",
  [REASONS.wrongSide]: "Invalid stop price",
};

const wordsOf = (reason: string): string => WORDS[reason] ?? reason;
