// The goal: an intent is begun as it is accepted only where all is as its sender has foreseen it.
// The method: change one fact of a real Redis at a time, and compare with the two steps one by one.
import type { Redis } from "ioredis";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { encodeLaneJob } from "../../queues/lane.ts";
import { laneScripts } from "../../src/app/lane-scripts.ts";
import { intentId, orderId } from "../../src/domain/ids.ts";
import type { AccountLimits } from "../../src/domain/limits.ts";
import { createAcceptAndBegin } from "../../src/store/intents/redis-accept-and-begin.ts";
import { OrderShares } from "../../src/store/intents/order-shares.ts";
import { UserGuards } from "../../src/store/intents/user-guards.ts";
import type { Keys } from "../../src/store/keys.ts";
import type { AcceptAndBegin, Begun } from "../../src/trading/lane/ahead.ts";
import type { SendRequest } from "../../src/trading/lane/send-permit.ts";
import type { NewIntent } from "../../src/trading/orders/ports.ts";
import type { Quota } from "../../src/trading/people/admissions.ts";
import {
  ACCOUNT,
  DONE,
  entry,
  IntentKit,
  OWNER,
  sendRequest,
  UNKNOWN,
} from "../support/intent-kit.ts";
import { PROCESS } from "../support/intent-store.ts";
import { addLaneJob } from "../support/lane-jobs.ts";
import { entryOf } from "../unit/store/alert-kit.ts";
import { place } from "../unit/trading/lane-kit.ts";

let kit: IntentKit;
let redis: Redis;
let keys: Keys;
let shares: OrderShares;
let acceptAndBegin: AcceptAndBegin;

beforeEach(async () => {
  kit = await IntentKit.open();
  redis = kit.redis;
  keys = kit.corner.keys;
  shares = new OrderShares({ redis, keys });
  await shares.open(1_000);
  acceptAndBegin = open(redis);
});
afterEach(() => kit.corner.close());

const open = (connection: Redis, patient = connection): AcceptAndBegin =>
  createAcceptAndBegin({
    redis: connection,
    patient,
    keys,
    shares,
    alertRetentionMs: 60_000,
    laneScripts,
    jobData: encodeLaneJob({ replyTo: PROCESS }),
    noteAccepted: () => undefined,
    isTight: () => false,
    processId: PROCESS,
  });

/** How many orders of the last minute count among those of all. */
async function countedInAll(): Promise<number> {
  await shares.open(1_000);
  return Number.parseInt(String(await redis.hvals(keys.orderShares)), 10) - 125;
}

/** As far as a time of receipt may be off: an intent is begun within a second of it. */
const AHEAD_MS = 900;

async function newIntent(change: Partial<NewIntent> = {}): Promise<NewIntent> {
  const intent = await kit.newIntent(change);
  return { ...intent, receivedAt: change.receivedAt ?? intent.receivedAt + AHEAD_MS };
}

interface Asked {
  readonly intent?: Partial<NewIntent>;
  readonly request?: Partial<SendRequest>;
  readonly limits?: Partial<AccountLimits>;
}

async function ask({ intent: change, request, limits = {} }: Asked = {}) {
  const intent = await newIntent(change);
  const asked = sendRequest(intent.intentId, request);
  const begun: Begun = await acceptAndBegin(intent, asked, limits);
  return { id: intent.intentId, intent, begun };
}

const guards = () => new UserGuards({ redis, keys });
const lane = (part: string): string => `${keys.lane(ACCOUNT)}:${part}`;
const onLane = async () => ({
  waiting: await redis.lrange(lane("wait"), 0, -1),
  active: await redis.lrange(lane("active"), 0, -1),
});
const ENTRY = { request: entry(10) };

describe("where all is as foreseen", () => {
  test("the record says SENDING with its identifier, and its job is active", async () => {
    const { id, begun } = await ask();
    const record = await kit.read(id);
    expect(begun).toEqual({ kind: "begun", acceptedAt: record.acceptedAt });
    expect(record).toMatchObject({
      state: "SENDING",
      clOrdIds: [`${id}-1`],
      sentAt: record.acceptedAt,
      entryExpiresAt: record.acceptedAt + 30_000,
      exitExpiresAt: record.acceptedAt + 600_000,
    });
    expect(await onLane()).toEqual({ waiting: [], active: [id] });
    expect(await redis.smembers(keys.sending(ACCOUNT))).toEqual([id]);
    expect(await redis.zrange(keys.open(ACCOUNT), "0", "-1")).toEqual([id]);
  });

  const ALERT = (intent: NewIntent) => ({ alert: { entry: entryOf(intent) } });
  test.each([
    ["alert", ALERT],
    ["request", () => ({})],
  ] as const)(
    "an %s stands in the store as after the two steps one by one",
    async (_what, change) => {
      const fieldsOf = async (id: string) => {
        const hash = await redis.hgetall(keys.intent(ACCOUNT, intentId(id)));
        const told = JSON.stringify(hash)
          .replaceAll(id, "ID")
          .replaceAll(/"\d{13}"/g, '"TIME"')
          .replace(/"age":"-?\d+"/, '"age":"MS"');
        const { seq, ...fields } = JSON.parse(told) as Record<string, string>;
        expect(seq).toEqual(expect.any(String));
        const permit = fields["permit:ID-1"] !== undefined;
        return { ...fields, "permit:ID-1": permit };
      };
      const first = await newIntent();
      await kit.intents.accept({ ...first, ...change(first) });
      await kit.begin(first.intentId, ENTRY.request);
      const begunBySteps = await fieldsOf(first.intentId);
      await kit.settle(first.intentId, DONE);
      const usual = await fieldsOf(first.intentId);
      await redis.del(lane("wait"));

      const second = await newIntent();
      const { begun } = await (async () => {
        const intent = { ...second, ...change(second) };
        const asked = sendRequest(intent.intentId, ENTRY.request);
        return { begun: await acceptAndBegin(intent, asked, {}) };
      })();
      expect(begun.kind).toBe("begun");
      expect(await fieldsOf(second.intentId)).toEqual(begunBySteps);
      expect(begunBySteps["permit:ID-1"]).toBe(true);
      await kit.settle(second.intentId, DONE);
      expect(await fieldsOf(second.intentId)).toEqual(usual);
    },
  );

  test("a plan and an exit's plan are kept with it", async () => {
    const plan = { cancel: [], levels: {} } as never;
    const { id } = await ask({ request: { plan, exitPlan: { closes: [], cancels: [] } } });
    expect(await kit.read(id)).toMatchObject({ plan, exitPlan: { closes: [], cancels: [] } });
  });

  test("the next one may be begun once it has ended", async () => {
    const { id } = await ask(ENTRY);
    await kit.settle(id, DONE);
    await redis.del(lane("active"));
    expect((await ask(ENTRY)).begun.kind).toBe("begun");
    expect(await redis.zcard(keys.sent(ACCOUNT))).toBe(2);
  });
});

describe("is accepted on its lane, and not begun", () => {
  async function unsettled() {
    return await kit.accept();
  }
  async function stored(key: string, fields: object, asked: Asked = {}): Promise<Asked> {
    await redis.hset(key, fields);
    return asked;
  }
  const FACTS: [string, () => Promise<Asked>][] = [
    [
      "where another process owns the account",
      async () => {
        await redis.set(keys.epoch(ACCOUNT), 8);
        return {};
      },
    ],
    [
      "where nobody owns the account",
      async () => {
        await redis.del(keys.epoch(ACCOUNT));
        return {};
      },
    ],
    [
      "behind what waits on the lane",
      async () => {
        await addLaneJob(redis, keys.lane(ACCOUNT), "i-before");
        return {};
      },
    ],
    [
      "behind what is active on the lane",
      async () => {
        await redis.lpush(lane("active"), "i-before");
        return {};
      },
    ],
    [
      "where the lane is paused",
      async () => {
        await redis.hset(lane("meta"), "paused", 1);
        return {};
      },
    ],
    [
      "while an outcome is unknown",
      async () => {
        const id = await unsettled();
        await kit.begin(id);
        await kit.settle(id, UNKNOWN);
        await redis.del(lane("wait"));
        return {};
      },
    ],
    [
      "while another one is being sent",
      async () => {
        await kit.begin(await unsettled());
        await redis.del(lane("wait"));
        return {};
      },
    ],
    [
      "while another one is parked",
      async () => {
        await kit.intents.park(ACCOUNT, await unsettled(), PROCESS);
        await redis.del(lane("wait"));
        return {};
      },
    ],
    ["where a limit was set since", () => stored(keys.limits(ACCOUNT), { maxOrderQty: 3 })],
    [
      "where a limit was changed since",
      () => stored(keys.limits(ACCOUNT), { maxPositionQty: 4 }, { limits: { maxPositionQty: 3 } }),
    ],
    [
      "where the orders per minute were limited since",
      () => stored(keys.limits(ACCOUNT), { maxOrdersPerMinute: 2 }),
    ],
    ["where a limit is gone", async () => ({ limits: { maxOrderQty: 3 } })],
    [
      "of an entry, where the account's kill switch is on",
      () => stored(keys.killSwitch({ accountId: ACCOUNT }), { active: 1 }, ENTRY),
    ],
    [
      "of an entry, where a guard has locked its account",
      () => stored(keys.guards(ACCOUNT), { lock: "{}" }, ENTRY),
    ],
    [
      "of an entry, where guards were set since",
      () => stored(keys.guards(ACCOUNT), { version: "2" }, ENTRY),
    ],
    [
      "of an entry, where the minute is full",
      async () => {
        await redis.zadd(keys.sent(ACCOUNT), Date.now(), "one", Date.now(), "two");
        return { request: entry(2) };
      },
    ],
    [
      "of a key that was revoked",
      async () => {
        await guards().revoke(OWNER.userId, OWNER.credentialId);
        return {};
      },
    ],
    [
      "of an entry, where its user's kill switch is on",
      async () => {
        await guards().setSwitch(OWNER.userId, true);
        return ENTRY;
      },
    ],
    [
      "of an entry, where nobody knows whether its user's kill switch is on",
      async () => {
        await redis.del(keys.userSwitch(ACCOUNT, OWNER.userId));
        return ENTRY;
      },
    ],
    [
      "of an entry, where its process has no share left of everyone's minute",
      async () => {
        expect(await shares.take(1)).toBeDefined();
        return { request: entry(10, 1) };
      },
    ],
    [
      "of an entry whose share may be somebody else's before it comes",
      async () => {
        const takeHeld = shares.takeHeld.bind(shares);
        const late = await kit.intents.now();
        shares.takeHeld = (limit) => {
          const taken = takeHeld(limit);
          return taken && { ...taken, until: late };
        };
        return ENTRY;
      },
    ],
    [
      "of an entry that may not wait at all",
      async () => ({ ...ENTRY, intent: { entryMaxAgeMs: 0 } }),
    ],
    [
      "where its sender has given up waiting",
      async () => ({
        // A busy machine must not make it too late to be accepted.
        intent: { receivedAt: (await kit.intents.now()) - 1_500, acceptMs: 60_000 },
      }),
    ],
    [
      "where it is tried anew, and exits may have come since",
      async () => {
        const idempotency = { key: "k", fingerprint: "f" };
        const earlier = await kit.accept({ idempotency });
        await kit.settle(earlier, { kind: "notSent", reason: "no connection" });
        await redis.del(lane("wait"));
        return { intent: { idempotency } };
      },
    ],
  ];
  test.each(FACTS)("%s", async (_what, change) => {
    const asked = await change();
    const before = await onLane();
    const counted = await countedInAll();
    const { id, begun } = await ask(asked);
    expect(begun.kind).toBe("onLane");
    const record = await kit.read(id);
    expect(record).toMatchObject({ state: "PREPARED", clOrdIds: [] });
    expect(record.sentAt).toBeUndefined();
    expect(await onLane()).toEqual({ ...before, waiting: [id, ...before.waiting] });
    expect(await redis.sismember(keys.sending(ACCOUNT), id)).toBe(0);
    expect(await redis.zscore(keys.sent(ACCOUNT), `${id}-1`)).toBeNull();
    // Nobody's minute is used up by what is not sent.
    expect(await countedInAll()).toBe(counted);
  });

  test("with the limits that stand", async () => {
    await redis.hset(keys.limits(ACCOUNT), { maxOrderQty: 3, maxOrdersPerMinute: 2 });
    const { begun } = await ask();
    expect(begun).toEqual({ kind: "onLane", limits: { maxOrderQty: 3, maxOrdersPerMinute: 2 } });
    const limits = { maxOrderQty: 3, maxOrdersPerMinute: 2 };
    await redis.del(lane("wait"));
    expect((await ask({ limits })).begun.kind).toBe("begun");
  });
});

describe("an exit is begun all the same", () => {
  test("with every kill switch on and every minute full", async () => {
    await guards().setSwitch(OWNER.userId, true);
    await shares.take(1);
    await redis.hset(keys.killSwitch({ accountId: ACCOUNT }), "active", 1);
    await redis.zadd(keys.sent(ACCOUNT), Date.now(), "one");
    expect((await ask()).begun).toMatchObject({ kind: "begun" });
  });
});

describe("nothing is written", () => {
  test.each([
    ["of one that comes too late", { receivedAt: 0 }, { kind: "tooLate" }],
    [
      "under a key with another body",
      { idempotency: { key: "k", fingerprint: "g" } },
      { kind: "keyReused" },
    ],
    ["under a key that stands", { idempotency: { key: "k", fingerprint: "f" } }, { kind: "known" }],
  ])("%s", async (_what, change, answer) => {
    const earlier = await kit.accept({ idempotency: { key: "k", fingerprint: "f" } });
    await kit.settle(earlier, DONE);
    await redis.del(lane("wait"));
    const before = await kit.stored();
    const { id, begun } = await ask({ intent: change });
    expect(begun).toMatchObject(answer);
    expect(await kit.intents.find(ACCOUNT, id)).toBeUndefined();
    expect(await kit.stored()).toEqual(before);
  });
});

describe("an answer that is lost", () => {
  /** A connection that carries everything out, and loses the answers of these commands. */
  function lose(...lost: readonly number[]): void {
    let asked = 0;
    const deaf = Object.create(redis) as Redis;
    deaf.sendCommand = async (command) => {
      const isLost = command.name === "evalsha" && lost.includes((asked += 1));
      const answer = await redis.sendCommand(command);
      if (isLost) throw new Error("Command timed out");
      return answer;
    };
    acceptAndBegin = open(deaf);
  }

  async function takenBack(begun: Begun): Promise<void> {
    if (begun.kind !== "unsure") throw new Error("it was not lost");
    await begun.takenBack;
  }

  test("is of an intent that is accepted, is not sent, and stands as unsent again", async () => {
    lose(1);
    const { id, begun } = await ask(ENTRY);
    expect(begun).toEqual({ kind: "unsure", takenBack: expect.any(Promise) });
    await takenBack(begun);
    expect(await kit.read(id)).toMatchObject({ state: "PREPARED", clOrdIds: [] });
    expect(await onLane()).toEqual({ waiting: [], active: [id] });
    expect(await redis.zcard(keys.sent(ACCOUNT))).toBe(0);
    // Nobody's minute is used up by what is not sent.
    expect(await countedInAll()).toBe(0);
  });

  test("and is not found for a while is of an intent that is taken back all the same", async () => {
    const deaf = Object.create(redis) as Redis;
    deaf.sendCommand = async (command) => {
      if (command.name === "evalsha") await redis.sendCommand(command);
      throw new Error("Command timed out");
    };
    acceptAndBegin = open(deaf, redis);
    const { id, begun } = await ask(ENTRY);
    expect(begun).toMatchObject({ kind: "unsure", lost: { certainlyNotWritten: false } });
    await takenBack(begun);
    expect(await kit.read(id)).toMatchObject({ state: "PREPARED", clOrdIds: [] });
    expect(await countedInAll()).toBe(0);
  });

  test("of what Redis carries out later still: it is taken back then", async () => {
    let carryOut: () => Promise<unknown> = async () => undefined;
    const slow = Object.create(redis) as Redis;
    slow.sendCommand = (command) => {
      if (command.name === "evalsha") carryOut = async () => await redis.sendCommand(command);
      return Promise.reject(new Error("Command timed out"));
    };
    acceptAndBegin = open(slow, redis);
    const { id, begun } = await ask(ENTRY);
    expect(await carryOut()).toMatchObject([["begun", expect.any(Number)]]);
    await takenBack(begun);
    expect(await kit.read(id)).toMatchObject({ state: "PREPARED", clOrdIds: [] });
  });

  test("twice leaves it as begun: it is looked up, and never sent", async () => {
    const beginning = Object.create(redis) as Redis;
    let asked = 0;
    beginning.sendCommand = async (command) => {
      if (command.name !== "evalsha") return await redis.sendCommand(command);
      asked += 1;
      if (asked <= 1) await redis.sendCommand(command);
      throw new Error("Command timed out");
    };
    acceptAndBegin = open(beginning);
    const { id, begun } = await ask();
    await expect(takenBack(begun)).rejects.toThrow("Command timed out");
    expect([begun.kind, await kit.stateOf(id)]).toEqual(["unsure", "SENDING"]);
  });

  test("of a server that has forgotten the scripts costs nothing: it is asked again", async () => {
    await redis.script("FLUSH");
    expect((await ask()).begun.kind).toBe("begun");
  });
});

describe("an alert whose webhook is remembered", () => {
  const HASH = "hash";
  const record = () => keys.webhook(ACCOUNT, HASH);
  const window = () => keys.webhookWindow(ACCOUNT, HASH);
  let told: Quota[];
  beforeEach(async () => {
    told = [];
    await redis.hset(record(), { id: "hook_1", version: 3 });
  });

  async function newAlert(change: Partial<NewIntent> = {}): Promise<NewIntent> {
    const intent = await newIntent(change);
    const known = { hash: HASH, version: "3", byDefault: 2 };
    const admission = { ...known, told: (quota: Quota) => void told.push(quota) };
    return { ...intent, alert: { entry: entryOf(intent) }, admission };
  }
  type Accept = (intent: NewIntent) => Promise<{ readonly kind: string }>;
  const WAYS: [string, Accept, string][] = [
    ["begun", (intent) => acceptAndBegin(intent, sendRequest(intent.intentId), {}), "begun"],
    ["accepted on its lane", (intent) => kit.intents.accept(intent), "accepted"],
  ];

  describe.each(WAYS)("and that is %s", (_how, accept, accepted) => {
    test("is counted in the same step, and its quota is told", async () => {
      const { kind } = await accept(await newAlert());
      expect(kind).toBe(accepted);
      expect(told).toEqual([{ limit: 2, windowSeconds: 60, remaining: 1, resetSeconds: 60 }]);
      expect(await redis.zcard(window())).toBe(1);
      expect(await redis.hexists(record(), "lastUsedAt")).toBe(1);
    });

    test("has the webhook's own limit where it has one", async () => {
      await redis.hset(record(), "rateLimit", 7);
      await accept(await newAlert());
      expect(told).toMatchObject([{ limit: 7, remaining: 6 }]);
    });

    const exit = (): Partial<NewIntent> => ({ intent: { kind: "FLATTEN", cancelResting: true } });
    test("may come as late as an exit may wait, where it can open nothing", async () => {
      const receivedAt = (await kit.intents.now()) - 5_000;
      const late = await newAlert({ ...exit(), receivedAt, exitMaxAgeMs: 60_000 });
      expect((await accept(late)).kind).toBe(accepted === "begun" ? "onLane" : "accepted");
      expect([await kit.stateOf(late.intentId), told.length]).toEqual(["PREPARED", 1]);
    });

    const FACTS: [string, () => Promise<Partial<NewIntent>>][] = [
      [
        "it is an exit that comes later than it may wait",
        async () => ({
          ...exit(),
          receivedAt: (await kit.intents.now()) - 5_000,
          exitMaxAgeMs: 4_000,
        }),
      ],
      [
        "it was changed",
        async () => {
          await redis.hincrby(record(), "version", 1);
          return {};
        },
      ],
      [
        "it was deleted",
        async () => {
          await redis.del(record());
          return {};
        },
      ],
      [
        "it has left for another account",
        async () => {
          await redis.hset(record(), "arrival", "x");
          return {};
        },
      ],
      [
        "its window is full",
        async () => {
          const now = await kit.intents.now();
          await redis.zadd(window(), now, "one", now, "two");
          return {};
        },
      ],
      [
        "the time of receipt is over a second too late",
        async () => ({ receivedAt: (await kit.intents.now()) + 2_500 }),
      ],
      [
        "the time of receipt is over a second too early",
        async () => ({ intent: place(), receivedAt: (await kit.intents.now()) - 1_500 }),
      ],
    ];
    test.each(FACTS)("is not where %s: nothing is written or counted", async (_what, change) => {
      const intent = await newAlert(await change());
      const before = await kit.stored();
      const used = await redis.zcard(window());
      expect(await accept(intent)).toEqual({ kind: "unadmitted" });
      expect([await kit.stored(), await redis.zcard(window()), told]).toEqual([before, used, []]);
    });
  });
});

test("two processes at once: one begins, the other's goes behind it", async () => {
  const other = open(await kit.corner.open("request"));
  const [one, two] = [await newIntent(), await newIntent()];
  const answers = await Promise.all([
    acceptAndBegin(one, sendRequest(one.intentId), {}),
    other(two, sendRequest(two.intentId), {}),
  ]);
  expect(answers.map(({ kind }) => kind).sort()).toEqual(["begun", "onLane"]);
  const begun = answers[0]?.kind === "begun" ? one : two;
  const waits = begun === one ? two : one;
  expect(await onLane()).toEqual({ waiting: [waits.intentId], active: [begun.intentId] });
});

test("one alert in two processes at once is one intent", async () => {
  const other = open(await kit.corner.open("request"));
  const sameAs = { body: "b", place: 0, windowMs: 20_000, until: "otherBody" as const };
  const intents = await Promise.all(
    [1, 2].map(async () => {
      const intent = await newIntent({ intent: { kind: "CANCEL", orderId: orderId("7") } });
      return { ...intent, alert: { entry: entryOf(intent), sameAs } };
    }),
  );
  const [one, two] = intents;
  if (one === undefined || two === undefined) throw new Error("two were made");
  const answers = await Promise.all([
    acceptAndBegin(one, sendRequest(one.intentId), {}),
    other(two, sendRequest(two.intentId), {}),
  ]);
  expect(answers.map(({ kind }) => kind).sort()).toEqual(["begun", "known"]);
  expect(await kit.intents.unsettled(ACCOUNT)).toHaveLength(1);
});
