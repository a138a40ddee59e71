import { setImmediate as turn } from "node:timers/promises";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { slotIdOf } from "../../../../src/app/new-ids.ts";
import { type IntentId, intentId } from "../../../../src/domain/ids.ts";
import type { Schedule, Strategy } from "../../../../src/domain/strategies/strategy.ts";
import type {
  Evaluation,
  LoggedEvaluation,
  SlotTimers,
} from "../../../../src/trading/strategies/ports.ts";
import { SLOT_MAX_AGE_MS } from "../../../../src/trading/strategies/run-slot.ts";
import { SlotKeeper, type SlotKeeperDeps } from "../../../../src/trading/strategies/slot-keeper.ts";
import { DENIED, DONE, MemoryLane } from "./memory-lane.ts";
import { Clock, MemoryStrategies, MinuteScheduler } from "./memory-strategies.ts";
import {
  ACCOUNT,
  evaluation,
  ID,
  MINUTE_MS,
  NOW,
  OTHER_ID,
  OWNER,
  SCHEDULE,
  strategy,
} from "./strategy-kit.ts";

/** Timers of one process that a test rings by hand. */
class HandTimers implements SlotTimers {
  readonly running = new Map<symbol, { schedule: Schedule; onSlot: (slotAt: number) => void }>();

  readonly start: SlotTimers["start"] = (schedule, onSlot) => {
    const id = Symbol(schedule.cron);
    this.running.set(id, { schedule, onSlot });
    return () => void this.running.delete(id);
  };

  ring(slotAt: number): void {
    for (const { onSlot } of this.running.values()) onSlot(slotAt);
  }
}

let clock: Clock;
let memory: MemoryStrategies;
let lane: MemoryLane;
/** Everything that was put before whoever evaluates. */
let queued: IntentId[];
let told: LoggedEvaluation[];
let errors: unknown[];
let timers: HandTimers;
let keeper: SlotKeeper;

beforeEach(() => {
  clock = new Clock();
  memory = new MemoryStrategies(clock);
  lane = new MemoryLane(clock);
  [queued, told, errors] = [[], [], []];
  timers = new HandTimers();
  keeper = open(timers);
});

function open(own: SlotTimers, change: Partial<SlotKeeperDeps> = {}): SlotKeeper {
  return new SlotKeeper({
    strategies: memory.strategies,
    log: memory.log,
    intents: lane,
    scheduler: new MinuteScheduler(clock),
    timers: own,
    queue: { add: async (id) => void queued.push(id) },
    slotId: slotIdOf,
    observer: { evaluated: (_, one) => void told.push(one) },
    onError: (error) => errors.push(error),
    ...change,
  });
}

const scheduled = (change: Partial<Strategy> = {}) => strategy({ schedule: SCHEDULE, ...change });
const SLOT = NOW + MINUTE_MS;
const idOf = (slotAt: number) => slotIdOf(ID, slotAt);
const logged = () => memory.ended(ID);

/** A slot comes, in every process whose timers are given. */
async function ring(slotAt: number, ...all: readonly HandTimers[]): Promise<void> {
  clock.at = Math.max(clock.at, slotAt + 3);
  for (const own of all.length === 0 ? [timers] : all) own.ring(slotAt);
  await turn();
}

/** What a process does now and then. */
async function look(of = keeper): Promise<void> {
  await of.load();
  await of.sweep();
}

/** Whoever evaluates has ended what was queued. */
async function endOpenOnes(): Promise<void> {
  for (const one of await memory.log.openOnes()) await memory.log.end({ ...one, verdict: "hold" });
}

describe("a slot", () => {
  beforeEach(async () => {
    memory.put(scheduled(), SLOT);
    await keeper.load();
  });

  test("is opened and put before whoever evaluates", async () => {
    await ring(SLOT);
    expect(queued).toEqual([idOf(SLOT)]);
    expect(await memory.log.openOnes()).toEqual([
      {
        evaluationId: idOf(SLOT),
        strategyId: ID,
        userId: OWNER,
        accountId: ACCOUNT,
        version: 1,
        trigger: "schedule",
        slotAt: SLOT,
        openedAt: SLOT + 3,
      },
    ]);
    expect(memory.nextSlots.get(ID)).toBe(SLOT + MINUTE_MS);
    expect([logged(), told, errors]).toEqual([[], [], []]);
  });

  test("is put there once by two processes, whichever comes first, minute after minute", async () => {
    const others = new HandTimers();
    const other = open(others);
    await other.load();
    for (let n = 0; n < 6; n += 1) {
      const both = n % 2 === 0 ? [timers, others] : [others, timers];
      await ring(SLOT + n * MINUTE_MS, ...both);
      await endOpenOnes();
    }
    expect(queued).toEqual([0, 1, 2, 3, 4, 5].map((n) => idOf(SLOT + n * MINUTE_MS)));
    expect(logged().map(({ verdict }) => verdict)).toEqual(Array.from({ length: 6 }, () => "hold"));
    expect(errors).toEqual([]);
  });

  test("is each strategy's own", async () => {
    memory.put(scheduled({ strategyId: OTHER_ID, symbol: "ES" }), SLOT);
    await keeper.load();
    await ring(SLOT);
    expect(queued).toEqual([idOf(SLOT), slotIdOf(OTHER_ID, SLOT)]);
  });

  test("that cannot be taken is told as an error, and as missed at the next one", async () => {
    const fault = new Error("Redis is away");
    const { log } = memory;
    let isAway = true;
    const takeSlot: typeof log.takeSlot = async (...asked) => {
      if (isAway) throw fault;
      return await log.takeSlot(...asked);
    };
    keeper.stop();
    await open(timers, { log: { ...log, takeSlot } }).load();
    await ring(SLOT);
    expect([queued, errors]).toEqual([[], [fault]]);
    isAway = false;
    await ring(SLOT + MINUTE_MS);
    expect(queued).toEqual([idOf(SLOT + MINUTE_MS)]);
    expect(logged()).toMatchObject([{ verdict: "missed", missedFromAt: SLOT, missedSlots: 1 }]);
  });
});

describe("a keeper", () => {
  const crons = () => [...timers.running.values()].map(({ schedule }) => schedule.cron);

  test("has one timer for each strategy that is on and has a schedule", async () => {
    memory.put(scheduled(), SLOT);
    memory.put(scheduled({ strategyId: OTHER_ID, enabled: false }));
    await keeper.load();
    await keeper.load();
    expect(crons()).toEqual(["* * * * *"]);
  });

  test("follows what is changed, switched off, switched on, and removed", async () => {
    memory.put(scheduled(), SLOT);
    await keeper.load();
    const hourly = { ...SCHEDULE, cron: "0 * * * *" };
    memory.put(scheduled({ version: 2, schedule: hourly }), SLOT);
    await keeper.load();
    expect(crons()).toEqual(["0 * * * *"]);
    memory.put(scheduled({ version: 3, enabled: false }));
    await keeper.load();
    expect(crons()).toEqual([]);
    memory.put(scheduled({ version: 4 }), SLOT);
    await keeper.load();
    expect(crons()).toEqual(["* * * * *"]);
    memory.put(strategy({ version: 5 }));
    await keeper.load();
    expect(crons()).toEqual([]);
    memory.put(scheduled({ version: 6 }), SLOT);
    await keeper.load();
    await memory.strategies.remove(ID, (await memory.strategies.read()).version);
    await keeper.load();
    expect(crons()).toEqual([]);
  });

  test("that is stopped has no timer", async () => {
    memory.put(scheduled(), SLOT);
    await keeper.load();
    keeper.stop();
    expect(crons()).toEqual([]);
  });

  test("that is stopped while it loads starts nothing after that", async () => {
    memory.put(scheduled(), SLOT);
    const loading = keeper.load();
    keeper.stop();
    await loading;
    expect(crons()).toEqual([]);
  });

  test("takes no slot of a strategy that was changed since it looked", async () => {
    memory.put(scheduled(), SLOT);
    await keeper.load();
    memory.put(scheduled({ version: 2 }), SLOT);
    await ring(SLOT);
    expect(await memory.log.openOnes()).toEqual([]);
    clock.at = SLOT + 2_000;
    await look();
    expect(await memory.log.findOpen(idOf(SLOT))).toMatchObject({ version: 2 });
  });

  test("that has not heard of a new schedule yet loses none of its slots", async () => {
    const hour = Math.ceil((NOW + 1) / 3_600_000) * 3_600_000;
    memory.put(scheduled({ schedule: { ...SCHEDULE, cron: "0 * * * *" } }), hour);
    await keeper.load();
    clock.at = hour - 1_000;
    memory.put(scheduled({ version: 2 }), hour);
    await ring(hour);
    await keeper.load();
    await ring(hour + MINUTE_MS);
    expect(queued).toContain(idOf(hour + MINUTE_MS));
  });
});

describe("slots for which nobody was there", () => {
  test("are one entry with their count, at the next slot", async () => {
    memory.put(scheduled(), SLOT);
    await keeper.load();
    await ring(SLOT + 5 * MINUTE_MS);
    expect(logged()).toMatchObject([
      {
        evaluationId: idOf(SLOT + 4 * MINUTE_MS),
        verdict: "missed",
        reason: expect.stringMatching(/^No process/),
        trigger: "schedule",
        slotAt: SLOT + 4 * MINUTE_MS,
        missedFromAt: SLOT,
        missedSlots: 5,
        durationMs: 0,
      },
    ]);
    expect(told).toMatchObject([{ verdict: "missed", missedSlots: 5 }]);
    expect(queued).toEqual([idOf(SLOT + 5 * MINUTE_MS)]);
  });

  test("are told at once by a process that comes back", async () => {
    memory.put(scheduled(), SLOT);
    clock.at = SLOT + 90 * MINUTE_MS + 30_000;
    await look();
    expect(logged()).toMatchObject([{ verdict: "missed", missedFromAt: SLOT, missedSlots: 91 }]);
    expect(queued).toEqual([]);
    expect(memory.nextSlots.get(ID)).toBe(SLOT + 91 * MINUTE_MS);
    await ring(SLOT + 91 * MINUTE_MS);
    expect(queued).toEqual([idOf(SLOT + 91 * MINUTE_MS)]);
    expect(logged()).toHaveLength(1);
  });

  test("are told once by two processes that come back together", async () => {
    memory.put(scheduled(), SLOT);
    clock.at = SLOT + 10 * MINUTE_MS + 30_000;
    await Promise.all([look(), look(open(new HandTimers()))]);
    expect(logged()).toMatchObject([{ verdict: "missed", missedSlots: 11 }]);
    expect(told).toHaveLength(1);
    expect(memory.open.size).toBe(0);
  });

  test("are told once where another process tells of the first of them meanwhile", async () => {
    memory.put(scheduled(), SLOT);
    const { log } = memory;
    const meanwhile = vi.fn<() => Promise<void>>(async () => {
      clock.at = SLOT + SLOT_MAX_AGE_MS + 1_000;
      await look();
      clock.at = SLOT + 2 * MINUTE_MS;
    });
    const nextSlot: typeof log.nextSlot = async (id) => {
      const nextAt = await log.nextSlot(id);
      if (meanwhile.mock.calls.length === 0) await meanwhile();
      return nextAt;
    };
    const slow = new HandTimers();
    await open(slow, { log: { ...log, nextSlot } }).load();
    await ring(SLOT + 2 * MINUTE_MS, slow);
    expect(logged()).toMatchObject([
      { missedFromAt: SLOT, missedSlots: 1 },
      { missedFromAt: SLOT + MINUTE_MS, slotAt: SLOT + MINUTE_MS, missedSlots: 1 },
    ]);
    expect(queued).toEqual([idOf(SLOT + 2 * MINUTE_MS)]);
  });

  test("are not those that may still be begun in time", async () => {
    memory.put(scheduled(), SLOT);
    clock.at = SLOT + 2 * MINUTE_MS + 5_000;
    await look();
    expect(logged()).toMatchObject([{ missedFromAt: SLOT, missedSlots: 2 }]);
    // It is taken at once.
    expect(queued).toEqual([idOf(SLOT + 2 * MINUTE_MS)]);
    expect(memory.nextSlots.get(ID)).toBe(SLOT + 3 * MINUTE_MS);
  });

  test("are none for a process that comes in time for the first one", async () => {
    memory.put(scheduled(), SLOT);
    clock.at = SLOT + 5_000;
    await look();
    await ring(SLOT + MINUTE_MS);
    expect(logged()).toEqual([]);
    expect(queued).toEqual([idOf(SLOT), idOf(SLOT + MINUTE_MS)]);
  });

  test("are none where all were taken", async () => {
    memory.put(scheduled(), SLOT);
    await keeper.load();
    for (const n of [0, 1, 2]) await ring(SLOT + n * MINUTE_MS);
    await endOpenOnes();
    await look(open(new HandTimers()));
    expect(logged().filter(({ verdict }) => verdict === "missed")).toEqual([]);
  });

  test("are told when they came while one was being taken", async () => {
    memory.put(scheduled(), SLOT);
    await keeper.load();
    // The store answers late: by now two more slots were due.
    clock.at = SLOT + 2 * MINUTE_MS + 30_000;
    await ring(SLOT);
    expect(queued).toEqual([idOf(SLOT)]);
    await ring(SLOT + 3 * MINUTE_MS);
    expect(logged()).toMatchObject([{ missedFromAt: SLOT + MINUTE_MS, missedSlots: 2 }]);
  });
});

describe("a sweep", () => {
  const left = async (change: Partial<Evaluation> = {}) => {
    const slot = { trigger: "schedule", slotAt: SLOT, openedAt: SLOT } as const;
    await memory.log.open({ ...evaluation(slot), evaluationId: idOf(SLOT), ...change });
  };
  const sweepAt = async (at: number) => {
    clock.at = at;
    await keeper.sweep();
  };
  const DECIDED = { verdict: "enterLong", targetQty: 2, sends: true } as const;
  const submitted = async () =>
    await lane.submit({
      accountId: ACCOUNT,
      userId: OWNER,
      source: { kind: "strategy" },
      requestId: "r1",
      receivedAt: clock.at,
      intent: { kind: "CANCEL_ENTRIES" },
      intentId: idOf(SLOT),
      waitMs: 0,
      entryMaxAgeMs: 1,
      exitMaxAgeMs: 1,
    });

  beforeEach(async () => {
    memory.put(scheduled(), SLOT + MINUTE_MS);
    await keeper.load();
  });

  test("has nothing to do where nothing was left", async () => {
    await sweepAt(SLOT);
    expect([queued, logged()]).toEqual([[], []]);
  });

  test.each([0, 2_000, SLOT_MAX_AGE_MS])(
    "hands out again what was taken and is in time: %d ms",
    async (lateMs) => {
      await left();
      await sweepAt(SLOT + lateMs);
      expect(queued).toEqual([idOf(SLOT)]);
      expect([logged(), memory.open.size]).toEqual([[], 1]);
    },
  );

  test.each([SLOT_MAX_AGE_MS + 1, SLOT_MAX_AGE_MS + 10_000])(
    "leaves whoever began it in time the time to decide: %d ms",
    async (lateMs) => {
      await left();
      await sweepAt(SLOT + lateMs);
      expect([queued, logged(), memory.open.size]).toEqual([[], [], 1]);
    },
  );

  test("ends as missed what nobody decided, and tells it once, in whichever process", async () => {
    await left();
    const other = open(new HandTimers());
    await other.load();
    clock.at = SLOT + 20_001;
    await Promise.all([keeper.sweep(), other.sweep()]);
    expect(logged()).toMatchObject([
      {
        evaluationId: idOf(SLOT),
        verdict: "missed",
        reason: expect.stringContaining("20 seconds late"),
        durationMs: 20_001,
      },
    ]);
    expect(told).toHaveLength(1);
    expect([queued, memory.open.size]).toEqual([[], 0]);
  });

  test.each([0, 1_000, 10_000])("hands a decision out again in time: %d ms", async (ms) => {
    await left(DECIDED);
    await sweepAt(SLOT + ms);
    expect([new Set(queued), logged(), memory.open.size]).toEqual([new Set([idOf(SLOT)]), [], 1]);
  });

  test.each([10_001, 20_000])("leaves a decision to who carries it out: %d ms", async (ms) => {
    await left(DECIDED);
    await submitted();
    await sweepAt(SLOT + ms);
    expect(memory.open.has(idOf(SLOT))).toBe(true);
    expect(queued).not.toContain(idOf(SLOT));
  });

  test.each([DONE, DENIED])("ends a decision that was left, by its intent: %j", async (outcome) => {
    lane.outcome = outcome;
    await left(DECIDED);
    await submitted();
    await sweepAt(SLOT + 60_001);
    expect(logged()).toMatchObject([{ ...DECIDED, outcome, durationMs: 60_001 }]);
    expect(told).toMatchObject([{ ...DECIDED, outcome }]);
    expect(memory.open.size).toBe(0);
  });

  test("ends a decision that never came to its lane as not sent", async () => {
    await left(DECIDED);
    await sweepAt(SLOT + 60_001);
    expect(logged()).toMatchObject([{ ...DECIDED, outcome: { kind: "notSent" } }]);
  });

  test("ends a decision that was not to be sent, without looking for an intent", async () => {
    await submitted();
    await left({ verdict: "enterLong", targetQty: 2, heldBack: "observe" });
    await sweepAt(SLOT + 60_001);
    expect(logged()).toMatchObject([{ verdict: "enterLong", heldBack: "observe" }]);
    expect(logged()[0]?.outcome).toBeUndefined();
  });

  test("leaves what is not settled, until it is", async () => {
    lane.outcome = undefined;
    await left(DECIDED);
    await submitted();
    await sweepAt(SLOT + 100_000);
    const ended = () => logged().filter(({ evaluationId }) => evaluationId === idOf(SLOT));
    expect([ended(), memory.open.has(idOf(SLOT))]).toEqual([[], true]);
    lane.settle(idOf(SLOT), { kind: "unknown", reason: "The answer was lost" });
    await keeper.sweep();
    expect([ended(), memory.open.has(idOf(SLOT))]).toEqual([[], true]);
    lane.settle(idOf(SLOT), DONE);
    await keeper.sweep();
    expect(ended()).toMatchObject([{ outcome: DONE }]);
  });

  test("tells what is under way for long without its end", async () => {
    lane.outcome = undefined;
    await left(DECIDED);
    await submitted();
    await sweepAt(SLOT + 120_001);
    const ended = logged().filter(({ evaluationId }) => evaluationId === idOf(SLOT));
    expect(ended).toMatchObject([{ sends: true }]);
    expect(ended[0]?.outcome).toBeUndefined();
  });

  test("ends what a caller asked for whose process died", async () => {
    const asked = evaluation({ ...DECIDED, evaluationId: intentId("i7"), openedAt: SLOT });
    await memory.log.open(asked);
    await sweepAt(SLOT + 20_000);
    expect(memory.open.has(intentId("i7"))).toBe(true);
    await sweepAt(SLOT + 20_001);
    expect(logged()).toContainEqual(
      expect.objectContaining({ evaluationId: "i7", verdict: "enterLong" }),
    );
  });

  test("ends what is left of a strategy that is gone, and nobody hears of it", async () => {
    await left();
    await memory.strategies.remove(ID, (await memory.strategies.read()).version);
    await keeper.load();
    await sweepAt(SLOT + 20_001);
    expect([memory.open.size, memory.logs.size, told]).toEqual([0, 0, []]);
  });

  test("tells the end of missed slots whose teller died", async () => {
    const missed = { verdict: "missed", missedFromAt: SLOT - MINUTE_MS, missedSlots: 2 } as const;
    await left(missed);
    await sweepAt(SLOT + 60_001);
    expect(logged()).toMatchObject([missed]);
    expect(told).toMatchObject([missed]);
  });
});
