// The goal: secrets are shown once, kept only as hashes, and what was ended stays ended.
// The method: create, change and end keys and webhooks on a real Redis, side by side where it matters.
import type { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { WebhookOptions } from "../../src/domain/alert.ts";
import { accountId, credentialId, userId } from "../../src/domain/ids.ts";
import {
  admissionScripts,
  createRedisAdmissions,
} from "../../src/store/people/redis-admissions.ts";
import {
  createRedisCredentialStore,
  credentialScripts,
} from "../../src/store/people/redis-credential-store.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";
import type { CredentialStore } from "../../src/trading/people/ports.ts";

const USER = userId("user_1");
const OTHER = userId("user_2");
const ACCOUNT = accountId("paper-1");

let corner: RedisCorner;
let redis: Redis;
let store: CredentialStore;
let now: number;

beforeEach(async () => {
  corner = await openCorner();
  redis = await corner.open("request", [...credentialScripts, ...admissionScripts]);
  now = 1_700_000_000_000;
  store = createRedisCredentialStore({ redis, keys: corner.keys, now: () => (now += 1) });
});
afterEach(() => corner.close());

const newKey = (name = "Desk") => store.createKey({ userId: USER, name, scopes: ["read"] });
const newWebhook = (name = "Chart") =>
  store.createWebhook({ userId: USER, accountId: ACCOUNT, name });

/** Everything that Redis keeps in the corner, as one text. */
async function everything(): Promise<string> {
  const names = await corner.stored();
  const hashes = await Promise.all(
    names.map(async (name) =>
      (await redis.type(name)) === "hash" ? JSON.stringify(await redis.hgetall(name)) : "",
    ),
  );
  return [...names, ...hashes].join("\n");
}

describe("secrets", () => {
  test("are 256 random bits each, recognisable for what they are", async () => {
    const secrets = await Promise.all(Array.from({ length: 20 }, () => newKey()));
    expect(new Set(secrets.map(({ secret }) => secret)).size).toBe(20);
    for (const { secret } of secrets) expect(secret).toMatch(/^gwk_[A-Za-z0-9_-]{43}$/);
    expect((await newWebhook()).secret).toMatch(/^gwh_[A-Za-z0-9_-]{43}$/);
  });

  test("are in no key and no value of Redis", async () => {
    const secrets = [(await newKey()).secret, (await newWebhook()).secret];
    const kept = await everything();
    for (const secret of secrets) expect(kept).not.toContain(secret.slice(4));
  });
});

describe("keys", () => {
  test("are listed in the order of their creation, each with its scopes", async () => {
    const first = await newKey("first");
    const second = await store.createKey({ userId: USER, name: "b", scopes: ["read", "trade"] });
    expect(await store.keys(USER)).toEqual([first.key, second.key]);
    expect(await store.keys(OTHER)).toEqual([]);
  });

  test("are revoked once, and stay in the list", async () => {
    const { key } = await newKey();
    expect(await store.revokeKey(USER, key.id)).toBe(true);
    expect(await store.revokeKey(USER, key.id)).toBe(false);
    const [listed] = await store.keys(USER);
    expect(listed?.revokedAt).toBeGreaterThan(key.createdAt);
  });

  test("are revoked once, however many ask at once", async () => {
    const { key } = await newKey();
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => store.revokeKey(USER, key.id)));
    expect(answers.filter(Boolean)).toHaveLength(1);
  });

  test("leave word of their end, until none of their intents can be unsent", async () => {
    const { key } = await newKey();
    await store.revokeKey(USER, key.id);
    const ttl = await redis.pttl(corner.keys.revoked(key.id));
    expect(ttl).toBeGreaterThan(24 * 3_600_000);
  });

  test("of another user, and those that never were, cannot be revoked", async () => {
    const { key } = await newKey();
    expect(await store.revokeKey(OTHER, key.id)).toBe(false);
    expect(await store.revokeKey(USER, credentialId("key_404"))).toBe(false);
    expect((await store.keys(USER))[0]?.revokedAt).toBeUndefined();
  });
});

describe("webhooks", () => {
  test("are found, listed and changed field by field", async () => {
    const { webhook } = await newWebhook();
    expect(await store.webhook(USER, webhook.id)).toEqual(webhook);
    const paused = await store.changeWebhook(USER, webhook.id, { paused: true });
    expect(paused).toEqual({ ...webhook, paused: true });
    const change = { name: "Other", accountId: accountId("paper-2"), paused: undefined as never };
    const changed = await store.changeWebhook(USER, webhook.id, change);
    expect(changed).toEqual({ ...paused, name: "Other", accountId: "paper-2" });
    expect(await store.webhooks(USER)).toEqual([changed]);
  });

  test("are as changed for the next alert already", async () => {
    const { webhook, secret } = await newWebhook();
    const requireKnown = async () => undefined;
    const deps = { redis, keys: corner.keys, keyLimit: 10, webhookLimit: 10, requireKnown };
    const admissions = createRedisAdmissions(deps);
    await store.changeWebhook(USER, webhook.id, { paused: true });
    expect(await admissions.admitWebhook(secret)).toMatchObject({ credential: { paused: true } });
  });

  test("of another user are as if they were not", async () => {
    const { webhook } = await newWebhook();
    expect(await store.webhook(OTHER, webhook.id)).toBeUndefined();
    expect(await store.changeWebhook(OTHER, webhook.id, { paused: true })).toBeUndefined();
    expect(await store.deleteWebhook(OTHER, webhook.id)).toBe(false);
    expect(await store.webhook(USER, webhook.id)).toEqual(webhook);
  });

  test("are deleted once, and with them all that is kept of them but word of their end", async () => {
    const { webhook } = await newWebhook();
    expect(await store.deleteWebhook(USER, webhook.id)).toBe(true);
    expect(await store.deleteWebhook(USER, webhook.id)).toBe(false);
    expect(await store.webhook(USER, webhook.id)).toBeUndefined();
    expect(await store.changeWebhook(USER, webhook.id, { paused: false })).toBeUndefined();
    const { revoked, revokedOf, alertAccounts } = corner.keys;
    const left = [revoked(webhook.id), revokedOf(USER), alertAccounts(USER)];
    expect((await corner.stored()).toSorted()).toEqual(left.toSorted());
  });

  test("that are deleted while they are changed stay deleted", async () => {
    const { webhook, secret } = await newWebhook();
    const find = redis.hget.bind(redis);
    // The deletion comes right between the change's finding it and its writing.
    const between = Object.create(redis) as Redis;
    between.hget = (async (key: string, id: string) => {
      const found = await find(key, id);
      await store.deleteWebhook(USER, webhook.id);
      return found;
    }) as Redis["hget"];
    const racing = createRedisCredentialStore({ redis: between, keys: corner.keys });
    expect(await racing.changeWebhook(USER, webhook.id, { paused: false })).toBeUndefined();

    const requireKnown = async () => undefined;
    const deps = { redis, keys: corner.keys, keyLimit: 10, webhookLimit: 10, requireKnown };
    expect(await createRedisAdmissions(deps).admitWebhook(secret)).toEqual({ kind: "unknown" });
  });
});

const OPTIONS: WebhookOptions = {
  profile: "crosstrade",
  defaultQty: 2,
  multiplier: "0.25",
  symbolMap: { NQ: "MNQ", ES: "MES" },
  allowedSymbols: ["MNQ", "MES"],
  allowedSide: "BUY",
  allowedSenders: ["tradingview", "2001:db8::/32"],
  entryMaxAgeSeconds: 20,
  exitMaxAgeSeconds: 100,
  duplicateWindowSeconds: 0,
  rateLimitPerMinute: 7,
};
const NAMES = Object.keys(OPTIONS) as readonly (keyof WebhookOptions)[];

describe("a webhook's options", () => {
  const withOptions = (options: WebhookOptions) =>
    store.createWebhook({ userId: USER, accountId: ACCOUNT, name: "Chart", options });

  test("are read as they were written, by lists and by the next alert too", async () => {
    const { webhook, secret } = await withOptions(OPTIONS);
    expect(webhook.options).toEqual(OPTIONS);
    expect(await store.webhook(USER, webhook.id)).toEqual(webhook);
    expect(await store.webhooks(USER)).toEqual([webhook]);
    const requireKnown = async () => undefined;
    const deps = { redis, keys: corner.keys, keyLimit: 10, webhookLimit: 10, requireKnown };
    expect(await createRedisAdmissions(deps).admitWebhook(secret)).toMatchObject({
      credential: { options: OPTIONS },
    });
  });

  test("are none for a webhook that is older than they are", async () => {
    const { webhook } = await newWebhook();
    const stored = (await corner.stored()).find((key) => key.includes(":webhook:")) ?? "";
    const fields = ["id", "userId", "accountId", "name", "paused", "createdAt", "version"];
    expect((await redis.hkeys(stored)).toSorted()).toEqual(fields.toSorted());
    expect((await store.webhook(USER, webhook.id))?.options).toEqual({});
  });

  test.each(NAMES)("are set and cleared one by one: %s", async (name) => {
    const { webhook } = await newWebhook();
    const set = await store.changeWebhook(USER, webhook.id, { options: { [name]: OPTIONS[name] } });
    expect(set).toEqual({ ...webhook, options: { [name]: OPTIONS[name] } });

    const { webhook: full } = await withOptions(OPTIONS);
    const cleared = await store.changeWebhook(USER, full.id, { options: { [name]: null } });
    const { [name]: _, ...rest } = OPTIONS;
    expect(cleared).toEqual({ ...full, options: rest });
    expect(await store.webhook(USER, full.id)).toEqual(cleared);
  });

  test("stay when something else changes, and when nothing does", async () => {
    const { webhook } = await withOptions(OPTIONS);
    const changed = await store.changeWebhook(USER, webhook.id, { name: "Other" });
    expect(changed).toEqual({ ...webhook, name: "Other" });
    expect(await store.changeWebhook(USER, webhook.id, {})).toEqual(changed);
    expect(await store.changeWebhook(USER, webhook.id, { options: {} })).toEqual(changed);
  });

  test("lose nothing when every one of them is changed at once", async () => {
    const { webhook } = await withOptions({ ...OPTIONS, defaultQty: 9 });
    const changes: Parameters<CredentialStore["changeWebhook"]>[2][] = [
      ...NAMES.map((name) => ({ options: { [name]: name === "profile" ? null : OPTIONS[name] } })),
      { name: "Other" },
      { paused: true },
      { accountId: accountId("paper-2") },
    ];
    await Promise.all(changes.map((change) => store.changeWebhook(USER, webhook.id, change)));
    const { profile: _, ...rest } = OPTIONS;
    expect(await store.webhook(USER, webhook.id)).toEqual({
      ...webhook,
      name: "Other",
      paused: true,
      accountId: "paper-2",
      options: rest,
    });
  });
});

describe("the accounts of alerts", () => {
  const pointTo = (account: string) =>
    store.createWebhook({ userId: USER, accountId: accountId(account), name: account });

  test("are all that a webhook ever pointed to, of this user only", async () => {
    expect(await store.alertAccounts(USER)).toEqual([]);
    const { webhook } = await pointTo("paper-3");
    await pointTo("paper-1");
    await store.changeWebhook(USER, webhook.id, { accountId: accountId("paper-2") });
    await store.deleteWebhook(USER, webhook.id);
    expect(await store.alertAccounts(USER)).toEqual(["paper-1", "paper-2", "paper-3"]);
    expect(await store.alertAccounts(OTHER)).toEqual([]);
  });

  test("are those of webhooks that are older than the note, too", async () => {
    await pointTo("paper-2");
    await redis.del(corner.keys.alertAccounts(USER));
    await pointTo("paper-1");
    expect(await store.alertAccounts(USER)).toEqual(["paper-1", "paper-2"]);
  });

  test("are noted by nobody who may not change the webhook", async () => {
    const { webhook } = await pointTo("paper-1");
    await store.changeWebhook(OTHER, webhook.id, { accountId: accountId("paper-2") });
    expect(await store.alertAccounts(OTHER)).toEqual([]);
    expect(await store.alertAccounts(USER)).toEqual(["paper-1"]);
  });
});

describe("the first user", () => {
  test("is one, for all who ask at once and later", async () => {
    const asked = await Promise.all([1, 2, 3].map((n) => store.firstUser(`owner ${n}`)));
    expect(new Set(asked.map(({ userId: id }) => id)).size).toBe(1);
    expect(await store.firstUser("late")).toEqual(asked[0]);
    expect(await store.users()).toEqual([asked[0]]);
  });
});
