// The goal: the ledger says how much worse than its alert a fill was, where the two can be compared, and else nothing.
import { expect, test } from "vitest";
import { clOrdId, execId, orderId } from "../../../src/domain/ids.ts";
import { ticks } from "../../../src/domain/contracts/price.ts";
import type { FillOrigin, PlacedEntry } from "../../../src/domain/ledger/ledger-entry.ts";
import type { Side } from "../../../src/domain/order.ts";
import { ACCOUNT, ES, NOW, startApp } from "./http-kit.ts";

/** A fill at 5000.25. */
const fillOf = (side: Side, signalPrice?: string): PlacedEntry => ({
  id: "1-0",
  kind: "fill",
  fill: {
    execId: execId("9"),
    orderId: orderId("4"),
    clOrdId: clOrdId("c"),
    contract: ES,
    side,
    lastQty: 1,
    lastPx: ticks(20_001),
    transactTimeAt: NOW,
  },
  origin: { by: "webhook", ...(signalPrice !== undefined && { signalPrice }) } as FillOrigin,
});

async function lineOf(entry: PlacedEntry) {
  const readLedger = async () => await Promise.resolve({ items: [entry] });
  const app = await startApp({ gateway: { readLedger } });
  return (await app.get(`/v1/accounts/${ACCOUNT}/ledger`)).body.entries[0];
}

test.each([
  ["bought a tick above the alert's price", "BUY", "5000.00", 1],
  ["sold a tick above it", "SELL", "5000.00", -1],
  ["bought at it, however it is written", "BUY", "5000.250", 0],
  ["bought half a tick above a price between ticks", "BUY", "5000.125", 0.5],
  ["the alert's price is another market's", "BUY", "500.25", null],
  ["the alert's price is no number", "BUY", "{{close}}", null],
  ["the alert named none", "BUY", undefined, null],
] as const)("%s", async (_, side, signalPrice, expected) => {
  expect(await lineOf(fillOf(side, signalPrice))).toMatchObject({
    price: 5000.25,
    tickSize: 0.25,
    signalPrice: signalPrice ?? null,
    slippageTicks: expected,
  });
});

test("a position from before the ledger was not traded at any alert's price", async () => {
  const lot: PlacedEntry = { id: "1-0", kind: "lot", contract: ES, netQty: -2, at: NOW };
  expect(await lineOf(lot)).toMatchObject({ side: "sell", qty: 2, slippageTicks: null });
});
