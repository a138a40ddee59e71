import type { AccountId, ClOrdId, OrderId } from "../../../src/domain/ids.ts";
import {
  type ExecutionReport,
  isClosed,
  type OrderReport,
  type OrdStatus as CoreStatus,
} from "../../../src/domain/order.ts";
import type { BrokerClock } from "./broker-clock.ts";
import { type Listed, toPrice } from "./contract-directory.ts";
import type { FillEntity, OrdStatus, OrderVersionEntity } from "./entities.ts";
import type { EntityStore } from "./entity-store.ts";
import { EntityWriter, type Filled, versionOf } from "./entity-writer.ts";
import type { Holdings } from "./holdings.ts";
import type { OrderWish } from "./order-request.ts";
import type { Refusal } from "./refusals.ts";
import type { Settings } from "./settings.ts";

/** Who asked for something, and how. What the server does by itself has no client. */
export interface Cause {
  readonly clOrdId?: string | undefined;
  readonly isAutomated?: boolean | undefined;
  readonly customTag50?: string | undefined;
  readonly activationTime?: string | undefined;
  readonly senderId?: number | undefined;
  readonly userSessionId?: number | undefined;
}

/** What an order is made from. */
export interface Origin {
  readonly accountId: number;
  readonly listed: Listed;
  readonly wish: OrderWish;
  readonly orderQty: number;
  readonly cause: Cause;
  /** The other order of its pair, by the name the core has for it. */
  readonly siblingName?: ClOrdId | undefined;
  /** Its orders hang together by rows of their own, and name neither parent nor sibling. */
  readonly strategy?: { readonly id: number; readonly label: string } | undefined;
}

/** A command of a client that the core's reports are about. */
export interface ClientCommand {
  readonly orderId: number;
  readonly cause: Cause;
  /** Of a change: what the order is to be. */
  readonly wish?: OrderWish;
  readonly orderQty?: number;
}

/** One order as the broker keeps it, next to its entities. */
export interface JournalOrder {
  readonly id: number;
  readonly name: ClOrdId;
  readonly origin: Origin;
  readonly parentId: number | undefined;
  /** When its day ends, if it is good for the day. */
  readonly dayEndsAt: number;
  /** The core's number; undefined for one that the core does not know (yet). */
  coreId: OrderId | undefined;
  commandId: number;
  ordStatus: OrdStatus;
  orderQty: number;
  version: OrderVersionEntity;
}

/** What the core said of an account. */
export interface Reported {
  readonly account: AccountId;
  readonly report: ExecutionReport;
}

export interface JournalDeps {
  readonly store: EntityStore;
  readonly clock: BrokerClock;
  readonly holdings: Holdings;
  readonly settings: (accountId: number) => Settings;
  readonly onFill: (order: JournalOrder, report: ExecutionReport) => void;
  /** A trailing stop works from now on. */
  readonly onTrailing: (order: JournalOrder) => void;
}

const EXECUTION_PROVIDER = 15;
/** Commands of legs are to become active in ten years: never by the clock. */
const TEN_YEARS_MS = 10 * 365 * 86_400_000;
const BY_SERVER: Cause = { isAutomated: true };
const DEAD: ReadonlySet<OrdStatus> = new Set([
  "Canceled",
  "Completed",
  "Expired",
  "Filled",
  "Rejected",
]);

export const isDead = ({ ordStatus }: Pick<JournalOrder, "ordStatus">): boolean =>
  DEAD.has(ordStatus);

/**
 * Writes what the matching core does as the entities and events of the real service, in the order
 * and with the ids of the one public capture (brokers.md 1.9).
 */
export class OrderJournal {
  readonly #deps: JournalDeps;
  readonly #write: EntityWriter;
  readonly #expected = new Map<ClOrdId, Origin>();
  readonly #reserved = new Map<ClOrdId, number>();
  readonly #byName = new Map<ClOrdId, JournalOrder>();
  readonly #byCore = new Map<string, JournalOrder>();
  readonly #byId = new Map<number, JournalOrder>();
  readonly #live = new Set<JournalOrder>();

  constructor(deps: JournalDeps) {
    this.#deps = deps;
    this.#write = new EntityWriter(deps);
  }

  /** Says what the core's order of this name is, before the core is asked to take it. */
  expect(name: ClOrdId, origin: Origin): void {
    this.#expected.set(name, origin);
  }

  byName(name: ClOrdId): JournalOrder | undefined {
    return this.#byName.get(name);
  }

  byId(id: number): JournalOrder | undefined {
    return this.#byId.get(id);
  }

  live(accountId: number): readonly JournalOrder[] {
    return this.#liveOnes().filter(({ origin }) => origin.accountId === accountId);
  }

  /** Day orders whose day is over. The core ends its own; legs it keeps until canceled. */
  dayOrdersOver(): readonly JournalOrder[] {
    const now = this.#deps.clock.now();
    return this.#liveOnes().filter(({ dayEndsAt }) => dayEndsAt <= now);
  }

  /** Tells what the core reports. Returns the id of the client's command, when there was one. */
  tell(reports: readonly Reported[], command?: ClientCommand): number | undefined {
    let open = command;
    let commandId: number | undefined;
    for (const { account, report } of reports) {
      const order = this.#orderOf(account, report);
      const isAnswer = report.execType === "REPLACED" || report.execType === "CANCELED";
      const isOwn = isAnswer && open !== undefined && order?.id === open.orderId;
      const id = this.#tellOne(account, report, { order, command: isOwn ? open : undefined });
      if (isOwn) [open, commandId] = [undefined, id];
    }
    return commandId;
  }

  /** An order that was answered with its number, and that is then turned down. */
  reject(
    name: ClOrdId,
    origin: Origin,
    {
      stage,
      parentId,
      ...why
    }: Refusal & { stage: "RiskRejected" | "ExecutionRejected"; parentId?: number },
  ): JournalOrder {
    const id = this.#reserved.get(name) ?? this.#write.nextId();
    const order = this.#enter(name, origin, { id, parentId, siblingId: undefined });
    const commandId = order.commandId;
    if (stage === "ExecutionRejected") {
      this.#write.step(order, { id: this.#write.nextId(), commandId, commandStatus: "RiskPassed" });
      this.#write.status(order, "PendingNew");
    }
    const reportId = this.#write.nextId();
    const tellReport = () => {
      const step = { id: reportId, commandId, commandStatus: stage, ...why };
      this.#write.step(order, { ...step, ordStatus: "Rejected" });
    };
    const isReportFirst = this.#deps.settings(origin.accountId).riskReportFirst;
    if (isReportFirst) tellReport();
    this.#write.status(order, "Rejected");
    if (!isReportFirst) tellReport();
    if (stage === "ExecutionRejected") {
      this.#write.execution(order, { id: reportId, execType: "Rejected", seen: {}, ...why });
    }
    return order;
  }

  /** A leg that the core is not told of yet. */
  hold(name: ClOrdId, origin: Origin, parentId: number): JournalOrder {
    return this.#suspend(name, origin, parentId);
  }

  /** Ends an order that the core does not know. Returns the command's id. */
  cancelHeld(order: JournalOrder, command?: ClientCommand): number {
    return this.#cancel(order, {}, command);
  }

  /** Changes an order that the core does not know. Returns the command's id. */
  changeHeld(order: JournalOrder, command: ClientCommand): number {
    return this.#replace(order, {}, command);
  }

  #tellOne(
    account: AccountId,
    report: ExecutionReport,
    { order, command }: { order: JournalOrder | undefined; command: ClientCommand | undefined },
  ): number | undefined {
    const { execType, order: seen } = report;
    if (order === undefined) this.#begin(account, report);
    else if (execType === "REPLACED") return this.#replace(order, seen, command);
    else if (execType === "CANCELED") return this.#cancel(order, seen, command);
    else if (execType === "NEW") this.#activate(order, account, seen);
    else if (execType === "TRADE") this.#trade(order, report);
    else if (execType === "EXPIRED") this.#finish(order, "Expired", seen);
    else if (execType === "RESTATED") this.#restate(order, seen);
    return undefined;
  }

  #orderOf(account: AccountId, { order, execType }: ExecutionReport): JournalOrder | undefined {
    const known = this.#byCore.get(`${account} ${order.orderId}`);
    if (known !== undefined || execType !== "NEW" || order.clOrdId === undefined) return known;
    return this.#byName.get(order.clOrdId);
  }

  #begin(account: AccountId, { execType, order: seen }: ExecutionReport): void {
    const name = seen.clOrdId;
    const origin = name === undefined ? undefined : this.#expected.get(name);
    // What the core refuses is told by `reject`, or is answered and no order at all.
    if (name === undefined || origin === undefined || execType === "REJECTED") return;
    const { parentOrderId, linkedOrderId, ordStatus, orderId } = seen;
    const placed = withTrail(origin, seen);
    const linked = linkedOrderId === undefined ? { ...placed, siblingName: undefined } : placed;
    const parent = this.#byCore.get(`${account} ${parentOrderId}`);
    const isHeld = ordStatus === "HELD" && parent !== undefined;
    const order = isHeld ? this.#suspend(name, linked, parent.id) : this.#work(name, linked);
    this.#attach(order, account, orderId);
    if (seen.ordType === "TRAILING_STOP") this.#deps.onTrailing(order);
  }

  #attach(order: JournalOrder, account: AccountId, coreId: OrderId): void {
    order.coreId = coreId;
    this.#byCore.set(`${account} ${coreId}`, order);
  }

  /** A new order up to Working. */
  #work(name: ClOrdId, origin: Origin): JournalOrder {
    const { store, clock } = this.#deps;
    const ids = this.#takeIds(name, origin, 2);
    const order = this.#enter(name, origin, { ...ids, parentId: undefined });
    const [passedId = 0, atExecutionId = 0] = ids.reportIds;
    const { id: commandId } = order;
    this.#write.step(order, { id: passedId, commandId, commandStatus: "RiskPassed" });
    this.#write.status(order, "PendingNew");
    this.#link(order);
    store.update("order", order.id, { executionProviderId: EXECUTION_PROVIDER });
    store.update("marginSnapshot", origin.accountId, { timestamp: clock.iso() });
    this.#execute(order, atExecutionId);
    return order;
  }

  /** A leg up to Suspended. */
  #suspend(name: ClOrdId, origin: Origin, parentId: number): JournalOrder {
    const ids = this.#takeIds(name, origin, 1);
    const order = this.#enter(name, origin, { ...ids, parentId });
    const [reportId = 0] = ids.reportIds;
    this.#write.step(order, { id: reportId, commandId: order.id, commandStatus: "OnHold" });
    this.#write.status(order, "Suspended");
    this.#link(order);
    return order;
  }

  #execute(order: JournalOrder, reportId: number): void {
    const { commandId } = order;
    this.#write.step(order, { id: reportId, commandId, commandStatus: "AtExecution" });
    this.#write.status(order, "Working");
    this.#write.execution(order, { id: reportId, execType: "New", seen: {} });
  }

  /** The order's number, then its reports', then its sibling's, so that each follows the other. */
  #takeIds(name: ClOrdId, { siblingName }: Origin, reports: number) {
    const id = this.#reserved.get(name) ?? this.#write.nextId();
    const reportIds = Array.from({ length: reports }, () => this.#write.nextId());
    if (siblingName === undefined) return { id, reportIds, siblingId: undefined };
    const known = this.#byName.get(siblingName)?.id ?? this.#reserved.get(siblingName);
    const siblingId = known ?? this.#write.nextId();
    this.#reserved.set(siblingName, siblingId);
    return { id, reportIds, siblingId };
  }

  /** Order, command and first version, all under one id. */
  #enter(
    name: ClOrdId,
    origin: Origin,
    links: { id: number; parentId: number | undefined; siblingId: number | undefined },
  ): JournalOrder {
    const { clock } = this.#deps;
    const { id, parentId, siblingId: ocoId } = links;
    const isLinked = origin.strategy === undefined;
    this.#write.order(id, origin, {
      ...(isLinked && ocoId !== undefined && { ocoId }),
      ...(isLinked && parentId !== undefined && { parentId }),
    });
    const forLegs = { isAutomated: true, activationTime: clock.iso(TEN_YEARS_MS) };
    const cause = parentId === undefined ? origin.cause : { ...origin.cause, ...forLegs };
    this.#write.command(origin, { id, orderId: id, type: "New", cause });
    const isForTheDay = (origin.wish.timeInForce ?? "Day") === "Day";
    const order: JournalOrder = {
      id,
      name,
      origin,
      parentId,
      dayEndsAt: isForTheDay ? clock.dayEndsAt() : Infinity,
      coreId: undefined,
      commandId: id,
      ordStatus: "Unknown",
      orderQty: origin.orderQty,
      version: this.#write.version(origin, versionOf(id, id, origin)),
    };
    this.#byId.set(id, order);
    this.#byName.set(name, order);
    this.#live.add(order);
    this.#expected.delete(name);
    this.#reserved.delete(name);
    return order;
  }

  #link({ id, origin }: JournalOrder): void {
    if (origin.strategy === undefined) return;
    const { id: orderStrategyId, label } = origin.strategy;
    const link = { id, orderStrategyId, orderId: id, label };
    this.#deps.store.create("orderStrategyLink", origin.accountId, link);
  }

  /** A leg that the core had not been told of is placed there now. */
  #activate(order: JournalOrder, account: AccountId, seen: OrderReport): void {
    this.#attach(order, account, seen.orderId);
    this.#resize(order, seen);
    this.#execute(order, this.#write.nextId());
  }

  /** A fill, and all that the schema says must change with it. */
  #trade(order: JournalOrder, report: ExecutionReport): void {
    const { fill, order: seen } = report;
    if (fill === undefined) return;
    const { store, clock, holdings, onFill } = this.#deps;
    const { accountId, listed, wish } = order.origin;
    onFill(order, report);
    const entity = store.create("fill", accountId, {
      id: this.#write.nextId(),
      orderId: order.id,
      contractId: listed.entity.id,
      timestamp: clock.iso(),
      tradeDate: clock.tradeDate(),
      action: wish.action,
      qty: fill.lastQty,
      price: toPrice(fill.lastPx, listed.tickSize),
      active: true,
      finallyPaired: 0,
    });
    order.ordStatus = toOrdStatus(seen);
    const last = { lastQty: entity.qty, lastPx: entity.price };
    this.#write.execution(order, { id: entity.id, execType: "Trade", seen, ...last });
    this.#write.status(order, order.ordStatus);
    holdings.book(accountId, listed, { fill, entity });
  }

  /**
   * The exchange takes a fill back, or corrects it: the fill is sent again, then the position. Without
   * `isReported` no execution report says why.
   */
  correct(id: number, change: Partial<FillEntity>, isReported: boolean): FillEntity {
    const { store, holdings } = this.#deps;
    const before = store.get("fill", id);
    const order = before && this.#byId.get(before.orderId);
    if (before === undefined || order === undefined) throw new Error(`There is no fill ${id}`);
    if (!before.active) throw new Error(`Fill ${id} is taken back already`);
    const { accountId, listed } = order.origin;
    const entity = store.update("fill", id, change);
    const fills = store.visible("fill", new Set([accountId])).filter(({ active }) => active);
    const own = fills.filter(({ orderId }) => orderId === order.id);
    const cumQty = own.reduce((sum, { qty }) => sum + qty, 0);
    const execType = entity.active ? "TradeCorrect" : "TradeCancel";
    const last = { lastQty: entity.qty, lastPx: entity.price };
    const report = { id: this.#write.nextId(), execType, seen: { cumQty }, ...last } as const;
    if (isReported) this.#write.execution(order, report);
    holdings.correct(accountId, listed, { before, after: entity });
    return entity;
  }

  #replace(order: JournalOrder, seen: Filled, command: ClientCommand | undefined): number {
    const { cause = BY_SERVER, wish, orderQty = order.orderQty } = command ?? {};
    const before = order.commandId;
    const id = this.#write.nextId();
    this.#write.command(order.origin, { id, orderId: order.id, type: "Modify", cause });
    const version =
      wish === undefined
        ? { ...order.version, id, orderQty }
        : versionOf(id, order.id, { wish, orderQty });
    order.version = this.#write.version(order.origin, version);
    order.orderQty = orderQty;
    order.commandId = id;
    const reportId = this.#settle(order, before);
    this.#write.execution(order, { id: reportId, execType: "Replaced", seen });
    return id;
  }

  /** Brings a new command as far as its order is, on hold or to the exchange; the last report's id. */
  #settle(order: JournalOrder, before: number): number {
    const { commandId } = order;
    const isHeld = order.ordStatus === "Suspended";
    let id = 0;
    for (const commandStatus of isHeld ? HELD_STEPS : LIVE_STEPS) {
      id = this.#write.nextId();
      this.#write.step(order, { id, commandId, commandStatus });
    }
    if (!isHeld) this.#write.commandStatus(before, "ExecutionStopped");
    return id;
  }

  /** The server's own change of a leg's quantity. */
  #resize(order: JournalOrder, { orderQty, ...seen }: OrderReport): void {
    if (orderQty === order.orderQty) return;
    this.#replace(order, seen, { orderId: order.id, cause: BY_SERVER, orderQty });
  }

  #cancel(order: JournalOrder, seen: Filled, command: ClientCommand | undefined): number {
    const { timeInForce } = order.origin.wish;
    const isAtOnce = timeInForce === "IOC" || timeInForce === "FOK";
    const isOver = order.dayEndsAt <= this.#deps.clock.now();
    if (command === undefined && (isAtOnce || isOver)) {
      this.#finish(order, isOver ? "Expired" : "Canceled", seen);
      return order.commandId;
    }
    const before = order.commandId;
    const id = this.#write.nextId();
    const cause = command?.cause ?? BY_SERVER;
    this.#write.command(order.origin, { id, orderId: order.id, type: "Cancel", cause });
    const reportId = this.#write.nextId();
    this.#write.step(order, { id: reportId, commandId: id, commandStatus: "AtExecution" });
    this.#write.commandStatus(before, "ExecutionStopped");
    order.commandId = id;
    order.ordStatus = "Canceled";
    this.#write.execution(order, { id: reportId, execType: "Canceled", seen });
    this.#write.status(order, "Canceled");
    return id;
  }

  /** An end that nobody's command brought. */
  #finish(order: JournalOrder, ordStatus: "Canceled" | "Expired", seen: Filled): void {
    order.ordStatus = ordStatus;
    this.#write.execution(order, { id: this.#write.nextId(), execType: ordStatus, seen });
    this.#write.status(order, ordStatus);
  }

  /** The core itself changed the order: a leg comes live, grows, shrinks, waits again or is done. */
  #restate(order: JournalOrder, seen: OrderReport): void {
    const after = toOrdStatus(seen);
    if (!isClosed(seen.ordStatus)) this.#resize(order, seen);
    if (after === order.ordStatus) return;
    if (after === "Working") this.#execute(order, this.#write.nextId());
    else this.#write.status(order, after);
  }

  #liveOnes(): readonly JournalOrder[] {
    for (const order of this.#live) if (isDead(order)) this.#live.delete(order);
    return [...this.#live];
  }
}

const LIVE_STEPS = ["RiskPassed", "AtExecution"] as const;
const HELD_STEPS = ["OnHold"] as const;

/** A trailing stop says where it stands from the beginning, also when nobody said where to start. */
function withTrail(origin: Origin, { ordType, stopPx }: OrderReport): Origin {
  if (ordType !== "TRAILING_STOP" || stopPx === undefined) return origin;
  const stopPrice = toPrice(stopPx, origin.listed.tickSize);
  return { ...origin, wish: { ...origin.wish, stopPrice } };
}

const STATUSES: Readonly<Record<CoreStatus, OrdStatus>> = {
  PENDING_NEW: "Working",
  HELD: "Suspended",
  NEW: "Working",
  PARTIALLY_FILLED: "Working",
  PENDING_CANCEL: "Working",
  FILLED: "Filled",
  CANCELED: "Canceled",
  EXPIRED: "Expired",
  REJECTED: "Rejected",
};

/** An order that is filled in part is Working here. */
function toOrdStatus({ ordStatus }: OrderReport): OrdStatus {
  return STATUSES[ordStatus];
}
