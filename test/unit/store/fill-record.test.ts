import { expect, test } from "vitest";
import { contractCode } from "../../../src/domain/contracts/contract.ts";
import { ticks } from "../../../src/domain/contracts/price.ts";
import { clOrdId, execId, orderId } from "../../../src/domain/ids.ts";
import type { Fill } from "../../../src/domain/order.ts";
import { decodeFill, encodeFill } from "../../../src/store/accounts/fill-record.ts";

const ES = contractCode({ root: "ES", year: 2026, month: 12 });
const bare: Fill = {
  execId: execId("e1"),
  orderId: orderId("7"),
  contract: ES,
  side: "SELL",
  lastQty: 2,
  lastPx: ticks(27_400),
  transactTimeAt: 1_000,
};
const ours: Fill = { ...bare, clOrdId: clOrdId("i1-1") };
const lies = { id: "e1", at: 1_000 };

test.each([
  ["by another program", bare],
  ["of ours", ours],
  ["that closed", { ...ours, realizedPnl: "-12.50", fee: "2.10", feeCurrency: "USD" }],
])("a fill %s is read as it was written, and lies as one of before is read", (_, fill) => {
  expect(decodeFill(lies, encodeFill(fill))).toEqual(fill);
  const { execId: _id, transactTimeAt: _at, ...body } = fill;
  expect(decodeFill(lies, JSON.stringify(body))).toEqual(fill);
});

test("what each fill has is stored without its names", () => {
  expect(encodeFill(ours)).toBe('["7","i1-1","ESZ2026","SELL",2,27400]');
});
