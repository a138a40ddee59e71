import { describe, expect, test } from "vitest";
import { orderId } from "../../../src/domain/ids.ts";
import { BrokerReadError } from "../../../src/trading/ports.ts";
import { px } from "../broker-under-test.ts";
import type { Given } from "./given.ts";

export function sessionCases(given: Given): void {
  describe.sequential("sessions and accounts", () => {
    test("01 outside a session commands answer notSent and reads throw", async () => {
      const trader = given();
      const { account, contract } = trader.broker;
      await trader.disconnect();
      const outcomes = [
        await trader.submit(),
        await trader.adapter.cancelOrder(account, orderId("1")),
        await trader.adapter.modifyOrder(account, { orderId: orderId("1"), orderQty: 2 }),
        await trader.adapter.closePosition(account, contract, trader.newId()),
      ];
      expect(outcomes.map(({ kind }) => kind)).toEqual(outcomes.map(() => "notSent"));
      await expect(trader.adapter.accounts()).rejects.toBeInstanceOf(BrokerReadError);
      await expect(trader.working()).rejects.toBeInstanceOf(BrokerReadError);
      await expect(trader.adapter.positions(account)).rejects.toBeInstanceOf(BrokerReadError);
      await expect(trader.adapter.fills(account, 0)).rejects.toBeInstanceOf(BrokerReadError);
    });

    test("02 a session whose signal is aborted already ends at once and is never ready", async () => {
      const trader = given();
      await trader.disconnect();
      let isReady = false;
      const onReady = () => (isReady = true);
      await trader.adapter.runSession({ signal: AbortSignal.abort(), onReady });
      expect(isReady).toBe(false);
    });

    test("03 a session that breaks rejects, and the next one works", async () => {
      const trader = given();
      await trader.broker.breakSession();
      expect(await trader.broken()).toBeInstanceOf(Error);
      expect((await trader.submit()).kind).toBe("notSent");
      await trader.connect();
      await trader.market(999, 1_000);
      expect((await trader.submit()).kind).toBe("accepted");
    });

    test("04 the accounts are named and may trade", async () => {
      const { adapter, broker } = given();
      const accounts = await adapter.accounts();
      const ids = accounts.map(({ accountId }) => accountId);
      expect(ids).toEqual(expect.arrayContaining([broker.account, broker.otherAccount]));
      expect(new Set(ids).size).toBe(ids.length);
      for (const { accountId, name, currency } of accounts) {
        expect(accountId).toMatch(/^[A-Za-z0-9_.-]{1,64}$/);
        expect(name).not.toBe("");
        expect(currency).toMatch(/^[A-Z]{3}$/);
      }
    });

    test("05 an account that may not trade says so, and may only cancel", async () => {
      const trader = given();
      const { orderId: resting } = await trader.limit("BUY", 990);
      const { account, setActive } = trader.broker;
      await setActive(account, false);
      const own = (await trader.adapter.accounts()).find((a) => a.accountId === account);
      expect(own?.active ?? false).toBe(false);
      expect((await trader.submit()).kind).toBe("rejected");
      expect((await trader.modify({ orderId: resting, price: px(991) })).kind).toBe("rejected");
      expect(await trader.cancel(resting)).toEqual({ kind: "accepted" });
      await setActive(account, true);
      expect((await trader.submit()).kind).toBe("accepted");
    });

    test("06 what one account does is not seen on another", async () => {
      const trader = given();
      await trader.place();
      await trader.limit("BUY", 990);
      await trader.waitForPosition(1);
      const { otherAccount } = trader.broker;
      expect(await trader.adapter.positions(otherAccount)).toEqual([]);
      expect(await trader.adapter.workingOrders(otherAccount)).toEqual([]);
      expect(trader.reports.every(({ account }) => account === trader.broker.account)).toBe(true);
    });
  });
}
