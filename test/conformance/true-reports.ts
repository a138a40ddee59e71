import { expect } from "vitest";
import type { AccountId } from "../../src/domain/ids.ts";
import { type ExecutionReport, isClosed, sign, understood } from "../../src/domain/order.ts";
import { waitUntil } from "../support/wait.ts";
import type { Trader } from "./broker-under-test.ts";

/**
 * What must hold of the reports of every case that heard one session from its beginning: each order
 * is told as a whole and in its order, and what is told is what the broker's books say.
 */
export async function expectTrueReports(trader: Trader): Promise<void> {
  const { account, otherAccount } = trader.broker;
  for (const id of [account, otherAccount]) {
    await agreesWithBooks(trader, id);
    const all = toldOf(trader, id);
    const reports = all.filter((report) => !isToldAgain(report));
    expectTheSame(all);
    expectGrowing(reports.flatMap(({ fill }) => (fill === undefined ? [] : [fill.execId])));
    const orders = new Set(reports.map(({ order }) => order.orderId));
    expectGrowing([...orders]);
    for (const orderId of orders) {
      expectOneLife(reports.filter(({ order }) => order.orderId === orderId));
    }
  }
}

function toldOf(trader: Trader, account: AccountId): readonly ExecutionReport[] {
  return trader.reports.filter((told) => told.account === account).map(({ report }) => report);
}

/** A fill of which more has become known. */
const isToldAgain = ({ execType, fill }: ExecutionReport) =>
  execType === "RESTATED" && fill !== undefined;

/** All that happened to the account's orders, each thing once. */
const reportsOf = (trader: Trader, account: AccountId): readonly ExecutionReport[] =>
  toldOf(trader, account).filter((report) => !isToldAgain(report));

/** What is told again was told before, and only what it cost is new. */
function expectTheSame(reports: readonly ExecutionReport[]): void {
  for (const [n, report] of reports.entries()) {
    const { fill, order } = report;
    if (!isToldAgain(report) || fill === undefined) continue;
    const earlier = reports.slice(0, n);
    const told = earlier.find((one) => one.fill?.execId === fill.execId)?.fill;
    expect({ ...fill, fee: undefined, feeCurrency: undefined }).toEqual({
      ...told,
      fee: undefined,
      feeCurrency: undefined,
    });
    const last = earlier.findLast((one) => one.order.orderId === order.orderId)?.order;
    expect(order).toMatchObject({ ordStatus: last?.ordStatus, cumQty: last?.cumQty });
  }
}

/** The fills that are listed are the ones reported, and their sum is what is held. */
async function agreesWithBooks(trader: Trader, account: AccountId): Promise<void> {
  const { adapter, broker } = trader;
  const fills = await adapter.fills(account, 0);
  const reported = () => reportsOf(trader, account).flatMap(({ fill }) => fill?.execId ?? []);
  await waitUntil("all fills are reported", () => reported().length >= fills.length);
  expect(reported()).toEqual(fills.map(({ execId }) => execId));

  const own = fills.filter(({ contract }) => contract === broker.contract);
  const sum = own.reduce((qty, { side, lastQty }) => qty + sign(side) * lastQty, 0);
  expect(await trader.netQty(account)).toBe(sum);
  for (const order of understood(await adapter.workingOrders(account))) {
    const { orderId, ordStatus, orderQty, cumQty, leavesQty } = order;
    const last = trader.lastSeen(orderId, account);
    expect(last).toMatchObject({ orderId, ordStatus, orderQty, cumQty, leavesQty });
  }
}

/** From its first report to its last: new once, fills that add up, and one end. */
function expectOneLife(reports: readonly ExecutionReport[]): void {
  const [first] = reports;
  const types = reports.map(({ execType }) => execType);
  expect(["NEW", "REJECTED"]).toContain(first?.execType);
  expect(types.filter((type) => type === "NEW" || type === "REJECTED")).toHaveLength(1);

  let filled = 0;
  let at = 0;
  for (const [n, { execType, order, fill }] of reports.entries()) {
    expect(fill !== undefined).toBe(execType === "TRADE");
    if (fill !== undefined) expect(fill.lastQty).toBeGreaterThan(0);
    filled += fill?.lastQty ?? 0;
    expect(order.cumQty).toBe(filled);
    const isOver = isClosed(order.ordStatus);
    expect(order.leavesQty).toBe(isOver ? 0 : order.orderQty - order.cumQty);
    expect(isOver && n < reports.length - 1).toBe(false);
    expect(order.transactTimeAt).toBeGreaterThanOrEqual(at);
    at = order.transactTimeAt;
  }
}

/** Numbers of orders and fills grow in the order in which they were given. */
function expectGrowing(ids: readonly string[]): void {
  expect(new Set(ids).size).toBe(ids.length);
  const numbers = ids.filter((id) => /^\d+$/.test(id)).map(BigInt);
  expect(numbers).toEqual([...numbers].sort((a, b) => (a < b ? -1 : Number(a > b))));
}
