// The goal: a recorded fill says whose contracts it closes, as the intent of its order named them.
// The method: accept real intents, and record, correct and read their fills on a real Redis.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ContractCode } from "../../src/domain/contracts/contract.ts";
import { ticks } from "../../src/domain/contracts/price.ts";
import { clOrdId, execId, type IntentId, intentId, orderId } from "../../src/domain/ids.ts";
import type { Intent } from "../../src/domain/intent.ts";
import type { Fill } from "../../src/domain/order.ts";
import {
  accountViewScripts,
  createRedisAccountViews,
} from "../../src/store/accounts/redis-account-views.ts";
import type { AccountViews } from "../../src/trading/reads/ports.ts";
import { ACCOUNT, IntentKit, sendRequest } from "../support/intent-kit.ts";

const ES = "ESZ2026" as ContractCode;
const ENTRY = clOrdId(`i${"e".repeat(28)}-1`);
const TERMS = { ordType: "MARKET", timeInForce: "DAY" } as const;

let kit: IntentKit;
let views: AccountViews;

beforeEach(async () => {
  kit = await IntentKit.open();
  const redis = await kit.corner.open("worker", accountViewScripts);
  views = createRedisAccountViews({ redis, keys: kit.corner.keys, now: () => 1_700_000_000_000 });
});
afterEach(() => kit.corner.close());

const own = (nth: number): IntentId => intentId(`i${String(nth).repeat(28)}`);

async function fillOf(nth: number, intent: Intent): Promise<Fill> {
  await kit.intents.accept(await kit.newIntent({ intentId: own(nth), intent }));
  return {
    execId: execId(`x${nth}`),
    orderId: orderId(`${nth}`),
    clOrdId: clOrdId(`${own(nth)}-1-SL`),
    contract: ES,
    side: "SELL",
    lastQty: 1,
    lastPx: ticks(4_000),
    fee: "1.00",
    transactTimeAt: 1_000 + nth,
  };
}

const pair = { side: "BUY", qty: 1, stopLossPx: ticks(3_990) } as const;
const PAIR: Intent = { kind: "PROTECT", contract: ES, pair, closes: [ENTRY] };
const CLOSE: Intent = { kind: "ADJUST", contract: ES, aim: { to: "close", qty: 1 }, terms: TERMS };

const read = async () => (await views.fills(ACCOUNT, { limit: 10 })).items;

describe("a fill", () => {
  test.each<[string, Intent, readonly string[] | undefined]>([
    ["a plan's pair", PAIR, [ENTRY]],
    ["a plan's close", { ...CLOSE, closes: [ENTRY] }, [ENTRY]],
    ["exits of a position", { kind: "PROTECT", contract: ES, levels: {} }, []],
    ["a close that a person asked for", CLOSE, undefined],
  ])("of %s", async (_, intent, closes) => {
    const fill = await fillOf(1, intent);
    const recorded = await views.recordFills(ACCOUNT, [fill], undefined);
    expect(recorded.closes.get(fill.execId)).toEqual(closes);
    expect(await read()).toEqual([{ ...fill, ...(closes && { closes }) }]);
  });

  test("keeps its names when it turns out to have cost otherwise, is corrected or taken back", async () => {
    const fill = await fillOf(1, PAIR);
    await views.recordFills(ACCOUNT, [fill], undefined);
    for (const change of [{ fee: "2.00" }, { lastQty: 2 }, { takenBack: true as const }]) {
      await views.recordFills(ACCOUNT, [{ ...fill, ...change }], undefined);
      expect(await read()).toMatchObject([{ closes: [ENTRY] }]);
    }
  });

  test.each([
    ["an entry", () => ENTRY, [ENTRY]],
    ["a plan", () => clOrdId(`${own(1)}-1`), [ENTRY]],
    ["a position", () => clOrdId(`${own(3)}-1`), []],
  ])("of what is left of a pair of %s closes what the pair did", async (_, pairOf, closes) => {
    await fillOf(1, PAIR);
    await fillOf(3, { kind: "PROTECT", contract: ES, levels: {} });
    const fill = await fillOf(2, { kind: "CANCEL", orderId: orderId("7") });
    const survivorClOrdId = clOrdId(`${pairOf()}-SL`);
    const plan = { contract: ES, side: "SELL", canceled: "a stop", survivorClOrdId } as const;
    await kit.intents.beginSending(sendRequest(own(2), { plan }));
    const recorded = await views.recordFills(ACCOUNT, [fill], undefined);
    expect(recorded.closes.get(fill.execId)).toEqual(closes);
  });

  describe("of an exit that goes on", () => {
    const FLATTEN: Intent = { kind: "FLATTEN", cancelResting: false };
    const part = { contract: ES, clOrdId: clOrdId(`${own(2)}-3`), direction: 1, lots: [ENTRY] };
    const of = [orderId("7")];
    const back = clOrdId(`${own(2)}-4`);
    const given = { clOrdId: back, of, leg: clOrdId(`${ENTRY}-SL`) };
    const byHand = { clOrdId: clOrdId(`${own(2)}-6`), of };
    const exitPlan = { closes: [part], cancels: [], given: [given, byHand] };

    test.each([
      ["a part of what is held", part.clOrdId, [ENTRY]],
      ["exits that were given back", clOrdId(`${back}-SL`), [ENTRY]],
      ["exits that a person had placed", clOrdId(`${own(2)}-6-TP`), []],
      ["all of it", clOrdId(`${own(2)}-5`), undefined],
    ])("by %s closes what it was for", async (_, name, closes) => {
      const fill = { ...(await fillOf(2, FLATTEN)), clOrdId: name };
      await kit.intents.beginSending(sendRequest(own(2), { exitPlan }));
      const recorded = await views.recordFills(ACCOUNT, [fill], undefined);
      expect(recorded.closes.get(fill.execId)).toEqual(closes);
    });

    test("closes what its name says once that is known", async () => {
      const fill = { ...(await fillOf(2, FLATTEN)), clOrdId: part.clOrdId };
      await kit.intents.beginSending(sendRequest(own(2), { exitPlan }));
      const { clOrdId: _, ...nameless } = fill;
      await views.recordFills(ACCOUNT, [nameless], undefined);
      const again = await views.recordFills(ACCOUNT, [fill], undefined);
      expect(again.closes.get(fill.execId)).toEqual([ENTRY]);
    });
  });

  test.each([
    ["once more", 0],
    ["once more, with many others", 60],
  ])("says its names to each process that records it %s", async (_, more) => {
    const fill = await fillOf(1, PAIR);
    await views.recordFills(ACCOUNT, [fill], undefined);
    const others = Array.from({ length: more }, (__, nth) => ({
      ...fill,
      execId: execId(`y${nth}`),
    }));
    const again = await views.recordFills(ACCOUNT, [fill, ...others], undefined);
    expect([again.added.length, again.closes.get(fill.execId)]).toEqual([more, [ENTRY]]);
  });

  test("keeps its order's name where the broker does not say it again", async () => {
    const fill = await fillOf(1, PAIR);
    await views.recordFills(ACCOUNT, [fill], undefined);
    const { clOrdId: _, ...nameless } = fill;
    for (const change of [{ fee: "2.00" }, { lastQty: 2 }, { takenBack: true as const }]) {
      await views.recordFills(ACCOUNT, [{ ...nameless, ...change }], undefined);
      const { clOrdId: name, closes } = { closes: undefined, ...(await read())[0] };
      expect([name, closes]).toEqual([fill.clOrdId, [ENTRY]]);
    }
  });

  test("gets its order's name, and what it closes, where the broker says it only later", async () => {
    const fill = await fillOf(1, PAIR);
    const { clOrdId: _, ...nameless } = fill;
    await views.recordFills(ACCOUNT, [nameless], undefined);
    expect(await read()).toEqual([nameless]);
    const again = await views.recordFills(ACCOUNT, [fill], undefined);
    expect([again.added, again.corrected]).toEqual([[], []]);
    expect(again.closes.get(fill.execId)).toEqual([ENTRY]);
    expect(await read()).toEqual([{ ...fill, closes: [ENTRY] }]);
  });

  test("with names is not written again when it is read again among many", async () => {
    const fill = await fillOf(1, PAIR);
    await views.recordFills(ACCOUNT, [fill], undefined);
    const others = Array.from({ length: 60 }, (_, nth) => ({ ...fill, execId: execId(`y${nth}`) }));
    const again = await views.recordFills(ACCOUNT, [fill, ...others], undefined);
    expect([again.added.length, again.corrected]).toEqual([60, []]);
  });
});
