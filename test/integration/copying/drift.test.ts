// The goal: a follower that does not hold what it is to hold is noticed, and told, put right or
// taken out as its group says; what is on its way is not taken for it.
// The method: followers are traded by hand on one gateway's paper accounts, and limits let copies fail.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { waitUntil } from "../../support/wait.ts";
import { type CopyParty, CopySite, ES, filled, MNQ, untilHolds, untilNet } from "./copy-desk.ts";

const PRICE = 100_000;
const QUICK = { driftAfterSeconds: 2 };
/** Twice as long as a follower may be away. */
const OFTEN_DRIFTED_MS = 4_000;
/** About as long as a copy takes: the follower is away at every second look. */
const BETWEEN_TRADES_MS = 20;

let site: CopySite;

beforeAll(async () => {
  site = await CopySite.open(60);
});
afterAll(async () => await site.gateway.stop());
afterEach(() => site.gateway.quote(MNQ, PRICE));

async function inTheMarket(policy: string, qty = 2, more: object = {}): Promise<CopyParty> {
  const party = await site.group({ ...QUICK, driftPolicy: policy, ...more });
  await party.leader.trade("buy", qty);
  await untilNet(party.follower(), qty);
  await party.nthCopy(1);
  return party;
}

const causes = async (party: CopyParty) => (await party.copies()).map(({ cause }) => cause);

test.concurrent("an alarm is told once, and nothing is traded", async () => {
  const party = await inTheMarket("alarm");
  await party.follower().trade("sell", 1);
  const copy = await party.nthCopy(2);
  expect(copy).toMatchObject({
    cause: "drift",
    outcome: "skipped",
    targetQty: 2,
    reason: expect.stringMatching(/holds 1 long and is to hold 2 long/),
  });
  expect(await party.standing()).toMatchObject({
    state: "drifting",
    positions: [{ targetQty: 2, heldQty: 1, driftQty: -1 }],
  });
  expect(site.gateway.log.join("")).toContain("does not hold what it is to hold");
  // A person puts it right; what drifts after that is another drift.
  await party.follower().trade("buy", 1);
  await party.untilState("following");
  expect(await causes(party)).toEqual(["drift", "fill"]);
  await party.leader.trade("sell", 2);
  await untilNet(party.follower(), 0);
});

describe.concurrent("a repair", () => {
  test.each<[string, "buy" | "sell", number]>([
    ["of what is missing", "sell", 1],
    ["of what is too much", "buy", 3],
    ["of what is on the wrong side", "sell", 4],
    ["of what is gone", "sell", 2],
  ])("%s brings the follower to its target", async (_, action, qty) => {
    const party = await inTheMarket("repair");
    await filled(party.follower().trade(action, qty));
    expect(await party.nthCopy(2)).toMatchObject({ cause: "drift", outcome: "done", targetQty: 2 });
    await untilNet(party.follower(), 2);
    await party.untilState("following");
  });

  test("closes what a follower holds while its leader is flat", async () => {
    const party = await inTheMarket("repair");
    await party.leader.trade("sell", 2);
    await untilNet(party.follower(), 0);
    await filled(party.follower().trade("sell", 3));
    await party.nthCopy(3);
    await untilNet(party.follower(), 0);
    expect(await causes(party)).toEqual(["drift", "fill", "fill"]);
  });

  test("leaves alone what its leader cannot trade", async () => {
    const party = await site.group({ ...QUICK, driftPolicy: "repair" }, [
      { allowedSymbols: ["MNQ"] },
    ]);
    await party.follower().trade("buy", 1, { symbol: "ES1!" });
    await party.follower().trade("buy", 1);
    // Once MNQ is gone, ES would have been, too.
    await untilHolds(party.follower(), { [ES.code]: 1 });
    await party.untilState("following");
    expect((await party.standing()).positions).toEqual([]);
  });

  test("makes up for a copy that was refused, once the limit is raised", async () => {
    const party = await inTheMarket("repair");
    await party.follower().limit({ maxPositionQty: 2 });
    await party.leader.trade("buy", 2);
    // On a busy machine it is tried again before anybody looks.
    await waitUntil("a copy is refused", async () => {
      return (await party.copies()).some(({ outcome }) => outcome === "denied");
    });
    await party.follower().limit({ maxPositionQty: 10 });
    await untilNet(party.follower(), 4);
    await party.untilState("following");
    expect((await party.standing()).state).toBe("following");
  });

  test("that does not help stops the follower, and a resume begins anew", async () => {
    const party = await inTheMarket("repair", 2, { stopAfterRejects: 100 });
    await party.follower().limit({ maxPositionQty: 2 });
    await party.leader.trade("buy", 2);
    await party.untilState("stopped");
    const { reason } = await party.standing();
    expect(reason).toMatch(
      /^It holds 2 long and is to hold 4 long, and 3 attempts .* did not help/,
    );
    expect((await causes(party)).filter((cause) => cause === "drift")).toHaveLength(4);
    await party.follower().limit({ maxPositionQty: 10 });
    await party.changeFollower({ resume: true });
    await party.sync();
    await untilNet(party.follower(), 4);
    await party.untilState("following");
    // The attempts of before do not count.
    const before = (await party.copies()).length;
    await filled(party.follower().trade("sell", 1));
    expect(await party.nthCopy(before + 1)).toMatchObject({ cause: "drift", outcome: "done" });
    await untilNet(party.follower(), 4);
  });
});

describe.concurrent("a flatten", () => {
  test("takes the follower out with everything it holds, and stops it", async () => {
    const party = await inTheMarket("flatten");
    await party.follower().trade("buy", 1, { symbol: "ES1!" });
    await party.untilState("stopped");
    await untilHolds(party.follower(), {});
    const { reason } = await party.standing();
    expect(reason).toMatch(/holds 1 long and is to hold nothing, so it was flattened/);
    const [copy] = await party.copies();
    expect(copy).toMatchObject({ cause: "drift", decisions: [expect.stringMatching(/flattened/)] });
    await party.leader.trade("buy", 1);
    // After one copy for each contract that was closed.
    expect(await party.nthCopy(4)).toMatchObject({ outcome: "denied" });
    expect(await party.follower().positions()).toEqual({});
  });

  test("of one follower leaves the others where they are", async () => {
    const party = await site.group({ ...QUICK, driftPolicy: "flatten" }, [{}, {}]);
    await party.leader.trade("sell", 1);
    for (const n of [0, 1]) await untilNet(party.follower(n), -1);
    await party.follower(0).trade("sell", 1);
    await party.untilState("stopped");
    await untilNet(party.follower(0), 0);
    expect(await party.follower(1).positions()).toEqual({ [MNQ.code]: -1 });
    await party.untilState("following", 1);
    await party.leader.trade("buy", 1);
    await untilNet(party.follower(1), 0);
  });
});

describe.concurrent("what is no drift", () => {
  test("is a leader that trades all the time", async () => {
    const party = await inTheMarket("flatten", 1);
    const until = performance.now() + OFTEN_DRIFTED_MS;
    for (let n = 0; performance.now() < until; n += 1) {
      await party.leader.trade(n % 2 === 0 ? "buy" : "sell", 1);
      await sleep(BETWEEN_TRADES_MS);
    }
    const held = (await party.leader.positions())[MNQ.code] ?? 0;
    await untilNet(party.follower(), held);
    await party.untilState("following");
    expect(new Set(await causes(party))).toEqual(new Set(["fill"]));
  });

  test("is a follower that is off, or of a paused group", async () => {
    const party = await site.group({ ...QUICK, driftPolicy: "repair" }, [{}, { enabled: false }]);
    await party.follower(1).trade("buy", 2);
    await party.follower(0).trade("buy", 2);
    await untilNet(party.follower(0), 0);
    expect(await party.follower(1).positions()).toEqual({ [MNQ.code]: 2 });
    expect(await party.state(1)).toBe("off");
  });
});

describe("a market that shows few", () => {
  test("fills the leader in parts, and the follower holds what they add up to", async () => {
    const party = await site.group({ ...QUICK, driftPolicy: "alarm" }, [{}, { multiplier: 2 }]);
    for (const [n, shown] of [1, 2, 5].entries()) {
      site.gateway.quote(MNQ, PRICE + n, shown);
      if (n === 0) await party.leader.trade("buy", 5);
    }
    site.gateway.quote(MNQ, PRICE, 1_000_000);
    await untilNet(party.leader, 5);
    await untilNet(party.follower(0), 5);
    await untilNet(party.follower(1), 10);
    site.gateway.quote(MNQ, PRICE, 1);
    await party.leader.trade("sell", 3);
    site.gateway.quote(MNQ, PRICE, 1_000_000);
    await untilNet(party.leader, 2);
    await untilNet(party.follower(0), 2);
    await untilNet(party.follower(1), 4);
    expect(new Set(await causes(party))).toEqual(new Set(["fill"]));
  });

  test("fills the follower in parts, and nothing is sent twice meanwhile", async () => {
    const party = await site.group({ ...QUICK, driftPolicy: "repair" });
    await party.leader.limit({ maxPositionQty: 10 });
    site.gateway.quote(MNQ, PRICE, 6);
    await party.leader.trade("buy", 6);
    await untilNet(party.leader, 6);
    await waitUntil("a copy is noted", async () => (await party.copies()).length > 0);
    for (const bid of [1, 2, 3]) site.gateway.quote(MNQ, PRICE + bid, 2);
    site.gateway.quote(MNQ, PRICE, 1_000_000);
    await untilNet(party.follower(), 6);
    await party.untilState("following");
    expect((await site.gateway.broker.filled(party.follower().account)).qty).toBe(6);
  });
});
