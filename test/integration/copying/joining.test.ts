// The goal: a follower that comes while its leader is in the market opens nothing at today's price
// that the leader opened long ago, until the leader is flat or a person asks for it.
// The method: leader and followers on one gateway's paper accounts, added at every moment.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type CopyParty,
  CopySite,
  type Desk,
  ES,
  filled,
  MNQ,
  NQ,
  untilHolds,
  untilNet,
} from "./copy-desk.ts";

let site: CopySite;

beforeAll(async () => {
  site = await CopySite.open(60);
});
afterAll(async () => await site.gateway.stop());

/** A leader that holds so many MNQ. */
async function leaderWith(qty: number): Promise<Desk> {
  const leader = site.desk();
  await leader.trade(qty > 0 ? "buy" : "sell", Math.abs(qty));
  await untilNet(leader, qty);
  return leader;
}

async function lateGroup(terms: object = {}, followers: readonly object[] = [{}]) {
  return await site.group(terms, followers, await leaderWith(2));
}

async function expectJoining(party: CopyParty, n = 0): Promise<void> {
  expect(await party.standing(n)).toMatchObject({
    state: "joining",
    reason: expect.stringMatching(/too late for what the leader holds/),
    positions: [{ symbol: MNQ.symbol, targetQty: 2, heldQty: 0, driftQty: 0 }],
  });
}

describe("a group that is made while its leader is in the market", () => {
  test("copies neither what is held nor what is added to it, and follows once it was flat", async () => {
    const party = await lateGroup();
    await expectJoining(party);
    await party.leader.trade("buy", 1);
    const late = {
      outcome: "denied",
      reason: expect.stringMatching(/too late for what the leader/),
    };
    expect(await party.nthCopy(1)).toMatchObject(late);
    await party.leader.trade("sell", 2);
    expect(await party.nthCopy(2)).toMatchObject({ outcome: "denied" });
    await party.leader.trade("sell", 1);
    expect(await party.nthCopy(3)).toMatchObject({ outcome: "done", filledQty: 0 });
    await party.untilState("following");
    await party.leader.trade("sell", 2);
    await untilNet(party.follower(), -2);
  });

  test("follows at once where the leader turns around", async () => {
    const party = await lateGroup();
    await party.leader.trade("sell", 3);
    await untilNet(party.follower(), -1);
    await expect.poll(async () => await party.state()).toBe("following");
  });

  test("follows in another contract at once", async () => {
    const party = await lateGroup();
    await party.leader.trade("buy", 1, { symbol: "ES1!" });
    await untilHolds(party.follower(), { [ES.code]: 1 });
    await expect.poll(async () => await party.state()).toBe("joining");
  });

  test("is not drifting, and its repair opens nothing", async () => {
    const party = await lateGroup({ driftPolicy: "repair", driftAfterSeconds: 2 }, [{}, {}]);
    // By the time one that did follow was repaired, this one would have been, too.
    await party.sync({ accountId: party.follower(1).account });
    await untilNet(party.follower(1), 2);
    await filled(party.follower(1).trade("sell", 1));
    await untilNet(party.follower(1), 2);
    await expectJoining(party);
    expect(await party.copies(`&accountId=${party.follower(0).account}`)).toEqual([]);
  });
});

describe("a sync", () => {
  test("brings everybody who is late to the target, who then follow", async () => {
    const party = await lateGroup({}, [{}, { multiplier: 2 }, { invert: true, maxQty: 1 }]);
    const reply = await party.sync();
    expect(reply.status).toBe(202);
    const accounts = party.followers.map(({ account }) => account);
    expect(reply.body.copies).toEqual(
      [2, 4, -1].map((targetQty, n) => ({
        copyId: expect.any(String),
        accountId: accounts[n],
        symbol: MNQ.symbol,
        targetQty,
      })),
    );
    for (const [n, qty] of [2, 4, -1].entries()) await untilNet(party.follower(n), qty);
    await party.untilState("following");
    expect(await party.nthCopy(1)).toMatchObject({ cause: "sync", outcome: "done", leader: null });
    await party.leader.trade("buy", 1);
    for (const [n, qty] of [3, 6, -1].entries()) await untilNet(party.follower(n), qty);
  });

  test("of one leaves the others as they are", async () => {
    const party = await lateGroup({}, [{}, {}]);
    const reply = await party.sync({ accountId: party.follower(1).account });
    expect(reply.body.copies).toHaveLength(1);
    await untilNet(party.follower(1), 2);
    await expectJoining(party);
  });

  test("sends nothing to whom it is right, and closes what is too much", async () => {
    const party = await site.group();
    expect((await party.sync()).body.copies).toEqual([]);
    await party.leader.trade("buy", 1);
    await untilNet(party.follower(), 1);
    await party.follower().trade("buy", 2);
    await untilNet(party.follower(), 3);
    await expect
      .poll(async () => (await party.sync()).body.copies)
      .toMatchObject([{ targetQty: 1 }]);
    await untilNet(party.follower(), 1);
    await expect.poll(async () => (await party.sync()).body.copies).toEqual([]);
  });

  test("of a paused group, or of a follower that is off, is refused", async () => {
    const party = await lateGroup({ paused: true });
    expect((await party.sync()).body.error.code).toBe("COPY_PAUSED");
    await party.change({ paused: false });
    await party.changeFollower({ enabled: false });
    expect((await party.sync()).body).toEqual({ copies: [] });
    const { account } = party.follower();
    expect((await party.sync({ accountId: account })).body.error.code).toBe("COPY_PAUSED");
    expect(await party.follower().positions()).toEqual({});
  });

  test("of a stopped follower only brings it down", async () => {
    const party = await site.group({ stopAfterRejects: 1 });
    await party.leader.trade("buy", 1);
    await untilNet(party.follower(), 1);
    await party.follower().limit({ maxPositionQty: 1 });
    await party.leader.trade("buy", 1);
    await party.untilState("stopped");
    await party.follower().limit({ maxPositionQty: 10 });
    expect((await party.sync()).body.copies).toEqual([]);
    await party.follower().trade("buy", 4);
    await untilNet(party.follower(), 5);
    await expect
      .poll(async () => (await party.sync()).body.copies)
      .toMatchObject([{ targetQty: 2 }]);
    await untilNet(party.follower(), 2);
  });
});

describe("a follower joins", () => {
  test.each<[string, (party: CopyParty) => Promise<void>]>([
    ["with another size", async (party) => await party.changeFollower({ multiplier: 3 })],
    ["on the other side", async (party) => await party.changeFollower({ invert: true })],
  ])("%s while the leader is in the market: it grows nothing", async (_, change) => {
    const party = await site.group();
    await party.leader.trade("buy", 2);
    await untilNet(party.follower(), 2);
    await change(party);
    await party.leader.trade("buy", 1);
    const late = [expect.stringMatching(/too late for what the leader/)];
    expect((await party.nthCopy(2)).decisions).toEqual(late);
    const [held = 0] = Object.values(await party.follower().positions());
    expect([0, 2]).toContain(held);
    await party.leader.trade("sell", 3);
    await untilNet(party.follower(), 0);
    await party.untilState("following");
  });

  test("no longer once it holds what it is to hold, whoever brought it there", async () => {
    const party = await lateGroup();
    await party.follower().trade("buy", 2);
    await expect.poll(async () => await party.state()).toBe("following");
    await party.leader.trade("buy", 1);
    await untilNet(party.follower(), 3);
  });

  test("not when it holds it already", async () => {
    const leader = await leaderWith(2);
    const follower = site.desk();
    await follower.trade("buy", 2);
    await untilNet(follower, 2);
    const party = await site.group({}, [{}], leader);
    const reply = await site.gateway.api.put(`${party.path}/followers/${follower.account}`, {});
    const states = reply.body.followers.map(({ state }: { state: string }) => state);
    expect(states).toEqual(["joining", "following"]);
  });
});

describe("what a follower held before it followed", () => {
  const REPAIR = { driftPolicy: "repair", driftAfterSeconds: 2 };
  const own = (driftQty: number) => ({
    positions: [{ symbol: NQ.symbol, targetQty: 0, heldQty: -1, driftQty }],
  });

  /** By the time one that did follow is repaired, another one would have been, too. */
  async function untilRepaired(party: CopyParty, n: number, qty: number): Promise<void> {
    await filled(party.follower(n).trade("buy", 1));
    await untilNet(party.follower(n), qty);
  }

  test.each<[string, object, object]>([
    ["when its group is resumed", { paused: true }, { paused: false }],
    ["when it is switched on", { enabled: false }, { enabled: true }],
  ])("stays %s beside a flat leader, until a sync", async (_, off, on) => {
    const party = await site.group(REPAIR, [{}, {}]);
    const change = async (terms: object) =>
      await ("paused" in terms ? party.change(terms) : party.changeFollower(terms));
    // It was looked at, and held nothing then.
    await untilRepaired(party, 1, 0);
    await change(off);
    await party.follower().trade("sell", 1, { symbol: "NQ1!" });
    await untilHolds(party.follower(), { [NQ.code]: -1 });
    await change(on);
    await untilRepaired(party, 1, 0);
    await expect
      .poll(async () => await party.standing())
      .toMatchObject({ state: "following", ...own(0) });
    await party.sync();
    await untilHolds(party.follower(), {});
  });

  test("stays while the leader trades in another contract, and goes when it trades there", async () => {
    const party = await site.group({ ...REPAIR, paused: true }, [{}, {}]);
    await party.follower().trade("sell", 1, { symbol: "NQ1!" });
    await untilHolds(party.follower(), { [NQ.code]: -1 });
    await party.change({ paused: false });
    await party.leader.trade("buy", 2);
    await untilHolds(party.follower(), { [MNQ.code]: 2, [NQ.code]: -1 });
    await untilNet(party.follower(1), 2);
    await untilRepaired(party, 1, 2);
    expect(await party.follower().positions()).toEqual({ [MNQ.code]: 2, [NQ.code]: -1 });
    await party.untilState("following");
    await party.leader.trade("buy", 1, { symbol: "NQ1!" });
    await untilHolds(party.follower(), { [MNQ.code]: 2, [NQ.code]: 1 });
  });
});
