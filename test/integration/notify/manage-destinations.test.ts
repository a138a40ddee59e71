// The goal: what a change of a destination must not do, and how often an operator's alarm is told. The
// method: the use cases on a real Redis, with a clock that the test moves.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { DestinationId } from "../../../src/domain/notify/destination.ts";
import { credentialId, userId } from "../../../src/domain/ids.ts";
import {
  createRedisDestinations,
  createRedisNotices,
  destinationScripts,
} from "../../../src/store/notify/redis-destinations.ts";
import { createRedisOutbox, outboxScripts } from "../../../src/store/notify/redis-outbox.ts";
import type { DestinationStore } from "../../../src/trading/notify/destination-store.ts";
import type {
  DestinationUses,
  OperatorAlarm,
} from "../../../src/trading/notify/destination-uses.ts";
import { createDestinationUses } from "../../../src/trading/notify/manage-destinations.ts";
import type { Outbox } from "../../../src/trading/notify/outbox.ts";
import type { Channels } from "../../../src/trading/notify/ports.ts";
import { openCorner, type RedisCorner } from "../../unit/store/open-redis.ts";

const OWNER = userId("user_1");
const MINUTE_MS = 60_000;

let corner: RedisCorner;
let outbox: Outbox;
let destinations: DestinationStore;
let uses: DestinationUses;
let now: number;

beforeEach(async () => {
  corner = await openCorner();
  const redis = await corner.open("request", [...destinationScripts, ...outboxScripts]);
  const { keys } = corner;
  outbox = createRedisOutbox({ redis, keys });
  destinations = createRedisDestinations({ redis, keys });
  now = Date.parse("2026-11-26T12:00:00Z");
  let [made, secrets] = [0, 0];
  uses = createDestinationUses({
    destinations,
    notices: createRedisNotices({ redis, keys }),
    outbox,
    accounts: { find: () => undefined },
    intents: { now: async () => now },
    secrets: {
      seal: async (_, field, text) => `sealed ${field} ${text}`,
      open: async (_, field, sealed) => sealed.slice(`sealed ${field} `.length),
    },
    channels: {} as Channels,
    whyForbidden: async () => undefined,
    newDestinationId: () => `ds_${(made += 1)}` as DestinationId,
    newSigningSecret: () => `whsec_${(secrets += 1)}`,
    newLinkCode: () => ({ code: "c", hash: "h" }),
    ring: async () => undefined,
    elapsed: () => 0,
  });
});

afterEach(async () => await corner.close());

const caller = () => ({
  userId: OWNER,
  credentialId: credentialId("key_1"),
  scopes: ["notify"] as const,
  receivedAt: now,
  requestId: "r1",
});

const told = async () => {
  const lines = await outbox.readUser(OWNER, { limit: 1_000, since: 0 });
  return lines.flatMap((line) => (line.kind === "event" ? [line.event.message] : []));
};

describe("an operator's alarm", () => {
  const alarm = (message: string, change: Partial<OperatorAlarm> = {}): OperatorAlarm => ({
    fingerprint: "f1",
    isFiring: true,
    alertname: "Disk",
    severity: "critical",
    message,
    at: now,
    ...change,
  });

  test("is told once, however often its group is sent again within a while", async () => {
    const first = alarm("fires");
    await uses.tellOperatorAlarms(caller(), [first]);
    now += 5 * MINUTE_MS;
    await uses.tellOperatorAlarms(caller(), [first, alarm("another", { fingerprint: "f2" })]);
    expect(await told()).toEqual(["fires", "another"]);
  });

  test("is told again where nobody has put it right, and where it has begun anew", async () => {
    const first = alarm("fires");
    await uses.tellOperatorAlarms(caller(), [first]);
    now += 30 * MINUTE_MS;
    await uses.tellOperatorAlarms(caller(), [{ ...first, message: "still fires" }]);
    now += MINUTE_MS;
    // That it was over in between was never sent.
    await uses.tellOperatorAlarms(caller(), [alarm("fires anew")]);
    expect(await told()).toEqual(["fires", "still fires", "fires anew"]);
  });

  test("is told as over once, and only if it was told", async () => {
    const over = { isFiring: false };
    await uses.tellOperatorAlarms(caller(), [alarm("unheard of", over)]);
    await uses.tellOperatorAlarms(caller(), [alarm("fires")]);
    await uses.tellOperatorAlarms(caller(), [alarm("over", over)]);
    await uses.tellOperatorAlarms(caller(), [alarm("over again", over)]);
    expect(await told()).toEqual(["fires", "over"]);
  });

  test("is told also where more stand than are remembered", async () => {
    const many = Array.from({ length: 510 }, (_, n) => alarm(`${n}`, { fingerprint: `f${n}` }));
    await uses.tellOperatorAlarms(caller(), many);
    expect(await told()).toHaveLength(510);
    expect((await outbox.states(OWNER)).size).toBe(500);
  });
});

test("a user has ten, and the next one is refused as of everything that has a bound", async () => {
  const add = async () => {
    const settings = { server: "https://a.example", topic: "t" };
    return await uses.createDestination(caller(), {
      kind: "ntfy",
      settings,
      name: "mine",
      rules: [],
    });
  };
  for (let n = 0; n < 10; n += 1) await add();
  await expect(add()).rejects.toMatchObject({
    name: "TOO_MANY_DESTINATIONS",
    message: "There are 10 destinations: take one away first",
  });
});

describe("a change", () => {
  const terms = { name: "mine", rules: [] };

  test("sends no secret elsewhere than where it was given for", async () => {
    const settings = { server: "https://a.example", topic: "t", token: "tk" };
    const made = await uses.createDestination(caller(), { kind: "ntfy", settings, ...terms });
    const { id } = made.destination;
    const moved = { server: "https://b.example" };
    await expect(uses.changeDestination(caller(), id, { settings: moved })).rejects.toMatchObject({
      details: [{ path: "settings.topic" }, { path: "settings.token" }],
    });
    const whole = { ...moved, topic: "t2", token: null };
    await uses.changeDestination(caller(), id, { settings: whole });
    expect((await destinations.find(id))?.settings).toEqual({
      server: "https://b.example",
      topic: "sealed topic t2",
    });
  });

  test("of a name does not judge rules that it leaves as they are", async () => {
    const settings = { url: "https://a.example" };
    const made = await uses.createDestination(caller(), { kind: "webhook", settings, ...terms });
    const { id } = made.destination;
    await destinations.change(id, (one) => ({
      ...one,
      destination: {
        ...one.destination,
        rules: [{ accounts: ["gone" as never], tell: "on" }],
        disabled: { reason: "gone", at: 0 },
      },
    }));
    const changed = await uses.changeDestination(caller(), id, { enabled: true });
    expect(changed.disabled).toBeUndefined();
  });
});

test("a secret that was promised a day has it, whatever is made in between", async () => {
  const settings = { url: "https://a.example" };
  const made = await uses.createDestination(caller(), {
    kind: "webhook",
    settings,
    name: "mine",
    rules: [],
  });
  const { id } = made.destination;
  await uses.rotateSecret(caller(), id);
  now += MINUTE_MS;
  await uses.rotateSecret(caller(), id);
  const valid = (await destinations.find(id))?.secrets.map(({ sealed }) => sealed);
  expect(valid).toEqual([
    "sealed secret whsec_3",
    "sealed secret whsec_2",
    "sealed secret whsec_1",
  ]);
  now += 24 * 60 * MINUTE_MS;
  await uses.rotateSecret(caller(), id);
  expect((await destinations.find(id))?.secrets).toHaveLength(2);
});

test("what stands is told to a first destination, although others that are gone were told", async () => {
  const state = { since: now, told: { message: "naked" } as never };
  await outbox.saveStates(OWNER, [{ key: "k", before: undefined, after: state }], []);
  const settings = { url: "https://a.example" };
  const first = { kind: "webhook", settings, name: "mine", rules: [] } as const;
  // Which tells nobody but a watchdog.
  await uses.createDestination(caller(), { ...first, kind: "heartbeat" });
  await outbox.saveStates(OWNER, [{ key: "k", before: undefined, after: state }], []);
  await uses.createDestination(caller(), first);
  expect((await outbox.states(OWNER)).size).toBe(0);
  await outbox.saveStates(OWNER, [{ key: "k", before: undefined, after: state }], []);
  await uses.createDestination(caller(), first);
  expect((await outbox.states(OWNER)).size).toBe(1);
});
