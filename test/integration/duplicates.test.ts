// The goal: an alert that is sent again is never traded again, and two alerts are never taken for one.
// The method: drive the real script on a real Redis, in turn and side by side.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { intentId } from "../../src/domain/ids.ts";
import type { DenialCode } from "../../src/domain/denials.ts";
import type { Outcome } from "../../src/domain/intent.ts";
import type { SameAlert } from "../../src/trading/alerts/alert-log.ts";
import { ACCOUNT, DONE, OTHER, UNKNOWN } from "../support/intent-kit.ts";
import { waitUntil } from "../support/wait.ts";
import {
  ALERT_RETENTION_MS,
  AlertKit,
  OTHER_WEBHOOK,
  same,
  WEBHOOK,
} from "../unit/store/alert-kit.ts";
import { place } from "../unit/trading/lane-kit.ts";

const DAY_MS = 86_400_000;

let kit: AlertKit;

beforeEach(async () => {
  kit = await AlertKit.open();
});
afterEach(() => kit.base.corner.close());

const send = async (change: Parameters<AlertKit["send"]>[0]) => await kit.send(change);
const accept = async (change: Parameters<AlertKit["send"]>[0]) => await kit.accept(change);
const settle = async (...args: Parameters<AlertKit["base"]["settle"]>) =>
  await kit.base.settle(...args);
const accepted = { kind: "accepted" };
const known = (intentId: string) => ({ kind: "known", intentId });
const bodyKey = () => kit.base.corner.keys.newestBody(ACCOUNT, WEBHOOK);
const idKey = (hash: string) => kit.base.corner.keys.sameAlert(ACCOUNT, WEBHOOK, hash);

/** Lets a key run out now, as it would at the end of its time. */
async function runOut(key: string): Promise<void> {
  const { redis } = kit.base;
  await redis.pexpire(key, 1);
  await waitUntil("it ran out", async () => (await redis.exists(key)) === 0);
}

/** Every way in which an intent may have ended, and whether certainly nothing was sent. */
const ENDINGS: readonly (readonly [Outcome["kind"], boolean])[] = [
  ["notSent", true],
  ["expired", true],
  ["withdrawn", true],
  ["lost", true],
  ["overtaken", false],
  ["done", false],
  ["rejected", false],
  ["unprotected", false],
  ["unknown", false],
];
const ended = (kind: Outcome["kind"]) =>
  kind === "done"
    ? DONE
    : ({
        kind,
        reason: "so",
        code: "ACCOUNT_INACTIVE",
        canceled: "a leg",
        restored: false,
      } as Outcome);

const LOST = ended("lost");

/** A lost one is looked up at the broker before it is tried anew. */
const lookedUpIf = (kind: Outcome["kind"], id: string) =>
  kind === "lost" ? { lookedUp: [intentId(id)] } : {};

/** What an exit may be denied for, and what only an entry is. */
const DENIALS: readonly (readonly [DenialCode, boolean])[] = [
  ["ACCOUNT_INACTIVE", true],
  ["SYMBOL_MISMATCH", true],
  ["NO_POSITION", true],
  ["POSITION_MISMATCH", true],
  ["VALIDATION_FAILED", true],
  ["POSITION_HELD", false],
  ["SIDE_NOT_ALLOWED", false],
  ["SYMBOL_NOT_ALLOWED", false],
  ["EXITS_ONLY", false],
  ["LIMIT_EXCEEDED", false],
  ["KILL_SWITCH_ON", false],
  ["UNAUTHORIZED", false],
];

describe("an alert that is refused as things are now", () => {
  const find = async (sameAs: ReturnType<typeof same>) =>
    await kit.intents.findSameAlert(ACCOUNT, WEBHOOK, sameAs);

  test("is told from earlier ones as one that is accepted, and leaves nothing behind", async () => {
    expect(await find(same("A", { id: "id-1" }))).toBeUndefined();
    const first = await accept({ sameAs: same("A", { id: "id-1" }) });
    expect(await find(same("B", { id: "id-1" }))).toBe(first);
    expect(await find(same("A"))).toBe(first);
    for (const other of [same("A", { windowMs: 0 }), same("A", { place: 1 }), same("B")]) {
      expect(await find(other)).toBeUndefined();
    }
    expect(await find(same("A"))).toBe(first);
  });

  test("does not stand behind one of which nothing was sent", async () => {
    const first = await accept({ sameAs: same("A") });
    await settle(first, ended("notSent"));
    expect(await find(same("A"))).toBeUndefined();
  });
});

describe("one body", () => {
  test("sent four times is one alert", async () => {
    const first = await accept({ sameAs: same("A") });
    for (const again of ["second", "third", "fourth"]) {
      expect(await send({ sameAs: same("A"), requestId: again })).toMatchObject(known(first));
      await settle(first, DONE);
    }
    expect((await kit.log.list([ACCOUNT], { limit: 9 })).items).toHaveLength(1);
  });

  test("after another one is a new alert, and so is the other one after it", async () => {
    for (const body of ["A", "B", "A", "B"]) {
      expect(await send({ sameAs: same(body) })).toMatchObject(accepted);
    }
    expect(await send({ sameAs: same("B") })).toMatchObject({ kind: "known" });
  });

  test("after another one that came with an id is a new alert", async () => {
    await accept({ sameAs: same("A") });
    await accept({ sameAs: same("B", { id: "id-1" }) });
    expect(await send({ sameAs: same("A") })).toMatchObject(accepted);
  });

  test("after another one that was not accepted is the same alert", async () => {
    const first = await accept({ sameAs: same("A") });
    const receivedAt = (await kit.intents.now()) - 2_100;
    expect(await send({ sameAs: same("B"), receivedAt, intent: place() })).toMatchObject({
      kind: "tooLate",
    });
    await accept({ sameAs: same("B"), test: true });
    expect(await send({ sameAs: same("A") })).toMatchObject(known(first));
  });

  test("and another one in the same instant are two alerts", async () => {
    const receivedAt = await kit.intents.now();
    const both = ["A", "B"].map((body) => send({ sameAs: same(body), receivedAt }));
    expect(await Promise.all(both)).toMatchObject([accepted, accepted]);
  });

  test("sent fifty times at once is one alert, and the others know it", async () => {
    const sent = Array.from({ length: 50 }, () => send({ sameAs: same("A") }));
    const answers = await Promise.all(sent);
    const [first, ...more] = answers.filter(({ kind }) => kind === "accepted");
    expect(more).toEqual([]);
    const repeats = answers.filter((answer) => answer.kind === "known");
    expect(repeats.map(({ intentId }) => intentId)).toEqual(Array(49).fill(first?.id));
    expect(await kit.intents.unsettled(ACCOUNT)).toHaveLength(1);
  });

  test("means nothing to another webhook, or to another account of the same one", async () => {
    const first = await accept({ sameAs: same("A") });
    await accept({ sameAs: same("A"), webhook: OTHER_WEBHOOK });
    await accept({ sameAs: same("A"), accountId: OTHER });
    expect(await send({ sameAs: same("A") })).toMatchObject(known(first));
  });

  test.each(ENDINGS)("whose alert ended as %s is new again: %s", async (kind, isNew) => {
    const first = await accept({ sameAs: same("A") });
    await settle(first, ended(kind));
    const again = await send({ sameAs: same("A"), ...lookedUpIf(kind, first) });
    expect(again).toMatchObject(isNew ? accepted : known(first));
    const third = await send({ sameAs: same("A") });
    expect(third).toMatchObject(known(isNew ? again.id : first));
  });

  test.each(DENIALS)("whose alert was denied for %s is new again: %s", async (code, isNew) => {
    const first = await accept({ sameAs: same("A") });
    await settle(first, { kind: "denied", code, reason: "so" });
    expect(await send({ sameAs: same("A") })).toMatchObject(isNew ? accepted : known(first));
  });

  test("whose alert was not sent before a flatten stays overtaken", async () => {
    const alert = { sameAs: same("A", { id: "id-1" }) };
    const first = await accept(alert);
    await settle(first, { kind: "expired", reason: "late" });
    await accept({ intent: { kind: "FLATTEN", cancelResting: true } });
    const { id } = await send(alert);
    expect((await kit.base.load(id))?.exitFollows).toBe(true);
  });

  test("whose record is gone is new again", async () => {
    const first = await accept({ sameAs: same("A") });
    await settle(first, DONE);
    await kit.base.redis.del(kit.base.corner.keys.intent(ACCOUNT, first));
    expect(await send({ sameAs: same("A") })).toMatchObject(accepted);
  });

  test("is being sent, or unknown: it is the same alert until it is proven lost", async () => {
    const first = await accept({ sameAs: same("A") });
    await kit.base.begin(first);
    expect(await send({ sameAs: same("A") })).toMatchObject(known(first));
    await settle(first, UNKNOWN);
    expect(await send({ sameAs: same("A") })).toMatchObject(known(first));
    await settle(first, LOST);
    expect(await send({ sameAs: same("A"), lookedUp: [first] })).toMatchObject(accepted);
  });
});

describe("one body that stands no longer than", () => {
  const state = { sameAs: same("A", { until: "otherIntent" }) };
  const exit = { sameAs: same("A", { until: "ended" }) };

  test("until anything else is accepted for the account is new after that, once", async () => {
    let stands = await accept(state);
    await settle(stands, DONE);
    for (const other of [
      async () => await accept({ webhook: OTHER_WEBHOOK, sameAs: same("A") }),
      async () => await kit.base.accept(),
    ]) {
      expect(await send(state)).toMatchObject(known(stands));
      await other();
      expect(await kit.intents.findSameAlert(ACCOUNT, WEBHOOK, state.sameAs)).toBeUndefined();
      stands = await accept(state);
    }
    await accept({ accountId: OTHER, sameAs: same("B") });
    expect(await send(state)).toMatchObject(known(stands));
  });

  test("its own ending is the same until then, whatever it comes to", async () => {
    let stands = await accept(exit);
    for (const ending of [DONE, ended("rejected")]) {
      expect(await send(exit)).toMatchObject(known(stands));
      await kit.base.begin(stands);
      await settle(stands, UNKNOWN);
      expect(await send(exit)).toMatchObject(known(stands));
      await settle(stands, ending);
      stands = await accept(exit);
    }
    // What came in between may be what it is to take out.
    await accept({ webhook: OTHER_WEBHOOK });
    expect(await send(exit)).toMatchObject(accepted);
  });

  test("its own ending is another body for what comes after it", async () => {
    await accept({ sameAs: same("B") });
    await accept(exit);
    expect(await send({ sameAs: same("B") })).toMatchObject(accepted);
  });

  test("the next intent knows its sender's id all the same", async () => {
    const named = { sameAs: same("A", { until: "ended", id: "id-1" }) };
    const first = await accept(named);
    await settle(first, DONE);
    await accept({ webhook: OTHER_WEBHOOK });
    expect(await send(named)).toMatchObject(known(first));
  });

  test("the next intent stays overtaken where nothing of it was sent before that", async () => {
    const first = await accept(state);
    await settle(first, { kind: "expired", reason: "late" });
    await accept({ intent: { kind: "FLATTEN", cancelResting: true } });
    expect((await kit.base.load(await accept(state)))?.exitFollows).toBe(true);
  });

  test("the next intent begins its message anew from where it stands no more", async () => {
    const of = (place: number, until: "otherBody" | "otherIntent") => ({
      sameAs: same("[A,B]", { place, until }),
    });
    await accept(of(0, "otherIntent"));
    const second = await accept(of(1, "otherBody"));
    expect(await send(of(0, "otherIntent"))).toMatchObject({ kind: "known" });
    expect(await send(of(1, "otherBody"))).toMatchObject(known(second));
    await accept({ webhook: OTHER_WEBHOOK });
    await accept(of(0, "otherIntent"));
    await accept(of(1, "otherBody"));
    expect(await send(of(0, "otherIntent"))).toMatchObject({ kind: "known" });
  });
});

describe("the window", () => {
  test("begins with the first alert, and a repeat does not prolong it", async () => {
    const { redis } = kit.base;
    await accept({ sameAs: same("A") });
    const whole = await redis.pttl(bodyKey());
    expect(whole).toBeGreaterThan(0);
    expect(whole).toBeLessThanOrEqual(20_000);
    await redis.pexpire(bodyKey(), 9_000);
    expect(await send({ sameAs: same("A") })).toMatchObject({ kind: "known" });
    await accept({ sameAs: same("A", { place: 1 }) });
    expect(await redis.pttl(bodyKey())).toBeLessThanOrEqual(9_000);
  });

  test("begins anew with the alert that takes the place of an unsent one", async () => {
    const { redis } = kit.base;
    await settle(await accept({ sameAs: same("A") }), ended("notSent"));
    await redis.pexpire(bodyKey(), 2_000);
    await accept({ sameAs: same("A") });
    expect(await redis.pttl(bodyKey())).toBeGreaterThan(2_000);
  });

  test("after its end, the body is a new alert", async () => {
    await accept({ sameAs: same("A") });
    await runOut(bodyKey());
    expect(await send({ sameAs: same("A") })).toMatchObject(accepted);
  });

  test("of 0 makes equal bodies different alerts, and remembers none", async () => {
    const windowMs = 0;
    for (let nth = 1; nth <= 3; nth += 1) {
      expect(await send({ sameAs: same("A", { windowMs }) })).toMatchObject(accepted);
    }
    expect(await kit.base.redis.exists(bodyKey())).toBe(0);
    const first = await accept({ sameAs: same("A", { windowMs, id: "id-1" }) });
    expect(await kit.base.redis.exists(bodyKey())).toBe(0);
    expect(await send({ sameAs: same("A", { windowMs, id: "id-1" }) })).toMatchObject(known(first));
  });
});

describe("the sender's own id", () => {
  test("stands for its alert, whatever else the body says and what came in between", async () => {
    const first = await accept({ sameAs: same("A", { id: "id-1" }) });
    await accept({ sameAs: same("B") });
    const again = await send({ sameAs: same("A at another time", { id: "id-1" }) });
    expect(again).toMatchObject(known(first));
  });

  test("with another meaning is another alert, even in an equal body", async () => {
    await accept({ sameAs: same("A", { id: "id-1" }) });
    expect(await send({ sameAs: same("A", { id: "id-2" }) })).toMatchObject(accepted);
  });

  test("is known for 24 hours from its first acceptance, and then forgotten", async () => {
    const { redis } = kit.base;
    const sameAs = same("A", { id: "id-1" });
    await accept({ sameAs });
    expect(await redis.pttl(idKey("id-1"))).toBeGreaterThan(DAY_MS - 60_000);
    await redis.pexpire(idKey("id-1"), DAY_MS / 2);
    await runOut(bodyKey());
    expect(await send({ sameAs })).toMatchObject({ kind: "known" });
    expect(await redis.pttl(idKey("id-1"))).toBeLessThanOrEqual(DAY_MS / 2);
    const [first] = (await kit.log.list([ACCOUNT], { limit: 1 })).items;
    const record = kit.base.corner.keys.intent(ACCOUNT, first?.entry.alertId ?? intentId(""));
    await kit.base.redis.hincrby(record, "acceptedAt", -DAY_MS);
    expect(await send({ sameAs })).toMatchObject(accepted);
  });

  test.each(ENDINGS)("of an alert that ended as %s is free again: %s", async (kind, isFree) => {
    const sameAs = same("A", { id: "id-1" });
    const first = await accept({ sameAs });
    await settle(first, ended(kind));
    const again = await send({ sameAs, ...lookedUpIf(kind, first) });
    expect(again).toMatchObject(isFree ? accepted : known(first));
    expect(await send({ sameAs })).toMatchObject(known(isFree ? again.id : first));
  });

  test("means nothing to another webhook, or to another account of the same one", async () => {
    const sameAs = same("A", { id: "id-1" });
    const first = await accept({ sameAs });
    await accept({ sameAs, webhook: OTHER_WEBHOOK });
    await accept({ sameAs, accountId: OTHER });
    expect(await send({ sameAs })).toMatchObject(known(first));
  });

  test("sent fifty times at once is one alert", async () => {
    const sameAs = same("A", { id: "id-1" });
    const answers = await Promise.all(Array.from({ length: 50 }, () => send({ sameAs })));
    expect(answers.filter(({ kind }) => kind === "accepted")).toHaveLength(1);
    expect(answers.filter(({ kind }) => kind === "known")).toHaveLength(49);
  });
});

describe("a replay", () => {
  const original = intentId("original");
  const other = intentId("other");
  const replayed = (change: Partial<SameAlert> = {}) => ({
    sameAs: same("A", { replayOf: original, ...change }),
  });

  test("stands behind what was sent for the same alert, and behind nothing else", async () => {
    await accept({ sameAs: same("A") });
    const first = await accept(replayed());
    expect(await send(replayed())).toMatchObject(known(first));
    await settle(first, { kind: "denied", code: "KILL_SWITCH_ON", reason: "so" });
    const second = await accept(replayed());
    for (const ending of [UNKNOWN, DONE]) {
      await settle(second, ending);
      expect(await send(replayed())).toMatchObject(known(second));
      expect(await kit.intents.findSameAlert(ACCOUNT, WEBHOOK, replayed().sameAs)).toBe(second);
    }
    expect(await send(replayed({ replayOf: other }))).toMatchObject(accepted);
  });

  test("stands behind what was sent under its sender's id, however long ago", async () => {
    const denied = await accept({ sameAs: same("A", { id: "id-1" }) });
    await settle(denied, { kind: "denied", code: "ACCOUNT_INACTIVE", reason: "so" });
    const sent = await accept({ sameAs: same("B", { id: "id-1" }) });
    await settle(sent, DONE);
    await kit.base.redis.hset(kit.base.corner.keys.intent(ACCOUNT, sent), "acceptedAt", 1);
    expect(await send(replayed({ id: "id-1" }))).toMatchObject(known(sent));
    expect(await send(replayed())).toMatchObject(accepted);
  });

  test("does not stand behind the alert itself, which was denied under that id", async () => {
    const denied = await accept({ sameAs: same("A", { id: "id-1" }) });
    await settle(denied, { kind: "denied", code: "KILL_SWITCH_ON", reason: "so" });
    expect(await send(replayed({ id: "id-1" }))).toMatchObject(accepted);
  });

  test("stands for what its sender repeats late, by its id or its body", async () => {
    const first = await accept(replayed({ id: "id-1" }));
    expect(await send({ sameAs: same("C", { id: "id-1" }) })).toMatchObject(known(first));
    const second = await accept(replayed({ replayOf: other }));
    expect(await send({ sameAs: same("A") })).toMatchObject(known(second));
  });

  test("is marked as long as the log keeps alerts", async () => {
    await accept(replayed());
    const left = await kit.base.redis.pttl(kit.base.corner.keys.replayed(ACCOUNT, original));
    expect(left).toBeGreaterThan(ALERT_RETENTION_MS - 60_000);
  });
});

describe("a lost one is the same alert until it was looked up again", () => {
  const original = intentId("original");

  test.each([
    ["by its body", same("A")],
    ["by its sender's id", same("A", { id: "id-1" })],
    ["as a replay", same("A", { replayOf: original })],
  ])("%s", async (_, sameAs) => {
    const first = await accept({ sameAs });
    await settle(first, LOST);
    for (const lookedUp of [[], [original]]) {
      expect(await send({ sameAs, lookedUp })).toMatchObject(known(first));
    }
    expect(await kit.intents.findSameAlert(ACCOUNT, WEBHOOK, sameAs)).toBe(first);
    const second = await send({ sameAs, lookedUp: [first] });
    expect(second).toMatchObject(accepted);
    expect(await send({ sameAs, lookedUp: [first] })).toMatchObject(known(second.id));
  });

  test("by its body, behind another body", async () => {
    const first = await accept({ sameAs: same("A") });
    await settle(first, LOST);
    await accept({ sameAs: same("B") });
    expect(await send({ sameAs: same("A") })).toMatchObject(known(first));
    expect(await send({ sameAs: same("A"), lookedUp: [first] })).toMatchObject(accepted);
  });

  test("as the original of a replay", async () => {
    const first = await accept({ sameAs: same("A") });
    await settle(first, LOST);
    const sameAs = same("A", { replayOf: first });
    expect(await send({ sameAs })).toMatchObject(known(first));
    expect(await kit.intents.findSameAlert(ACCOUNT, WEBHOOK, sameAs)).toBe(first);
    expect(await send({ sameAs, lookedUp: [first] })).toMatchObject(accepted);
  });
});

describe("a body of several alerts", () => {
  const sendPlaces = async (body: string, places: readonly number[]) =>
    await Promise.all(places.map((place) => send({ sameAs: same(body, { place }) })));

  test("is compared place by place", async () => {
    const first = await sendPlaces("[A,A]", [0, 1]);
    expect(first).toMatchObject([accepted, accepted]);
    const again = await sendPlaces("[A,A]", [0, 1]);
    expect(again).toMatchObject(first.map(({ id }) => known(id)));
  });

  test("of which a part was accepted goes on with the rest", async () => {
    const [one] = await sendPlaces("[A,B,C]", [0]);
    const again = await sendPlaces("[A,B,C]", [0, 1, 2]);
    expect(again).toMatchObject([known(one?.id ?? ""), accepted, accepted]);
    const third = await sendPlaces("[A,B,C]", [0, 1, 2]);
    expect(third.map(({ kind }) => kind)).toEqual(["known", "known", "known"]);
  });

  test("of which a part was not sent takes up that part alone", async () => {
    const [one, two] = await sendPlaces("[A,B]", [0, 1]);
    if (!one || !two) throw new Error("two were sent");
    await settle(one.id, DONE);
    await settle(two.id, ended("expired"));
    const again = await sendPlaces("[A,B]", [0, 1]);
    expect(again).toMatchObject([known(one.id), accepted]);
  });

  test("knows nothing of the places of the body before it", async () => {
    for (const body of ["[A,B]", "[C,B]"]) {
      expect(await sendPlaces(body, [0])).toMatchObject([accepted]);
      expect(await sendPlaces(body, [1])).toMatchObject([accepted]);
    }
  });

  test("may name an id for one of them", async () => {
    const withId = { sameAs: same("[A,B]", { id: "id-1" }) };
    const first = await accept(withId);
    const second = await accept({ sameAs: same("[A,B]", { place: 1 }) });
    expect(await send(withId)).toMatchObject(known(first));
    const again = await send({ sameAs: same("[A,B]", { place: 1 }) });
    expect(again).toMatchObject(known(second));
  });
});

describe("a test", () => {
  test("is always carried out, and nobody remembers it", async () => {
    const alert = { sameAs: same("A", { id: "id-1" }) };
    await accept({ ...alert, test: true });
    await accept({ ...alert, test: true });
    const first = await accept(alert);
    await accept({ ...alert, test: true });
    expect(await send(alert)).toMatchObject(known(first));
  });

  test("of a flatten does not follow what was accepted before it", async () => {
    const before = await accept({});
    const intent = { kind: "FLATTEN", cancelResting: true } as const;
    await accept({ test: true, intent });
    expect((await kit.base.load(before))?.exitFollows).toBe(false);
    await accept({ intent });
    expect((await kit.base.load(before))?.exitFollows).toBe(true);
  });
});

describe("an alert without a word on repeats", () => {
  test("is accepted each time, and changes nothing for the others", async () => {
    const first = await accept({ sameAs: same("A") });
    await accept({});
    await accept({});
    expect(await send({ sameAs: same("A") })).toMatchObject(known(first));
  });

  test("may carry an Idempotency-Key like any request", async () => {
    const idempotency = { key: "key-1", fingerprint: "body-1" };
    const first = await accept({ idempotency });
    expect(await send({ idempotency })).toMatchObject(known(first));
    const other = { key: "key-1", fingerprint: "body-2" };
    expect(await send({ idempotency: other })).toMatchObject({ kind: "keyReused" });
  });
});

test("an alert and its place on the lane are written in one step", async () => {
  const { redis, corner } = kit.base;
  const lane = `${corner.keys.lane(ACCOUNT)}:wait`;
  const alert = await kit.newAlert({ sameAs: same("A") });
  expect(await kit.intents.accept(alert)).toEqual(accepted);
  expect(await redis.lrange(lane, 0, -1)).toEqual([alert.intentId]);
  expect(await kit.base.stateOf(alert.intentId)).toBe("PREPARED");
  // What is not accepted comes on no lane.
  expect(await kit.send({ sameAs: same("A") })).toMatchObject(known(alert.intentId));
  expect(await redis.lrange(lane, 0, -1)).toEqual([alert.intentId]);
});

test("everything that is kept of an account's alerts has its hash tag", async () => {
  const id = await accept({ sameAs: same("A", { id: "id-1" }) });
  await accept({ idempotency: { key: "key-1", fingerprint: "body-1" } });
  await kit.end();
  await settle(id, DONE);
  const stored = await kit.base.stored();
  expect(stored.length).toBeGreaterThan(8);
  expect(stored.filter((key) => !key.includes(`:{${ACCOUNT}}:`))).toEqual([]);
});
