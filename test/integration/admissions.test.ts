// The goal: a secret is admitted exactly as often as its limit allows, and not once after its end.
// The method: ask the real script side by side, and move its window in time by hand.
import type { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { WebhookOptions } from "../../src/domain/alert.ts";
import { accountId, type UserId, userId } from "../../src/domain/ids.ts";
import {
  admissionScripts,
  createRedisAdmissions,
} from "../../src/store/people/redis-admissions.ts";
import {
  createRedisCredentialStore,
  credentialScripts,
} from "../../src/store/people/redis-credential-store.ts";
import type { Admissions, Allowance } from "../../src/trading/people/admissions.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";
import type { CredentialStore } from "../../src/trading/people/ports.ts";

const USER: UserId = userId("user_1");
const LIMIT = 120;

let corner: RedisCorner;
let redis: Redis;
let admissions: Admissions;
let credentials: CredentialStore;

beforeEach(async () => {
  corner = await openCorner();
  redis = await corner.open("request", [...admissionScripts, ...credentialScripts]);
  const deps = { redis, keys: corner.keys };
  admissions = createRedisAdmissions({
    ...deps,
    keyLimit: LIMIT,
    webhookLimit: 3,
    requireKnown: async () => undefined,
  });
  credentials = createRedisCredentialStore(deps);
});
afterEach(() => corner.close());

const newKey = () =>
  credentials.createKey({ userId: USER, name: "Desk", scopes: ["read", "trade"] });
const newWebhook = (options: WebhookOptions = {}) =>
  credentials.createWebhook({
    userId: USER,
    accountId: accountId("paper-1"),
    name: "Chart",
    options,
  });

/** Lets time pass for one window: every request in it is so much older. */
async function age(ms: number): Promise<void> {
  const windows = (await corner.stored()).filter((key) => /:(?:window|exits)$/.test(key));
  for (const window of windows) {
    const aging = redis.pipeline();
    for (const entry of await redis.zrange(window, "0", "-1")) aging.zincrby(window, -ms, entry);
    await aging.exec();
  }
}

async function burst(secret: string, count: number) {
  const answers = await Promise.all(
    Array.from({ length: count }, () => admissions.admitKey(secret)),
  );
  return answers.filter(({ kind }) => kind === "admitted").length;
}

describe("a living secret", () => {
  test("is admitted with all that is known of it, and Redis' time", async () => {
    const { key, secret } = await newKey();
    const admission = await admissions.admitKey(secret);
    const [seconds] = await redis.time();
    expect(admission).toEqual({
      kind: "admitted",
      credential: key,
      now: expect.any(Number),
      quota: { limit: LIMIT, windowSeconds: 60, remaining: LIMIT - 1, resetSeconds: 60 },
    });
    if (admission.kind !== "admitted") throw new Error("it was admitted");
    expect(Math.abs(admission.now - Number(seconds) * 1_000)).toBeLessThan(10_000);
    const [used] = await credentials.keys(USER);
    expect(used?.lastUsedAt).toBe(admission.now);
  });

  test("a webhook's is admitted under its own limit", async () => {
    const { webhook, secret } = await newWebhook();
    const first = await admissions.admitWebhook(secret);
    expect(first).toMatchObject({ kind: "admitted", credential: { id: webhook.id } });
    await admissions.admitWebhook(secret);
    await admissions.admitWebhook(secret);
    expect(await admissions.admitWebhook(secret)).toMatchObject({ kind: "limited" });
  });
});

describe("the window", () => {
  test("of two hundred requests at once exactly the limit is admitted", async () => {
    const { secret } = await newKey();
    expect(await burst(secret, 200)).toBe(LIMIT);
  });

  test("is shared by every process, and never between keys", async () => {
    const [first, second] = [await newKey(), await newKey()];
    const other = createRedisAdmissions({
      redis: await corner.open("request", admissionScripts),
      keys: corner.keys,
      keyLimit: LIMIT,
      webhookLimit: 3,
      requireKnown: async () => undefined,
    });
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) =>
        (n % 2 === 0 ? admissions : other).admitKey(first.secret),
      ),
    );
    expect(answers.filter(({ kind }) => kind === "admitted")).toHaveLength(LIMIT);
    expect(await admissions.admitKey(second.secret)).toMatchObject({ kind: "admitted" });
  });

  test("slides: two bursts around a minute's boundary are never more than the limit", async () => {
    const { secret } = await newKey();
    expect(await burst(secret, 100)).toBe(100);
    await age(40_000);
    expect(await burst(secret, 100)).toBe(20);
    // The first burst has left; the second one, 20 s old, still counts.
    await age(20_000);
    expect(await burst(secret, 200)).toBe(100);
    await age(40_000);
    expect(await burst(secret, 200)).toBe(20);
  });

  test("what was refused does not count", async () => {
    const { secret } = await newKey();
    await burst(secret, 300);
    await age(60_000);
    expect(await burst(secret, 300)).toBe(LIMIT);
  });

  test("says when the next request is admitted, and keeps what it said", async () => {
    const { secret } = await newKey();
    await burst(secret, LIMIT);
    await age(40_000);
    const limited = await admissions.admitKey(secret);
    expect(limited).toMatchObject({ kind: "limited", quota: { remaining: 0 } });
    if (limited.kind !== "limited") throw new Error("it was limited");
    expect(limited.quota.resetSeconds).toBeGreaterThanOrEqual(1);
    expect(limited.quota.resetSeconds).toBeLessThanOrEqual(20);
    await age(limited.quota.resetSeconds * 1_000);
    expect(await admissions.admitKey(secret)).toMatchObject({ kind: "admitted" });
  });

  test("goes with its last request: a key that is not used keeps nothing but itself", async () => {
    const { secret } = await newKey();
    await admissions.admitKey(secret);
    const [window = ""] = (await corner.stored()).filter((key) => key.endsWith(":window"));
    const ttl = await redis.pttl(window);
    expect(ttl).toBeGreaterThan(0);
    expect(ttl).toBeLessThanOrEqual(60_000);
  });
});

describe("the reserve of exits", () => {
  const RESERVE = 120;
  const exits = async (secret: string, count: number) => {
    const ask = () => admissions.admitKey(secret, "exits");
    const answers = await Promise.all(Array.from({ length: count }, ask));
    return answers.filter(({ kind }) => kind === "admitted").length;
  };

  test("lets exits through whatever was asked before, and has a bound of its own", async () => {
    const { secret } = await newKey();
    await burst(secret, 300);
    expect(await exits(secret, 200)).toBe(RESERVE);
    expect(await burst(secret, 10)).toBe(0);
    await age(60_000);
    expect(await exits(secret, 300)).toBe(LIMIT + RESERVE);
  });

  test("is drawn on only once the window is full, and takes nothing from it", async () => {
    const { secret } = await newKey();
    expect(await exits(secret, 20)).toBe(20);
    expect(await burst(secret, 300)).toBe(LIMIT - 20);
    expect(await exits(secret, 5)).toBe(5);
    const limited = await admissions.admitKey(secret);
    expect(limited).toMatchObject({ kind: "limited", quota: { limit: LIMIT, remaining: 0 } });
    expect(await exits(secret, 300)).toBe(RESERVE - 5);
  });

  test("tells the window as it is, also to the exit that it lets through", async () => {
    const { secret } = await newKey();
    await burst(secret, LIMIT);
    await age(20_000);
    const exit = await admissions.admitKey(secret, "exits");
    expect(exit).toMatchObject({ kind: "admitted", quota: { limit: LIMIT, remaining: 0 } });
    if (exit.kind !== "admitted") throw new Error("it was admitted");
    expect(exit.quota.resetSeconds).toBeLessThanOrEqual(40);
    expect(exit.credential.lastUsedAt ?? 0).toBeLessThanOrEqual(exit.now);
  });

  test("is nobody else's, a webhook's and a session's too, and ends with the secret", async () => {
    const { webhook, secret } = await newWebhook({ rateLimitPerMinute: 1 });
    const ask = async (allowance: Allowance) =>
      (await admissions.admitWebhook(secret, allowance)).kind;
    expect([await ask("default"), await ask("default")]).toEqual(["admitted", "limited"]);
    expect(await ask("exits")).toBe("admitted");
    await credentials.deleteWebhook(USER, webhook.id);
    expect(await ask("exits")).toBe("unknown");
  });
});

describe("a webhook's own limit", () => {
  const ask = async (secret: string, count: number) =>
    await Promise.all(Array.from({ length: count }, () => admissions.admitWebhook(secret)));
  const admittedOf = (answers: readonly { kind: string }[]) =>
    answers.filter(({ kind }) => kind === "admitted").length;

  test.each([1, 7, 50])("of %d takes the place of the default, and is told", async (limit) => {
    const { secret } = await newWebhook({ rateLimitPerMinute: limit });
    const [first] = await ask(secret, 1);
    expect(first).toMatchObject({ kind: "admitted", quota: { limit, remaining: limit - 1 } });
    expect(admittedOf(await ask(secret, 60))).toBe(limit - 1);
    const [last] = await ask(secret, 1);
    expect(last).toMatchObject({ kind: "limited", quota: { limit, remaining: 0 } });
  });

  test("holds for that webhook alone, and from the next alert on", async () => {
    const [own, other] = [await newWebhook({ rateLimitPerMinute: 10 }), await newWebhook()];
    expect(admittedOf(await ask(own.secret, 20))).toBe(10);
    expect(admittedOf(await ask(other.secret, 20))).toBe(3);
    const change = (rateLimitPerMinute: number | null) =>
      credentials.changeWebhook(USER, own.webhook.id, { options: { rateLimitPerMinute } });
    await change(12);
    expect(admittedOf(await ask(own.secret, 20))).toBe(2);
    await change(null);
    const [limited] = await ask(own.secret, 1);
    expect(limited).toMatchObject({ kind: "limited", quota: { limit: 3 } });
  });

  test("that has become smaller says when the next alert is admitted, and keeps what it said", async () => {
    const { webhook, secret } = await newWebhook({ rateLimitPerMinute: 10 });
    for (let n = 0; n < 10; n += 1) {
      await ask(secret, 1);
      await age(3_000);
    }
    // Ten are 3 to 30 s old. With five allowed, six have to leave: the last of them is 15 s old.
    await credentials.changeWebhook(USER, webhook.id, { options: { rateLimitPerMinute: 5 } });
    const [limited] = await ask(secret, 1);
    if (limited?.kind !== "limited") throw new Error("it was limited");
    expect(limited.quota.resetSeconds).toBeGreaterThan(40);
    await age(36_000);
    expect(admittedOf(await ask(secret, 1))).toBe(0);
    await age(limited.quota.resetSeconds * 1_000 - 36_000);
    expect(admittedOf(await ask(secret, 1))).toBe(1);
  });
});

describe("a secret that does not live", () => {
  test("is refused from the moment its key is revoked, among requests under way", async () => {
    const { key, secret } = await newKey();
    const early = Array.from({ length: 20 }, () => admissions.admitKey(secret));
    const revoked = credentials.revokeKey(USER, key.id);
    await Promise.all([...early, revoked]);
    expect(await admissions.admitKey(secret)).toEqual({ kind: "unknown" });
  });

  test("is refused from the moment its webhook is deleted, and leaves no key behind", async () => {
    const { webhook, secret } = await newWebhook();
    await credentials.deleteWebhook(USER, webhook.id);
    expect(await admissions.admitWebhook(secret)).toEqual({ kind: "unknown" });
    expect((await corner.stored()).filter((key) => key.includes(":webhook:"))).toEqual([]);
  });

  test("is not known as the other kind", async () => {
    const [key, webhook] = [await newKey(), await newWebhook()];
    expect(await admissions.admitWebhook(key.secret)).toEqual({ kind: "unknown" });
    expect(await admissions.admitKey(webhook.secret)).toEqual({ kind: "unknown" });
    const swapped = key.secret.replace("gwk_", "gwh_");
    expect(await admissions.admitWebhook(swapped)).toEqual({ kind: "unknown" });
  });

  test.each([
    "",
    "gwk_",
    `gwk_${"A".repeat(43)}`,
    `gwk_${"A".repeat(4_000)}`,
    "*",
    "gwk_{a}:*\r\n",
  ])("%j is unknown, and leaves nothing in Redis", async (secret) => {
    expect(await admissions.admitKey(secret)).toEqual({ kind: "unknown" });
    expect(await admissions.admitWebhook(secret)).toEqual({ kind: "unknown" });
    expect(await corner.stored()).toEqual([]);
  });
});
