// The goal: whatever is cut off in the middle, nothing is copied twice and nothing is lost.
// The method: a leader trades all the time while the gateway or its Redis goes away, and the fills of
// its followers are added up at the paper broker.
import { setImmediate as turn } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { accountId } from "../../../src/domain/ids.ts";
import { sign } from "../../../src/domain/order.ts";
import { waitUntil } from "../../support/wait.ts";
import { type CopyParty, CopySite, type Desk, untilNet } from "./copy-desk.ts";

/** What the leader does, over and over: to both sides, through flat, and back to flat. */
const TRADES = [2, 1, -3, -1, -1, 4, -2, 1, -3, 2] as const;
/** Nothing is too old, and what drifts is only told. */
const TERMS = { maxAgeSeconds: 600, driftPolicy: "alarm" };

async function open(followers: readonly object[]): Promise<{ site: CopySite; party: CopyParty }> {
  const site = await CopySite.open(followers.length + 1, { ENTRY_MAX_AGE_SECONDS: "60" });
  onTestFinished(site.gateway.stop);
  return { site, party: await site.group(TERMS, followers) };
}

/** Trades until it is ended; what does not get through is nobody's matter. */
function startTrading({ leader }: CopyParty) {
  let isOver = false;
  let filled = 0;
  const trades = (async () => {
    for (let n = 0; !isOver; n += 1) {
      const qty = TRADES[n % TRADES.length] ?? 1;
      const asked = leader.trade(qty > 0 ? "buy" : "sell", Math.abs(qty));
      const reply = await asked.catch(() => undefined);
      // A gateway that is not there refuses at once, and must be let in again.
      await turn();
      if (reply?.status === 201) filled += 1;
    }
  })();
  const end = async () => {
    isOver = true;
    await trades;
  };
  onTestFinished(end);
  return { end, filled: () => filled };
}

type Trading = ReturnType<typeof startTrading>;

async function untilMore(trading: Trading): Promise<void> {
  const before = trading.filled();
  await waitUntil("the leader trades", () => trading.filled() > before + 10);
}

async function netOf(desk: Desk): Promise<number> {
  const [qty = 0] = Object.values(await desk.positions());
  return qty;
}

/** Nothing of the leader or of a follower is under way any more. */
async function untilSettled({ gateway }: CopySite, party: CopyParty): Promise<void> {
  const desks = [party.leader, ...party.followers];
  await waitUntil("nothing is unsettled", async () => {
    const open = await Promise.all(
      desks.map(async ({ account }) => {
        const { status, body } = await gateway.api.get(`/v1/accounts/${account}/intents`);
        return status === 200 && body.intents.length === 0;
      }),
    );
    const copies = await party.copies("&outcome=pending");
    return open.every(Boolean) && copies.length === 0;
  });
}

/** What was held at most on either side, by an account's fills one after another. */
async function reach({ gateway }: CopySite, { account }: Desk): Promise<[number, number]> {
  const fills = await gateway.paper.fills(accountId(account), 0);
  let [net, low, high] = [0, 0, 0];
  for (const { side, lastQty } of fills) {
    net += sign(side) * lastQty;
    [low, high] = [Math.min(low, net), Math.max(high, net)];
  }
  return [low, high];
}

async function expectCopied(
  site: CopySite,
  party: CopyParty,
  multiples: readonly number[],
): Promise<void> {
  await untilSettled(site, party);
  const leader = await netOf(party.leader);
  const [low, high] = await reach(site, party.leader);
  for (const [n, multiple] of multiples.entries()) {
    await untilNet(party.follower(n), leader * multiple);
    const [lowest, highest] = await reach(site, party.follower(n));
    // What is copied twice goes further than the leader ever did.
    expect(lowest).toBeGreaterThanOrEqual(low * multiple);
    expect(highest).toBeLessThanOrEqual(high * multiple);
  }
  const causes = (await party.copies()).map(({ cause }) => cause);
  expect(new Set(causes)).toEqual(new Set(["fill"]));
}

async function endFlat(party: CopyParty): Promise<void> {
  const left = await netOf(party.leader);
  if (left !== 0) await party.leader.trade(left > 0 ? "sell" : "buy", Math.abs(left));
  const desks = [party.leader, ...party.followers];
  await expect.poll(async () => await Promise.all(desks.map(netOf))).toEqual([0, 0, 0]);
}

async function endInOrder(site: CopySite, party: CopyParty): Promise<void> {
  await expectCopied(site, party, [1, 2]);
  await endFlat(party);
}

test("a gateway that is stopped and started again copies on where it was", async () => {
  const { site, party } = await open([{}, { multiplier: 2 }]);
  const trading = startTrading(party);
  for (let round = 0; round < 3; round += 1) {
    await untilMore(trading);
    await site.gateway.restart();
  }
  await untilMore(trading);
  await trading.end();
  await expect(endInOrder(site, party)).resolves.toBeUndefined();
});

test("a Redis that is killed loses no copy and doubles none", async () => {
  const { site, party } = await open([{}, { multiplier: 2 }]);
  const trading = startTrading(party);
  for (let round = 0; round < 2; round += 1) {
    await untilMore(trading);
    const pid = await site.gateway.redisPid();
    process.kill(pid, "SIGKILL");
    await waitUntil("another Redis runs", async () => (await site.gateway.redisPid()) !== pid);
  }
  await untilMore(trading);
  await trading.end();
  await expect(endInOrder(site, party)).resolves.toBeUndefined();
});

test("the paper broker's session that breaks loses no copy and doubles none", async () => {
  const { site, party } = await open([{}, { multiplier: 2 }]);
  const trading = startTrading(party);
  for (let round = 0; round < 4; round += 1) {
    await untilMore(trading);
    site.gateway.paper.breakSession(new Error("The link is lost"));
  }
  await untilMore(trading);
  await trading.end();
  await expect(endInOrder(site, party)).resolves.toBeUndefined();
});

test("a session that ends right before a copy is sent loses none, and least of all an exit", async () => {
  const { site, party } = await open([{}]);
  const { account } = party.follower();
  const { paper } = site.gateway;
  const [submit, close] = [paper.submitOrder.bind(paper), paper.closePosition.bind(paper)];
  const ended = { kind: "notSent", reason: "The session has ended" } as const;
  let toFail = 0;
  const isAway = (of: string) => of === account && toFail-- > 0;
  vi.spyOn(paper, "submitOrder").mockImplementation(async (of, order) => {
    return isAway(of) ? ended : await submit(of, order);
  });
  vi.spyOn(paper, "closePosition").mockImplementation(async (of, ...asked) => {
    return isAway(of) ? ended : await close(of, ...asked);
  });

  toFail = 1;
  await party.leader.trade("buy", 2);
  await untilNet(party.follower(), 2);
  expect(await party.nthCopy(2)).toMatchObject({
    cause: "fill",
    outcome: "done",
    decisions: [expect.stringMatching(/sent again.*The session has ended/)],
  });
  expect((await party.copies())[1]).toMatchObject({ outcome: "notSent" });
  // Twice in a row, and the leader has gone on meanwhile.
  toFail = 2;
  await party.leader.trade("sell", 1);
  await party.leader.trade("sell", 1);
  await untilNet(party.follower(), 0);
  await untilSettled(site, party);
  expect(await netOf(party.follower())).toBe(0);
  // Whoever cannot be reached for longer drifts, and that is told.
  toFail = 4;
  await party.leader.trade("buy", 1);
  const told = async () => (await party.copies())[0]?.cause === "drift";
  await waitUntil("its drift is told", told);
  expect(toFail).toBe(0);
  expect(await netOf(party.follower())).toBe(0);
});
