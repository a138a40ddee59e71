import { beforeEach, describe, expect, test } from "vitest";
import { intentId, strategyId } from "../../../../src/domain/ids.ts";
import type { Outcome } from "../../../../src/domain/intent.ts";
import { writeCursor } from "../../../../src/trading/reads/page-cursor.ts";
import type { LoggedEvaluation } from "../../../../src/trading/strategies/ports.ts";
import {
  createReadEvaluations,
  isNotable,
} from "../../../../src/trading/strategies/read-evaluations.ts";
import type { StrategyUses } from "../../../../src/trading/strategies/strategy-uses.ts";
import { DENIED, DONE, MemoryLane } from "./memory-lane.ts";
import { Clock, MemoryStrategies } from "./memory-strategies.ts";
import {
  caller,
  evaluation,
  ID,
  NOW,
  OTHER_ID,
  refusal,
  strategy,
  stranger,
} from "./strategy-kit.ts";

let clock: Clock;
let memory: MemoryStrategies;
let lane: MemoryLane;
let list: StrategyUses["listEvaluations"];

beforeEach(() => {
  clock = new Clock();
  memory = new MemoryStrategies(clock);
  lane = new MemoryLane(clock);
  memory.put(strategy());
  memory.put(strategy({ strategyId: OTHER_ID }));
  const { strategies, log } = memory;
  list = createReadEvaluations({ strategies, log, intents: lane });
});

async function ended(n: number, change: Partial<LoggedEvaluation> = {}) {
  const verdict = n % 2 === 0 ? "hold" : "enterLong";
  const whole = { ...evaluation({ evaluationId: intentId(`i${n}`) }), verdict, ...change } as const;
  clock.at += 1;
  await memory.log.open(whole);
  await memory.log.end(whole);
}

const idsOf = (items: readonly LoggedEvaluation[]) => items.map((one) => one.evaluationId);
const page = async (request: Partial<Parameters<typeof list>[2]> = {}, id = ID) =>
  await list(caller, id, { limit: 2, ...request });

describe("a strategy's log", () => {
  beforeEach(async () => {
    for (const n of [1, 2, 3, 4, 5]) await ended(n);
  });

  test("is read page by page, newest first", async () => {
    const first = await page();
    expect(idsOf(first.items)).toEqual(["i5", "i4"]);
    await ended(6);
    const second = await page({ cursor: first.nextCursor ?? "" });
    expect(idsOf(second.items)).toEqual(["i3", "i2"]);
    const third = await page({ cursor: second.nextCursor ?? "", limit: 200 });
    expect(idsOf(third.items)).toEqual(["i1"]);
    expect(third.nextCursor).toBeUndefined();
  });

  test("is read without what changes nothing", async () => {
    const first = await page({ notable: true });
    expect(idsOf(first.items)).toEqual(["i5", "i3"]);
    const second = await page({ notable: true, cursor: first.nextCursor ?? "" });
    expect(idsOf(second.items)).toEqual(["i1"]);
    expect(second.nextCursor).toBeUndefined();
  });

  test("has cursors for this strategy and this filter only", async () => {
    const { nextCursor: plain = "" } = await page();
    const { nextCursor: notable = "" } = await page({ notable: true });
    for (const wrong of [
      page({ cursor: plain, notable: true }),
      page({ cursor: notable }),
      page({ cursor: plain }, OTHER_ID),
    ]) {
      const error = await refusal(wrong);
      expect(error.spec).toMatchObject({ code: "VALIDATION_FAILED", status: 400 });
      expect(error.details).toMatchObject([{ path: "cursor" }]);
    }
    // Not asked for is the same as not wanted.
    expect(idsOf((await page({ cursor: plain, notable: false })).items)).toEqual(["i3", "i2"]);
  });

  test.each([
    ["no word of ours", "!"],
    ["nothing", ""],
    ["a number", "17"],
    ["another list's place", writeCursor({ at: NOW, id: "abc" }, [ID, undefined])],
    ["a place without a number", writeCursor({ at: NOW, id: `${NOW}` }, [ID, undefined])],
    ["words for Redis", writeCursor({ at: NOW, id: "+" }, [ID, undefined])],
    ["a place and more", writeCursor({ at: NOW, id: `${NOW}-0 COUNT` }, [ID, undefined])],
    [
      "a place beyond all numbers",
      writeCursor({ at: NOW, id: `${"9".repeat(30)}-0` }, [ID, undefined]),
    ],
    ["the place before the first one", writeCursor({ at: 0, id: "0-0" }, [ID, undefined])],
  ])("refuses a forged cursor: %s", async (_, cursor) => {
    const error = await refusal(page({ cursor }));
    expect(error.spec).toMatchObject({ code: "VALIDATION_FAILED", status: 400 });
    expect(error.details).toEqual([{ path: "cursor", message: expect.any(String) }]);
  });

  test("is its user's", async () => {
    const wrong = [
      list(stranger, ID, { limit: 2 }),
      list(caller, strategyId("st_none"), { limit: 2 }),
    ];
    for (const answer of wrong) expect((await refusal(answer)).spec.code).toBe("NOT_FOUND");
  });
});

describe("an evaluation whose intent had not ended", () => {
  const UNKNOWN: Outcome = { kind: "unknown", reason: "The answer was lost" };
  const submitted = async (outcome: Outcome | undefined) => {
    lane.outcome = outcome;
    const { userId, accountId, evaluationId: id } = evaluation();
    await lane.submit({
      accountId,
      userId,
      source: { kind: "strategy" },
      requestId: "r1",
      receivedAt: clock.at,
      intent: { kind: "CANCEL_ENTRIES" },
      intentId: id,
      waitMs: 0,
      entryMaxAgeMs: 1,
      exitMaxAgeMs: 1,
    });
    return id;
  };
  const outcome = async () => (await page()).items[0]?.outcome;

  test("is told with how it ended later", async () => {
    const id = await submitted(undefined);
    await ended(1, { sends: true });
    expect(await outcome()).toBeUndefined();
    lane.settle(id, DENIED);
    expect(await outcome()).toEqual(DENIED);
  });

  test("is told with what was found out of an unknown outcome", async () => {
    const id = await submitted(UNKNOWN);
    await ended(1, { sends: true, outcome: UNKNOWN });
    expect(await outcome()).toEqual(UNKNOWN);
    lane.settle(id, DONE);
    expect(await outcome()).toEqual(DONE);
  });

  test("that is known stays as it was told first", async () => {
    const id = await submitted(DONE);
    await ended(1, { sends: true, outcome: DONE });
    lane.settle(id, DENIED);
    expect(await outcome()).toEqual(DONE);
  });

  test("and is forgotten by now is told without", async () => {
    await ended(1, { sends: true });
    expect(await outcome()).toBeUndefined();
  });

  test("is not looked up where nothing was sent", async () => {
    await submitted(DONE);
    await ended(1, { heldBack: "observe" });
    expect(await outcome()).toBeUndefined();
  });
});

test.each([
  "enterLong",
  "enterShort",
  "exit",
  "notReady",
  "stale",
  "failed",
  "missed",
  "skipped",
] as const)("%s is notable, as is all but hold", (verdict) => {
  expect([isNotable({ verdict }), isNotable({ verdict: "hold" })]).toEqual([true, false]);
});
