// The goal: a webhook that moves to another account fires on one of them at any moment, whoever dies.
// The method: end or hold a process before each of its commands, and ask for the webhook in others.
import type { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type AccountId, accountId, userId } from "../../src/domain/ids.ts";
import type { Webhook } from "../../src/domain/people/credential.ts";
import {
  admissionScripts,
  createRedisAdmissions,
} from "../../src/store/people/redis-admissions.ts";
import { createRedisCredentialStore } from "../../src/store/people/redis-credential-store.ts";
import type { Admissions } from "../../src/trading/people/admissions.ts";
import { atEachCommand, dyingAfter, pausedBefore } from "../unit/store/failing-redis.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";

const USER = userId("user_1");
const [FROM, TO, BEYOND] = ["paper-1", "paper-2", "paper-3"].map(accountId) as [
  AccountId,
  AccountId,
  AccountId,
];

let corner: RedisCorner;
let redis: Redis;
let webhook: Webhook;
let secret: string;

beforeEach(async () => {
  corner = await openCorner();
  redis = await corner.open("worker", admissionScripts);
  const created = { userId: USER, accountId: FROM, name: "Chart", options: { defaultQty: 2 } };
  ({ webhook, secret } = await process().createWebhook(created));
});
afterEach(() => corner.close());

/** What one process sees of the store. */
const process = (connection = redis) =>
  createRedisCredentialStore({ redis: connection, keys: corner.keys });
const requests = (connection = redis) =>
  createRedisAdmissions({
    redis: connection,
    keys: corner.keys,
    keyLimit: 10,
    webhookLimit: 1_000,
    requireKnown: async () => undefined,
  });

const moveTo = async (to: AccountId, connection = redis) =>
  await process(connection).changeWebhook(USER, webhook.id, { accountId: to });

/** On which account a request fires. */
async function firesOn(admissions: Admissions): Promise<AccountId | "unknown"> {
  const admission = await admissions.admitWebhook(secret);
  return admission.kind === "unknown" ? "unknown" : admission.credential.accountId;
}

/** The accounts under which a record of the token lives. */
async function living(): Promise<readonly string[]> {
  const found = await recordKeys();
  const records = await Promise.all(found.map((key) => redis.hgetall(key)));
  return records.flatMap((record) =>
    record["arrival"] === undefined ? [record["accountId"] ?? "none"] : [],
  );
}
const recordKeys = async () =>
  (await corner.stored()).filter((key) => /\}:webhook:[0-9a-f]+$/.test(key));
const arrivals = async () =>
  (await corner.stored()).filter((key) => key.includes("webhook-arrival"));

describe("a process that dies while it moves a webhook", () => {
  /** What mends it, and says on which account the webhook is then. */
  const menders = {
    "a request": async () => await firesOn(requests()),
    "a request of a process that remembers": async (remembering: Admissions) =>
      await firesOn(remembering),
    "a repeat of the edit": async () => (await moveTo(TO))?.accountId,
  };

  test.each(Object.entries(menders))("leaves what %s mends", async (name, mend) => {
    const seen = new Set<string>();
    const remembering = requests();
    expect(await firesOn(remembering)).toBe(FROM);
    const steps = await atEachCommand(
      redis,
      async (connection) => await moveTo(TO, connection),
      async () => {
        const before = await living();
        expect(before.length).toBeLessThanOrEqual(1);
        // It has moved when the list says so; nothing fires on the former account from then on.
        const listed = (await process().webhook(USER, webhook.id))?.accountId;
        seen.add(`${before[0] ?? "nowhere"}, listed at ${listed}`);
        expect(await mend(remembering)).toBe(name === "a repeat of the edit" ? TO : listed);
        expect(await firesOn(requests())).toBe(name === "a repeat of the edit" ? TO : listed);

        await moveTo(TO);
        expect(await firesOn(remembering)).toBe(TO);
        expect(await living()).toEqual([TO]);
        expect(await process().webhook(USER, webhook.id)).toMatchObject({
          ...webhook,
          accountId: TO,
        });
        await moveTo(FROM);
        expect(await firesOn(remembering)).toBe(FROM);
      },
    );
    expect(steps).toBeGreaterThan(5);
    // Before, in between and after were all there to be seen.
    expect([...seen].toSorted()).toEqual([
      "nowhere, listed at paper-2",
      "paper-1, listed at paper-1",
      "paper-2, listed at paper-2",
    ]);
  });

  test("leaves a webhook that can be deleted, and then lives nowhere", async () => {
    await atEachCommand(
      redis,
      async (connection) => await moveTo(TO, connection),
      async () => {
        const remembering = requests();
        await firesOn(remembering);
        expect(await process().deleteWebhook(USER, webhook.id)).toBe(true);
        expect(await firesOn(remembering)).toBe("unknown");
        expect(await firesOn(requests())).toBe("unknown");
        expect(await living()).toEqual([]);
        await moveTo(FROM);
        expect(await living()).toEqual([]);
        ({ webhook, secret } = await process().createWebhook({ ...webhook, accountId: FROM }));
      },
    );
  });
});

describe("a process that was held up, and goes on late,", () => {
  /** It has read the record that has left, and is about to write it where it goes. */
  async function held() {
    const dying = dyingAfter(redis, 5);
    await moveTo(TO, dying.redis);
    expect(await living()).toEqual([]);
    let commands = 0;
    const late = pausedBefore(redis, (command) => {
      commands += command === "evalsha" ? 1 : 0;
      return commands === 2;
    });
    const asked = firesOn(requests(late.redis));
    await late.reached;
    return { ...late, asked };
  }

  test("brings no webhook back that was deleted meanwhile", async () => {
    const { asked, goOn } = await held();
    expect(await firesOn(requests())).toBe(TO);
    await process().deleteWebhook(USER, webhook.id);
    goOn();
    expect(await asked).toBe("unknown");
    expect(await recordKeys()).toEqual([]);
    expect(await corner.stored()).toEqual(
      [
        corner.keys.alertAccounts(USER),
        corner.keys.revoked(webhook.id),
        corner.keys.revokedOf(USER),
      ].toSorted(),
    );
  });

  test("undoes no change that was made meanwhile", async () => {
    const { asked, goOn } = await held();
    await process().changeWebhook(USER, webhook.id, { paused: true });
    goOn();
    expect(await asked).toBe(TO);
    expect(await process().webhook(USER, webhook.id)).toMatchObject({ paused: true });
  });

  test.each([
    ["on", BEYOND],
    ["back", FROM],
  ])("makes no second one of a webhook that was moved %s meanwhile", async (_, to) => {
    const { asked, goOn } = await held();
    await moveTo(to);
    goOn();
    expect(await asked).toBe(to);
    expect(await living()).toEqual([to]);
    expect(await firesOn(requests())).toBe(to);
  });
});

test("of moves, changes and requests at once nothing is lost, and one record is left", async () => {
  const connections = await Promise.all([1, 2, 3].map(() => corner.open("worker")));
  const [, , other] = connections;
  const remembering = requests(other);
  for (let round = 0; round < 10; round += 1) {
    const fired = await Promise.all([
      ...connections.flatMap((connection, at) => [
        moveTo([FROM, TO, BEYOND][(at + round) % 3] ?? FROM, connection),
        process(connection).changeWebhook(USER, webhook.id, {
          options: { rateLimitPerMinute: 500 + round },
        }),
      ]),
      ...Array.from({ length: 5 }, () => firesOn(remembering)),
    ]);
    expect(fired).not.toContain("unknown");
    expect(fired).not.toContain(undefined);
  }
  const [home] = await living();
  expect(await living()).toHaveLength(1);
  expect(await recordKeys()).toHaveLength(1);
  expect(await arrivals()).toEqual([]);
  expect(await firesOn(remembering)).toBe(home);
  expect((await process().webhook(USER, webhook.id))?.options).toEqual({
    defaultQty: 2,
    rateLimitPerMinute: 509,
  });
});

describe("the version of a record", () => {
  const version = async () => {
    const [key = ""] = await recordKeys();
    return Number(await redis.hget(key, "version"));
  };

  test("is raised by every change and every move, and by no request", async () => {
    expect(await version()).toBe(1);
    await firesOn(requests());
    expect(await version()).toBe(1);
    await process().changeWebhook(USER, webhook.id, { paused: true });
    expect(await version()).toBe(2);
    await moveTo(TO);
    expect(await version()).toBe(3);
    await moveTo(FROM);
    expect(await version()).toBe(4);
  });
});

test("a webhook's windows go with it when it leaves an account", async () => {
  await firesOn(requests());
  await moveTo(TO);
  expect((await corner.stored()).filter((key) => key.includes(FROM))).toEqual([]);
});
