// The goal: at a breach nothing gets in any more, everything gets out, and it stays so, whoever asks.
// The method: one gateway whose prices are in our hand; an account of its own for each case.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { accountId, clOrdId } from "../../../src/domain/ids.ts";
import {
  BID,
  codeOf,
  ES,
  type GuardedAccount,
  GuardSite,
  RULES,
} from "../../support/guarded-account.ts";
import { eventually, untilTaken, waitUntil } from "../../support/wait.ts";
import { closingAt, termsOf } from "../strategies/strategy-desk.ts";

let site: GuardSite;

beforeAll(async () => {
  site = await GuardSite.open();
  return site.gateway.stop;
});
beforeEach(() => site.keepQuoting());

/** Long two, a thousand lost: locked, and closed where the rule says so. */
async function breached(more: object = {}): Promise<GuardedAccount> {
  const account = site.account();
  await account.guard([RULES.loss(more)]);
  await account.trade("buy", 2);
  site.move(-39);
  await account.untilLocked();
  return account;
}

/** Locked with everything as it was. */
const locked = async () => await breached({ then: "exitsOnly" });

describe("a daily loss at its limit", () => {
  test("locks with its figures until the day ends, closes everything, and is told once", async () => {
    const before = await site.metric("gateway_guard_flatten_seconds_count");
    const account = await breached();
    await account.untilFlat();
    const { lock, entriesRefused, dayEndsAt } = await account.guards();
    expect(lock).toMatchObject({
      ruleId: "loss",
      then: "flatten",
      until: dayEndsAt,
      figures: { unit: "money", figure: -1_000, limit: -1_000 },
    });
    // Both say the same, and either may be heard first.
    expect(["gateway", "broker"]).toContain(lock.figures.source);
    expect(entriesRefused).toContain("1000.00 USD");
    await account.untilDecided("isFlat");
    const decided = (await account.history()).map(({ what }) => what);
    expect(decided.filter((what) => what !== "dayBegan")).toEqual([
      "changed",
      "locked",
      "flattened",
      "isFlat",
    ]);
    expect((await account.guards()).lock.doneAt).not.toBeNull();
    // Stored first, and counted right after it.
    await eventually(async () => {
      expect(await site.metric("gateway_guard_flatten_seconds_count")).toBe(before + 1);
      expect(await site.metric("gateway_locked_accounts")).toBeGreaterThanOrEqual(1);
      expect(await site.troubles(account)).toEqual([expect.stringContaining("is locked until")]);
    });
    const told = await site.told(account);
    expect(told.filter((type) => type === "guard.locked")).toHaveLength(1);
    expect(told.filter((type) => type === "guard.flattened")).toHaveLength(1);
  });

  test("stays locked when all of it is won back, and by a correction too", async () => {
    const account = await locked();
    const { judgedAt } = await account.guards();
    site.move(100);
    await waitUntil("it has been won back", async () => {
      const now = await account.guards();
      return now.judgedAt > judgedAt && now.rules[0].verdict.figure > -1_000;
    });
    expect((await account.guards()).lock).not.toBeNull();
    expect(codeOf(await account.order({ action: "buy" }))).toBe("422 LOCKED");
  });

  test("says until when, and lets the position be closed", async () => {
    const account = await locked();
    const { until } = (await account.guards()).lock;
    const alert = await account.alert({ action: "buy", symbol: "ES1!", qty: 1 });
    expect(codeOf(alert)).toBe("422 LOCKED");
    expect(alert.body.error.message).toContain(until);
    const order = await account.order({ action: "buy" });
    expect(codeOf(order)).toBe("422 LOCKED");
    expect(order.body.error.message).toContain(until);
    const close = await account.alert({ action: "close" });
    expect([close.status, await account.held()]).toEqual([200, {}]);
  });

  test("carries out a reverse as far as it closes", async () => {
    const account = await locked();
    const { status, body } = await account.alert({ action: "reverse", symbol: "ES1!" });
    expect([status, body.order, body.position.qty]).toEqual([200, null, 0]);
    expect(body.problems).toEqual([expect.stringContaining("The account is locked until")]);
    expect(await account.held()).toEqual({});
  });

  test("cancels an entry that rests", async () => {
    const account = site.account();
    await account.guard([RULES.loss({ then: "exitsOnly" })]);
    await account.trade("buy", 2);
    const price = (BID - 400) / 4;
    await account.order({ action: "buy", type: "limit", limitPrice: price });
    expect(await account.working()).toHaveLength(1);
    site.move(-39);
    await waitUntil("nothing rests", async () => (await account.working()).length === 0);
    expect(await account.held()).toEqual({ [ES.code]: 2 });
  });

  test("cuts an exit that would open the other side once it fills", async () => {
    const account = site.account();
    await account.guard([RULES.loss({ then: "exitsOnly" })]);
    await account.trade("buy", 2);
    const price = (BID + 400) / 4;
    await account.order({ action: "sell", qty: 5, type: "limit", limitPrice: price });
    site.move(-39);
    await account.untilLocked();
    await waitUntil("what is left only closes", async () => {
      const qty = (await account.working()).reduce((sum, { leavesQty }) => sum + leavesQty, 0);
      return qty <= 2;
    });
    site.move(500);
    await waitUntil("it has filled", async () => (await account.working()).length === 0);
    expect(await account.held()).toEqual({});
  });

  test("closes what fills, or is opened by hand, after it was flat", async () => {
    const account = await breached();
    await account.untilFlat();
    await account.untilDecided("isFlat");
    const { orders } = await site.gateway.broker.filled(account.id);
    await site.gateway.paper.submitOrder(accountId(account.id), {
      clOrdId: clOrdId("by-hand"),
      contract: ES.code,
      side: "SELL",
      orderQty: 1,
      ordType: "MARKET",
      timeInForce: "DAY",
    });
    await waitUntil("it is opened and closed", async () => {
      return (await site.gateway.broker.filled(account.id)).orders === orders + 2;
    });
    await account.untilFlat();
    expect((await account.guards()).lock).not.toBeNull();
    expect(await account.times("locked")).toBe(1);
  });
});

describe("under a lock", () => {
  let account: GuardedAccount;
  const other = () => site.gateway.api;

  test("cancels, protection and flattening pass", async () => {
    account = await locked();
    const protect = await other().post(`${account.path}/protect`, {
      symbol: ES.symbol,
      stopLoss: { price: (BID - 200) / 4 },
    });
    expect(protect.status).toBe(200);
    const [stop] = await account.working();
    const cancel = await other().delete(`${account.path}/orders/${stop.orderId}`);
    expect([cancel.status, await account.working()]).toEqual([200, []]);
    const part = await account.order({ action: "sell", qty: 1 });
    expect([part.status, await account.held()]).toEqual([201, { [ES.code]: 1 }]);
    const flatten = await other().delete(`${account.path}/positions`);
    expect([flatten.status, await account.held()]).toEqual([200, {}]);
  });

  test("a change that makes a resting order larger is refused, a smaller one passes", async () => {
    account = site.account();
    const resting = await account.order({
      action: "buy",
      qty: 3,
      type: "limit",
      limitPrice: (BID - 400) / 4,
    });
    expect(resting.status).toBe(201);
    // Entries off without a lock that would cancel it.
    await account.guard([RULES.loss({ limit: 1_050, then: "exitsOnly" })]);
    await account.trade("buy", 2);
    site.move(-39);
    await waitUntil("entries are off", async () => {
      return (await account.guards()).entriesRefused !== null;
    });
    expect((await account.guards()).lock).toBeNull();
    const change = async (qty: number) =>
      await other().patch(`${account.path}/orders/${resting.body.orderId}`, { qty });
    expect(codeOf(await change(4))).toBe("422 GUARD_REFUSED");
    expect((await change(2)).status).toBe(200);
    expect((await account.working()).map(({ orderQty }) => orderQty)).toEqual([2]);
  });

  test("a copy is not made, and one that only closes is", async () => {
    for (const mode of ["fills", "orders"]) {
      const [leader, follower] = [site.account(), site.account()];
      await follower.guard([]);
      const group = await other().post("/v1/copy-groups", {
        leaderAccountId: leader.id,
        mode,
        followers: [{ accountId: follower.id }],
      });
      expect(group.status).toBe(201);
      await leader.trade("buy", 1);
      await waitUntil("it is copied", async () => (await follower.held())[ES.code] === 1);
      const lock = await other().post(`${follower.path}/guards/lock`, {});
      expect(lock.status).toBe(200);
      await leader.trade("buy", 1);
      const copies = `/v1/copy-groups/${group.body.id}/copies?limit=10`;
      await waitUntil(`a copy is refused (${mode})`, async () => {
        return (await other().get(copies)).text.includes("The account is locked");
      });
      const limit = { type: "limit", limitPrice: (BID - 400) / 4 };
      expect((await leader.order({ action: "buy", ...limit })).status).toBe(201);
      await other().delete(`${leader.path}/positions`);
      await waitUntil(`its exit is copied (${mode})`, async () => {
        return Object.keys(await follower.held()).length === 0;
      });
      expect((await site.gateway.broker.filled(follower.id)).qty).toBe(2);
      expect(await follower.working()).toEqual([]);
    }
  });

  test("a strategy gets nothing in", async () => {
    account = site.account();
    await account.guard([]);
    await other().post(`${account.path}/guards/lock`, {});
    const made = await other().post("/v1/strategies", {
      ...termsOf(account.id),
      mode: "trade",
      conditions: { enterLong: "close[0] > 0.0" },
    });
    const path = `/v1/strategies/${made.body.id}`;
    const evaluated = await untilTaken(() =>
      other().post(`${path}/evaluate`, { bars: closingAt(25_010) }),
    );
    expect(evaluated.text).toContain("The account is locked");
    expect(await account.held()).toEqual({});
  });

  test("the kill switch beside it says so first, and neither ends the other", async () => {
    account = await locked();
    const kill = async (active: boolean) =>
      await site.gateway.api.put("/v1/kill-switch", { active, accountId: account.id });
    expect((await kill(true)).status).toBe(200);
    expect(codeOf(await account.order({ action: "buy" }))).toMatch(/KILL_SWITCH|LOCKED/);
    await kill(false);
    expect(codeOf(await account.order({ action: "buy" }))).toBe("422 LOCKED");
    expect((await account.order({ action: "sell" })).status).toBe(201);
  });
});
