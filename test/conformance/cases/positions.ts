import { describe, expect, test } from "vitest";
import { waitUntil } from "../../support/wait.ts";
import type { Given } from "./given.ts";

export function positionCases(given: Given): void {
  describe.sequential("positions and fills", () => {
    test("30 a position is the sum of its fills, with their average price", async () => {
      const trader = given();
      await trader.place({ orderQty: 2 });
      await trader.market(1_002, 1_003);
      await trader.place({ orderQty: 1 });
      await trader.waitForPosition(3);
      const [position] = await trader.adapter.positions(trader.broker.account);
      const { numerator = 0, denominator = 1 } = position?.avgPx ?? {};
      expect(numerator * 3).toBe(3_003 * denominator);
      await trader.place({ side: "SELL", orderQty: 5 });
      await trader.waitForPosition(-2);
    });

    test("31 a flat contract is not reported", async () => {
      const trader = given();
      await trader.place();
      await trader.place({ side: "SELL" });
      await trader.waitForPosition(0);
      expect(await trader.adapter.positions(trader.broker.account)).toEqual([]);
    });

    test("32 every fill is reported once, and is listed with the same number", async () => {
      const trader = given();
      await trader.place({ orderQty: 2 });
      await trader.place({ side: "SELL", orderQty: 1 });
      await trader.waitForPosition(1);
      const fills = await trader.adapter.fills(trader.broker.account, 0);
      const listed = fills.map(({ execId }) => execId);
      const reported = () => trader.reports.flatMap(({ report }) => report.fill?.execId ?? []);
      await waitUntil("all fills are reported", () => reported().length === listed.length);
      expect(reported()).toEqual(listed);
      expect(new Set(listed).size).toBe(listed.length);
      const [, closing] = fills;
      expect(await trader.adapter.fills(trader.broker.account, Number.MAX_SAFE_INTEGER)).toEqual(
        [],
      );
      expect(closing?.transactTimeAt).toBeGreaterThanOrEqual(fills[0]?.transactTimeAt ?? Infinity);
    });

    test("33 closing a position sells exactly what is held", async () => {
      const trader = given();
      const { account, contract } = trader.broker;
      await trader.place({ orderQty: 3 });
      await trader.waitForPosition(3);
      const outcome = await trader.adapter.closePosition(account, contract, trader.newId());
      expect(outcome.kind).toBe("accepted");
      await trader.waitForPosition(0);
    });

    test("34 closing what is flat is a rejection", async () => {
      const trader = given();
      const { account, contract } = trader.broker;
      const outcome = await trader.adapter.closePosition(account, contract, trader.newId());
      expect(outcome.kind).toBe("rejected");
    });
  });
}
