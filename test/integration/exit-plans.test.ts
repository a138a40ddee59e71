// The goal: a user's exit plans are kept whole, bounded, and nobody else's; an order, an alert or a webhook
// that names one is never taken without it.
// The method: drive the real script on a real Redis as two processes, and everything else on the whole gateway.
import type { Redis } from "ioredis";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { userId } from "../../src/domain/ids.ts";
import {
  createRedisNamedPlans,
  namedPlanScripts,
} from "../../src/store/exits/redis-named-plans.ts";
import { createRedisCredentialStore } from "../../src/store/people/redis-credential-store.ts";
import { createRedisPeople } from "../../src/store/people/redis-people.ts";
import type { NamedPlanStore } from "../../src/trading/exits/named-plan-store.ts";
import { MOST_EXIT_PLANS } from "../../src/trading/exits/exit-plan-uses.ts";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { apiClient, postAlert, type Reply } from "../support/http-client.ts";
import { waitUntil } from "../support/wait.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";

const USER = userId("u_1");
const OTHER = userId("u_2");
const planOf = (name: string, ticks = 20) => ({ name, plan: { stop: { ticks } }, savedAt: 1 });
const REPLACING = { most: 4, onlyNew: false };

describe("the store of exit plans", () => {
  let corner: RedisCorner;
  let redis: Redis;
  let plans: NamedPlanStore;
  let elsewhere: NamedPlanStore;

  beforeEach(async () => {
    corner = await openCorner();
    const { keys } = corner;
    redis = await corner.open("request", namedPlanScripts);
    plans = createRedisNamedPlans({ redis, keys });
    elsewhere = createRedisNamedPlans({ redis: await corner.open("request"), keys });
  });
  afterEach(() => corner.close());

  test("gives back what was saved, and only to its user", async () => {
    expect(await plans.save(USER, planOf("a"), REPLACING)).toBe("saved");
    expect(await elsewhere.find(USER, "a")).toEqual(planOf("a"));
    expect(await elsewhere.all(USER)).toEqual([planOf("a")]);
    expect([await elsewhere.all(OTHER), await elsewhere.find(OTHER, "a")]).toEqual([[], undefined]);
    expect([await elsewhere.remove(OTHER, "a"), await elsewhere.remove(USER, "a")]).toEqual([
      false,
      true,
    ]);
    expect([await plans.all(USER), await plans.remove(USER, "a")]).toEqual([[], false]);
  });

  test("makes one of a name once, however many come at once", async () => {
    const made = await Promise.all(
      [1, 2, 3, 4].map(async (ticks) => {
        const store = ticks % 2 === 0 ? plans : elsewhere;
        return await store.save(USER, planOf("a", ticks), { most: 4, onlyNew: true });
      }),
    );
    expect(made.toSorted()).toEqual(["exists", "exists", "exists", "saved"]);
  });

  test("takes no more than it may hold, and still replaces one", async () => {
    const saved = await Promise.all(
      Array.from({ length: 6 }, async (_, n) => await plans.save(USER, planOf(`p${n}`), REPLACING)),
    );
    expect(saved.filter((one) => one === "full")).toHaveLength(2);
    const [first] = await plans.all(USER);
    expect(await plans.save(USER, planOf(first?.name ?? "", 7), REPLACING)).toBe("saved");
    expect(await plans.find(USER, first?.name ?? "")).toMatchObject({
      plan: { stop: { ticks: 7 } },
    });
  });
});

describe("on the whole gateway", () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway();
    return gateway.stop;
  });

  const PATH = "/v1/exit-plans";
  const RUNNER = {
    targets: [{ r: 1, share: 50 }, {}],
    stop: { ticks: 20 },
    breakeven: { after: { target: 1 } },
  };
  const save = async (name: string, plan: object = RUNNER) =>
    await gateway.api.put(`${PATH}/${name}`, plan);
  const codeOf = ({ status, body }: Reply) => [status, body.error?.code];

  test("a plan is created once, replaced, read back exactly, and deleted", async () => {
    const created = await gateway.api.post(PATH, { name: "first", plan: RUNNER });
    expect([created.status, created.body]).toMatchObject([201, { name: "first", plan: RUNNER }]);
    const again = await gateway.api.post(PATH, { name: "first", plan: RUNNER });
    expect(codeOf(again)).toEqual([409, "EXIT_PLAN_EXISTS"]);
    const plan = { stop: { money: "250.10" }, closeAfterSeconds: 60 };
    expect((await save("first", plan)).body).toMatchObject({ plan });
    expect((await gateway.api.get(`${PATH}/first`)).body.plan).toEqual(plan);
    expect((await gateway.api.delete(`${PATH}/first`)).status).toBe(204);
    expect(codeOf(await gateway.api.get(`${PATH}/first`))).toEqual([404, "NOT_FOUND"]);
    expect(codeOf(await gateway.api.delete(`${PATH}/first`))).toEqual([404, "NOT_FOUND"]);
  });

  test("plans are listed by their names, and another user sees none of them", async () => {
    for (const name of ["b", "C", "a"]) expect((await save(name)).status).toBe(200);
    const { body } = await gateway.api.get(PATH);
    expect(body.exitPlans.map(({ name }: { name: string }) => name)).toEqual(["C", "a", "b"]);

    const { redis, keys, url } = gateway;
    const { userId: stranger } = await createRedisPeople({ redis, keys }).addUser("stranger");
    const credentials = createRedisCredentialStore({ redis, keys });
    const asked = { userId: stranger, name: "theirs", scopes: ["read", "trade"] as const };
    const theirs = apiClient(url, (await credentials.createKey(asked)).secret);
    expect((await theirs.get(PATH)).body).toEqual({ exitPlans: [] });
    expect(codeOf(await theirs.get(`${PATH}/a`))).toEqual([404, "NOT_FOUND"]);
    expect(codeOf(await theirs.delete(`${PATH}/a`))).toEqual([404, "NOT_FOUND"]);
    for (const name of ["a", "b", "C"]) await gateway.api.delete(`${PATH}/${name}`);
  });

  test("a plan that cannot work is not saved, and each reason is told at its place", async () => {
    const wrong = {
      targets: [
        { ticks: 8, share: 60 },
        { ticks: 4, share: 60 },
      ],
      breakeven: { after: { target: 2 }, plus: 4 },
    };
    const details = [
      "targets must not share out more than 100 percent",
      "stop is needed for several targets",
      "targets.1 is nearer than one before it: list them as they are reached",
      "breakeven.after.target is the last one: nothing is left to protect then",
    ];
    const told = ({ body }: Reply) =>
      body.error.details.map(({ path, message }: Record<string, string>) => `${path} ${message}`);
    expect(told(await save("wrong", wrong))).toEqual(details);
    const posted = await gateway.api.post(PATH, { name: "wrong", plan: wrong });
    expect(told(posted)).toEqual(details.map((one) => `plan.${one}`));
    const bare = await save("wrong", { closeAfterSeconds: 60 });
    expect(told(bare)).toEqual(["body needs a stop or a target"]);
    expect(codeOf(await gateway.api.get(`${PATH}/wrong`))).toEqual([404, "NOT_FOUND"]);
  });

  test("there are no more than a hundred", async () => {
    const names = Array.from({ length: MOST_EXIT_PLANS }, (_, n) => `many-${n}`);
    const saved = await Promise.all(names.map(async (name) => (await save(name)).status));
    expect(new Set(saved)).toEqual(new Set([200]));
    expect(codeOf(await save("one-more"))).toEqual([422, "TOO_MANY_EXIT_PLANS"]);
    expect((await save("many-7")).status).toBe(200);
    await Promise.all(names.map((name) => gateway.api.delete(`${PATH}/${name}`)));
  });

  const ORDERS = "/v1/accounts/paper-1/orders";
  const BUY = { symbol: "ES1!", action: "buy", qty: 2 };

  test("an unknown name is refused by every way to ask for it, and nothing is sent", async () => {
    await save("known");
    const url = (await gateway.createWebhook("paper-1")).url;
    const before = await gateway.broker.filled("paper-1");
    const replies = [
      await gateway.api.post(ORDERS, { ...BUY, exitPlan: "nobody" }),
      await gateway.api.post("/v1/accounts/paper-1/protect", { symbol: "ES", exitPlan: "nobody" }),
      await postAlert(url, { ...BUY, exitPlan: "nobody" }),
      await postAlert(url, "action=buy;symbol=ES1!;qty=2;exitPlan=nobody"),
      await gateway.api.post("/v1/webhooks", { accountId: "paper-1", exitPlan: "nobody" }),
    ];
    const message = 'is not known: there is no exit plan "nobody"; there is known';
    for (const { status, body } of replies) {
      expect([status, body.error.details]).toEqual([400, [{ path: "exitPlan", message }]]);
    }
    expect(await gateway.broker.filled("paper-1")).toEqual(before);
    await gateway.api.delete(`${PATH}/known`);
  });

  test("neither a bracket nor another price goes with a plan that does not fit", async () => {
    const bracket = { stopLoss: { ticks: 4 } };
    const both = await gateway.api.post(ORDERS, { ...BUY, bracket, exitPlan: RUNNER });
    expect(both.body.error.details).toEqual([
      { path: "exitPlan", message: "is instead of a bracket: give one of the two" },
    ]);
    const odd = await gateway.api.post(ORDERS, { ...BUY, exitPlan: { stop: { offset: 0.3 } } });
    expect(odd.body.error.details[0].path).toBe("exitPlan.stop.offset");
  });

  test("a plan that a webhook's entries follow is not deleted", async () => {
    await save("followed");
    const asked = { accountId: "paper-1", name: "Breakout", exitPlan: "followed" };
    const { body: webhook } = await gateway.api.post("/v1/webhooks", asked);
    expect(webhook.exitPlan).toBe("followed");
    const refused = await gateway.api.delete(`${PATH}/followed`);
    expect(codeOf(refused)).toEqual([409, "EXIT_PLAN_IN_USE"]);
    expect(refused.body.error.message).toMatch(/the webhook "Breakout" follow/);
    await gateway.api.patch(`/v1/webhooks/${webhook.id}`, { exitPlan: null });
    expect((await gateway.api.delete(`${PATH}/followed`)).status).toBe(204);
  });

  test("an order, and a webhook's entry, are taken with the exits of the plan that they name", async () => {
    await save("taken", { targets: [{ ticks: 400, share: 50 }, {}], stop: { ticks: 400 } });
    const stops = async () =>
      (await gateway.broker.working("paper-1")).filter(({ role }) => role === "STOP_LOSS");
    const asked = { accountId: "paper-1", exitPlan: "taken" };
    const { body: webhook } = await gateway.api.post("/v1/webhooks", asked);
    const ways = [
      async () => await gateway.api.post(ORDERS, { ...BUY, exitPlan: "taken" }),
      async () => await postAlert(webhook.url, BUY),
    ];
    for (const way of ways) {
      expect((await way()).status).toBeOneOf([200, 201]);
      await waitUntil("both contracts have a stop", async () => {
        const resting = await stops();
        return resting.reduce((sum, { leavesQty }) => sum + leavesQty, 0) === 2;
      });
      expect((await gateway.api.delete("/v1/accounts/paper-1/positions")).status).toBe(200);
    }
    await gateway.api.delete(`/v1/webhooks/${webhook.id}`);
    expect((await gateway.api.delete(`${PATH}/taken`)).status).toBe(204);
  });

  test("without its plan a webhook lets nobody in, and everybody out", async () => {
    await save("lost");
    const asked = { accountId: "paper-1", exitPlan: "lost" };
    const { body: webhook } = await gateway.api.post("/v1/webhooks", asked);
    const [key = ""] = await gateway.redis.keys("*:named-plans");
    await gateway.redis.hdel(key, "lost");

    const before = await gateway.broker.filled("paper-1");
    const entry = await postAlert(webhook.url, { ...BUY, alertId: "entry" });
    expect([entry.status, entry.body.error.code]).toEqual([400, "VALIDATION_FAILED"]);
    expect(entry.body.error.message).toMatch(/"lost" that the webhook names is not there any more/);
    expect(await gateway.broker.filled("paper-1")).toEqual(before);
    const { alerts } = (await gateway.api.get("/v1/alerts?limit=1")).body;
    const logged = (await gateway.api.get(`/v1/alerts/${alerts[0].alertId}`)).body;
    expect(logged.decisions).toContainEqual(
      expect.stringMatching(/is not there any more: only exits pass$/),
    );

    expect((await gateway.api.post(ORDERS, { ...BUY, qty: 1 })).status).toBe(201);
    const exit = await postAlert(webhook.url, { symbol: "ES1!", action: "sell", qty: 1 });
    expect([exit.status, exit.body.outcome]).toEqual([200, "done"]);
    expect(await gateway.broker.positions("paper-1")).toEqual({});
  });
});
