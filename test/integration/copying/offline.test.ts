// The goal: a connection that is away delays what is copied and loses none of it; what is too old by
// then opens nothing, and closes what is to be closed. Whoever cannot be seen is not judged.
// The method: the leader and its follower on two connections of a broker in a process of its own,
// which throws one of them out and lets it in again. All pairs share one gateway.
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { accountId } from "../../../src/domain/ids.ts";
import { type ExchangeSimulator, startExchangeSimulator } from "../../simulators/exchange/start.ts";
import type { ExchangeGateway } from "../../support/exchange-gateway.ts";
import { shareConnections } from "../../support/shared-gateway.ts";
import { eventually, made, waitUntil } from "../../support/wait.ts";
import { CopyParty, type Desk, MNQ, untilNet } from "./copy-desk.ts";

/** Logins are tried again after longer and longer. */
const FOREVER_MS = 600_000;

let simulator: ExchangeSimulator;

beforeAll(async () => {
  simulator = await startExchangeSimulator();
  const quote = { bid: 100_000, ask: 100_001, bidQty: 1_000_000, askQty: 1_000_000 };
  await simulator.control({ knob: "quote", contract: MNQ.code, ...quote });
  return simulator.stop;
});

/** Each test takes two. */
const nextConnection = shareConnections(() => simulator, 22);

interface Party {
  readonly party: CopyParty;
  /** The connection of each. */
  readonly leader: ExchangeGateway;
  readonly follower: ExchangeGateway;
}

/** A leader and a follower of one gateway, each on a connection of its own. */
async function open(terms: object = {}): Promise<Party> {
  const [leader, follower] = [nextConnection(), nextConnection()];
  const desks = { leader: deskOf(leader), followers: [deskOf(follower)] };
  const group = {
    leaderAccountId: leader.account,
    followers: [{ accountId: follower.account }],
    driftAfterSeconds: 2,
    maxAgeSeconds: 600,
    ...terms,
  };
  const { id } = await made(async () => await leader.api.post("/v1/copy-groups", group));
  const party = new CopyParty(id, desks, () => leader.api);
  return { party, leader, follower };
}

function deskOf(view: ExchangeGateway): Desk {
  return {
    account: view.account,
    trade: async (action, qty, more = {}) =>
      await view.post("orders", { symbol: "MNQ1!", action, qty, ...more }),
    limit: async (change) =>
      void (await view.api.put(`/v1/accounts/${view.account}/limits`, change)),
    positions: async () => {
      const all = (await view.broker())?.positions ?? [];
      return Object.fromEntries(all.map(({ contract, netQty }) => [contract, netQty]));
    },
  };
}

async function throwOut({ party }: Party, connection: ExchangeGateway): Promise<void> {
  await connection.breakSession(FOREVER_MS);
  await party.untilState("offline");
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

/** Other ages hold from then on: on a busy machine the first copy can be older than that. */
async function inTheMarket(qty: number, terms: object = {}, ages: object = {}): Promise<Party> {
  const all = await open(terms);
  await all.party.leader.trade("buy", qty);
  await untilNet(all.party.follower(), qty);
  await all.party.nthCopy(1);
  if (Object.keys(ages).length > 0) await all.party.change(ages);
  return all;
}

async function untilCopies({ party }: Party, count: number): Promise<void> {
  const areThere = async () => (await party.copies()).length === count;
  await waitUntil(`there are ${count} copies`, areThere);
}

const outcomes = async ({ party }: Party) => (await party.copies()).map(({ outcome }) => outcome);

describe.concurrent("a follower whose connection is away", () => {
  test("holds what its leader holds once it is back, by one order for all", async () => {
    const all = await inTheMarket(2);
    const { party } = all;
    await throwOut(all, all.follower);
    for (const nth of [2, 3, 4]) {
      await party.leader.trade(nth === 2 ? "buy" : "sell", 1);
      await untilCopies(all, nth);
    }
    const waiting = ["pending", "overtaken", "overtaken", "done"];
    await eventually(async () => expect(await outcomes(all)).toEqual(waiting));
    expect((await party.standing()).reason).toMatch(/follower's connection is/);
    await all.follower.letIn();
    await untilNet(party.follower(), 1);
    expect(await party.nthCopy(4)).toMatchObject({ outcome: "done", filledQty: 1 });
    expect((await party.copies())[1].reason).toMatch(/newer copy stands for it/);
    await party.untilState("following");
  });

  test("too long for an entry, opens nothing when it is back", async () => {
    const all = await open({ maxAgeSeconds: 1 });
    const { party } = all;
    await throwOut(all, all.follower);
    await party.leader.trade("buy", 2);
    await untilCopies(all, 1);
    await sleep(1_200);
    await all.follower.letIn();
    expect(await party.nthCopy(1)).toMatchObject({ outcome: "expired", filledQty: 0 });
    expect(await party.follower().positions()).toEqual({});
    await party.untilState("joining");
    // What it missed is not made up for by the leader's next fill, and least of all by an exit.
    await party.leader.trade("sell", 1);
    expect(await party.nthCopy(2)).toMatchObject({ outcome: "denied", filledQty: 0 });
    expect(await party.follower().positions()).toEqual({});
    // A busy machine may take longer than a second to copy it.
    await party.change({ maxAgeSeconds: 600 });
    await party.leader.trade("sell", 2);
    await untilNet(party.follower(), -1);
    await party.untilState("following");
  });

  test("too long for an entry, opens nothing by what its leader takes off either", async () => {
    const all = await open({ maxAgeSeconds: 1 });
    const { party } = all;
    await throwOut(all, all.follower);
    await party.leader.trade("buy", 2);
    await untilCopies(all, 1);
    const joining = async () => (await party.standing()).positions[0]?.driftQty === 0;
    await waitUntil("it joins", joining);
    await party.leader.trade("sell", 1);
    await untilCopies(all, 2);
    await all.follower.letIn();
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
    await all.follower.letIn();
    const copy = await party.nthCopy(1);
    expect(copy).toMatchObject({ outcome: "withdrawn", filledQty: 0 });
    expect(copy.reason).toMatch(/ended or changed before it was sent/);
    expect(await party.follower().positions()).toEqual({});
  });

  test("too long for an entry, closes all the same what its leader closed", async () => {
    const all = await inTheMarket(3, {}, { maxAgeSeconds: 1 });
    const { party } = all;
    await throwOut(all, all.follower);
    await party.leader.trade("sell", 5);
    await untilCopies(all, 2);
    await sleep(1_200);
    await all.follower.letIn();
    // It closes, and does not turn around.
    await untilNet(party.follower(), 0);
    await party.untilState("joining");
    expect(await party.follower().positions()).toEqual({});
  });

  test("is not judged, and is repaired once it is back", async () => {
    const all = await inTheMarket(2, { driftPolicy: "repair" });
    const { party } = all;
    await throwOut(all, all.follower);
    await byHand(party.follower(), "SELL", 2);
    await all.follower.letIn();
    await untilNet(party.follower(), 2);
    expect((await party.nthCopy(2)).cause).toBe("drift");
  });
});

describe.concurrent("a leader whose connection is away", () => {
  test("is copied once it is back, also what was done by hand meanwhile", async () => {
    const all = await inTheMarket(2);
    const { party } = all;
    await throwOut(all, all.leader);
    expect((await party.standing()).reason).toMatch(/leader's connection is/);
    await byHand(party.leader, "BUY", 1);
    await byHand(party.leader, "SELL", 5);
    await all.leader.letIn();
    await untilNet(party.follower(), -2);
    await party.untilState("following");
  });

  test("too long for an entry, has its exits copied alone", async () => {
    const all = await inTheMarket(2, {}, { maxAgeSeconds: 1 });
    const { party } = all;
    await throwOut(all, all.leader);
    await byHand(party.leader, "SELL", 3);
    await sleep(1_200);
    await all.leader.letIn();
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
    await sleep(1_200);
    await byHand(party.leader, "SELL", 1);
    await all.leader.letIn();
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
    await all.leader.letIn();
    await party.untilState("following");
    expect((await party.copies()).map(({ cause }) => cause)).toEqual(["fill"]);
  });
});

test.concurrent("an order that rests for a leader that is away is cancelled when its group is paused", async () => {
  const all = await open({ mode: "orders" });
  const { party } = all;
  const resting = async () => {
    const working = (await all.follower.broker())?.workingOrders ?? [];
    return working.map(({ side, leavesQty }) => `${side} ${leavesQty}`);
  };
  const limit = { type: "limit", limitPrice: 24_000 };
  expect((await party.leader.trade("buy", 2, limit)).status).toBe(201);
  await eventually(async () => expect(await resting()).toEqual(["BUY 2"]));
  await throwOut(all, all.leader);
  expect(await resting()).toEqual(["BUY 2"]);
  await party.change({ paused: true });
  await eventually(async () => expect(await resting()).toEqual([]));
});
