import type { ExchangeAccount } from "../../../src/brokers/paper/exchange/exchange-account.ts";
import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import { formatTicks } from "../../../src/domain/contracts/price.ts";
import type { ExecutionReport, Fill } from "../../../src/domain/order.ts";
import { averagePrice } from "../../../src/domain/position.ts";
import { accountId, clOrdId, orderId } from "../../../src/domain/ids.ts";
import type { EventLog } from "../exchange/event-log.ts";
import { obtain } from "../obtain.ts";
import type { Clock } from "./clock.ts";
import type { Contracts } from "./contracts.ts";
import type { Action, HubEvent, PositionEntity, TradeEntity } from "./entities.ts";
import { STATUS } from "./entities.ts";
import type { BookedOrder, OrderBook } from "./order-book.ts";
import type { SettingsBook } from "./settings.ts";
import { type Account, toAccountEntity, type Users } from "./users.ts";

export interface JournalDeps {
  readonly clock: Clock;
  readonly contracts: Contracts;
  readonly orders: OrderBook;
  readonly users: Users;
  readonly settings: SettingsBook;
  readonly log: EventLog;
  readonly onEvent: (event: HubEvent) => void;
  readonly onFill: (fill: Fill) => void;
}

/** A position since when; undefined where it is no more. */
interface PastPosition {
  readonly at: number;
  readonly entity: PositionEntity | undefined;
}

const FIRST_TRADE = 8_604_001;
const FIRST_POSITION = 6_124_001;
/** Lists that are behind are so by seconds: no position changes more often in them. */
const PAST_KEPT = 100;

/** Writes what the core does into the broker's entities, and tells the hub of it. */
export class Journal {
  readonly #deps: JournalDeps;
  readonly #trades: TradeEntity[] = [];
  readonly #tradedAt = new Map<number, number>();
  readonly #positions = new Map<string, PositionEntity>();
  readonly #past = new Map<string, PastPosition[]>();
  #lastTrade = FIRST_TRADE;
  #lastPosition = FIRST_POSITION;

  constructor(deps: JournalDeps) {
    this.#deps = deps;
  }

  trades(account: number): readonly TradeEntity[] {
    return this.#trades.filter((trade) => trade.accountId === account);
  }

  /** When it was made, by the broker's clock. */
  tradedAt({ id }: TradeEntity): number {
    return this.#tradedAt.get(id) ?? 0;
  }

  positions(account: number): readonly PositionEntity[] {
    return [...this.#positions.values()].filter(({ accountId: of }) => of === account);
  }

  /** As lists had them then. */
  positionsAt(account: number, at: number): readonly PositionEntity[] {
    return [...this.#past.values()].flatMap((past) => {
      const entity = past.findLast((each) => each.at <= at)?.entity;
      return entity?.accountId === account ? [entity] : [];
    });
  }

  /** The exchange takes a trade back: it is told again, voided, and its money with it. */
  void(id: number): TradeEntity {
    const n = this.#trades.findIndex((trade) => trade.id === id);
    const trade = this.#trades[n];
    if (trade === undefined) throw new Error(`There is no trade ${id}`);
    if (trade.voided) throw new Error(`Trade ${id} is taken back already`);
    const voided = { ...trade, voided: true };
    this.#trades[n] = voided;
    this.#tell("trade", trade.accountId, 1, { ...voided, commissions: 0 });
    const account = this.#deps.users.account(trade.accountId);
    if (account === undefined) return voided;
    account.cents += Math.round((trade.fees - (trade.profitAndLoss ?? 0)) * 100);
    this.tellAccount(account);
    return voided;
  }

  /** The exchange corrects a trade: it is sent again; money stays as it is. */
  correct(id: number, change: Partial<Pick<TradeEntity, "size" | "price">>): TradeEntity {
    const n = this.#trades.findIndex((trade) => trade.id === id);
    const trade = this.#trades[n];
    if (trade === undefined || trade.voided) throw new Error(`There is no trade ${id} to correct`);
    const corrected = { ...trade, ...change };
    this.#trades[n] = corrected;
    this.#tell("trade", trade.accountId, 1, { ...corrected, commissions: 0 });
    return corrected;
  }

  /** As it was told last. */
  trade(id: number): TradeEntity | undefined {
    return this.#trades.find((trade) => trade.id === id);
  }

  tellOrder(order: BookedOrder, action: Action, as?: { readonly status: number }): void {
    const { settings, users, orders } = this.#deps;
    const { tellsChildren } = settings.of(users.account(order.account)?.user);
    const isWaiting = order.parent !== null && !order.wasLive;
    if (order.parent !== null && tellsChildren === "never") return;
    if (isWaiting && tellsChildren === "live") return;
    this.#tell("order", order.account, action, { ...orders.hubOrder(order), ...as });
  }

  tellAccount(account: Account): void {
    this.#tell("account", account.id, 1, toAccountEntity(account));
  }

  /** One report of the core, of an order that is booked. */
  note(order: BookedOrder, report: ExecutionReport): void {
    const { orders, settings, users } = this.#deps;
    const { tradeFirst } = settings.of(users.account(order.account)?.user);
    // A child that is used up waits for what its entry may still fill.
    const isUsedUp = report.order.ordStatus === "HELD" && report.order.cumQty > 0;
    orders.update(order, report.order, isUsedUp ? STATUS.suspended : undefined);
    const tell = () => this.tellOrder(order, 1);
    if (report.fill === undefined) return tell();
    if (!tradeFirst) tell();
    this.#trade(order, report.fill);
    if (tradeFirst) tell();
  }

  /** What the account holds now of the contract, where that has changed. */
  position(core: ExchangeAccount, code: ContractCode): void {
    const account = Number(core.accountId);
    const key = `${account} ${code}`;
    const held = core.positions.get(code);
    const before = this.#positions.get(key);
    const listed = this.#deps.contracts.byCode(code);
    if (listed === undefined) return;
    const average = held && averagePrice(held);
    if (held === undefined || held.netQty === 0 || average === undefined) {
      if (before === undefined) return;
      this.#positions.delete(key);
      this.#keep(key, undefined);
      this.#tell("position", account, 2, { ...before, type: 0, size: 0 });
      return;
    }
    const [type, size] = [held.netQty > 0 ? (1 as const) : (2 as const), Math.abs(held.netQty)];
    const points = (average.numerator / average.denominator) * listed.entity.tickSize;
    const isTurned = before !== undefined && before.type !== type;
    const id = before === undefined || isTurned ? (this.#lastPosition += 1) : before.id;
    const entity: PositionEntity = {
      id,
      accountId: account,
      contractId: listed.entity.id,
      creationTimestamp:
        before === undefined || isTurned ? this.#deps.clock.stamp() : before.creationTimestamp,
      type,
      size,
      averagePrice: Number(points.toFixed(8)),
    };
    this.#positions.set(key, entity);
    this.#keep(key, entity);
    const shown = { ...entity, contractDisplayName: listed.entity.name };
    this.#tell("position", account, before === undefined ? 0 : 1, shown);
  }

  #keep(key: string, entity: PositionEntity | undefined): void {
    const past = obtain(this.#past, key, () => []);
    past.push({ at: this.#deps.clock.now(), entity });
    if (past.length > PAST_KEPT) past.shift();
  }

  #trade(order: BookedOrder, fill: Fill): void {
    const { clock, contracts, users, log } = this.#deps;
    const listed = contracts.byCode(fill.contract);
    const account = users.account(order.account);
    if (listed === undefined || account === undefined) return;
    this.#lastTrade += 1;
    const { feePerSide } = this.#deps.settings.of(account.user);
    const fees = Math.round(Number(feePerSide) * 100 * fill.lastQty) / 100;
    const gained = Number(fill.realizedPnl ?? 0);
    const trade: TradeEntity = {
      id: this.#lastTrade,
      accountId: order.account,
      contractId: listed.entity.id,
      creationTimestamp: clock.stamp(),
      price: Number(formatTicks(fill.lastPx, listed.tickSize)),
      profitAndLoss: fill.realizedPnl === undefined ? null : gained,
      fees,
      side: fill.side === "BUY" ? 0 : 1,
      size: fill.lastQty,
      voided: false,
      orderId: order.id,
    };
    this.#trades.push(trade);
    this.#tradedAt.set(trade.id, clock.now());
    const { clOrdId: _core, ...unnamed } = fill;
    const named = order.customTag === null ? {} : { clOrdId: clOrdId(order.customTag) };
    log.add({
      connection: account.user,
      account: accountId(String(order.account)),
      op: "fill",
      outcome: "filled",
      orderId: orderId(String(order.id)),
      ...named,
      fill: { ...unnamed, ...named, orderId: orderId(String(order.id)) },
    });
    this.#deps.onFill(fill);
    this.#tell("trade", order.account, 0, { ...trade, commissions: 0 });
    account.cents += Math.round(gained * 100) - Math.round(fees * 100);
    this.tellAccount(account);
  }

  #tell(kind: HubEvent["kind"], account: number, action: Action, data: object): void {
    this.#deps.onEvent({ kind, account, action, data });
  }
}
