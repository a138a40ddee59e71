import type { AccountId } from "../../domain/ids.ts";
import {
  type BrokerReport,
  type ExecutionReport,
  isClosed,
  type OrdStatus,
} from "../../domain/order.ts";
import type { EntityStore } from "./entity-store.ts";
import { feeOf } from "./fill-fees.ts";
import { lastReportAt, reportsOn } from "./order-parts.ts";
import { hasEnded, isPending, isRefused } from "./order-status.ts";
import {
  type ContractById,
  cumQtyOf,
  filled,
  nameOf,
  oddityOf,
  type OrderView,
  standing,
  textOf,
  toFill,
  toOpaque,
  toOrderReport,
  viewOrder,
} from "./order-view.ts";
import { parseInstant, toOrdStatus } from "./parse.ts";
import {
  isSame,
  corrected,
  lacksCorrection,
  toldQty,
  nothingPublished,
  type Published,
  publishedOdd,
  publishedOf,
} from "./published.ts";
import type { TradovateFill, TradovateOrder } from "./wire.ts";

export interface ReportPublisherDeps {
  readonly store: EntityStore;
  readonly contractById: ContractById;
  readonly accountOf: (brokerAccount: number) => AccountId;
  readonly onReport: (account: AccountId, report: BrokerReport) => void;
  /** A clock in ms that is never set. */
  readonly elapsed: () => number;
}

/** What an order came to is said right after a fill, and why right after that; so long it may take. */
const END_FOLLOWS_MS = 300;

/**
 * Turns what the entities have become into execution reports: each once and in order, whatever the
 * order and repetition of the events. What stood when the session began is not told again.
 */
export class ReportPublisher {
  readonly #deps: ReportPublisherDeps;
  readonly #published = new Map<number, Published>();
  /** Orders of which something is missing, and since when. */
  readonly #incomplete = new Map<number, number>();
  readonly #heldBack = new Map<number, number>();
  readonly #excused = new Set<number>();

  constructor(deps: ReportPublisherDeps) {
    this.#deps = deps;
  }

  /** Everything that is known now has been told: called once, after the snapshot. */
  begin(): void {
    const { store, contractById } = this.#deps;
    for (const { id } of store.all("order")) {
      const view = viewOrder(store, id, contractById);
      if (view !== undefined) {
        this.#published.set(id, publishedOf(view, this.#feesOf(store.of("fill", id))));
      } else if (oddityOf(store, id) !== undefined) {
        const fills = store.of("fill", id);
        this.#published.set(id, publishedOdd(standing(fills), this.#feesOf(fills)));
      }
    }
  }

  /** Tells what is new of an order, as far as everything that belongs to it has come. */
  publish(id: number): void {
    const { store, contractById } = this.#deps;
    const view = viewOrder(store, id, contractById);
    if (view === undefined) {
      // Nothing of it is still to come: it is listed as what it is, and no new session can tell more.
      if (oddityOf(store, id) !== undefined) this.#publishOdd(id);
      else this.#missSomethingOf(id);
      return;
    }
    const published = this.#published.get(id) ?? nothingPublished();
    this.#published.set(id, published);
    this.#publishAll(view, published);
    const isShort =
      view.order.ordStatus === "Filled" && toldQty(store, view, published) < qtyOf(view);
    const isWhole = !isShort && !isBehind(store, view) && !lacksCorrection(store, id, published);
    if (isWhole) this.#incomplete.delete(id);
    else this.#missSomethingOf(id);
  }

  #missSomethingOf(id: number): void {
    if (this.#incomplete.has(id) || this.#excused.has(id)) return;
    this.#incomplete.set(id, this.#deps.elapsed());
  }

  /** Of an order that is not understood its fills are: they say themselves what was traded. */
  #publishOdd(id: number): void {
    const { store, contractById, accountOf, onReport } = this.#deps;
    this.#incomplete.delete(id);
    const order = store.get("order", id);
    if (order === undefined) return;
    const published = this.#published.get(id) ?? nothingPublished();
    this.#published.set(id, published);
    for (const fill of store.of("fill", id)) {
      const contract = contractById(fill.contractId);
      if (contract === undefined) continue;
      const execType = corrected(published, fill) ?? this.#added(published, fill);
      if (execType === undefined) continue;
      onReport(accountOf(order.accountId), {
        execType,
        order: toOpaque(store, order, contractById),
        fill: toFill(store, { contract, clOrdId: nameOf(store, id) }, fill),
      });
    }
  }

  #added(published: Published, fill: TradovateFill): "TRADE" | undefined {
    if (published.fees.has(fill.id)) return undefined;
    this.#note(published, fill);
    return "TRADE";
  }

  #publishCorrections(view: OrderView, published: Published): void {
    for (const fill of this.#deps.store.of("fill", view.order.id)) {
      const execType = corrected(published, fill);
      if (execType === undefined) continue;
      this.#report(view, published, { execType, ordStatus: statusNow(view, published), fill });
    }
  }

  /** The broker has no more of the order than it has told: nothing of it is waited for. */
  excuse(id: number): void {
    this.#excused.add(id);
    this.publish(id);
    this.#incomplete.delete(id);
  }

  /** The order is not kept any more. */
  forget(id: number): void {
    for (const map of [this.#published, this.#incomplete, this.#heldBack]) map.delete(id);
    this.#excused.delete(id);
  }

  /**
   * Looks after what was put off. Answers an order of which something has been missing for longer
   * than `patienceMs`: the broker has left out an event.
   */
  sweep(patienceMs: number): number | undefined {
    const now = this.#deps.elapsed();
    for (const [id, since] of this.#heldBack) {
      if (now - since >= END_FOLLOWS_MS) this.publish(id);
    }
    for (const [id, since] of this.#incomplete) {
      if (now - since >= patienceMs) return id;
    }
    return undefined;
  }

  #publishAll(view: OrderView, published: Published): void {
    if (!this.#begin(view, published)) return;
    this.#publishVersion(view, published);
    this.#publishCorrections(view, published);
    this.#publishFills(view, published);
    this.#publishStatus(view, published);
    this.#publishFees(view, published);
  }

  /** What a fill costs may be told after it: then it is told again, with that. */
  #publishFees(view: OrderView, published: Published): void {
    for (const fill of published.fills) {
      const { fee } = feeOf(this.#deps.store, fill.id);
      if (fee === undefined || published.fees.get(fill.id) === fee) continue;
      published.fees.set(fill.id, fee);
      const { ordStatus = statusNow(view, published) } = published;
      this.#report(view, published, { execType: "RESTATED", ordStatus, fill });
    }
  }

  #note({ fills, fees }: Published, fill: TradovateFill): void {
    fills.push(fill);
    fees.set(fill.id, feeOf(this.#deps.store, fill.id).fee);
  }

  #feesOf(fills: readonly TradovateFill[]): Published["fees"] {
    return new Map(fills.map(({ id }) => [id, feeOf(this.#deps.store, id).fee]));
  }

  /** False while the broker has neither taken the order nor refused it. */
  #begin(view: OrderView, published: Published): boolean {
    if (published.isBegun) return true;
    const { order, version, fills } = view;
    const status = toOrdStatus(order.ordStatus, { cumQty: 0, orderQty: version.orderQty });
    if (status === "PENDING_NEW" && fills.length === 0) return false;
    const wasRefused = status === "REJECTED" && fills.length === 0;
    if (wasRefused && this.#waitsForWords(order)) return false;
    published.isBegun = true;
    published.version = version;
    published.at = parseInstant(order.timestamp);
    if (wasRefused) {
      published.hasEnded = true;
      this.#report(view, published, { execType: "REJECTED", ordStatus: "REJECTED" });
      return true;
    }
    published.isHeld = status === "HELD";
    this.#report(view, published, {
      execType: "NEW",
      ordStatus: published.isHeld ? "HELD" : "NEW",
    });
    return true;
  }

  #publishVersion(view: OrderView, published: Published): void {
    const { version, order } = view;
    const before = published.version;
    if (before === undefined || published.hasEnded || isSame(before, version)) return;
    published.version = version;
    // A stop that trails, and legs that grow with their entry, change without anybody's command.
    const isAsked = before.id !== version.id;
    published.isHeld = order.ordStatus === "Suspended";
    const ordStatus = statusNow(view, published);
    // The end has a report of its own.
    if (hasEnded(order.ordStatus) && isClosed(ordStatus)) {
      const cumQty = filled(published.fills) + view.earlierQty;
      const open = cumQty > 0 ? "PARTIALLY_FILLED" : "NEW";
      this.#report(view, published, {
        execType: isAsked ? "REPLACED" : "RESTATED",
        ordStatus: open,
      });
      return;
    }
    this.#report(view, published, { execType: isAsked ? "REPLACED" : "RESTATED", ordStatus });
  }

  #publishFills(view: OrderView, published: Published): void {
    const fresh = view.fills.filter(({ id }) => !published.fees.has(id));
    for (const fill of fresh) {
      if (this.#waitsForEnd(view, published, fill) || this.#waitsForChange(view, fill)) return;
      this.#note(published, fill);
      published.isHeld = view.order.ordStatus === "Suspended";
      const fields = { execType: "TRADE", ordStatus: afterFill(view, published), fill } as const;
      if (fields.ordStatus === "FILLED") published.hasEnded = true;
      this.#report(view, published, fields);
    }
    this.#heldBack.delete(view.order.id);
  }

  /**
   * The fill that uses up the leg of an entry that works on is told with what becomes of the leg:
   * filled for good, or waiting for the entry's next fill.
   */
  #waitsForEnd(view: OrderView, published: Published, fill: TradovateFill): boolean {
    const { order } = view;
    const parent = this.#deps.store.get("order", order.parentId ?? 0);
    if (parent === undefined || hasEnded(parent.ordStatus)) return false;
    const isLast = filled(published.fills) + fill.qty >= qtyOf(view);
    const isSaid = hasEnded(order.ordStatus) || order.ordStatus === "Suspended";
    if (!isLast || isSaid) return false;
    return this.#holdBack(order.id);
  }

  /** A fill beyond the limit in force shows a change that is told only after it. */
  #waitsForChange({ order, version }: OrderView, fill: TradovateFill): boolean {
    if (version.orderType !== "Limit" || version.price === undefined) return false;
    const isBeyond =
      order.action === "Buy" ? fill.price > version.price : fill.price < version.price;
    return isBeyond && this.#holdBack(order.id);
  }

  /** Why an order was refused is said right after that it was. */
  #waitsForWords(order: TradovateOrder): boolean {
    if (textOf(this.#deps.store, order) === undefined) return this.#holdBack(order.id);
    this.#heldBack.delete(order.id);
    return false;
  }

  /** False once it has been put off for long enough. */
  #holdBack(id: number): boolean {
    const now = this.#deps.elapsed();
    const since = this.#heldBack.get(id) ?? now;
    const isYoung = now - since < END_FOLLOWS_MS;
    if (isYoung) this.#heldBack.set(id, since);
    else this.#heldBack.delete(id);
    return isYoung;
  }

  #publishStatus(view: OrderView, published: Published): void {
    if (published.hasEnded) return;
    const { ordStatus } = view.order;
    if (hasEnded(ordStatus)) {
      this.#publishEnd(view, published);
      return;
    }
    const isHeld = ordStatus === "Suspended";
    if (isHeld === published.isHeld || isPending(ordStatus)) return;
    published.isHeld = isHeld;
    this.#report(view, published, { execType: "RESTATED", ordStatus: statusNow(view, published) });
  }

  #publishEnd(view: OrderView, published: Published): void {
    const ordStatus = statusNow(view, published);
    const isShort = toldQty(this.#deps.store, view, published) < qtyOf(view);
    // Fills of it are still on their way, and the last one brings the end.
    if (ordStatus === "FILLED" && isShort) return;
    published.hasEnded = true;
    this.#report(view, published, { execType: END_TYPES[ordStatus] ?? "CANCELED", ordStatus });
  }

  #report(
    view: OrderView,
    published: Published,
    what: {
      readonly execType: ExecutionReport["execType"];
      readonly ordStatus: OrdStatus;
      readonly fill?: TradovateFill;
    },
  ): void {
    const { store, accountOf, onReport } = this.#deps;
    const { execType, ordStatus, fill } = what;
    const at =
      fill !== undefined ? parseInstant(fill.timestamp) : lastReportAt(store, view.order.id);
    published.at = Math.max(published.at, at);
    published.ordStatus = ordStatus;
    const state = { fills: published.fills, ordStatus, transactTimeAt: published.at };
    onReport(accountOf(view.order.accountId), {
      execType,
      order: toOrderReport(store, view, state),
      ...(fill !== undefined && { fill: toFill(store, view, fill) }),
    });
  }
}

/** A leg that was used up while its entry worked is filled for good once the entry has ended. */
const END_TYPES: { readonly [Status in OrdStatus]?: ExecutionReport["execType"] } = {
  FILLED: "RESTATED",
  EXPIRED: "EXPIRED",
  REJECTED: "REJECTED",
};

/** Whether something else says of an order what its own status does not: an event was left out. */
function isBehind(store: EntityStore, view: OrderView): boolean {
  const { order, version } = view;
  const { id, ordStatus } = order;
  if (hasEnded(ordStatus) || ordStatus === "Suspended") return false;
  const reports = reportsOn(store, id).filter(({ orderId }) => orderId === id);
  const isSaid = (...types: readonly string[]) =>
    reports.some(({ execType }) => types.includes(execType));
  if (isSaid("Canceled", "Expired") || (isPending(ordStatus) && isSaid("New"))) return true;
  const hasRefusal = store
    .of("commandReport", id)
    .some(({ commandStatus }) => isRefused(commandStatus));
  // A leg that is used up may wait for its entry's next fill.
  const parent = store.get("order", order.parentId ?? 0);
  const isWaiting = parent !== undefined && !hasEnded(parent.ordStatus);
  return hasRefusal || (!isWaiting && cumQtyOf(view) >= version.orderQty);
}

/** How much of it there are fills to tell of. */
const qtyOf = ({ version, earlierQty }: OrderView): number => version.orderQty - earlierQty;

/** As it stands after the fills that were told so far. */
function statusNow(view: OrderView, published: Published): OrdStatus {
  const cumQty = filled(published.fills);
  return toOrdStatus(view.order.ordStatus, {
    cumQty: cumQty + view.earlierQty,
    orderQty: view.version.orderQty,
  });
}

function afterFill(view: OrderView, published: Published): OrdStatus {
  const { ordStatus } = view.order;
  const isUsedUp = filled(published.fills) >= qtyOf(view);
  if (published.hasEnded) return statusNow(view, published);
  if (ordStatus === "Suspended") return "HELD";
  return isUsedUp ? "FILLED" : "PARTIALLY_FILLED";
}
