import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createPaperAdapter, type PaperBroker } from "../../../../src/brokers/paper/adapter.ts";
import {
  createManualFeed,
  type ManualFeed,
} from "../../../../src/brokers/paper/feed/manual-feed.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { accountId, clOrdId, connectionId } from "../../../../src/domain/ids.ts";
import type { BrokerReport, NewOrderSingle } from "../../../../src/domain/order.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { BrokerReadError } from "../../../../src/trading/ports.ts";
import { MemoryStateStore } from "../../../support/memory-state-store.ts";
import { NO_FEES } from "../../../support/paper-money.ts";
import { A, B, ES, PRODUCT } from "./test-exchange.ts";

let state: MemoryStateStore;
let feed: ManualFeed;
let stops: AbortController[];
let lastId: number;

beforeEach(() => {
  state = new MemoryStateStore();
  feed = createManualFeed();
  stops = [];
  lastId = 0;
  quote(999, 1_000);
});
afterEach(() => {
  for (const stop of stops) stop.abort();
  vi.useRealTimers();
});

function quote(bid: number, ask: number): void {
  feed.set(ES, { bid: ticks(bid), ask: ticks(ask), bidQty: 100, askQty: 100 });
}

function create(accounts = "1-2", store = state): PaperBroker {
  return createPaperAdapter({
    connectionId: connectionId("paper"),
    settings: { accounts, sessionHours: false, startBalance: 50_000 },
    ...NO_FEES,
    feed,
    product: (contract) => (contract === ES ? PRODUCT : undefined),
    state: store,
    now: Date.now,
  });
}

async function connect(
  adapter: PaperBroker,
): Promise<{ session: Promise<void>; stop: () => void }> {
  const stop = new AbortController();
  stops.push(stop);
  let session: Promise<void> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    session = adapter.runSession({ signal: stop.signal, onReady: resolve });
    session.catch(reject);
  });
  return { session, stop: () => stop.abort() };
}

function order(change: Partial<NewOrderSingle> = {}): NewOrderSingle {
  lastId += 1;
  return {
    clOrdId: clOrdId(`C${lastId}`),
    contract: ES,
    side: "BUY",
    orderQty: 1,
    ordType: "MARKET",
    timeInForce: "GTC",
    ...change,
  };
}
const resting = (price = 990) => order({ ordType: "LIMIT", price: ticks(price) });

describe("durable before answered", () => {
  test("neither the answer nor a report nor a read comes before the write is done", async () => {
    const adapter = create();
    await connect(adapter);
    const told: string[] = [];
    adapter.onReport((_, { execType }) => told.push(execType));
    const release = state.hold();
    const answer = adapter.submitOrder(A, order()).then(() => told.push("answer"));
    const read = adapter.positions(A).then(() => told.push("read"));
    await new Promise((resolve) => setImmediate(resolve));
    expect(told).toEqual([]);
    release();
    await Promise.all([answer, read]);
    expect(told.slice(0, 2)).toEqual(["NEW", "TRADE"]);
    expect(told.slice(2).sort()).toEqual(["answer", "read"]);
  });

  test("what happens while a write runs goes with the next one", async () => {
    const adapter = create();
    await connect(adapter);
    await adapter.submitOrder(A, order());
    const before = state.commits;
    const release = state.hold();
    const answers = Array.from({ length: 20 }, () => adapter.submitOrder(A, order()));
    await new Promise((resolve) => setImmediate(resolve));
    release();
    await Promise.all(answers);
    expect(state.commits - before).toBeLessThanOrEqual(2);
  });

  test("one account's slow write does not hold up another's answer", async () => {
    const adapter = create();
    await connect(adapter);
    const release = state.hold(A);
    let isAnswered = false;
    const slow = adapter.submitOrder(A, order()).then(() => (isAnswered = true));
    expect(await adapter.submitOrder(B, order())).toMatchObject({ kind: "accepted" });
    expect(isAnswered).toBe(false);
    release();
    await slow;
  });

  test("a failed write is unknown, what came after it is not sent, and the session breaks", async () => {
    const adapter = create();
    const { session } = await connect(adapter);
    await adapter.submitOrder(A, order());
    const reports: BrokerReport[] = [];
    adapter.onReport((_, report) => reports.push(report));
    state.failNext("before");
    const release = state.hold();
    const first = adapter.submitOrder(A, order());
    await new Promise((resolve) => setImmediate(resolve));
    const second = adapter.submitOrder(A, order());
    await new Promise((resolve) => setImmediate(resolve));
    release();
    expect((await first).kind).toBe("unknown");
    expect((await second).kind).toBe("notSent");
    await expect(session).rejects.toThrow("lost");
    expect(reports).toEqual([]);
    await connect(adapter);
    expect(await adapter.positions(A)).toMatchObject([{ netQty: 1 }]);
  });

  test("a former owner that wakes up cannot write over what the new one did", async () => {
    const [former, next] = [create(), create()];
    const old = await connect(former);
    await former.submitOrder(A, order());
    await connect(next);
    await next.submitOrder(A, order());
    expect((await former.submitOrder(A, order())).kind).toBe("unknown");
    await expect(old.session).rejects.toThrow("Somebody else");
    expect(await next.positions(A)).toMatchObject([{ netQty: 2 }]);
    expect(await next.submitOrder(A, order())).toMatchObject({ kind: "accepted" });
  });

  test("an entry that cannot be read breaks the session, and nothing is sent", async () => {
    const adapter = create();
    const { session } = await connect(adapter);
    state.entries.set(A, new Map([["a", "?"]]));
    expect((await adapter.submitOrder(A, order())).kind).toBe("notSent");
    await expect(session).rejects.toThrow('"a" of paper account paper-1');
  });
});

describe("sessions", () => {
  test("start with the accounts that may have working orders, and no others", async () => {
    const first = create("1-10000");
    const { stop, session } = await connect(first);
    await first.submitOrder(A, resting());
    await first.submitOrder(B, order());
    stop();
    await session;
    state.loads = 0;

    await connect(create("1-10000"));
    // The index and the one account whose order rests.
    expect(state.loads).toBe(2);
  });

  test("load ten thousand accounts with resting orders once each", async () => {
    const first = create();
    const { stop, session } = await connect(first);
    await first.submitOrder(A, resting());
    stop();
    await session;
    const [stored, index] = [state.entries.get(A), new Map([["v", "1"]])];
    for (let n = 1; n <= 10_000; n += 1) {
      state.entries.set(accountId(`paper-${n}`), new Map(stored));
      index.set(`paper-${n}`, "1");
    }
    state.entries.set(accountId("paper-resting"), index);

    state.loads = 0;
    const adapter = create("1-10000");
    await connect(adapter);
    // The index and each account once: never a square of their number.
    expect(state.loads).toBe(10_001);
    expect(await adapter.workingOrders(accountId("paper-9999"))).toHaveLength(1);
  });

  test("drop accounts that rest, and bring them back when they are asked for", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
    const adapter = create();
    await connect(adapter);
    await adapter.submitOrder(A, order());
    await adapter.submitOrder(B, resting());
    const { loads } = state;
    await vi.advanceTimersByTimeAsync(12 * 60_000);
    expect(await adapter.workingOrders(B)).toHaveLength(1);
    expect(state.loads).toBe(loads);
    expect(await adapter.positions(A)).toMatchObject([{ netQty: 1 }]);
    expect(state.loads).toBe(loads + 1);
  });

  test("end day orders by the clock alone", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
    const adapter = create();
    await connect(adapter);
    const day = { ...resting(), timeInForce: "DAY" } as const;
    await adapter.submitOrder(A, day);
    await vi.advanceTimersByTimeAsync(24 * 3_600_000);
    const found = await adapter.findOrder(A, day.clOrdId);
    expect(found).toMatchObject({ ordStatus: "EXPIRED", leavesQty: 0 });
  });

  test("leave no timer and no watch behind", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const adapter = create();
    const { stop, session } = await connect(adapter);
    await adapter.submitOrder(A, resting());
    const reports: BrokerReport[] = [];
    adapter.onReport((_, report) => reports.push(report));
    stop();
    await session;
    expect(vi.getTimerCount()).toBe(0);
    quote(980, 981);
    expect(reports).toEqual([]);
  });

  test("run one at a time", async () => {
    const adapter = create();
    await connect(adapter);
    const again = adapter.runSession({
      signal: new AbortController().signal,
      onReady: () => undefined,
    });
    await expect(again).rejects.toThrow("once");
  });
});

describe("accounts", () => {
  test("are the numbered ones of the settings, in dollars", async () => {
    const adapter = create("1-2");
    await connect(adapter);
    expect(await adapter.accounts()).toEqual([
      { accountId: "paper-1", name: "Paper 1", currency: "USD", active: true },
      { accountId: "paper-2", name: "Paper 2", currency: "USD", active: true },
    ]);
  });

  test("that are not reported are unknown to every command and read", async () => {
    const adapter = create();
    await connect(adapter);
    adapter.setReported(A, false);
    expect(await adapter.accounts()).toHaveLength(1);
    expect(await adapter.submitOrder(A, order())).toMatchObject({ kind: "rejected" });
    await expect(adapter.positions(A)).rejects.toThrow("Unknown account");
  });

  test("that may not trade can still cancel", async () => {
    const adapter = create();
    await connect(adapter);
    const outcome = await adapter.submitOrder(A, resting());
    assert(outcome.kind === "accepted");
    adapter.setActive(A, false);
    expect(await adapter.closePosition(A, ES, clOrdId("X"))).toMatchObject({ kind: "rejected" });
    expect(await adapter.cancelOrder(A, outcome.orderId)).toEqual({ kind: "accepted" });
  });

  test("tell what a position has won since it was opened, and no price of the market", async () => {
    const adapter = create();
    await connect(adapter);
    await adapter.submitOrder(A, order({ orderQty: 2 }));
    quote(1_008, 1_009);
    await adapter.submitOrder(A, order({ side: "SELL" }));
    expect(await adapter.positions(A)).toEqual([
      {
        contract: ES,
        netQty: 1,
        avgPx: { numerator: 1_000, denominator: 1 },
        realizedPnl: "100.00",
      },
    ]);
  });
});

describe("bars", () => {
  const bar = { open: ticks(4), high: ticks(9), low: ticks(1), close: ticks(5), volume: 3 };

  test("are told only while the session runs, and of contracts that can be traded", async () => {
    const adapter = create();
    const other = "NQZ2026" as ContractCode;
    feed.setBars(ES, 1, [{ startsAt: 60_000, ...bar }]);
    feed.setBars(other, 1, [{ startsAt: 60_000, ...bar }]);
    const ask = (contract: ContractCode) =>
      adapter.prices?.bars({ contract, minutes: 1, count: 9 });
    await expect(ask(ES)).rejects.toThrow(BrokerReadError);
    await connect(adapter);
    expect(await ask(ES)).toEqual([{ startsAt: 60_000, ...bar }]);
    expect(await ask(other)).toEqual([]);
  });
});
