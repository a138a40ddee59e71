// The goal: a fill that the exchange takes back or corrects is reported once, the same way by each broker
// that can, and is listed as what it is from then on. The method: the adapters on their simulators.
import { describe, expect, test } from "vitest";
import { eventually } from "../support/wait.ts";
import type { Trader } from "./broker-under-test.ts";
import { projectXCases } from "./projectx-case.ts";
import { tradovateCases } from "./tradovate-case.ts";

interface Case {
  readonly trader: Trader;
  readonly bust: (fill: number) => Promise<void>;
  readonly correct: (fill: number, price: number) => Promise<void>;
}

const projectX = projectXCases();
const tradovate = tradovateCases();

const onTradovate = async (isReported: boolean): Promise<Case> => {
  const { trader, turn } = await tradovate.connected();
  return {
    trader,
    bust: async (fill) => await turn({ knob: "bustFill", fill, isReported }),
    correct: async (fill, price) => await turn({ knob: "correctFill", fill, price, isReported }),
  };
};

const BROKERS: readonly (readonly [string, () => Promise<Case>])[] = [
  ["Tradovate", async () => await onTradovate(true)],
  ["Tradovate, without an execution report", async () => await onTradovate(false)],
  [
    "ProjectX",
    async () => {
      const { trader, turn } = await projectX.connected();
      return {
        trader,
        bust: async (trade) => await turn({ knob: "voidTrade", trade }),
        correct: async (trade, price) => await turn({ knob: "correctTrade", trade, price }),
      };
    },
  ],
];

const correctionsOf = ({ reports }: Trader) =>
  reports.filter(({ report: { execType } }) => execType.startsWith("TRADE_"));

describe.each(BROKERS)("on %s", (_, open) => {
  test("a fill that is taken back is reported once, and counts no more", async () => {
    const { trader, bust } = await open();
    const { account } = trader.broker;
    await trader.place({ orderQty: 2 });
    const { orderId } = await trader.place();
    const { fill } = await trader.waitForReport(orderId, "TRADE");
    await trader.waitForPosition(3);
    await bust(Number(fill?.execId));
    const told = await trader.waitForReport(orderId, "TRADE_CANCEL");
    expect(told).toMatchObject({ fill: { ...fill, takenBack: true }, order: { cumQty: 0 } });
    await trader.waitForPosition(2);
    const fills = await trader.adapter.fills(account, 0);
    expect(fills.filter(({ takenBack }) => takenBack).map(({ execId }) => execId)).toEqual([
      fill?.execId,
    ]);
    expect(correctionsOf(trader)).toHaveLength(1);
    expect(trader.adapter.unread()).toEqual([]);
  });

  test("one of an earlier session that is taken back while nobody listens is listed as that", async () => {
    const { trader, bust } = await open();
    const { account } = trader.broker;
    const { orderId } = await trader.place();
    const { fill } = await trader.waitForReport(orderId, "TRADE");
    await trader.waitForPosition(1);
    await trader.disconnect();
    await bust(Number(fill?.execId));
    await trader.connect();
    expect(await trader.netQty()).toBe(0);
    expect(await trader.adapter.fills(account, 0)).toMatchObject([
      { execId: fill?.execId, takenBack: true },
    ]);
  });

  test("a fill whose price is corrected is reported once, with what it is now", async () => {
    const { trader, correct } = await open();
    const { orderId } = await trader.place();
    const { fill } = await trader.waitForReport(orderId, "TRADE");
    await correct(Number(fill?.execId), 249);
    const told = await trader.waitForReport(orderId, "TRADE_CORRECT");
    expect(told).toMatchObject({ fill: { execId: fill?.execId, lastPx: 996 } });
    await eventually(async () => {
      const fills = await trader.adapter.fills(trader.broker.account, 0);
      expect(fills).toMatchObject([{ lastPx: 996 }]);
    });
    expect(correctionsOf(trader)).toHaveLength(1);
  });
});
