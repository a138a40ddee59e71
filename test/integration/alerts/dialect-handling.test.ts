// The goal: what another service's alert asks of an order beside sending it is done on the account.
// The method: one gateway whose prices are in our hand; each case posts such alerts to an account of its own.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { answered, BID, type GuardedAccount, GuardSite } from "../../support/guarded-account.ts";
import { postAlert } from "../../support/http-client.ts";
import { waitUntil } from "../../support/wait.ts";

let site: GuardSite;

beforeAll(async () => {
  site = await GuardSite.open();
  return site.gateway.stop;
});
beforeEach(() => site.move(0));

async function openDesk(profile: string) {
  const account = site.account();
  const options = { accountId: account.id, profile };
  const { url } = answered(201, await site.gateway.api.post("/v1/webhooks", options));
  const working = async () => await account.working();
  return {
    account,
    working,
    send: async (alert: object | string) => await postAlert(url as string, alert),
    stops: async () => (await working()).flatMap(({ stopPx }) => stopPx ?? []),
  };
}

const heldBy = async (account: GuardedAccount) => Object.values(await account.held());

describe("TradersPost", () => {
  const BUY = { ticker: "ES1!", action: "buy", time: new Date().toISOString() };

  test("a risk in money is as many contracts as lose no more, below a percent stop too", async () => {
    const desk = await openDesk("traderspost");
    const risk = { quantityType: "risk_dollar_amount", quantity: 700 };
    // 6 points are 24 ticks, of 12.50 USD each.
    await desk.send({ ...BUY, ...risk, stopLoss: { type: "stop", amount: 6 } });
    expect(await heldBy(desk.account)).toEqual([2]);

    const other = await openDesk("traderspost");
    const percent = { stopLoss: { percent: 0.1 }, takeProfit: { percent: 0.2 } };
    await other.send({ ...BUY, ...risk, ...percent });
    const [stop] = await other.stops();
    expect(await heldBy(other.account)).toEqual([2]);
    expect(Math.abs(Number(stop) - BID * 0.999)).toBeLessThan(4);
  });

  test("breakeven moves the stop to the entry once the market is beyond it, and keeps the target", async () => {
    const desk = await openDesk("traderspost");
    const exits = { stopLoss: { type: "stop", amount: 10 }, takeProfit: { amount: 50 } };
    await desk.send({ ...BUY, ...exits });
    const [before] = await desk.stops();
    const even = { ticker: "ES1!", action: "breakeven" };
    // The market stands below the entry: there the stop would end it at once.
    expect((await desk.send(even)).status).toBeGreaterThanOrEqual(400);
    site.move(40);
    const { status } = await desk.send({ ...even, orderType: "stop" });
    expect(status).toBe(200);
    const [after] = await desk.stops();
    expect(Number(after) - Number(before)).toBe(40);
    expect(await desk.working()).toHaveLength(2);
  });

  test("cancelAfter ends an entry that rests", async () => {
    const desk = await openDesk("traderspost");
    const limit = { orderType: "limit", limitPrice: (BID - 200) / 4, cancelAfter: 1 };
    // On a busy machine its second may be over before it is sent: then it is sent again.
    const isPlaced = async () => (await desk.send({ ...BUY, ...limit })).status === 200;
    await waitUntil("it is placed", isPlaced);
    await waitUntil("it is cancelled", async () => (await desk.working()).length === 0);
    expect(await heldBy(desk.account)).toEqual([]);
  });
});

test("PickMyTrade: an entry in parts has a target each, and one stop for all of it", async () => {
  const desk = await openDesk("pickmytrade");
  const sl = BID / 4 - 20;
  const legs = [
    { quantity: 1, tp: BID / 4 + 20, sl },
    { quantity: 1, tp: BID / 4 + 40, sl },
  ];
  const alert = { symbol: "ES1!", data: "buy", quantity: 2, advance_tp_sl: legs };
  expect((await desk.send(alert)).status).toBe(200);
  const stops = async () =>
    (await desk.working()).flatMap(({ stopPx, leavesQty }) =>
      stopPx === undefined ? [] : [[Number(stopPx) / 4, leavesQty]],
    );
  const each = JSON.stringify([
    [sl, 1],
    [sl, 1],
  ]);
  // A pair for the second part is there before the first one is made smaller.
  await waitUntil("each has a stop", async () => JSON.stringify(await stops()) === each);
  expect(await desk.working()).toHaveLength(4);
});
