import assert from "node:assert/strict";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPaperAdapter, type PaperBroker } from "../../../../src/brokers/paper/adapter.ts";
import type { PaperProduct } from "../../../../src/brokers/paper/exchange/product.ts";
import {
  createManualFeed,
  type ManualFeed,
} from "../../../../src/brokers/paper/feed/manual-feed.ts";
import { NOTHING, parseDecimal } from "../../../../src/domain/contracts/decimal.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { clOrdId, connectionId } from "../../../../src/domain/ids.ts";
import type { Side } from "../../../../src/domain/order.ts";
import { ticks, tickSize } from "../../../../src/domain/contracts/price.ts";
import { BrokerReadError } from "../../../../src/trading/ports.ts";
import { MemoryStateStore } from "../../../support/memory-state-store.ts";
import { A, ES, PRODUCT } from "./test-exchange.ts";

const M6B = "M6BZ2026" as ContractCode;
const NIY = "NIYZ2026" as ContractCode;
const ODD: PaperProduct = { ...PRODUCT, tickSize: tickSize("0.0001"), tickValue: "0.625" };
const YEN: PaperProduct = { ...PRODUCT, tickValue: "2500", currency: "JPY" };
const FEES: Readonly<Record<string, string>> = { [ES]: "2.25", [M6B]: "0.333", [NIY]: "150" };

let state: MemoryStateStore;
let feed: ManualFeed;
let products: Map<ContractCode, PaperProduct>;
let beganAt: number;
let adapter: PaperBroker;
let stop: AbortController;
let lastId: number;

beforeEach(async () => {
  state = new MemoryStateStore();
  feed = createManualFeed();
  products = new Map([
    [ES, PRODUCT],
    [M6B, ODD],
    [NIY, YEN],
  ]);
  beganAt = 1;
  lastId = 0;
  await open();
  for (const contract of products.keys()) quote(999, contract);
});
afterEach(() => {
  stop.abort();
});

async function open(): Promise<void> {
  adapter = createPaperAdapter({
    connectionId: connectionId("paper"),
    settings: { accounts: "1", sessionHours: false, startBalance: 50_000 },
    feed,
    product: (contract) => products.get(contract),
    state,
    now: () => 1_000,
    feeOf: (contract) => parseDecimal(FEES[contract] ?? "") ?? NOTHING,
    dayBeganAt: () => beganAt,
  });
  stop = new AbortController();
  const { signal } = stop;
  await new Promise<void>((resolve, reject) => {
    adapter.runSession({ signal, onReady: resolve }).catch(reject);
  });
}

const quote = (bid: number, contract = ES, from = feed) =>
  from.set(contract, { bid: ticks(bid), ask: ticks(bid + 1), bidQty: 100, askQty: 100 });

async function trade(side: Side, orderQty: number, contract = ES): Promise<void> {
  lastId += 1;
  const clOrd = { clOrdId: clOrdId(`C${lastId}`), ordType: "MARKET", timeInForce: "IOC" } as const;
  const taken = await adapter.submitOrder(A, { ...clOrd, contract, side, orderQty });
  assert(taken.kind === "accepted");
}

async function balances() {
  assert(adapter.balances !== undefined);
  return await adapter.balances(A);
}

const START = { currency: "USD", at: 1_000, cash: 5_000_000, netLiquidation: 5_000_000 };

describe("balances", () => {
  test("of an account that never traded are the start balance, without margins", async () => {
    expect(await balances()).toEqual([{ ...START, realizedPnl: 0, openPnl: 0, fees: 0 }]);
  });

  test("count what was closed at its ticks, what is open at the side that closes it, and fees", async () => {
    await trade("BUY", 3);
    quote(1_010);
    await trade("SELL", 2);
    // 2 x 10 ticks won by closing, 1 x 10 open, 5 sides paid.
    expect(await balances()).toEqual([
      {
        ...START,
        cash: 5_000_000 + 25_000 - 1_125,
        netLiquidation: 5_000_000 + 25_000 - 1_125 + 12_500,
        realizedPnl: 25_000,
        openPnl: 12_500,
        fees: 1_125,
      },
    ]);
    await trade("SELL", 3);
    quote(1_020);
    // 2 are short from 1,010, and would be bought at the ask of 1,021.
    expect(await balances()).toMatchObject([{ realizedPnl: 37_500, openPnl: -27_500 }]);
  });

  test("are rounded once, not each fill", async () => {
    await trade("BUY", 1, M6B);
    quote(1_001, M6B);
    await trade("SELL", 1, M6B);
    // A tick of 0.625, and 0.666 of fees: the cash of both is -0.041.
    expect(await balances()).toMatchObject([{ realizedPnl: 63, fees: 67, cash: 4_999_996 }]);
  });

  test("are told in each currency, which begins at 0", async () => {
    await trade("SELL", 1, NIY);
    quote(990, NIY);
    await trade("BUY", 2, NIY);
    expect(await balances()).toMatchObject([
      START,
      {
        currency: "JPY",
        cash: 20_000 - 450,
        realizedPnl: 20_000,
        fees: 450,
        openPnl: -2_500,
        netLiquidation: 20_000 - 450 - 2_500,
      },
    ]);
  });

  test("tell no worth of what has no price, and all else", async () => {
    await trade("BUY", 1);
    await trade("BUY", 1, NIY);
    stop.abort();
    feed = createManualFeed();
    quote(990, NIY, feed);
    await open();
    const [dollars, yen] = await balances();
    expect(dollars).toEqual({
      currency: "USD",
      at: 1_000,
      cash: 4_999_775,
      realizedPnl: 0,
      fees: 225,
    });
    expect(yen).toMatchObject({ currency: "JPY", openPnl: -25_000 });
  });

  test("tell no worth in any currency of what is not known any more", async () => {
    await trade("BUY", 1);
    await trade("BUY", 1, NIY);
    products.delete(NIY);
    const told = await balances();
    expect(told.map(({ currency }) => currency)).toEqual(["USD", "JPY"]);
    for (const { openPnl, netLiquidation } of told) {
      expect([openPnl, netLiquidation]).toEqual([undefined, undefined]);
    }
  });

  test("count anew on each trading day, and cash goes on", async () => {
    await trade("BUY", 1);
    quote(1_010);
    await trade("SELL", 1);
    beganAt = 2;
    const cash = 5_000_000 + 12_500 - 450;
    expect(await balances()).toMatchObject([{ cash, realizedPnl: 0, fees: 0 }]);
    await trade("BUY", 1);
    expect(await balances()).toMatchObject([{ cash: cash - 225, realizedPnl: 0, fees: 225 }]);
  });

  test("are the same after a restart, also where the fills are forgotten", async () => {
    await trade("BUY", 2);
    quote(1_010);
    await trade("SELL", 1);
    await trade("BUY", 1, NIY);
    const before = await balances();
    stop.abort();
    for (const key of state.entries.get(A)?.keys() ?? []) {
      if (key.startsWith("f")) state.entries.get(A)?.delete(key);
    }
    await open();
    expect(await balances()).toEqual(before);
  });

  test("begin with the start balance in an account of an earlier version", async () => {
    stop.abort();
    const position = { contract: ES, netQty: 1, lots: [{ qty: 1, px: 990 }], realizedTicks: 0 };
    const stored = [["v", "3"] as const, ["a", '{"lastId":9}'] as const];
    state.entries.set(A, new Map([...stored, [`p${ES}`, JSON.stringify(position)]]));
    await open();
    expect(await balances()).toMatchObject([{ cash: 5_000_000, openPnl: 11_250 }]);
    await trade("SELL", 1);
    expect(await balances()).toMatchObject([{ cash: 5_000_000 + 11_250 - 225, openPnl: 0 }]);
  });

  test("cannot be read without a session, nor of an unknown account", async () => {
    await expect(adapter.balances?.("paper-9" as typeof A)).rejects.toBeInstanceOf(BrokerReadError);
    stop.abort();
    await new Promise((resolve) => setImmediate(resolve));
    await expect(balances()).rejects.toBeInstanceOf(BrokerReadError);
  });

  test("are what was put in, less what was paid for contracts, and what those would bring", async () => {
    const step = fc.record({
      bid: fc.integer({ min: 900, max: 1_100 }),
      side: fc.constantFrom<Side>("BUY", "SELL"),
      qty: fc.integer({ min: 1, max: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        stop.abort();
        state = new MemoryStateStore();
        await open();
        let [flow, net, fees, bid] = [0, 0, 0, 999];
        for (const { bid: next, side, qty } of steps) {
          bid = next;
          quote(bid);
          await trade(side, qty);
          const signed = side === "BUY" ? qty : -qty;
          flow -= signed * (side === "BUY" ? bid + 1 : bid) * 1_250;
          net += signed;
          fees += qty * 225;
        }
        const mark = net > 0 ? bid : bid + 1;
        const [told] = await balances();
        assert(told !== undefined);
        expect(told.netLiquidation).toBe(5_000_000 + flow + net * mark * 1_250 - fees);
        const { cash = NaN, openPnl = NaN, realizedPnl = NaN } = told;
        expect([told.fees, cash + openPnl]).toEqual([fees, told.netLiquidation]);
        expect(cash).toBe(5_000_000 + realizedPnl - fees);
      }),
      { numRuns: 40 },
    );
  });
});

test("each fill says what it cost", async () => {
  await trade("BUY", 3);
  await trade("BUY", 2, NIY);
  expect(await adapter.fills(A, 0)).toMatchObject([
    { fee: "6.75", feeCurrency: "USD" },
    { fee: "300.00", feeCurrency: "JPY" },
  ]);
});
