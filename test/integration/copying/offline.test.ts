// The goal: a connection that is away delays what is copied and loses none of it; what is too old by
// then opens nothing, and closes what is to be closed. Whoever cannot be seen is not judged.
// The method: the leader and its follower on two connections of a broker in a process of its own,
// which throws one of them out and lets it in again.
import { beforeEach, describe, expect, test } from "vitest";
import type { App } from "../../../src/app/app.ts";
import { accountId, connectionId } from "../../../src/domain/ids.ts";
import { type ExchangeSimulator, startExchangeSimulator } from "../../simulators/exchange/start.ts";
import { ConnectionSite } from "../../support/connection-site.ts";
import { CopyParty, type Desk, MNQ, untilNet } from "./copy-desk.ts";

/** Logins are tried again after longer and longer. */
const FOREVER_MS = 600_000;

let simulator: ExchangeSimulator;

beforeEach(async () => {
  simulator = await startExchangeSimulator();
  const quote = { bid: 100_000, ask: 100_001, bidQty: 1_000_000, askQty: 1_000_000 };
  await simulator.control({ knob: "quote", contract: MNQ.code, ...quote });
  return simulator.stop;
});

interface Party {
  readonly party: CopyParty;
  /** Of the connections. */
  readonly leader: string;
  readonly follower: string;
}

/** A leader and a follower of one gateway, each on a connection of its own. */
async function open(terms: object = {}): Promise<Party> {
  const site = await ConnectionSite.open(simulator);
  const app = await site.start();
  const [leader, follower] = [await added(site, app, "ann"), await added(site, app, "ben")];
  const desks = [deskOf(site, app, leader), deskOf(site, app, follower)] as const;
  const reply = await site.api(app).post("/v1/copy-groups", {
    leaderAccountId: desks[0].account,
    followers: [{ accountId: desks[1].account }],
    driftAfterSeconds: 2,
    ...terms,
  });
  expect([reply.status, reply.text]).toEqual([201, reply.text]);
  const { id } = reply.body;
  const party = new CopyParty(id, { leader: desks[0], followers: [desks[1]] }, () => site.api(app));
  return { party, leader, follower };
}

async function added(site: ConnectionSite, app: App, user: string): Promise<string> {
  const id = await site.add(app, { user });
  await site.until(app, id, "CONNECTED");
  return id;
}

function deskOf(site: ConnectionSite, app: App, connection: string): Desk {
  const account = `${connection}-1`;
  const path = `/v1/accounts/${account}`;
  return {
    account,
    trade: async (action, qty, more = {}) =>
      await site.api(app).post(`${path}/orders`, { symbol: "MNQ1!", action, qty, ...more }),
    limit: async (change) => void (await site.api(app).put(`${path}/limits`, change)),
    positions: async () => {
      const { accounts } = await simulator.state();
      const all = accounts[account]?.positions ?? [];
      return Object.fromEntries(all.map(({ contract, netQty }) => [contract, netQty]));
    },
  };
}

async function throwOut({ party }: Party, id: string): Promise<void> {
  const connection = connectionId(id);
  await simulator.control({ knob: "refuseLogins", connection, ms: FOREVER_MS });
  await simulator.control({ knob: "closeSessions", connection });
  await expect.poll(async () => await party.state()).toBe("offline");
}

async function letIn(id: string): Promise<void> {
  await simulator.control({ knob: "refuseLogins", connection: connectionId(id), ms: 0 });
}

async function untilBack({ party }: Party, ...states: string[]): Promise<void> {
  await expect.poll(async () => states.includes(await party.state())).toBe(true);
}

/** At the broker, behind the gateway's back. */
async function byHand({ account }: Desk, side: "BUY" | "SELL", orderQty: number): Promise<void> {
  const order = {
    contract: MNQ.code,
    side,
    orderQty,
    ordType: "MARKET",
    timeInForce: "DAY",
  } as const;
  await simulator.control({ knob: "placeOrder", account: accountId(account), order });
}

async function inTheMarket(qty: number, terms: object = {}): Promise<Party> {
  const all = await open(terms);
  await all.party.leader.trade("buy", qty);
  await untilNet(all.party.follower(), qty);
  await all.party.nthCopy(1);
  return all;
}

async function untilCopies({ party }: Party, count: number): Promise<void> {
  await expect.poll(async () => (await party.copies()).length).toBe(count);
}

const outcomes = async ({ party }: Party) => (await party.copies()).map(({ outcome }) => outcome);

describe("a follower whose connection is away", () => {
  test("holds what its leader holds once it is back, by one order for all", async () => {
    const all = await inTheMarket(2);
    const { party } = all;
    await throwOut(all, all.follower);
    for (const nth of [2, 3, 4]) {
      await party.leader.trade(nth === 2 ? "buy" : "sell", 1);
      await untilCopies(all, nth);
    }
    const waiting = ["pending", "expired", "expired", "done"];
    await expect.poll(async () => await outcomes(all)).toEqual(waiting);
    expect((await party.standing()).reason).toMatch(/follower's connection is/);
    await letIn(all.follower);
    await untilNet(party.follower(), 1);
    expect(await party.nthCopy(4)).toMatchObject({ outcome: "done", filledQty: 1 });
    expect((await party.copies())[1].reason).toMatch(/newer copy stands for it/);
    await untilBack(all, "following");
  });

  test("too long for an entry, opens nothing when it is back", async () => {
    const all = await open({ maxAgeSeconds: 1 });
    const { party } = all;
    await throwOut(all, all.follower);
    await party.leader.trade("buy", 2);
    await untilCopies(all, 1);
    const notedAt = Date.parse((await party.copies())[0].notedAt);
    await expect.poll(() => Date.now() - notedAt).toBeGreaterThan(1_200);
    await letIn(all.follower);
    expect(await party.nthCopy(1)).toMatchObject({ outcome: "expired", filledQty: 0 });
    expect(await party.follower().positions()).toEqual({});
    await untilBack(all, "joining");
    // What it missed is not made up for by the leader's next fill, and least of all by an exit.
    await party.leader.trade("sell", 1);
    expect(await party.nthCopy(2)).toMatchObject({ outcome: "denied", filledQty: 0 });
    expect(await party.follower().positions()).toEqual({});
    await party.leader.trade("sell", 2);
    await untilNet(party.follower(), -1);
    await untilBack(all, "following");
  });

  test("too long for an entry, opens nothing by what its leader takes off either", async () => {
    const all = await open({ maxAgeSeconds: 1 });
    const { party } = all;
    await throwOut(all, all.follower);
    await party.leader.trade("buy", 2);
    await untilCopies(all, 1);
    const joining = async () => (await party.standing()).positions[0]?.driftQty === 0;
    await expect.poll(joining).toBe(true);
    await party.leader.trade("sell", 1);
    await untilCopies(all, 2);
    await letIn(all.follower);
    const copy = await party.nthCopy(2);
    expect(["denied", "expired"]).toContain(copy.outcome);
    expect(await party.follower().positions()).toEqual({});
  });

  test("takes nothing of what waits for it once its group is paused", async () => {
    const all = await open();
    const { party } = all;
    await throwOut(all, all.follower);
    await party.leader.trade("buy", 2);
    await untilCopies(all, 1);
    await party.change({ paused: true });
    await letIn(all.follower);
    const copy = await party.nthCopy(1);
    expect(copy).toMatchObject({ outcome: "withdrawn", filledQty: 0 });
    expect(copy.reason).toMatch(/ended or changed before it was sent/);
    expect(await party.follower().positions()).toEqual({});
  });

  test("too long for an entry, closes all the same what its leader closed", async () => {
    const all = await inTheMarket(3, { maxAgeSeconds: 1 });
    const { party } = all;
    await throwOut(all, all.follower);
    await party.leader.trade("sell", 5);
    await untilCopies(all, 2);
    const notedAt = Date.parse((await party.copies())[0].notedAt);
    await expect.poll(() => Date.now() - notedAt).toBeGreaterThan(1_200);
    await letIn(all.follower);
    // It closes, and does not turn around.
    await untilNet(party.follower(), 0);
    await untilBack(all, "joining");
    expect(await party.follower().positions()).toEqual({});
  });

  test("is not judged, and is repaired once it is back", async () => {
    const all = await inTheMarket(2, { driftPolicy: "repair" });
    const { party } = all;
    await throwOut(all, all.follower);
    await byHand(party.follower(), "SELL", 2);
    await letIn(all.follower);
    await untilNet(party.follower(), 2);
    expect((await party.nthCopy(2)).cause).toBe("drift");
  });
});

describe("a leader whose connection is away", () => {
  test("is copied once it is back, also what was done by hand meanwhile", async () => {
    const all = await inTheMarket(2);
    const { party } = all;
    await throwOut(all, all.leader);
    expect((await party.standing()).reason).toMatch(/leader's connection is/);
    await byHand(party.leader, "BUY", 1);
    await byHand(party.leader, "SELL", 5);
    await letIn(all.leader);
    await untilNet(party.follower(), -2);
    await untilBack(all, "following");
  });

  test("too long for an entry, has its exits copied alone", async () => {
    const all = await inTheMarket(2, { maxAgeSeconds: 1 });
    const { party } = all;
    await throwOut(all, all.leader);
    await byHand(party.leader, "SELL", 3);
    const sold = Date.now();
    await expect.poll(() => Date.now() - sold).toBeGreaterThan(1_200);
    await letIn(all.leader);
    await untilNet(party.follower(), 0);
    const copy = await party.nthCopy(2);
    expect(copy.decisions).toEqual([expect.stringMatching(/s before it could be copied/)]);
    expect(await party.follower().positions()).toEqual({});
  });

  test("too long for an entry, is not entered after by its newest fill", async () => {
    const all = await open({ maxAgeSeconds: 1 });
    const { party } = all;
    await throwOut(all, all.leader);
    await byHand(party.leader, "BUY", 3);
    const bought = Date.now();
    await expect.poll(() => Date.now() - bought).toBeGreaterThan(1_200);
    await byHand(party.leader, "SELL", 1);
    await letIn(all.leader);
    const copy = await party.nthCopy(1);
    expect(["denied", "expired"]).toContain(copy.outcome);
    expect(await party.follower().positions()).toEqual({});
  });

  test("takes nothing from a follower that is traded by hand meanwhile, until it is back", async () => {
    const all = await inTheMarket(2, { driftPolicy: "flatten" });
    const { party } = all;
    await throwOut(all, all.leader);
    await party.follower().trade("sell", 1);
    await untilNet(party.follower(), 1);
    await party.follower().trade("buy", 1);
    await untilNet(party.follower(), 2);
    await letIn(all.leader);
    await untilBack(all, "following");
    expect((await party.copies()).map(({ cause }) => cause)).toEqual(["fill"]);
  });
});

test("an order that rests for a leader that is away is cancelled when its group is paused", async () => {
  const all = await open({ mode: "orders" });
  const { party } = all;
  const resting = async () => {
    const { accounts } = await simulator.state();
    const working = accounts[party.follower().account]?.workingOrders ?? [];
    return working.map(({ side, leavesQty }) => `${side} ${leavesQty}`);
  };
  const limit = { type: "limit", limitPrice: 24_000 };
  expect((await party.leader.trade("buy", 2, limit)).status).toBe(201);
  await expect.poll(resting).toEqual(["BUY 2"]);
  await throwOut(all, all.leader);
  expect(await resting()).toEqual(["BUY 2"]);
  await party.change({ paused: true });
  await expect.poll(resting).toEqual([]);
});
