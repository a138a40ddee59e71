import { describe, expect, test } from "vitest";
import type { Trader } from "../broker-under-test.ts";
import type { Given } from "./given.ts";

export function durabilityCases(given: Given): void {
  describe.sequential("breaks and restarts", () => {
    test("60 orders, positions and fills are the same after a restart", async () => {
      const trader = given();
      const { account } = trader.broker;
      await trader.place({ orderQty: 2 });
      await trader.limit("SELL", 1_020);
      await trader.limit("SELL", 1_025);
      await trader.waitForPosition(2);
      const orders = await trader.working();
      const positions = await trader.adapter.positions(account);
      const fills = await trader.adapter.fills(account, 0);
      await trader.restart();
      expect(await trader.working()).toEqual(orders);
      expect(await trader.adapter.positions(account)).toEqual(positions);
      expect(await trader.adapter.fills(account, 0)).toEqual(fills);
    });

    test("61 what rests at the broker goes on after a restart, and its fill is reported", async () => {
      const trader = given();
      const { orderId: order } = await trader.limit("SELL", 1_020);
      await trader.restart();
      await trader.market(1_020, 1_021);
      await trader.waitForPosition(-1);
      const { fill } = await trader.waitForReport(order, "TRADE");
      expect(fill?.lastPx).toBe(1_020);
    });

    test("62 an answer that is lost after the order was taken is unknown, and can be found", async () => {
      const trader = given();
      const id = trader.newId();
      await trader.broker.loseNextAnswer(true);
      expect((await trader.submit({ clOrdId: id })).kind).toBe("unknown");
      await reconnect(trader);
      const found = await trader.adapter.findOrder(trader.broker.account, id);
      expect(found).toMatchObject({ clOrdId: id });
      await trader.waitForPosition(1);
    });

    test("63 an order that was lost on the way leaves nothing, and its identifier is free", async () => {
      const trader = given();
      const id = trader.newId();
      await trader.broker.loseNextAnswer(false);
      expect((await trader.submit({ clOrdId: id })).kind).toBe("unknown");
      await reconnect(trader);
      expect(await trader.adapter.findOrder(trader.broker.account, id)).toBeUndefined();
      expect(await trader.netQty()).toBe(0);
      await trader.place({ clOrdId: id });
      await trader.waitForPosition(1);
    });

    test("64 numbers of orders and fills are never given twice", async () => {
      const trader = given();
      const ids: string[] = [];
      for (let round = 0; round < 3; round += 1) {
        ids.push((await trader.place()).orderId);
        await trader.waitForPosition(round + 1);
        await trader.restart();
        await trader.market(999, 1_000);
      }
      const fills = await trader.adapter.fills(trader.broker.account, 0);
      expect(new Set(ids).size).toBe(3);
      expect(new Set(fills.map(({ execId }) => execId)).size).toBe(3);
    });
  });
}

/** A lost answer may break the session or not; either way there is one again after this. */
async function reconnect(trader: Trader): Promise<void> {
  await trader.disconnect().catch(() => undefined);
  await trader.connect();
  await trader.market(999, 1_000);
}
