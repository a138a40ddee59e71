import assert from "node:assert/strict";
import { describe, expect, test } from "vitest";
import { type Bar, MAX_BARS_ASKED } from "../../../src/domain/strategies/bar.ts";
import { BrokerReadError } from "../../../src/trading/ports.ts";
import { clearOfBarEnd } from "../bar-end.ts";
import { px, type Trader } from "../broker-under-test.ts";
import type { Given } from "./given.ts";

const MINUTES = 5;
const LENGTH_MS = MINUTES * 60_000;

/** More bars than may be asked for, and the one that runs now. */
function recentBars(): Bar[] {
  const running = Math.floor(Date.now() / LENGTH_MS) * LENGTH_MS;
  return Array.from({ length: MAX_BARS_ASKED + 11 }, (_, index) => ({
    startsAt: running - (MAX_BARS_ASKED + 10 - index) * LENGTH_MS,
    open: px(1_000 + (index % 7)),
    high: px(1_010),
    low: px(990),
    close: px(1_000 + (index % 5)),
    volume: index,
  }));
}

/** Asks for bars, and holds whatever comes against what must be true of any. */
async function ask(
  { adapter, broker }: Trader,
  count: number,
  contract = broker.contract,
): Promise<readonly Bar[]> {
  assert(adapter.prices !== undefined, "the adapter of a broker that tells prices has bars");
  const bars = await adapter.prices.bars({ contract, minutes: MINUTES, count });
  const begun = bars.map(({ startsAt }) => startsAt);
  expect(begun.filter((at) => at % LENGTH_MS !== 0)).toEqual([]);
  expect(begun.filter((at) => at + LENGTH_MS > Date.now())).toEqual([]);
  expect(begun).toEqual([...new Set(begun)].sort((a, b) => a - b));
  expect(bars.length).toBeLessThanOrEqual(Math.min(count, MAX_BARS_ASKED));
  return bars;
}

export function barCases(given: Given): void {
  describe.sequential("bars", () => {
    test("35 bars, where there are any, are finished, aligned, oldest first", async () => {
      const trader = given();
      const { contract, otherContract, unknownContract, setBars } = trader.broker;
      expect(trader.adapter.prices !== undefined).toBe(setBars !== undefined);
      if (setBars === undefined) return;
      await clearOfBarEnd();
      const set = recentBars();
      await setBars(contract, MINUTES, set);
      const bars = await ask(trader, MAX_BARS_ASKED + 1);
      expect(bars).toHaveLength(MAX_BARS_ASKED);
      expect(set).toEqual(expect.arrayContaining([...bars]));
      expect(await ask(trader, 2)).toHaveLength(2);
      expect((await ask(trader, 1))[0]?.startsAt).toBeGreaterThanOrEqual(
        set.at(-2)?.startsAt ?? Infinity,
      );
      expect(await ask(trader, 2, otherContract)).toEqual([]);
      expect(await ask(trader, 2, unknownContract)).toEqual([]);
    });

    test("36 outside a session bars cannot be read", async () => {
      const trader = given();
      const { adapter, broker } = trader;
      await trader.disconnect();
      expect(adapter.prices !== undefined).toBe(broker.setBars !== undefined);
      if (adapter.prices === undefined) return;
      const asked = adapter.prices.bars({ contract: broker.contract, minutes: MINUTES, count: 1 });
      await expect(asked).rejects.toBeInstanceOf(BrokerReadError);
    });
  });
}
