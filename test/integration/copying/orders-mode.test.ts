// The goal: what works for a leader works for its followers, sized and mapped as asked, and nothing
// is bought or sold twice for it.
// The method: a leader places, changes and cancels orders over HTTP on the whole gateway, prices are
// moved by hand, and the paper broker is looked at.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import type { OrderReport } from "../../../src/domain/order.ts";
import { type CopyParty, CopySite, type Desk, MNQ, NQ, untilNet } from "./copy-desk.ts";

/** In ticks of a quarter: 25000, and 25000.25 is asked. */
const BID = 100_000;
const MODE = { mode: "orders" };

let site: CopySite;

beforeAll(async () => {
  site = await CopySite.open(80);
});
afterAll(async () => await site.gateway.stop());
beforeEach(() => {
  for (const contract of [MNQ, NQ]) site.gateway.quote(contract, BID);
});

const limit = (limitPrice: number, more: object = {}) => ({ type: "limit", limitPrice, ...more });

async function place(desk: Desk, action: "buy" | "sell", qty: number, more: object) {
  const reply = await desk.trade(action, qty, more);
  expect([reply.status, reply.text]).toEqual([201, reply.text]);
  return String(reply.body.orderId);
}

const change = async (desk: Desk, orderId: string, body: object) =>
  await site.gateway.api.patch(`/v1/accounts/${desk.account}/orders/${orderId}`, body);
const cancel = async (desk: Desk, orderId: string) =>
  await site.gateway.api.delete(`/v1/accounts/${desk.account}/orders/${orderId}`);

/** `BUY 2 at 99990`, with what is left to fill and the price in ticks; legs by their role. */
const inWords = ({ role, side, leavesQty, price, stopPx, trailOffset }: OrderReport): string =>
  `${role === "ORDER" ? side : role} ${leavesQty} at ${price ?? stopPx ?? trailOffset}`;

async function working(desk: Desk): Promise<readonly string[]> {
  const orders = await site.gateway.broker.working(desk.account);
  return orders.map(inWords).toSorted();
}

const worksFor = (desk: Desk) => async () => await working(desk);

describe("an order of the leader", () => {
  test("works for each follower in its size, follows its changes and ends with it", async () => {
    const { leader, followers } = await site.group(MODE, [{}, { multiplier: 2 }, { fixedQty: 1 }]);
    const [one, two, fixed] = followers as [Desk, Desk, Desk];
    const orderId = await place(leader, "buy", 2, limit(24_990));
    await expect.poll(worksFor(one)).toEqual(["BUY 2 at 99960"]);
    await expect.poll(worksFor(two)).toEqual(["BUY 4 at 99960"]);
    await expect.poll(worksFor(fixed)).toEqual(["BUY 1 at 99960"]);
    expect((await change(leader, orderId, { limitPrice: 24_980, qty: 3 })).status).toBe(200);
    await expect.poll(worksFor(one)).toEqual(["BUY 3 at 99920"]);
    await expect.poll(worksFor(two)).toEqual(["BUY 6 at 99920"]);
    await expect.poll(worksFor(fixed)).toEqual(["BUY 1 at 99920"]);
    expect((await cancel(leader, orderId)).status).toBe(200);
    for (const desk of followers) await expect.poll(worksFor(desk)).toEqual([]);
  });

  test("moves although the follower may not grow, and grows once it may", async () => {
    const party = await site.group(MODE);
    const follower = party.follower();
    const orderId = await place(party.leader, "buy", 1, limit(24_990));
    await expect.poll(worksFor(follower)).toEqual(["BUY 1 at 99960"]);
    await follower.limit({ maxPositionQty: 1 });
    await change(party.leader, orderId, { limitPrice: 24_980, qty: 3 });
    await expect.poll(worksFor(follower)).toEqual(["BUY 1 at 99920"]);
    const outcomes = async () => (await party.copies()).map(({ outcome }) => outcome);
    await expect.poll(outcomes).toContain("denied");
    await follower.limit({ maxPositionQty: 100 });
    await expect.poll(worksFor(follower)).toEqual(["BUY 3 at 99920"]);
  });

  test("fills where the leader's fills, and nothing is copied beside it", async () => {
    const party = await site.group(MODE);
    const { leader } = party;
    await place(leader, "buy", 2, limit(24_990));
    await expect.poll(worksFor(party.follower())).toEqual(["BUY 2 at 99960"]);
    site.gateway.quote(MNQ, 99_950);
    await untilNet(leader, 2);
    await untilNet(party.follower(), 2);
    await expect
      .poll(async () => (await party.copies()).map(({ cause, outcome }) => [cause, outcome]))
      .toEqual([
        ["fill", "skipped"],
        ["order", "done"],
      ]);
    expect((await site.gateway.broker.filled(party.follower().account)).qty).toBe(2);
    await party.untilState("following");
  });

  test.each([
    ["a stop", { type: "stop", stopPrice: 25_010 }, ["BUY 1 at 100040"]],
    ["a trailing stop", { type: "trailingStop", trailOffset: 10 }, ["BUY 1 at 100041"]],
    [
      "a bracket",
      limit(24_990, { bracket: { takeProfit: { price: 25_100 }, stopLoss: { price: 24_900 } } }),
      ["BUY 1 at 99960", "STOP_LOSS 1 at 99600", "TAKE_PROFIT 1 at 100400"],
    ],
  ])("may be %s", async (_, order, expected) => {
    const { leader, followers } = await site.group(MODE);
    await place(leader, "buy", 1, order);
    await expect.poll(worksFor(leader)).toEqual(expected);
    await expect.poll(worksFor(followers[0] as Desk)).toEqual(expected);
  });

  test("is in the follower's contract", async () => {
    const { leader, followers } = await site.group(MODE, [
      { symbolMap: { NQ: "MNQ" }, multiplier: 10 },
    ]);
    await place(leader, "buy", 1, limit(24_990, { symbol: "NQ1!" }));
    const [mapped] = followers as [Desk];
    await expect.poll(worksFor(mapped)).toEqual(["BUY 10 at 99960"]);
    expect((await site.gateway.broker.working(mapped.account))[0]?.contract).toBe(MNQ.code);
  });

  test("that fills at once is copied as a fill", async () => {
    const { leader, followers } = await site.group(MODE, [{}, { multiplier: 3 }]);
    await place(leader, "buy", 2, {});
    await untilNet(followers[0] as Desk, 2);
    await untilNet(followers[1] as Desk, 6);
    await place(leader, "sell", 2, limit(24_000));
    await untilNet(followers[0] as Desk, 0);
    await untilNet(followers[1] as Desk, 0);
    expect((await site.gateway.broker.filled((followers[1] as Desk).account)).qty).toBe(12);
  });

  test("that fills in part at once is neither copied nor placed twice", async () => {
    const parties: CopyParty[] = [];
    for (let n = 0; n < 6; n += 1) parties.push(await site.group(MODE));
    for (const { leader } of parties) {
      site.gateway.quote(MNQ, BID, 2);
      await place(leader, "buy", 5, limit(25_000.25));
    }
    site.gateway.quote(MNQ, BID);
    for (const party of parties) {
      await untilNet(party.leader, 5);
      await untilNet(party.follower(), 5);
      await expect.poll(worksFor(party.follower())).toEqual([]);
      expect((await site.gateway.broker.filled(party.follower().account)).qty).toBe(5);
    }
  });

  test("that is cancelled at the follower is copied as its fill", async () => {
    const { leader, followers } = await site.group(MODE);
    const [follower] = followers as [Desk];
    await place(leader, "buy", 2, limit(24_990));
    await expect.poll(worksFor(follower)).toEqual(["BUY 2 at 99960"]);
    const [own] = await site.gateway.broker.working(follower.account);
    await cancel(follower, String(own?.orderId));
    await expect.poll(worksFor(follower)).toEqual([]);
    site.gateway.quote(MNQ, 99_950);
    await untilNet(leader, 2);
    await untilNet(follower, 2);
    expect((await site.gateway.broker.filled(follower.account)).orders).toBe(1);
  });

  test("that fills first at the follower is no drift, and not sold for what else is copied", async () => {
    const party = await site.group({ ...MODE, driftPolicy: "repair", driftAfterSeconds: 2 });
    const { leader } = party;
    const follower = party.follower();
    const orderId = await place(leader, "buy", 2, limit(24_990));
    await expect.poll(worksFor(follower)).toEqual(["BUY 2 at 99960"]);
    const [own] = await site.gateway.broker.working(follower.account);
    await change(follower, String(own?.orderId), { limitPrice: 25_010 });
    await untilNet(follower, 2);
    await sleep(3_500);
    expect(await follower.positions()).toEqual({ [MNQ.code]: 2 });
    await place(leader, "buy", 1, {});
    await untilNet(follower, 3);
    site.gateway.quote(MNQ, 99_950);
    await untilNet(leader, 3);
    await untilNet(follower, 3);
    expect(await cancel(leader, orderId)).toMatchObject({ status: 409 });
    expect((await site.gateway.broker.filled(follower.account)).qty).toBe(3);
  });

  test("that fills first at the follower and is cancelled then is drift", async () => {
    const party = await site.group({ ...MODE, driftPolicy: "repair", driftAfterSeconds: 2 });
    const follower = party.follower();
    const orderId = await place(party.leader, "buy", 2, limit(24_990));
    await expect.poll(worksFor(follower)).toEqual(["BUY 2 at 99960"]);
    const [own] = await site.gateway.broker.working(follower.account);
    await change(follower, String(own?.orderId), { limitPrice: 25_010 });
    await untilNet(follower, 2);
    await cancel(party.leader, orderId);
    await untilNet(follower, 0);
    expect((await party.copies()).map(({ cause }) => cause)).toContain("drift");
  });

  test("is not mirrored where it is older than the group copies, and its fill is no entry", async () => {
    const leader = site.desk();
    await place(leader, "buy", 1, limit(24_990));
    await sleep(1_100);
    const party = await site.group({ ...MODE, maxAgeSeconds: 1 }, [{}], leader);
    await expect
      .poll(async () => (await party.copies()).map(({ outcome }) => outcome))
      .toEqual(["skipped"]);
    expect((await party.copies())[0].reason).toContain("entries are copied for 1 s");
    expect(await working(party.follower())).toEqual([]);
  });
});

describe("an exit of the leader", () => {
  test("is one of the follower, never for more than it holds", async () => {
    const party = await site.group(MODE, [{ multiplier: 2 }]);
    const { leader } = party;
    await place(leader, "buy", 2, {});
    await untilNet(party.follower(), 4);
    const orderId = await place(leader, "sell", 2, limit(25_050));
    await expect.poll(worksFor(party.follower())).toEqual(["SELL 4 at 100200"]);
    // By hand, at the follower.
    await place(party.follower(), "sell", 3, {});
    await expect.poll(worksFor(party.follower())).toEqual(["SELL 1 at 100200"]);
    await cancel(leader, orderId);
    await expect.poll(worksFor(party.follower())).toEqual([]);
  });

  test("stands where the leader's stands, and moves with it", async () => {
    const party = await site.group(MODE);
    const { leader } = party;
    await place(leader, "buy", 2, {});
    await untilNet(party.follower(), 2);
    const protect = async (levels: object) =>
      await site.gateway.api.post(`/v1/accounts/${leader.account}/protect`, {
        symbol: "MNQ1!",
        ...levels,
      });
    expect((await protect({ stopLoss: { price: 24_900 } })).status).toBe(200);
    await expect.poll(worksFor(party.follower())).toEqual(["STOP_LOSS 2 at 99600"]);
    const both = { stopLoss: { price: 24_950 }, takeProfit: { price: 25_100 } };
    expect((await protect(both)).status).toBe(200);
    await expect
      .poll(worksFor(party.follower()))
      .toEqual(["STOP_LOSS 2 at 99800", "TAKE_PROFIT 2 at 100400"]);
    site.gateway.quote(MNQ, 99_790);
    await untilNet(leader, 0);
    await untilNet(party.follower(), 0);
    await expect.poll(worksFor(party.follower())).toEqual([]);
    expect((await site.gateway.broker.filled(party.follower().account)).qty).toBe(4);
  });
});

describe("a restart", () => {
  test("mirrors nothing twice, and ends what ended meanwhile", async () => {
    const own = await CopySite.open(2);
    onTestFinished(own.gateway.stop);
    const { leader, followers } = await own.group(MODE);
    const [follower] = followers as [Desk];
    const working = async () => await own.gateway.broker.working(follower.account);
    const works = async () => (await working()).map(inWords).toSorted();
    const ofTwo = async () => (await working()).find(({ leavesQty }) => leavesQty === 2)?.orderId;
    await place(leader, "buy", 2, limit(24_990));
    const other = await place(leader, "buy", 1, limit(24_980));
    await expect.poll(works).toEqual(["BUY 1 at 99920", "BUY 2 at 99960"]);
    const first = await ofTwo();
    await own.gateway.restart();
    expect(await ofTwo()).toBe(first);
    await own.gateway.api.delete(`/v1/accounts/${leader.account}/orders/${other}`);
    await expect.poll(works).toEqual(["BUY 2 at 99960"]);
    own.gateway.quote(MNQ, 99_950);
    await untilNet(follower, 2);
    expect((await own.gateway.broker.filled(follower.account)).qty).toBe(2);
  });
});

describe("orders of a follower that are for nothing any more", () => {
  test("are cancelled by a pause, but for exits", async () => {
    const party = await site.group(MODE);
    const { leader } = party;
    await place(leader, "buy", 1, {});
    await untilNet(party.follower(), 1);
    await place(leader, "buy", 1, limit(24_990));
    await place(leader, "sell", 1, limit(25_050));
    await expect.poll(worksFor(party.follower())).toEqual(["BUY 1 at 99960", "SELL 1 at 100200"]);
    await party.change({ paused: true });
    await expect.poll(worksFor(party.follower())).toEqual(["SELL 1 at 100200"]);
  });

  test("are cancelled when the follower leaves, and those placed by hand stay", async () => {
    const party = await site.group(MODE, [{}, {}]);
    const { leader } = party;
    await place(party.follower(), "buy", 1, limit(24_800));
    await place(leader, "buy", 1, limit(24_990));
    await expect.poll(worksFor(party.follower())).toEqual(["BUY 1 at 99200", "BUY 1 at 99960"]);
    await expect.poll(worksFor(party.follower(1))).toEqual(["BUY 1 at 99960"]);
    const { account } = party.follower();
    await site.gateway.api.delete(`${party.path}/followers/${account}`);
    await expect.poll(worksFor(party.follower())).toEqual(["BUY 1 at 99200"]);
    await site.gateway.api.delete(party.path);
    await expect.poll(worksFor(party.follower(1))).toEqual([]);
  });
});
