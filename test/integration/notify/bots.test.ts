// The goal: of several processes one asks a bot, and what is pressed is done once, whichever of them ends.
// Members of their own with their own names, on a real Redis and a look-alike of the Bot API.
import type { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { DestinationId } from "../../../src/domain/notify/destination.ts";
import { openChannels } from "../../../src/notify/open-channels.ts";
import { createBotChats } from "../../../src/notify/telegram-chats.ts";
import { type PollerTimes, TelegramPoller } from "../../../src/notify/telegram-poller.ts";
import { answerScripts, createRedisAnswers } from "../../../src/store/notify/redis-answers.ts";
import type { AnswerStore, BotId } from "../../../src/trading/answering/ports.ts";
import { type NotifySimulator, startNotifySimulator } from "../../simulators/notify/start.ts";
import { BOT_TOKEN } from "../../simulators/notify/telegram.ts";
import { TelegramPerson } from "../../support/telegram-person.ts";
import { waitUntil } from "../../support/wait.ts";
import {
  type AnswersKit,
  createAnswersKit,
  USER,
} from "../../unit/trading/answering/answers-kit.ts";
import { openCorner, type RedisCorner } from "../../unit/store/open-redis.ts";

const BOT = "bot" as BotId;
/** Longer than any process is stopped for: a test ends a lease by hand. */
const LEASE_MS = 60_000;
const QUICK: Partial<PollerTimes> = {
  lease: LEASE_MS,
  renewal: 100,
  waiting: 100,
  poll: 2_000,
  afterConflict: 100,
  afterFailure: 100,
};

interface Member {
  readonly kit: AnswersKit;
  readonly poller: TelegramPoller;
  readonly seen: { conflicts: number; skipped: number };
  /** Nothing of it reaches the store any more, as if its process were gone, and its lease ends. */
  readonly die: () => Promise<void>;
}

let services: NotifySimulator;
let corner: RedisCorner;
let redis: Redis;
let person: TelegramPerson;
let members: Member[];
let people = 100;

beforeAll(async () => {
  services = await startNotifySimulator();
});
afterAll(() => services.stop());

beforeEach(async () => {
  corner = await openCorner();
  redis = await corner.open("worker", answerScripts);
  people += 1;
  person = new TelegramPerson(services, people);
  members = [];
});
afterEach(async () => {
  for (const { kit, poller, die } of members) {
    await die();
    kit.end();
    await poller.stop();
  }
  await corner.close();
});

function join(name: string): Member {
  const { telegram: api } = openChannels({
    privateNetworks: ["127.0.0.0/8"],
    now: Date.now,
    bases: { telegram: services.url },
  });
  let isDead = false;
  const stored = createRedisAnswers({ redis, keys: corner.keys }, name);
  const store = Object.fromEntries(
    Object.entries(stored).map(([verb, run]) => [
      verb,
      async (...args: never[]) => {
        if (isDead) throw new Error("It is gone");
        return await (run as (...given: never[]) => Promise<unknown>)(...args);
      },
    ]),
  ) as unknown as AnswerStore;
  const kit = createAnswersKit({ store, bot: BOT, person: person.id });
  const chats = createBotChats({ api, botToken: BOT_TOKEN, pause: async () => undefined });
  const seen = { conflicts: 0, skipped: 0 };
  const poller = new TelegramPoller({
    bot: BOT,
    botToken: BOT_TOKEN,
    api,
    store,
    handle: async (incoming, update) =>
      await kit.answers.handle({ bot: BOT, chats, requestId: `telegram-${update}` }, incoming),
    tellLeft: async () => await kit.answers.tellLeft({ bot: BOT, chats }),
    observer: {
      conflict: () => (seen.conflicts += 1),
      tokenRefused: () => undefined,
      skipped: () => (seen.skipped += 1),
      failed: () => undefined,
    },
    times: QUICK,
  });
  const die = async () => {
    isDead = true;
    if ((await holder()) !== name) return;
    const left = await redis.pttl(corner.keys.botHolder(BOT));
    expect([left > 0, left <= LEASE_MS]).toEqual([true, true]);
    await redis.del(corner.keys.botHolder(BOT));
  };
  const member = { kit, poller, seen, die };
  members.push(member);
  poller.start();
  return member;
}

const holder = async () => await redis.get(corner.keys.botHolder(BOT));
const isHeldBy = async (name: string) =>
  await waitUntil(`${name} has the bot`, async () => (await holder()) === name);

test("one asks, and another takes its place within the lease", async () => {
  const first = join("a");
  await isHeldBy("a");
  join("b");
  await person.write("/help");
  await person.untilShown("What you can ask");
  expect(await holder()).toBe("a");
  await first.die();
  await isHeldBy("b");
  await person.write("/help");
  await person.untilShown("What you can ask");
  expect(await person.shown()).toHaveLength(2);
});

test("one that stops in order lets it go at once", async () => {
  const first = join("a");
  await isHeldBy("a");
  await first.poller.stop();
  expect(await holder()).toBeNull();
});

test("what was pressed as a process ended is not done again, and is said to be unknown", async () => {
  const first = join("a");
  await isHeldBy("a");
  first.kit.hold({ ES: 2 });
  await person.write("/flatten one");
  const shown = await person.untilShown("Flatten One?");
  const flattened = first.kit.neverEnd();
  await person.press(shown);
  await flattened;
  await first.die();
  const second = join("b");
  second.kit.hold({ ES: 2 });
  await person.untilShown("The gateway was interrupted at this");
  await person.press(shown);
  await waitUntil("it is said", async () =>
    (await person.toasts()).some((words) => words.includes("Nothing was done")),
  );
  expect(second.kit.flattened).toEqual([]);
  expect(await redis.exists(corner.keys.begunActs(BOT))).toBe(0);
});

test("an update that was taken as a process ended is not handled again", async () => {
  const first = join("a");
  await isHeldBy("a");
  await person.write("/help");
  await person.untilShown("What you can ask");
  await first.die();
  await services.tellAgain();
  join("b");
  await isHeldBy("b");
  await services.tellAgain();
  await person.write("/status");
  await waitUntil("it goes on", async () => (await person.shown()).length > 1);
  expect(await person.shown()).toHaveLength(2);
});

test("a process that lost the bot takes nothing more, whatever it was told", async () => {
  const store = createRedisAnswers({ redis, keys: corner.keys }, "a");
  const other = createRedisAnswers({ redis, keys: corner.keys }, "b");
  expect(await store.hold(BOT, 10_000)).toBe(true);
  expect(await other.hold(BOT, 10_000)).toBe(false);
  expect([await store.take(BOT, 7), await store.take(BOT, 7), await store.take(BOT, 6)]).toEqual([
    true,
    false,
    false,
  ]);
  await store.release(BOT);
  expect(await other.hold(BOT, 10_000)).toBe(true);
  await store.release(BOT);
  expect([await store.take(BOT, 8), await other.take(BOT, 8), await other.nextUpdate(BOT)]).toEqual(
    [false, true, 9],
  );
});

test("another program that asks the same bot only delays it", async () => {
  const { seen } = join("a");
  await isHeldBy("a");
  const body = JSON.stringify({ ok: false, error_code: 409, description: "Conflict" });
  await services.turn("telegram", { as: "answering", status: 409, body }, 2);
  // It is no answer that meets the conflict: an edit is not answered.
  await services.write({ edited_message: person.message("/help") });
  await waitUntil("both are met", () => seen.conflicts === 2);
  await person.write("/help");
  await person.untilShown("What you can ask");
  expect(seen.conflicts).toBe(2);
});

test("a message that is too long to be read keeps no later one away", async () => {
  const { seen } = join("a");
  await isHeldBy("a");
  const long = { ...person.message("/help"), reply_to_message: { text: "x".repeat(1_100_000) } };
  await services.write({ message: long });
  await person.write("/help");
  await person.untilShown("What you can ask");
  expect(seen.skipped).toBe(1);
  expect(await person.shown()).toHaveLength(1);
});

test("an outcome is kept with its offer until it was said", async () => {
  const store = createRedisAnswers({ redis, keys: corner.keys }, "a");
  const destinationId = "ds_1" as DestinationId;
  const act = { kind: "stop", of: "all" } as const;
  const offer = { act, destinationId, userId: USER, chatId: "5", personId: "5", seen: [] };
  await store.offer(BOT, "n", offer, 10_000);
  await store.begin(BOT, { destinationId, nonce: "n" }, 7);
  const [noted] = await store.begun(BOT);
  expect(noted).toEqual({ nonce: "n", offer, messageId: 7, begunAt: expect.any(Number) });
  expect(Math.abs((noted?.begunAt ?? 0) - Date.now())).toBeLessThan(60_000);
  const outcome = { title: "Done", lines: ["a"] };
  await store.keepOutcome(BOT, "n", outcome);
  expect(await store.begun(BOT)).toEqual([{ ...noted, outcome }]);
  await store.end(BOT, "n");
  expect(await redis.exists(corner.keys.begunActs(BOT))).toBe(0);
});
