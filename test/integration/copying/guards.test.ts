// The goal: nothing is copied past a pause, a stop or a limit, and what only reduces a follower's
// position gets through wherever a person has not paused it.
// The method: leader and followers on one gateway's paper accounts, and the copy log of each.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CopyParty, CopySite, untilNet } from "./copy-desk.ts";

let site: CopySite;

beforeAll(async () => {
  site = await CopySite.open(60);
});
afterAll(async () => await site.gateway.stop());

/** On a busy machine a copy that is refused must not become a drift, which is a copy of its own. */
const NO_DRIFT = { driftAfterSeconds: 600 };

/** A leader and a follower that both hold so many. */
async function inTheMarket(qty: number, terms: object = {}): Promise<CopyParty> {
  const party = await site.group({ ...NO_DRIFT, ...terms });
  await party.leader.trade("buy", qty);
  await untilNet(party.follower(), qty);
  await party.nthCopy(1);
  return party;
}

describe("nothing is copied, exits neither,", () => {
  test.each<[string, (party: CopyParty, isOff: boolean) => Promise<void>, string, RegExp]>([
    [
      "of a paused group",
      async (party, isOff) => await party.change({ paused: isOff }),
      "paused",
      /group is paused/,
    ],
    [
      "to a follower that is off",
      async (party, isOff) => await party.changeFollower({ enabled: !isOff }),
      "off",
      /switched off/,
    ],
  ])("%s; and it joins when that ends", async (_, turn, state, reason) => {
    const party = await inTheMarket(2);
    await turn(party, true);
    await party.leader.trade("sell", 1);
    const skipped = { outcome: "skipped", reason: expect.stringMatching(reason), intentId: null };
    expect(await party.nthCopy(2)).toMatchObject(skipped);
    await party.leader.trade("buy", 4);
    expect(await party.nthCopy(3)).toMatchObject(skipped);
    expect(await party.state()).toBe(state);
    await untilNet(party.follower(), 2);

    await turn(party, false);
    expect(await party.state()).toBe("joining");
    await party.leader.trade("buy", 1);
    expect(await party.nthCopy(4)).toMatchObject({ outcome: "denied", filledQty: 0 });
    // Down to fewer than it holds: that is an exit.
    await party.leader.trade("sell", 5);
    await untilNet(party.follower(), 1);
    await party.leader.trade("sell", 1);
    await untilNet(party.follower(), 0);
    await party.leader.trade("sell", 2);
    await untilNet(party.follower(), -2);
    await party.untilState("following");
  });

  test("to a follower that has left the group", async () => {
    const party = await inTheMarket(1);
    const { account } = party.follower();
    const { status } = await site.gateway.api.delete(`${party.path}/followers/${account}`);
    expect(status).toBe(200);
    const other = site.desk();
    const reply = await site.gateway.api.put(`${party.path}/followers/${other.account}`, {});
    expect(reply.status).toBe(200);
    await party.leader.trade("sell", 3);
    await untilNet(other, -2);
    await untilNet(party.follower(), 1);
    expect(await party.copies(`&accountId=${account}`)).toHaveLength(1);
  });

  test("of a group that was deleted", async () => {
    const party = await inTheMarket(1);
    expect((await site.gateway.api.delete(party.path)).status).toBe(204);
    await party.leader.trade("sell", 3);
    // Another group of the same leader is copied to; by then this one would have been, too.
    const other = await site.group({}, [{}], party.leader);
    await party.leader.trade("buy", 5);
    await untilNet(other.follower(), 3);
    await untilNet(party.follower(), 1);
  });
});

describe("refusals in a row", () => {
  const refused = { outcome: "denied", reason: expect.stringMatching(/limit of 2/) };

  /** Stopped while it holds 2, by a limit. */
  async function stopped(): Promise<CopyParty> {
    const party = await inTheMarket(2, { stopAfterRejects: 3 });
    await party.follower().limit({ maxPositionQty: 2 });
    for (const nth of [2, 3, 4]) {
      await party.leader.trade("buy", 1);
      expect(await party.nthCopy(nth)).toMatchObject(refused);
    }
    await party.untilState("stopped");
    return party;
  }

  test("stop a follower, to which exits are copied all the same", async () => {
    const beganAt = Date.now();
    const party = await stopped();
    const { reason, stoppedAt } = await party.standing();
    expect(reason).toMatch(/^3 copies in a row were refused, the last one: .*limit of 2/);
    expect(Date.parse(stoppedAt)).toBeGreaterThanOrEqual(beganAt);
    await party.follower().limit({ maxPositionQty: 50 });
    await party.leader.trade("buy", 1);
    const denied = { outcome: "denied", reason: expect.stringMatching(/follower is stopped/) };
    expect(await party.nthCopy(5)).toMatchObject(denied);
    await untilNet(party.follower(), 2);
    await party.leader.trade("sell", 5);
    await untilNet(party.follower(), 1);
    // Through flat it only closes.
    await party.leader.trade("sell", 3);
    await untilNet(party.follower(), 0);
    await party.leader.trade("sell", 1);
    await party.nthCopy(8);
    await untilNet(party.follower(), 0);
    expect(await party.state()).toBe("stopped");
  });

  test("are forgotten when a person resumes it, and it follows once the leader was flat", async () => {
    const party = await stopped();
    await party.changeFollower({ resume: true });
    expect(await party.standing()).toMatchObject({ state: "joining", stoppedAt: null });
    await party.leader.trade("sell", 5);
    await untilNet(party.follower(), 0);
    await party.leader.trade("buy", 3);
    expect(await party.nthCopy(6)).toMatchObject(refused);
    expect(await party.state()).not.toBe("stopped");
  });

  test("begin again after a copy that was done", async () => {
    const party = await inTheMarket(2, { stopAfterRejects: 2 });
    await party.follower().limit({ maxPositionQty: 2 });
    await party.leader.trade("buy", 1);
    expect(await party.nthCopy(2)).toMatchObject(refused);
    await party.leader.trade("sell", 2);
    await untilNet(party.follower(), 1);
    // It counts once its end was looked at.
    await party.nthCopy(3);
    await party.leader.trade("buy", 2);
    expect(await party.nthCopy(4)).toMatchObject(refused);
    await party.untilState("drifting");
    await party.leader.trade("buy", 1);
    await party.nthCopy(5);
    await party.untilState("stopped");
  });

  test("of one follower are no other's affair", async () => {
    const party = await site.group({ ...NO_DRIFT, stopAfterRejects: 1 }, [{}, {}]);
    await party.follower(0).limit({ maxPositionQty: 1 });
    await party.leader.trade("buy", 2);
    await untilNet(party.follower(1), 2);
    await party.untilState("stopped", 0);
    await party.untilState("following", 1);
    expect(await party.follower(0).positions()).toEqual({});
  });
});

test("the kill switch of a follower lets exits pass, and its denials do not stop it", async () => {
  const party = await inTheMarket(3, { stopAfterRejects: 1 });
  const { account } = party.follower();
  const turn = async (active: boolean) => {
    const reply = await site.gateway.api.put("/v1/kill-switch", { active, accountId: account });
    expect(reply.status).toBe(200);
  };
  await turn(true);
  await party.leader.trade("buy", 1);
  expect(await party.nthCopy(2)).toMatchObject({ outcome: "denied", filledQty: 0 });
  await party.leader.trade("sell", 2);
  await untilNet(party.follower(), 2);
  await party.leader.trade("sell", 4);
  await untilNet(party.follower(), 0);
  expect(await party.standing()).toMatchObject({ stoppedAt: null });
  await turn(false);
  await party.leader.trade("sell", 1);
  await untilNet(party.follower(), -3);
});

test("a leader's rejected order copies nothing", async () => {
  const party = await inTheMarket(1);
  await party.leader.limit({ maxPositionQty: 1 });
  expect((await party.leader.trade("buy", 1)).status).toBe(422);
  await party.leader.trade("sell", 1);
  await untilNet(party.follower(), 0);
  expect(await party.copies()).toHaveLength(2);
});
