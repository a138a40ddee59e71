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
    const reports = reportsOf(trader, id);
    expectTheSame(trader, id);
    const orders = new Set(reports.map(({ order }) => order.orderId));
    const fills = reports.flatMap(({ fill }) => (fill === undefined ? [] : [fill.execId]));
    expect(new Set(fills).size).toBe(fills.length);
    if (trader.tellsInOrder) expectGrowing(fills);
    if (trader.tellsInOrder) expectGrowing([...orders]);
    for (const orderId of orders) {
      expectOneLife(reports.filter(({ order }) => order.orderId === orderId));
    }
  }
}

function reportsOf(trader: Trader, account: AccountId): readonly ExecutionReport[] {
  return trader.reports.filter((told) => told.account === account).map(({ report }) => report);
}

/** Of a fill that is told again, only what it cost is new. */
function expectTheSame(trader: Trader, account: AccountId): void {
  const again = trader.toldAgain.filter((told) => told.account === account);
  for (const { order, fill } of again.map(({ report }) => report)) {
    const known = reportsOf(trader, account).filter((one) => one.order.orderId === order.orderId);
    const told = known.find((one) => one.fill?.execId === fill?.execId)?.fill;
    const cost = { fee: fill?.fee, feeCurrency: fill?.feeCurrency };
    expect(fill).toEqual({ ...told, ...cost });
    expect(known.map((one) => one.order.ordStatus)).toContain(order.ordStatus);
  }
}

/** The fills that are listed are the ones reported, and their sum is what is held. */
async function agreesWithBooks(trader: Trader, account: AccountId): Promise<void> {
  const { adapter, broker } = trader;
  const fills = await adapter.fills(account, 0);
  const reported = () => reportsOf(trader, account).flatMap(({ fill }) => fill?.execId ?? []);
  await waitUntil("all fills are reported", () => reported().length >= fills.length);
  const listed = fills.map(({ execId }) => execId);
  if (trader.tellsInOrder) expect(reported()).toEqual(listed);
  else expect(reported().toSorted()).toEqual(listed.toSorted());

  const own = fills.filter(({ contract }) => contract === broker.contract);
  const sum = own.reduce((qty, { side, lastQty }) => qty + sign(side) * lastQty, 0);
  expect(await trader.netQty(account)).toBe(sum);
  for (const order of understood(await adapter.workingOrders(account))) {
    const { orderId, ordStatus, orderQty, cumQty, leavesQty } = order;
    const last = trader.lastSeen(orderId, account);
    // It is on its way to the exchange, and told once it is there or refused.
    if (ordStatus === "PENDING_NEW" && last === undefined) continue;
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
  const numbers = ids.filter((id) => /^\d+$/.test(id)).map(BigInt);
  expect(numbers).toEqual([...numbers].sort((a, b) => (a < b ? -1 : Number(a > b))));
}
