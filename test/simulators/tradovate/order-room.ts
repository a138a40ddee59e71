import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import { clOrdId, orderId } from "../../../src/domain/ids.ts";
import type { ExecutionReport } from "../../../src/domain/order.ts";
import type { BackOffice } from "./back-office.ts";
import { BarBook } from "./bar-book.ts";
import { Cash } from "./cash.ts";
import { Charts } from "./charts.ts";
import { CommandLog } from "./command-log.ts";
import { CoreRunner } from "./core-runner.ts";
import { DeferredLegs } from "./deferred-legs.ts";
import { Holdings } from "./holdings.ts";
import { MarketData } from "./market-data.ts";
import { MdGate } from "./md-gate.ts";
import { OrderChanges } from "./order-changes.ts";
import { OrderDesk } from "./order-desk.ts";
import { type JournalOrder, OrderJournal } from "./order-journal.ts";
import { OrderReader } from "./order-reader.ts";
import { RiskDesk } from "./risk-desk.ts";
import { onSocket } from "./settings.ts";
import { Strategies } from "./strategies.ts";
import { TrailingStops } from "./trailing-stops.ts";

/** Everything that has to do with orders, around one matching core. */
export interface OrderRoom {
  readonly runner: CoreRunner;
  readonly orders: OrderDesk;
  readonly changes: OrderChanges;
  readonly strategies: Strategies;
  readonly marketData: MarketData;
  readonly charts: Charts;
  readonly bars: BarBook;
  readonly gate: MdGate;
  readonly cash: Cash;
  readonly risk: RiskDesk;
  /** Ends what was good for a day that is over, and begins the next one of the cash. */
  readonly expireOrders: () => void;
  readonly correctFill: OrderJournal["correct"];
}

export function createOrderRoom(office: BackOffice): OrderRoom {
  const { clock, log, store, users, hub, contracts, settings, accountSettings } = office;
  const cash = new Cash({ store, clock, users, settings: accountSettings });
  const holdings = new Holdings({ store, clock, cash, settings: accountSettings });
  const journal = new OrderJournal({
    store,
    clock,
    holdings,
    settings: accountSettings,
    onFill: (order, report) => {
      logFill(office, order, report);
      if (report.fill !== undefined) marketData.traded(report.fill);
    },
    onTrailing: (order) => trails.watch(order),
  });
  const runner: CoreRunner = new CoreRunner({
    journal,
    hub,
    now: clock.now,
    settings: (account) => accountSettings(users.account(account)?.id ?? 0),
    userSettings: settings,
    onQuote: (contract) => {
      marketData.quoted(contract);
      risk.look();
    },
  });
  const quoteOf = (contract: ContractCode) => runner.quoteOf(contract);
  const onMd = (user: string | undefined) => onSocket(settings(user), true);
  const bars = new BarBook(clock, () => onMd(undefined));
  const gate = new MdGate();
  const md = { contracts, clock, gate, settings: onMd };
  const charts: Charts = new Charts({
    ...md,
    book: bars,
    priceOf: (listed) => marketData.priceOf(listed),
  });
  const marketData: MarketData = new MarketData({ ...md, charts, quoteOf });
  const trails: TrailingStops = new TrailingStops({ store, users, runner });
  const deferred = new DeferredLegs({ journal, users, runner });
  runner.onTold(() => deferred.look());

  const risk: RiskDesk = new RiskDesk({
    store,
    clock,
    holdings,
    settings: accountSettings,
    openProfit: (accountId) =>
      marketData.openProfit(store.visible("position", new Set([accountId]))),
    liquidate: (accountId) => {
      runner.disturb(() => changes.end(journal.live(accountId)));
      changes.closeAll(accountId);
    },
  });
  runner.onTold(() => risk.look());

  let lastName = 0;
  const newName = () => {
    lastName += 1;
    return clOrdId(`order~${lastName}`);
  };
  const reader = new OrderReader({ store, contracts, users, settings, newName });
  const commands = new CommandLog(log);
  const shared = { store, users, journal, runner, deferred, settings: accountSettings };
  const orders = new OrderDesk({ ...shared, reader, risk, log: commands });
  const changes: OrderChanges = new OrderChanges({
    ...shared,
    contracts,
    holdings,
    newName,
    log: commands,
  });
  const strategies = new Strategies({
    store,
    clock,
    users,
    reader,
    desk: orders,
    changes,
    journal,
    runner,
  });
  const expireOrders = () => {
    runner.disturb(() => runner.desk.expireOrders());
    changes.expireLegs();
    cash.roll();
    risk.look();
  };
  const room = { runner, orders, changes, strategies, marketData, charts, bars, gate, cash, risk };
  const correctFill: OrderJournal["correct"] = (...how) => journal.correct(...how);
  return { ...room, expireOrders, correctFill };
}

/** Under the numbers and identifiers that clients know. */
function logFill(
  { log, users }: BackOffice,
  { id, origin }: JournalOrder,
  { fill }: ExecutionReport,
): void {
  if (fill === undefined) return;
  const { clOrdId: _, ...bare } = fill;
  const { clOrdId: name } = origin.cause;
  const own = {
    orderId: orderId(String(id)),
    ...(name !== undefined && { clOrdId: clOrdId(name) }),
  };
  log.add({
    connection: users.ownerOf(origin.accountId)?.name,
    account: users.deskName(origin.accountId),
    op: "fill",
    outcome: "filled",
    ...own,
    fill: { ...bare, ...own },
  });
}
