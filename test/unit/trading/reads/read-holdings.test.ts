// The goal: what cannot be seen is unknown, and never better than what was seen before.
// The method: an account whose connection is down, with and without a note of a missing stop, with and without a quote.
import { describe, expect, test } from "vitest";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { type Quote, quoteHeardAt } from "../../../../src/domain/quote.ts";
import { accountId, connectionId, intentId, userId } from "../../../../src/domain/ids.ts";
import { clOrdIdOf } from "../../../../src/domain/intent.ts";
import type { Exit } from "../../../../src/trading/reads/protection.ts";
import {
  createReadHoldings,
  type ReadHoldingsDeps,
} from "../../../../src/trading/reads/read-holdings.ts";
import type { StoredAccount } from "../../../../src/trading/connections/ports.ts";

const ES = "ESZ2026" as ContractCode;
const ACCOUNT = accountId("a-1");

const NOW = 1_000_000;

interface Scene {
  readonly noted?: readonly Exit[];
  readonly netQty?: number;
  readonly quote?: Quote;
}

async function holdingWith({ noted = [], netQty = 1, quote }: Scene) {
  const deps = {
    views: {
      positions: async () => await Promise.resolve({ value: [{ contract: ES, netQty }], asOf: 1 }),
    },
    board: { status: () => "RECONNECTING" },
    missingExits: async () => await Promise.resolve(new Map([[ACCOUNT, new Map([[ES, noted]])]])),
    quotes: {
      of: async () => await Promise.resolve({ quotes: new Map(quote && [[ES, quote]]) }),
    },
    now: () => NOW,
  } as unknown as ReadHoldingsDeps;
  const account = {
    accountId: ACCOUNT,
    userId: userId("u_1"),
    connectionId: connectionId("c-1"),
    active: true,
  } as StoredAccount;
  const [holding] = await createReadHoldings(deps).of([account]);
  return holding;
}

describe("what is held is live", () => {
  test.each([
    ["while its broker shows it", "CONNECTED", 1, 75_000, true],
    [
      "not where the link lives, and its broker shows nothing for over a minute",
      "CONNECTED",
      1,
      75_001,
      false,
    ],
    ["where nothing was held when its broker last showed it", "CONNECTED", 0, 75_001, true],
    ["not while its connection is down", "RECONNECTING", 1, 0, false],
  ])("%s", async (_, status, held, agoMs, live) => {
    const value = held === 0 ? [] : [{ contract: ES, netQty: held }];
    const deps = {
      views: { positions: async () => ({ value, asOf: NOW - agoMs }) },
      board: { status: () => status },
      reads: { workingOrders: async () => [] },
      missingExits: async () => new Map(),
      quotes: { of: async () => ({ quotes: new Map() }) },
      now: () => NOW,
    } as unknown as ReadHoldingsDeps;
    const account = { accountId: ACCOUNT, connectionId: connectionId("c-1"), active: true };
    const { of, ofOne } = createReadHoldings({
      ...deps,
      views: { ...deps.views, fills: async () => ({ items: [] }) } as never,
    });
    expect((await ofOne(account as StoredAccount)).live).toBe(live);
    const all = await of([account as StoredAccount]);
    expect(all.map((holding) => holding.live)).toEqual(value.map(() => live));
    const seen = all.filter(({ protection }) => protection.kind !== "unknown");
    expect(seen).toHaveLength(live ? value.length : 0);
  });
});

test("while its connection is down, a missing stop stays missing", async () => {
  expect((await holdingWith({}))?.protection).toMatchObject({ kind: "unknown" });
  const asked = await holdingWith({ noted: ["STOP_LOSS"] });
  expect(asked?.protection).toEqual({ kind: "missing", exits: ["STOP_LOSS"] });
});

describe("a position is marked", () => {
  const heardAt = (at: number) => quoteHeardAt(at, { bid: ticks(100), ask: ticks(102) });
  const quote = heardAt(NOW);

  test.each([
    ["a long one at the bid", { netQty: 1, quote }, { px: 100, at: NOW, isStale: false }],
    ["a short one at the ask", { netQty: -1, quote }, { px: 102, at: NOW, isStale: false }],
    [
      "at what was heard long ago, which it says",
      { quote: heardAt(NOW - 10_001) },
      { px: 100, at: NOW - 10_001, isStale: true },
    ],
    [
      "not by a quote without its side",
      { quote: quoteHeardAt(NOW, { ask: ticks(102) }) },
      undefined,
    ],
    [
      "at its own side, and by the age of that",
      { quote: { ...quote, ...quoteHeardAt(NOW - 3, { bid: ticks(99) }) } },
      { px: 99, at: NOW - 3, isStale: false },
    ],
    ["not at all where there is no quote", {}, undefined],
  ])("%s", async (_, scene, mark) => {
    expect((await holdingWith(scene))?.mark).toEqual(mark);
  });
});

describe("a stop-loss that rests for less than its order filled", () => {
  const I = intentId(`i${"0".repeat(28)}`);
  const filled = (orderId: string, side = "BUY") => ({
    orderId,
    lastQty: 1,
    side,
    contract: ES,
    ...(orderId === "A" && { clOrdId: clOrdIdOf(I, 1) }),
  });
  test.each([
    ["is missing, with another order in between", ["A", "B", "A", "B", "A", "A"], 6],
    ["is missing, with an exit of its own in between", ["A", "A", "T", "T", "A", "A"], 2],
  ])("%s", async (_, newest, netQty) => {
    const shown = () => [STOP];
    expect(await judged(newest, netQty, shown)).toEqual({ kind: "missing", exits: ["STOP_LOSS"] });
  });

  test("is not missing where it came after the orders were read", async () => {
    let looks = 0;
    const shown = () => ((looks += 1) > 1 ? [STOP] : []);
    expect(await judged(["A"], 1, shown)).toEqual({ kind: "protected" });
  });

  const STOP = {
    contract: ES,
    side: "SELL",
    role: "STOP_LOSS",
    ordType: "STOP",
    leavesQty: 1,
    ordStatus: "NEW",
    orderId: "S",
  };
  async function judged(
    newest: readonly string[],
    netQty: number,
    shown: () => readonly (typeof STOP)[],
  ) {
    const fills = newest.map((id) => filled(id, id === "T" ? "SELL" : "BUY"));
    const bracket = { stopLoss: { by: "ticks" } };
    const deps = {
      views: {
        positions: async () => ({ value: [{ contract: ES, netQty }], asOf: NOW }),
        fills: async (_of: unknown, { limit }: { limit: number }) => ({
          items: fills.slice(0, limit),
        }),
      },
      board: { status: () => "CONNECTED" },
      intents: {
        find: async () => ({
          intent: { kind: "PLACE", order: { bracket } },
          outcome: { kind: "done" },
          source: { kind: "webhook" },
        }),
      },
      reads: { workingOrders: async () => shown() },
      missingExits: async () => new Map(),
      quotes: { of: async () => ({ quotes: new Map() }) },
      now: () => NOW,
    } as unknown as ReadHoldingsDeps;
    const account = { accountId: ACCOUNT, connectionId: connectionId("c-1"), active: true };
    const [holding] = await createReadHoldings(deps).of([account as StoredAccount]);
    return holding?.protection;
  }
});
