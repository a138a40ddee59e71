// The goal: what Redis keeps of signing in holds when everything is asked at once.
// The method: the real scripts side by side; time passes by changing what is written down.
import type { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AccountGroup } from "../../src/domain/account-groups/account-group.ts";
import type { NamedExitPlan } from "../../src/domain/exits/named-plan.ts";
import type { CopyGroup } from "../../src/domain/copying/copy-group.ts";
import {
  accountGroupId,
  accountId,
  copyGroupId,
  strategyId,
  userId,
  type UserId,
} from "../../src/domain/ids.ts";
import type { Strategy } from "../../src/domain/strategies/strategy.ts";
import { type Session, SESSION_IDLE_MS, SESSION_MS } from "../../src/domain/people/session.ts";
import {
  admissionScripts,
  createRedisAdmissions,
} from "../../src/store/people/redis-admissions.ts";
import {
  accountGroupScripts,
  createRedisAccountGroups,
} from "../../src/store/account-groups/redis-account-groups.ts";
import {
  createRedisNamedPlans,
  namedPlanScripts,
} from "../../src/store/exits/redis-named-plans.ts";
import { calendarScripts, createRedisCalendars } from "../../src/store/guards/redis-calendars.ts";
import { createRedisAttempts, networkOf } from "../../src/store/people/redis-attempts.ts";
import { createRedisCopyGroups } from "../../src/store/copying/redis-copy-groups.ts";
import { createRedisCredentialStore } from "../../src/store/people/redis-credential-store.ts";
import { createRedisPeople, peopleScripts } from "../../src/store/people/redis-people.ts";
import { createRedisSessions, sessionScripts } from "../../src/store/people/redis-sessions.ts";
import { createRedisStrategies } from "../../src/store/strategies/redis-strategies.ts";
import { hashSecret } from "../../src/store/people/secret.ts";
import { DEFAULT_GROUP } from "../../src/trading/copying/check-copy-group.ts";
import type { Admissions } from "../../src/trading/people/admissions.ts";
import type { AttemptStore, PeopleStore, SessionStore } from "../../src/trading/people/ports.ts";
import type { DestinationId } from "../../src/domain/notify/destination.ts";
import { createRedisOutbox } from "../../src/store/notify/redis-outbox.ts";
import { createRedisDestinations } from "../../src/store/notify/redis-destinations.ts";
import type { StoredDestination } from "../../src/trading/notify/destination-store.ts";
import { createRemoveUser } from "../../src/trading/people/remove-user.ts";
import { openCorner, type RedisCorner } from "../unit/store/open-redis.ts";

const USER = userId("user_1");
const OTHER = userId("user_2");
const WINDOW_MS = 15 * 60_000;

let corner: RedisCorner;
let redis: Redis;
let admissions: Admissions;
let sessions: SessionStore;
let attempts: AttemptStore;
let people: PeopleStore;

beforeEach(async () => {
  corner = await openCorner();
  const scripts = [
    ...admissionScripts,
    ...sessionScripts,
    ...peopleScripts,
    ...accountGroupScripts,
    ...namedPlanScripts,
    ...calendarScripts,
  ];
  redis = await corner.open("worker", scripts);
  const deps = { redis, keys: corner.keys };
  admissions = createRedisAdmissions({
    ...deps,
    keyLimit: 1,
    webhookLimit: 1,
    requireKnown: async () => undefined,
  });
  sessions = createRedisSessions(deps);
  attempts = createRedisAttempts(deps);
  people = createRedisPeople(deps);
});
afterEach(() => corner.close());

const keyOf = (secret: string) =>
  corner.keys.credential("session", hashSecret("session", secret) ?? "");
const kindOf = async (secret: string) => (await admissions.admitSession(secret, true)).kind;

describe("a session", () => {
  test("is admitted as what it is, and its use is noted", async () => {
    const { session, secret } = await sessions.begin(USER);
    expect(session.endsAt - session.signedInAt).toBe(SESSION_MS);
    expect(await redis.pexpiretime(keyOf(secret))).toBe(session.endsAt);
    const admission = await admissions.admitSession(secret, true);
    expect(admission).toMatchObject({ kind: "admitted", credential: session });
    expect(await redis.hget(keyOf(secret), "lastUsedAt")).toBe(
      String(admission.kind === "admitted" && admission.now),
    );
  });

  test("may ask 600 times a minute, whatever keys may", async () => {
    const { secret } = await sessions.begin(USER);
    const kinds = await Promise.all(Array.from({ length: 650 }, () => kindOf(secret)));
    expect(kinds.filter((kind) => kind === "admitted")).toHaveLength(600);
    expect(kinds.filter((kind) => kind === "limited")).toHaveLength(50);
  });

  test("that was not used for long is woken up by nobody, among many that try", async () => {
    const { session, secret } = await sessions.begin(USER);
    await redis.hincrby(keyOf(secret), "lastUsedAt", -SESSION_IDLE_MS);
    expect(await sessions.findEnded([session])).toEqual([session.id]);
    const kinds = await Promise.all(Array.from({ length: 50 }, () => kindOf(secret)));
    expect(new Set(kinds)).toEqual(new Set(["unknown"]));
    expect(await sessions.renew(session)).toBeUndefined();
  });

  test("is no key, and its secret is nowhere", async () => {
    const { secret } = await sessions.begin(USER);
    expect((await admissions.admitKey(secret)).kind).toBe("unknown");
    const stored = await corner.stored();
    expect(stored.join("\n")).not.toContain(secret);
  });

  test("of renewals at once one holds, and every secret but its own is worth nothing", async () => {
    const { session, secret } = await sessions.begin(USER);
    const renewed = await Promise.all(Array.from({ length: 8 }, () => sessions.renew(session)));
    const held = renewed.filter((one) => one !== undefined);
    const living = await Promise.all(held.map((one) => kindOf(one.secret)));
    expect(living.filter((kind) => kind === "admitted")).toHaveLength(1);
    expect(await kindOf(secret)).toBe("unknown");
    expect(held.every((one) => one.session.id === session.id)).toBe(true);
  });

  test("that ended is not renewed", async () => {
    const { session, secret } = await sessions.begin(USER);
    await sessions.end(session);
    expect(await sessions.renew(session)).toBeUndefined();
    expect(await kindOf(secret)).toBe("unknown");
    expect(await sessions.findEnded([session])).toEqual([session.id]);
  });

  // A renewal takes five steps: its session ends before, between and after them.
  test.each([0, 1, 2, 3, 4, 5, 6])(
    "that ends %i steps into a renewal is over under either secret",
    async (steps) => {
      const endings = [(session: Session) => sessions.end(session), () => sessions.endAll(USER)];
      for (const end of endings) {
        const { session, secret } = await sessions.begin(USER);
        const renewing = sessions.renew(session);
        for (let step = 0; step < steps; step += 1) await redis.ping();
        await end(session);
        const renewed = await renewing;
        expect(await kindOf(secret)).toBe("unknown");
        expect(await kindOf(renewed?.secret ?? "")).toBe("unknown");
      }
    },
  );

  test("all of a user's end but the one that is kept, and no other user's", async () => {
    const [kept, gone, others] = [
      await sessions.begin(USER),
      await sessions.begin(USER),
      await sessions.begin(OTHER),
    ];
    await sessions.endAll(USER, kept.session.id);
    const kinds = await Promise.all([kept, gone, others].map(({ secret }) => kindOf(secret)));
    expect(kinds).toEqual(["admitted", "unknown", "admitted"]);
    const all = [kept, gone, others].map(({ session }) => session);
    expect(await sessions.findEnded(all)).toEqual([gone.session.id]);
  });

  test("more than twenty of one person make room, the longest unused first", async () => {
    const opened = [];
    for (let n = 0; n < 20; n += 1) opened.push(await sessions.begin(USER));
    const [first, second] = opened;
    if (first === undefined || second === undefined) throw new Error("There are twenty");
    await redis.hincrby(keyOf(second.secret), "lastUsedAt", -600_000);
    await sessions.begin(USER);
    expect([await kindOf(first.secret), await kindOf(second.secret)]).toEqual([
      "admitted",
      "unknown",
    ]);
  });
});

describe("attempts", () => {
  const begin = async (name: string, address: string, count: number) =>
    await Promise.all(Array.from({ length: count }, () => attempts.begin({ name, address })));
  const letIn = (answers: readonly number[]) => answers.filter((wait) => wait === 0).length;
  const address = (n: number) => `192.0.2.${n}`;

  test("five of a name from one address, whatever its case", async () => {
    expect(letIn(await begin("anna", address(1), 20))).toBe(5);
    const [wait = 0] = await begin("ANNA", address(1), 1);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(WINDOW_MS);
    expect(letIn(await begin("anna", address(2), 1))).toBe(1);
    expect(letIn(await begin("bert", address(1), 1))).toBe(1);
  });

  test("thirty of one address, whatever the names", async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => attempts.begin({ name: `n${n}`, address: address(1) })),
    );
    expect(letIn(answers)).toBe(30);
    expect(await attempts.begin({ address: address(1) })).toBeGreaterThan(0);
    expect(await attempts.begin({ name: "n1", address: address(2) })).toBe(0);
  });

  test("twenty of one name, whatever the addresses", async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, n) => attempts.begin({ name: "anna", address: address(n) })),
    );
    expect(letIn(answers)).toBe(20);
  });

  test("whoever goes on from one address shuts nobody else out", async () => {
    await begin("anna", address(1), 200);
    expect(letIn(await begin("anna", address(2), 5))).toBe(5);
  });

  test("what the name's limit refuses is not held against the address", async () => {
    for (let n = 1; n <= 4; n += 1) await begin("anna", address(n), 5);
    await begin("anna", address(9), 50);
    const others = Array.from({ length: 30 }, (_, n) => begin(`n${n}`, address(9), 1));
    expect(letIn((await Promise.all(others)).flat())).toBe(30);
  });

  test("a success takes its own back, and forgets the failures of the name from there", async () => {
    for (let n = 0; n < 50; n += 1) {
      await begin("anna", address(1), 1);
      await attempts.succeed({ name: "anna", address: address(1) });
      await attempts.begin({ address: address(1) });
      await attempts.succeed({ address: address(1) });
    }
    expect(letIn(await begin("anna", address(1), 10))).toBe(5);
  });

  test("they are forgotten after 15 minutes, and names and addresses are not readable", async () => {
    await begin("anna", address(1), 1);
    const stored = await corner.stored();
    const counters = stored.filter((key) => key.includes(":attempts:"));
    expect(counters).toHaveLength(3);
    expect(counters.join()).not.toMatch(/anna|192\.0/);
    for (const counter of counters) {
      const left = await redis.pttl(counter);
      expect(left).toBeGreaterThan(WINDOW_MS - 60_000);
      expect(left).toBeLessThanOrEqual(WINDOW_MS);
    }
  });

  test("a hundred challenges are all one address is given", async () => {
    const answers = Array.from({ length: 120 }, () => attempts.beginChallenge(address(1)));
    expect(letIn(await Promise.all(answers))).toBe(100);
  });

  test.each([
    ["192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:db8::6", "2001:db8:0:0"],
    ["::1", "0:0:0:0"],
    ["fe80::", "fe80:0:0:0"],
    ["unknown", "unknown"],
  ])("%s is of the network %s", (said, network) => {
    expect(networkOf(said)).toBe(network);
  });
});

describe("a set-up link", () => {
  const record = (name: string) => ({ userId: USER, name, passwordHash: "$argon2id$" });

  test("is good for one of many that use it at once", async () => {
    const link = await people.createLink(USER);
    const done = await Promise.all(
      Array.from({ length: 20 }, (_, n) => people.setUp(link, record(`name${n}`))),
    );
    expect(done.filter((one) => one === "done")).toHaveLength(1);
    expect(done.filter((one) => one === "linkGone")).toHaveLength(19);
  });

  test("is used up with every other one that its user has, and with no one else's", async () => {
    const [one, other] = [await people.createLink(USER), await people.createLink(USER)];
    const others = await people.createLink(OTHER);
    expect(await people.setUp(one, record("anna"))).toBe("done");
    expect(await people.readLink(other)).toBeUndefined();
    expect(await people.setUp(other, record("thief"))).toBe("linkGone");
    expect(await people.readLink(others)).toBe(OTHER);
    expect(await people.readLink(await people.createLink(USER))).toBe(USER);
  });

  test("holds for a day", async () => {
    const link = await people.createLink(USER);
    const key = corner.keys.setUpLink(hashSecret("setUp", link) ?? "");
    const left = await redis.pttl(key);
    expect(left).toBeGreaterThan(23 * 3_600_000);
    expect(left).toBeLessThanOrEqual(24 * 3_600_000);
    await redis.del(key);
    expect(await people.readLink(link)).toBeUndefined();
    expect(await people.setUp(link, record("late"))).toBe("linkGone");
  });

  test("of a name that two want at once one has it, and a changed name is free again", async () => {
    const [one, other] = [await people.createLink(USER), await people.createLink(OTHER)];
    const done = await Promise.all([
      people.setUp(one, record("anna")),
      people.setUp(other, { ...record("ANNA"), userId: OTHER }),
    ]);
    expect(done.toSorted((a, b) => a.localeCompare(b))).toEqual(["done", "nameTaken"]);
    const winner = (await people.findByName("Anna"))?.userId ?? USER;
    await people.setUp(await people.createLink(winner), { ...record("bert"), userId: winner });
    expect(await people.findByName("anna")).toBeUndefined();
    expect((await people.findByName("BERT"))?.userId).toBe(winner);
  });
});

test("a password takes the place of the one that was looked at, and of no newer one", async () => {
  const set = async (passwordHash: string) =>
    await people.setUp(await people.createLink(USER), { userId: USER, name: "anna", passwordHash });
  await set("old");
  const looked = await people.find(USER);
  if (looked === undefined) throw new Error("It is set up");
  expect(await people.changePassword(looked, "new")).toBe(true);
  expect(await people.changePassword(looked, "too late")).toBe(false);
  expect((await people.find(USER))?.passwordHash).toBe("new");
});

test("what a user makes while they are removed goes with them", async () => {
  const credentials = createRedisCredentialStore({ redis, keys: corner.keys });
  const strategies = createRedisStrategies({ redis, keys: corner.keys });
  const copyGroups = createRedisCopyGroups({ redis, keys: corner.keys });
  const accountGroups = createRedisAccountGroups({ redis, keys: corner.keys });
  const namedPlans = createRedisNamedPlans({ redis, keys: corner.keys });
  const calendars = createRedisCalendars({ redis, keys: corner.keys });
  const destinations = createRedisDestinations({ redis, keys: corner.keys });
  const { userId: leaving } = await people.addUser("leaver");
  const terms = { userId: leaving, name: "late", scopes: ["trade"] as const };
  const made: string[] = [];
  const connections = {
    listConnections: async () => {
      made.push((await credentials.createKey(terms)).secret);
      await strategies.save(strategyOf(leaving), await strategies.version(), undefined);
      await copyGroups.save(groupOf(leaving), await copyGroups.version());
      await accountGroups.save(accountGroupOf(leaving, "ag_late"), undefined, 9);
      await namedPlans.save(leaving, planOf("late"), NEW_PLAN);
      await destinations.add(destinationOf(leaving, "ds_late"));
      return [];
    },
    removeConnection: async () => undefined,
  };
  await copyGroups.save(groupOf(leaving), await copyGroups.version());
  const others = { ...groupOf(userId("user_other")), groupId: copyGroupId("cg_other") };
  await copyGroups.save(others, await copyGroups.version());
  await accountGroups.save(accountGroupOf(leaving, "ag_before"), undefined, 9);
  await namedPlans.save(leaving, planOf("before"), NEW_PLAN);
  await namedPlans.save(userId("user_other"), planOf("other"), NEW_PLAN);
  const othersAccounts = accountGroupOf(userId("user_other"), "ag_other");
  await accountGroups.save(othersAccounts, undefined, 9);
  await destinations.add(destinationOf(userId("user_other"), "ds_other"));
  const outbox = createRedisOutbox({ redis, keys: corner.keys });
  const ends = { copyGroups, accountGroups, namedPlans, connections, destinations, outbox };
  const calendar = { name: "news", savedAt: 0, zone: "UTC", events: [] } as never;
  await calendars.save(leaving, calendar, 9);
  await calendars.save(userId("user_other"), calendar, 9);
  const deps = { people, sessions, credentials, strategies, calendars, ...ends };
  await createRemoveUser(deps)(leaving);
  expect(await calendars.read(leaving)).toEqual([]);
  expect(await calendars.read(userId("user_other"))).toHaveLength(1);
  expect(made).toHaveLength(1);
  expect((await admissions.admitKey(made[0] ?? "")).kind).toBe("unknown");
  expect((await strategies.read()).strategies).toEqual([]);
  expect((await copyGroups.read()).groups).toEqual([others]);
  expect(await accountGroups.read(leaving)).toEqual([]);
  expect(await namedPlans.all(leaving)).toEqual([]);
  expect(await namedPlans.all(userId("user_other"))).toEqual([planOf("other")]);
  expect(await accountGroups.read(othersAccounts.userId)).toEqual([othersAccounts]);
  const left = await destinations.all();
  expect(left.map(({ destination }) => destination.id)).toEqual(["ds_other"]);
});

test("a name that is set up while its user is removed stays free", async () => {
  const { userId: leaving } = await people.addUser("leaver");
  const link = await people.createLink(leaving);
  await people.removeUser(leaving);
  const late = [link, await people.createLink(leaving)].map(
    async (one) => await people.setUp(one, { userId: leaving, name: "zoe", passwordHash: "x" }),
  );
  expect(await Promise.all(late)).toEqual(["linkGone", "linkGone"]);
  const { userId: other } = await people.addUser("other");
  const record = { userId: other, name: "zoe", passwordHash: "y" };
  expect(await people.setUp(await people.createLink(other), record)).toBe("done");
});

const destinationOf = (user: UserId, id: string): StoredDestination => ({
  destination: {
    id: id as DestinationId,
    userId: user,
    name: id,
    kind: "discord",
    rules: [],
    createdAt: 1,
  },
  settings: {},
  secrets: [],
});

const NEW_PLAN = { most: 9, onlyNew: true } as const;

const planOf = (name: string): NamedExitPlan => ({ name, plan: {}, savedAt: 1 });

const accountGroupOf = (user: UserId, id: string): AccountGroup => ({
  groupId: accountGroupId(id),
  userId: user,
  name: id,
  members: [],
  createdAt: 1,
});

function groupOf(user: UserId): CopyGroup {
  return {
    ...DEFAULT_GROUP,
    groupId: copyGroupId("cg_late"),
    userId: user,
    name: "late",
    leader: accountId("paper-1"),
    followers: [],
    createdAt: 1,
  };
}

function strategyOf(user: UserId): Strategy {
  return {
    strategyId: strategyId("st_late"),
    userId: user,
    version: 1,
    createdAt: 1,
    changedAt: 1,
    name: "late",
    accountId: accountId("paper-1"),
    symbol: "ES",
    barMinutes: 1,
    barCount: 2,
    indicators: {},
    conditions: { enterLong: "true" },
    qty: 1,
    mode: "observe",
    enabled: true,
  };
}
