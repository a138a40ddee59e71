// The goal: a slot is taken once over all processes, and every evaluation ends in the log once.
// The method: drive the real scripts on a real Redis, on several connections, and out of turn.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { intentId, strategyId } from "../../../src/domain/ids.ts";
import type { EvaluationLog } from "../../../src/trading/strategies/ports.ts";
import {
  decidedOf,
  evaluationOf,
  ID,
  NEXT_SLOT,
  SLOT,
  slotOf,
  StrategyStoreKit,
} from "./strategy-store-kit.ts";

const OTHER = strategyId("st_b");

let kit: StrategyStoreKit;
let log: EvaluationLog;

beforeEach(async () => {
  kit = await StrategyStoreKit.open();
  ({ log } = kit);
});
afterEach(() => kit.corner.close());

const isOpen = async (id: string) => (await log.findOpen(intentId(id))) !== undefined;

describe("a slot", () => {
  beforeEach(() => kit.save());

  test("is taken by exactly one of 20 who come at once, on five connections", async () => {
    const others = await Promise.all(
      Array.from({ length: 5 }, async () => (await kit.elsewhere()).log),
    );
    for (let nth = 0; nth < 10; nth += 1) {
      const slotAt = SLOT + nth * 60_000;
      const taken = await Promise.all(
        Array.from({ length: 20 }, (_, caller) =>
          (others[caller % others.length] ?? log).takeSlot(
            slotOf(`i${nth}-${caller}`, slotAt),
            slotAt + 60_000,
          ),
        ),
      );
      const winners = [...taken.keys()].filter((caller) => taken[caller]);
      expect(winners).toHaveLength(1);
      expect(taken.filter((isTaken) => !isTaken)).toHaveLength(19);
      expect(await isOpen(`i${nth}-${winners[0]}`)).toBe(true);
    }
    expect(await kit.openIds()).toHaveLength(10);
    expect(await log.nextSlot(ID)).toBe(SLOT + 600_000);
  });

  test("is not taken before it comes by Redis' clock, however late it is elsewhere", async () => {
    const [seconds] = await kit.redis.time();
    const soon = (Number(seconds) + 3_600) * 1_000;
    expect(await log.takeSlot(slotOf("i1", soon), soon + 60_000)).toBe(false);
    expect(await log.nextSlot(ID)).toBe(SLOT);
  });

  test("names a later one after it, or none", async () => {
    expect(await log.takeSlot(slotOf("i1"), SLOT)).toBe(false);
    expect(await log.takeSlot(slotOf("i1"), undefined)).toBe(true);
    expect(await log.nextSlot(ID)).toBeUndefined();
  });

  test("of a strategy that was changed since is not taken, nor decided, nor opened", async () => {
    await log.takeSlot(slotOf("i1"), NEXT_SLOT);
    await kit.save({ version: 2, name: "half a sign \ud800" }, NEXT_SLOT);
    expect(await log.takeSlot(slotOf("i2", NEXT_SLOT), NEXT_SLOT + 60_000)).toBe(false);
    expect(await log.decide({ ...slotOf("i1"), verdict: "exit" })).toBe("changed");
    expect(await log.open(evaluationOf("i3"))).toBe(false);
    expect(await kit.openIds()).toEqual(["i1"]);
    // Whatever its name is made of.
    const now = { ...slotOf("i2", NEXT_SLOT), version: 2 };
    expect(await log.takeSlot(now, NEXT_SLOT + 60_000)).toBe(true);
  });

  test("is open as it was taken, and the next one is named", async () => {
    expect(await log.takeSlot(slotOf("i1"), NEXT_SLOT)).toBe(true);
    expect(await log.findOpen(intentId("i1"))).toEqual(slotOf("i1"));
    expect(await log.openOnes()).toEqual([slotOf("i1")]);
    expect(await log.nextSlot(ID)).toBe(NEXT_SLOT);
  });

  test.each([
    ["the same one", SLOT],
    ["an earlier one", SLOT - 60_000],
    ["one just before the next", NEXT_SLOT - 1],
  ])("is refused once it was taken: %s", async (_, slotAt) => {
    await log.takeSlot(slotOf("i1"), NEXT_SLOT);
    expect(await log.takeSlot(slotOf("i2", slotAt), NEXT_SLOT + 60_000)).toBe(false);
    expect(await kit.openIds()).toEqual(["i1"]);
    expect(await log.nextSlot(ID)).toBe(NEXT_SLOT);
  });

  test("is not taken before the strategy's first one", async () => {
    expect(await log.takeSlot(slotOf("i1", SLOT - 1), NEXT_SLOT)).toBe(false);
    expect(await log.nextSlot(ID)).toBe(SLOT);
  });

  test("may be a later one than the next: those between are its taker's to tell", async () => {
    expect(await log.takeSlot(slotOf("i1", NEXT_SLOT), NEXT_SLOT + 60_000)).toBe(true);
    expect(await log.takeSlot(slotOf("i2"), NEXT_SLOT)).toBe(false);
  });

  test("is told as missed only with all before it that nobody has told of", async () => {
    const last = NEXT_SLOT + 60_000;
    const missed = (id: string, slotAt: number, missedFromAt: number) => ({
      ...slotOf(id, slotAt),
      verdict: "missed" as const,
      missedFromAt,
    });
    expect(await log.takeSlot(missed("i1", SLOT, SLOT), NEXT_SLOT)).toBe(true);
    // Whoever asks has read the first one before that.
    expect(await log.takeSlot(missed("i2", NEXT_SLOT, SLOT), last)).toBe(false);
    expect(await log.nextSlot(ID)).toBe(NEXT_SLOT);
    expect(await log.takeSlot(missed("i3", NEXT_SLOT, NEXT_SLOT), last)).toBe(true);
    expect(await kit.openIds()).toEqual(["i1", "i3"]);
  });

  test("that is the last one has none after it", async () => {
    expect(await log.takeSlot(slotOf("i1"), undefined)).toBe(true);
    expect(await log.nextSlot(ID)).toBeUndefined();
    expect(await log.takeSlot(slotOf("i2", NEXT_SLOT), undefined)).toBe(false);
  });

  test("of a strategy that was removed, or never was, is nobody's", async () => {
    await kit.strategies.remove(ID, 1);
    expect(await log.takeSlot(slotOf("i1"), NEXT_SLOT)).toBe(false);
    expect(await log.takeSlot(slotOf("i2", SLOT, OTHER), NEXT_SLOT)).toBe(false);
    expect(await kit.openIds()).toEqual([]);
    expect(await log.nextSlot(ID)).toBeUndefined();
  });

  test("of one strategy leaves the next one of another alone", async () => {
    await kit.save({ strategyId: OTHER });
    await log.takeSlot(slotOf("i1"), NEXT_SLOT);
    expect(await log.nextSlot(OTHER)).toBe(SLOT);
    expect(await log.takeSlot(slotOf("i2", SLOT, OTHER), NEXT_SLOT)).toBe(true);
  });
});

describe("open evaluations", () => {
  beforeEach(() => kit.save());

  test("are found by their id, and told oldest first", async () => {
    // Ids whose own order is another one.
    for (const id of ["i3", "i1", "i2"]) {
      await log.open(evaluationOf(id));
      await nextMillisecond();
    }
    expect(await kit.openIds()).toEqual(["i3", "i1", "i2"]);
    expect(await log.findOpen(intentId("i1"))).toEqual(evaluationOf("i1"));
    expect(await log.findOpen(intentId("i9"))).toBeUndefined();
  });

  test("are in one list, whether a slot or somebody asked for them", async () => {
    await log.open(evaluationOf("i2"));
    await nextMillisecond();
    await log.takeSlot(slotOf("i1"), NEXT_SLOT);
    expect(await kit.openIds()).toEqual(["i2", "i1"]);
  });

  test("are none where none was opened", async () => {
    expect(await log.openOnes()).toEqual([]);
  });

  test("are told 1,000 at a time, the oldest ones", async () => {
    const ids = Array.from({ length: 1_002 }, (_, n) => `i${String(n).padStart(4, "0")}`);
    await Promise.all(ids.map((id) => log.open(evaluationOf(id))));
    expect(await kit.openIds()).toEqual(ids.slice(0, 1_000));
    for (const id of ids.slice(0, 2)) await log.end(decidedOf(id));
    expect(await kit.openIds()).toEqual(ids.slice(2));
  });
});

async function nextMillisecond(): Promise<void> {
  const [seconds, micros] = await kit.redis.time();
  const began = Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
  for (;;) {
    const [later, fraction] = await kit.redis.time();
    if (Number(later) * 1_000 + Math.floor(Number(fraction) / 1_000) > began) return;
  }
}

describe("what is decided", () => {
  beforeEach(async () => {
    await kit.save();
    await log.takeSlot(slotOf("i1"), NEXT_SLOT);
  });

  test("is kept with the open evaluation", async () => {
    const decided = { ...slotOf("i1"), verdict: "enterLong" as const, targetQty: 1, values: {} };
    expect(await log.decide(decided)).toEqual(decided);
    expect(await log.findOpen(intentId("i1"))).toEqual(decided);
  });

  test("first stands: whoever decides later is told it", async () => {
    const first = { ...slotOf("i1"), verdict: "enterLong" as const, sends: true as const };
    await log.decide(first);
    expect(await log.decide({ ...slotOf("i1"), verdict: "exit" })).toEqual(first);
    expect(await log.findOpen(intentId("i1"))).toEqual(first);
  });

  test("at once by many is the same for all of them", async () => {
    const others = await Promise.all([kit.elsewhere(), kit.elsewhere(), kit.elsewhere()]);
    const stands = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        (others[n % 3] ?? kit).log.decide({
          ...slotOf("i1"),
          verdict: "hold",
          reason: `decided by ${n}`,
        }),
      ),
    );
    expect(new Set(stands.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(await log.findOpen(intentId("i1"))).toEqual(stands[0]);
  });

  test("after the end comes to nothing", async () => {
    await log.end({ ...slotOf("i1"), verdict: "missed" });
    expect(await log.decide({ ...slotOf("i1"), verdict: "enterLong" })).toBeUndefined();
    expect(await kit.openIds()).toEqual([]);
    expect((await log.list(ID, { limit: 10 })).items).toMatchObject([{ verdict: "missed" }]);
  });

  test("of an evaluation that was never opened comes to nothing", async () => {
    expect(await log.decide(decidedOf("i9"))).toBeUndefined();
    expect(await isOpen("i9")).toBe(false);
  });
});

describe("an evaluation's end", () => {
  beforeEach(() => kit.save());

  test("moves it into its strategy's log, and leaves nothing open", async () => {
    await log.takeSlot(slotOf("i1"), NEXT_SLOT);
    const ended = { ...slotOf("i1"), verdict: "enterLong" as const, durationMs: 12 };
    const before = await redisNow();
    await log.end(ended);
    const { items, next } = await log.list(ID, { limit: 10 });
    expect(items).toEqual([{ ...ended, endedAt: items[0]?.endedAt }]);
    expect(items[0]?.endedAt).toBeGreaterThanOrEqual(before);
    expect(items[0]?.endedAt).toBeLessThanOrEqual(await redisNow());
    expect(next).toBeUndefined();
    expect(await log.openOnes()).toEqual([]);
    expect(await isOpen("i1")).toBe(false);
    const { openEvaluations, openEvaluationTimes } = kit.corner.keys;
    expect(await kit.redis.exists(openEvaluations, openEvaluationTimes)).toBe(0);
  });

  test("stands, the first one", async () => {
    await log.open(evaluationOf("i1"));
    expect(await log.end(decidedOf("i1", "failed"))).toBe(true);
    expect(await log.end(decidedOf("i1", "enterLong"))).toBe(false);
    expect((await log.list(ID, { limit: 10 })).items).toMatchObject([{ verdict: "failed" }]);
  });

  test("of ten who end it at once is in the log once", async () => {
    const others = await Promise.all([kit.elsewhere(), kit.elsewhere()]);
    await log.open(evaluationOf("i1"));
    const isFirst = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        (others[n % 2] ?? kit).log.end({ ...decidedOf("i1"), reason: String(n) }),
      ),
    );
    expect(isFirst.filter(Boolean)).toHaveLength(1);
    expect(await kit.loggedIds()).toEqual(["i1"]);
  });

  test("without a beginning is none", async () => {
    expect(await log.end(decidedOf("i9"))).toBe(false);
    expect(await kit.loggedIds()).toEqual([]);
  });

  test("after its strategy was removed leaves neither a log nor anything open", async () => {
    await log.open(evaluationOf("i1"));
    await kit.strategies.remove(ID, 1);
    expect(await log.end(decidedOf("i1"))).toBe(true);
    const { strategies, evaluations } = kit.corner.keys;
    expect(await kit.corner.stored()).toEqual([strategies]);
    expect(await kit.redis.exists(evaluations(ID))).toBe(0);
  });
});

async function redisNow(): Promise<number> {
  const [seconds, micros] = await kit.redis.time();
  return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
}

describe("the newest evaluation", () => {
  test("is told of each strategy, in the order that they were asked for in", async () => {
    await kit.save();
    await kit.save({ strategyId: OTHER });
    await kit.logged("i1", "i2");
    const newest = await log.newest([OTHER, ID]);
    expect(newest).toMatchObject([undefined, { evaluationId: "i2", verdict: "hold" }]);
    expect(await log.newest([])).toEqual([]);
  });
});
