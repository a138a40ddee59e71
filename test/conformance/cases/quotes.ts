import assert from "node:assert/strict";
import { describe, expect, test } from "vitest";
import type { Quote } from "../../../src/domain/quote.ts";
import { endWithTest } from "../../support/side-by-side.ts";
import { waitUntil } from "../../support/wait.ts";
import type { Trader } from "../broker-under-test.ts";
import type { Given } from "./given.ts";

/** What one listener hears, as long as it listens. */
interface Ear {
  readonly heard: readonly Quote[];
  readonly unwatch: () => void;
  /** Resolves once its last word is a quote with this bid, one tick wide. */
  readonly hears: (bid: number) => Promise<void>;
}

function listen({ adapter, broker }: Trader, contract = broker.contract): Ear {
  const { prices } = adapter;
  assert(prices !== undefined, "the adapter of a broker that tells quotes has prices");
  const heard: Quote[] = [];
  const unwatch = prices.watch(contract, (quote) => heard.push(quote));
  endWithTest(unwatch);
  const hears = async (bid: number) => {
    await waitUntil(`a bid of ${bid} is heard`, () => heard.at(-1)?.bid?.px === bid);
    expect(heard.at(-1)).toMatchObject({ bid: { px: bid }, ask: { px: bid + 1 } });
  };
  return { heard, unwatch, hears };
}

const bidsOf = ({ heard }: Ear) => heard.map(({ bid }) => bid?.px);

export function quoteCases(given: Given): void {
  /** Whether there are quotes; where there are none, the adapter must say so. */
  function hasQuotes({ adapter, broker }: Trader): boolean {
    const missing = adapter.prices === undefined ? "no prices" : adapter.prices.missing();
    expect(missing === undefined).toBe(broker.tellsQuotes === true);
    return missing === undefined;
  }

  describe.sequential("quotes", () => {
    test("70 the quote that stands is heard first, and not before the watch has begun", async () => {
      const trader = given();
      if (!hasQuotes(trader)) return;
      await trader.market(1_001, 1_002);
      const begunAt = Date.now();
      const ear = listen(trader);
      expect(ear.heard).toEqual([]);
      await ear.hears(1_001);
      expect(bidsOf(ear)[0]).toBe(1_001);
      expect(ear.heard[0]?.bid?.heardAt).toBeGreaterThanOrEqual(begunAt);
      expect(ear.heard[0]?.bid?.heardAt).toBeLessThanOrEqual(Date.now());
    });

    test("71 each change is heard, in its order", async () => {
      const trader = given();
      if (!hasQuotes(trader)) return;
      const ear = listen(trader);
      await ear.hears(999);
      const bids = [1_001, 1_000, 1_005, 998, 1_001];
      for (const bid of bids) {
        await trader.market(bid, bid + 1);
        await ear.hears(bid);
      }
      const changes = bidsOf(ear).filter((bid, n, all) => bid !== all[n - 1]);
      expect(changes).toEqual([999, ...bids]);
      const heardAt = ear.heard.map(({ bid }) => bid?.heardAt ?? 0);
      expect(heardAt).toEqual([...heardAt].sort((a, b) => a - b));
    });

    test("72 who has stopped watching hears nothing, and can begin again", async () => {
      const trader = given();
      if (!hasQuotes(trader)) return;
      const first = listen(trader);
      await first.hears(999);
      first.unwatch();
      const count = first.heard.length;
      await trader.market(1_001, 1_002);
      const second = listen(trader);
      await second.hears(1_001);
      expect(bidsOf(second)).not.toContain(999);
      await trader.market(1_003, 1_004);
      await second.hears(1_003);
      expect(first.heard).toHaveLength(count);
    });

    test("73 two who watch one contract hear the same, and either may stop", async () => {
      const trader = given();
      if (!hasQuotes(trader)) return;
      const early = listen(trader);
      await early.hears(999);
      const late = listen(trader);
      await late.hears(999);
      await trader.market(1_001, 1_002);
      await Promise.all([early.hears(1_001), late.hears(1_001)]);
      early.unwatch();
      early.unwatch();
      await trader.market(1_003, 1_004);
      await late.hears(1_003);
      expect(bidsOf(early)).not.toContain(1_003);
    });

    test("74 of a contract that the broker does not know nothing is heard", async () => {
      const trader = given();
      if (!hasQuotes(trader)) return;
      const unknown = listen(trader, trader.broker.unknownContract);
      const known = listen(trader);
      await known.hears(999);
      await trader.market(1_001, 1_002);
      await known.hears(1_001);
      expect(unknown.heard).toEqual([]);
      unknown.unwatch();
      expect(await trader.netQty()).toBe(0);
    });

    test("75 quotes go on after the session was broken and made anew", async () => {
      const trader = given();
      if (!hasQuotes(trader)) return;
      const ear = listen(trader);
      await ear.hears(999);
      await trader.broker.breakSession();
      await trader.broken();
      await trader.market(1_001, 1_002);
      await trader.connect();
      await ear.hears(1_001);
      await trader.market(1_003, 1_004);
      await ear.hears(1_003);
      expect(bidsOf(ear)[0]).toBe(999);
    });

    test("76 outside a session the adapter says what is missing, and a watch waits for the next", async () => {
      const trader = given();
      const { prices } = trader.adapter;
      if (!hasQuotes(trader) || prices === undefined) return;
      await trader.disconnect();
      expect(prices.missing()).toMatch(/\w/);
      const ear = listen(trader);
      await trader.market(1_001, 1_002);
      await trader.connect();
      await ear.hears(1_001);
      expect(prices.missing()).toBeUndefined();
    });

    test("77 who watches one contract hears nothing of another", async () => {
      const trader = given();
      if (!hasQuotes(trader)) return;
      const { otherContract, setMarket } = trader.broker;
      const [own, other] = [listen(trader), listen(trader, otherContract)];
      await Promise.all([own.hears(999), other.hears(999)]);
      await setMarket(otherContract, oneWide(1_005));
      await other.hears(1_005);
      await trader.market(1_001, 1_002);
      await own.hears(1_001);
      expect(bidsOf(own)).not.toContain(1_005);
      expect(bidsOf(other)).not.toContain(1_001);
    });
  });
}

const oneWide = (bid: number) => ({ bid, ask: bid + 1, bidQty: 1_000, askQty: 1_000 });
