// The goal: what comes between an alert and its resend neither doubles the alert nor lets it open again.
// The method: drive the real script on a real Redis, in turn.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { INTENT_SOURCES, type IntentSource, type Outcome } from "../../src/domain/intent.ts";
import { contractCode } from "../../src/domain/contracts/contract.ts";
import { ACCOUNT, DONE } from "../support/intent-kit.ts";
import { waitUntil } from "../support/wait.ts";
import { AlertKit, OTHER_WEBHOOK, same, WEBHOOK } from "../unit/store/alert-kit.ts";
import { place } from "../unit/trading/lane-kit.ts";

let kit: AlertKit;

beforeEach(async () => {
  kit = await AlertKit.open();
});
afterEach(() => kit.base.corner.close());

const ENTRY = place();
const CLOSE = { kind: "FLATTEN", cancelResting: true } as const;
const accepted = { kind: "accepted" };
const known = (intentId: string) => ({ kind: "known", intentId });
const isOvertaken = async (id: Awaited<ReturnType<AlertKit["accept"]>>) =>
  (await kit.base.load(id))?.exitFollows;

/** An alert that was answered as not sent. */
async function refused(
  change: Parameters<AlertKit["send"]>[0],
  outcome: Outcome = { kind: "notSent", reason: "the connection is down" },
) {
  const id = await kit.accept(change);
  await kit.base.settle(id, outcome);
  return id;
}

describe("an alert that stands until people ask anything else", () => {
  const state = { sameAs: same("reduce 1", { until: "otherIntent" }) };
  const ASKED: readonly IntentSource["kind"][] = ["api", "webhook", "operator"];

  test.each(ASKED)("is another one once the source %s has asked", async (kind) => {
    await kit.accept(state);
    await kit.base.accept({ source: { kind } });
    expect(await kit.send(state)).toMatchObject(accepted);
  });

  test.each(INTENT_SOURCES.filter((kind) => !ASKED.includes(kind)))(
    "is the same after what the source %s derives",
    async (kind) => {
      await kit.base.accept({ source: { kind } });
      const first = await kit.accept(state);
      for (let nth = 1; nth <= 2; nth += 1) {
        await kit.base.accept({ source: { kind } });
        expect(await kit.send(state)).toMatchObject(known(first));
      }
      await kit.accept({ webhook: OTHER_WEBHOOK });
      expect(await kit.send(state)).toMatchObject(accepted);
    },
  );

  test("is the same after a dry run, which asks nothing of the account", async () => {
    const first = await kit.accept(state);
    await kit.accept({ test: true, webhook: OTHER_WEBHOOK });
    expect(await kit.send(state)).toMatchObject(known(first));
  });

  test("and was accepted by the version before stands until then all the same", async () => {
    const { redis, corner } = kit.base;
    await kit.base.accept();
    const first = await kit.accept(state);
    // That version counted what it derived among all others, and kept the number of all.
    await redis.hdel(corner.keys.counters(ACCOUNT), "derived");
    const seq = await redis.hget(corner.keys.counters(ACCOUNT), "accepted");
    await redis.hset(corner.keys.newestBody(ACCOUNT, WEBHOOK), "seq", seq ?? "");
    await kit.base.accept({ source: { kind: "plan" } });
    expect(await kit.send(state)).toMatchObject(known(first));
    await kit.base.accept();
    expect(await kit.send(state)).toMatchObject(accepted);
  });
});

describe("a resend of what was not sent, behind another body", () => {
  const buy = { intent: ENTRY, sameAs: same("buy") };
  const close = { intent: CLOSE, sameAs: same("close", { until: "ended" }) };

  test("that has closed does not open again, and is remembered as overtaken", async () => {
    await refused(buy);
    await kit.accept(close);
    const resend = await kit.accept(buy);
    expect(await isOvertaken(resend)).toBe(true);
    await kit.base.settle(resend, { kind: "overtaken", reason: "so" });
    expect(await kit.send(buy)).toMatchObject(known(resend));
  });

  test("stays overtaken however often nothing of it is sent", async () => {
    await refused(buy);
    await kit.accept(close);
    for (let nth = 1; nth <= 3; nth += 1) {
      const again = await refused(buy, { kind: "expired", reason: "late" });
      await kit.accept({ ...close, sameAs: same(`close ${nth}`) });
      const resend = await kit.accept(buy);
      expect([again === resend, await isOvertaken(resend)]).toEqual([false, true]);
      await kit.base.settle(resend, { kind: "expired", reason: "late" });
    }
  });

  test("that was another entry is carried out", async () => {
    await refused(buy);
    await kit.accept({ intent: ENTRY, sameAs: same("sell") });
    expect(await isOvertaken(await kit.accept(buy))).toBe(false);
  });

  test("is recognised where its first attempt ended after the other body came", async () => {
    const first = await kit.accept(buy);
    await kit.accept(close);
    await kit.base.settle(first, { kind: "withdrawn", reason: "so" });
    expect(await isOvertaken(await kit.accept(buy))).toBe(true);
  });

  test("is no resend where the first one was carried out", async () => {
    await kit.base.settle(await kit.accept(buy), DONE);
    await kit.accept(close);
    expect(await isOvertaken(await kit.accept(buy))).toBe(false);
  });

  test("stands for one resend: what is asked for after that is new", async () => {
    await refused(buy);
    await kit.accept(close);
    await kit.base.settle(await kit.accept(buy), { kind: "overtaken", reason: "so" });
    await kit.accept({ intent: ENTRY, sameAs: same("sell") });
    expect(await isOvertaken(await kit.accept(buy))).toBe(false);
  });

  test("is no older than its window, though a later refusal keeps the list", async () => {
    const { redis, corner } = kit.base;
    const first = await refused(buy);
    await kit.accept(close);
    await redis.hincrby(corner.keys.intent(ACCOUNT, first), "acceptedAt", -20_000);
    expect(await isOvertaken(await kit.accept(buy))).toBe(false);
  });

  test("of an array is compared with its own place", async () => {
    const of = (nth: number) => ({ intent: ENTRY, sameAs: same("[buy,buy]", { place: nth }) });
    await refused(of(0));
    await kit.base.settle(await kit.accept(of(1)), DONE);
    await kit.accept(close);
    expect(await isOvertaken(await kit.accept(of(0)))).toBe(true);
    expect(await isOvertaken(await kit.accept(of(1)))).toBe(false);
  });

  test("is another one on another webhook, or with another word of its sender", async () => {
    await refused(buy);
    await kit.accept(close);
    for (const other of [
      { ...buy, webhook: OTHER_WEBHOOK },
      { ...buy, sameAs: same("buy", { id: "id-1" }) },
    ]) {
      expect(await isOvertaken(await kit.accept(other))).toBe(false);
    }
  });

  test("is found among the sixteen last that were refused, and they run out", async () => {
    const { redis, corner } = kit.base;
    const key = corner.keys.refusedBodies(ACCOUNT, WEBHOOK);
    for (let nth = 0; nth < 20; nth += 1) await refused({ ...buy, sameAs: same(`buy ${nth}`) });
    await kit.accept(close);
    expect(await redis.llen(key)).toBe(16);
    expect(await redis.pttl(key)).toBeGreaterThan(0);
    const found = async (nth: number) =>
      await isOvertaken(await kit.accept({ ...buy, sameAs: same(`buy ${nth}`) }));
    expect([await found(4), await found(19), await found(3)]).toEqual([true, true, false]);
    await redis.pexpire(key, 1);
    await waitUntil("it ran out", async () => (await redis.exists(key)) === 0);
    expect(await found(18)).toBe(false);
  });
});

test("a resend of a target that was not sent replaces nothing that came since", async () => {
  const ES = contractCode({ root: "ES", year: 2026, month: 12 });
  const target = {
    intent: {
      kind: "ADJUST",
      contract: ES,
      aim: { to: "position", netQty: 2 },
      terms: { ordType: "MARKET", timeInForce: "DAY" },
    },
    sameAs: same("position 2", { until: "otherIntent" }),
  } as const;
  await refused(target);
  await kit.accept({ intent: CLOSE, sameAs: same("close", { until: "ended" }) });
  expect(await isOvertaken(await kit.accept(target))).toBe(true);
});

describe("of an array, a place that is asked for anew", () => {
  const at = (place: number, until: "otherBody" | "otherIntent") => ({
    sameAs: same("[buy,reduce]", { place, until }),
  });
  const buy = at(0, "otherBody");
  const reduce = at(1, "otherIntent");

  test("leaves an order beside it a duplicate, however often the array comes", async () => {
    const bought = await kit.accept(buy);
    await kit.accept(reduce);
    for (let nth = 1; nth <= 3; nth += 1) {
      await kit.base.accept();
      expect(await kit.send(buy)).toMatchObject(known(bought));
      expect(await kit.send(reduce)).toMatchObject(accepted);
    }
  });

  test("prolongs no window of a place before it", async () => {
    const { redis, corner } = kit.base;
    const bought = await kit.accept(buy);
    await kit.accept(reduce);
    await kit.base.accept();
    await kit.accept(reduce);
    await redis.hincrby(corner.keys.intent(ACCOUNT, bought), "acceptedAt", -20_000);
    const again = await kit.accept(buy);
    expect(again).not.toBe(bought);
    expect(await kit.send(buy)).toMatchObject(known(again));
  });
});
