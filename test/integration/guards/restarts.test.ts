// The goal: what a guard has decided outlives the process, and what was due while nobody was there is done.
// The method: a gateway that stops and starts again on its data, one that is killed, and two processes on one Redis.
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { Redis } from "ioredis";
import { accountId } from "../../../src/domain/ids.ts";
import { createRedisGuards } from "../../../src/store/guards/redis-guards.ts";
import { createKeys } from "../../../src/store/keys.ts";
import { answered, codeOf, ES, GuardSite, RULES } from "../../support/guarded-account.ts";
import { GatewayMachine } from "../../support/gateway-process.ts";
import { eventually, waitUntil } from "../../support/wait.ts";

describe("a gateway that stops and starts again", () => {
  let site: GuardSite;

  beforeAll(async () => {
    // After a close, accounts must be flat since then, and no time of day changes that.
    site = await GuardSite.open({}, { tradesNow: true });
  });
  afterAll(() => site.gateway.stop());

  test("knows what was lost, won and locked, and does what was due meanwhile, once", async () => {
    onTestFinished(site.keepQuoting());
    const [lost, won, locked] = [1, 2, 3].map(() => site.account());
    if (!lost || !won || !locked) throw new Error("There are no accounts");
    await lost.guard([RULES.loss()]);
    await won.guard([RULES.drawdown()], { balance: 50_000 });
    await locked.guard([RULES.loss({ lock: "hard", limit: 800 })]);
    for (const account of [lost, won, locked]) await account.trade("buy", 2);
    site.move(33);
    await won.trade("sell", 2);
    site.move(-31);
    await lost.trade("sell", 2);
    await locked.untilLocked();
    await locked.untilFlat();
    await locked.untilDecided("isFlat");
    const { lock } = await locked.guards();
    const { held, due } = await haltBefore();
    await waitUntil("it is over", () => Date.now() > due + 3_000);
    await site.gateway.restart();
    site.move(0);

    const figures = async () => {
      const verdicts = [await lost.verdict("loss"), await won.verdict("drawdown")];
      return verdicts.map((verdict) => [verdict?.figure, verdict?.limit].join("/")).join(" ");
    };
    const isKnown = async () => (await figures()) === "-800/-1000 50800/48800";
    await waitUntil("all of it is known again", isKnown);
    expect(codeOf(await lost.order({ action: "buy", bracket: { stopLoss: { ticks: 17 } } }))).toBe(
      "422 GUARD_REFUSED",
    );
    expect((await locked.guards()).lock).toEqual(lock);
    expect(codeOf(await locked.order({ action: "buy" }))).toBe("422 LOCKED");
    expect(await locked.times("locked")).toBe(1);
    expect((await site.told(locked)).filter((type) => type === "guard.locked")).toHaveLength(1);

    await held.untilFlat();
    const { reason } = await held.untilDecided("flattened");
    expect(reason).toContain("when nobody was there to see to it");
    await held.untilDecided("isFlat");
    // What was missed is made up for, and asks for nothing more.
    await held.trade("buy");
    await sleep(1_500);
    expect(await held.held()).toEqual({ [ES.code]: 1 });
  });

  /** An account that has to be flat at a time, by which the gateway had stopped. */
  async function haltBefore() {
    for (let inMs = 3_000; ; inMs *= 2) {
      const held = site.account();
      await held.trade("buy");
      const due = Math.ceil(Date.now() / 1_000) * 1_000 + inMs;
      await held.guard([flatBy(due)]);
      await site.gateway.halt();
      // Else it had time to see to it by itself: a slower machine gets more time.
      if (Date.now() < due) return { held, due };
      await site.gateway.restart();
      site.move(0);
    }
  }

  function flatBy(at: number) {
    const clock = (more: number) => new Date(at + more).toISOString().slice(11, 19);
    return {
      id: "flat",
      mode: "on",
      lock: "soft",
      kind: "flatBy",
      zone: "UTC",
      time: clock(0),
      entriesOffMinutes: 0,
      flattenSeconds: 0,
      resumes: clock(1_500),
    };
  }
});

test("one that is killed between the lock and the flatten closes everything as it starts", async () => {
  const machine = await GatewayMachine.create({ PAPER_ACCOUNTS: "1-1", PAPER_FEED: "seeded" });
  onTestFinished(machine.stop);
  const run = await machine.start();
  const account = "/v1/accounts/paper-1";
  const guards = { rules: [RULES.loss({ limit: 50_000 })] };
  await eventually(async () => answered(200, await machine.api.put(`${account}/guards`, guards)));
  const order = { symbol: "ES1!", action: "buy", qty: 1 };
  await waitUntil("it has bought", async () => {
    return (await machine.api.post(`${account}/orders`, order)).status === 201;
  });
  // What the owner stores at a breach, and nothing that comes after it.
  run.signal("SIGSTOP");
  const redis = new Redis({ path: path.join(machine.dataDir, "redis/redis.sock") });
  const store = createRedisGuards({ redis, keys: createKeys() });
  const id = accountId("paper-1");
  const stands = await store.load(id);
  const at = Date.now();
  const lock = {
    id: "lock-1",
    ruleId: "loss",
    at,
    until: at + 3_600_000,
    lock: "hard",
    then: "flatten",
    reason: "The trading day has brought -50000.00 USD",
  } as const;
  const expected = { version: stands?.version ?? "", lockId: undefined };
  const written = await store.write(id, expected, { lock, decisions: [] });
  redis.disconnect();
  expect(written).toBe("written");
  run.signal("SIGKILL");
  await run.ended;

  await machine.start();
  await waitUntil("it is flat", async () => {
    const { positions } = (await machine.api.get(`${account}/positions`)).body;
    return positions?.length === 0;
  });
  await waitUntil("that is seen", async () => {
    const { lock: kept } = (await machine.api.get(`${account}/guards`)).body;
    return kept?.id === "lock-1" && kept.doneAt !== null;
  });
  // On a stalled machine the store answers late, and nothing was accepted.
  let refused = "";
  await waitUntil("it is answered", async () => {
    refused = codeOf(await machine.api.post(`${account}/orders`, order));
    return refused !== "503 STORE_UNAVAILABLE";
  });
  expect(refused).toBe("422 LOCKED");
});
