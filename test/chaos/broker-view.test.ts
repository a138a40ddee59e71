import { expect, test } from "vitest";
import { contractCode } from "../../src/domain/contracts/contract.ts";
import { ticks } from "../../src/domain/contracts/price.ts";
import { accountId, clOrdId, execId, orderId } from "../../src/domain/ids.ts";
import type { Side } from "../../src/domain/order.ts";
import type { LogEntry } from "../simulators/exchange/event-log.ts";
import type { ExchangeCommand } from "../simulators/exchange/wire.ts";
import { readBrokerLog } from "./broker-view.ts";

const account = accountId("sim-1-1");
const contract = contractCode({ root: "MES", year: 2026, month: 12 });
const DAY = { contract, timeInForce: "DAY" } as const;
const idOf = (n: number) => clOrdId(`i${String(n).padStart(28, "0")}-1`);

const sell = (n: number, orderQty: number) =>
  entry(n, {
    op: "submitOrder",
    account,
    order: { ...DAY, clOrdId: idOf(n), side: "SELL", orderQty, ordType: "MARKET" },
  });

const buyBelow = (n: number, orderQty: number) =>
  entry(n, {
    op: "submitOrder",
    account,
    order: { ...DAY, clOrdId: idOf(n), side: "BUY", orderQty, ordType: "LIMIT", price: ticks(1) },
  });

const cut = (n: number, orderQty: number) =>
  entry(n, { op: "modifyOrder", account, change: { orderId: orderId(String(n)), orderQty } });

/** An order has its number as its id. */
function entry(n: number, command: ExchangeCommand): LogEntry {
  const { op } = command;
  const id = { clOrdId: idOf(n), orderId: orderId(String(n)) };
  return { seq: 0, at: 0, account, op, outcome: "accepted", command, ...id };
}

function filled(n: number, side: Side, lastQty: number): LogEntry {
  const id = { clOrdId: idOf(n), orderId: orderId(String(n)) };
  const fill = { ...id, execId: execId(`e${n}`), contract, side, lastQty, lastPx: ticks(1) };
  const whole = { ...fill, transactTimeAt: 0 };
  return { seq: 0, at: 0, account, op: "fill", outcome: "filled", ...id, fill: whole };
}

/** Of each order, whether it could only reduce what was held. */
const reduces = (log: readonly LogEntry[]) => readBrokerLog(log).sent.map((order) => order.reduces);

const SHORT_2 = [sell(1, 2), filled(1, "SELL", 2)];

test("an exit that rests leaves the less to reduce, the larger it is", () => {
  expect(reduces([...SHORT_2, buyBelow(2, 1), buyBelow(3, 1)])).toEqual([false, true, true]);
  expect(reduces([...SHORT_2, buyBelow(2, 2), buyBelow(3, 1)])).toEqual([false, true, false]);
});

test("an exit that was cut leaves more to reduce", () => {
  const log = [...SHORT_2, buyBelow(2, 2), cut(2, 1), buyBelow(3, 1)];
  expect(reduces(log)).toEqual([false, true, true]);
});
