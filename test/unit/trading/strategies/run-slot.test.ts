import { beforeEach, describe, expect, test } from "vitest";
import { intentId } from "../../../../src/domain/ids.ts";
import type { Strategy } from "../../../../src/domain/strategies/strategy.ts";
import { errors } from "../../../../src/errors.ts";
import { BrokerReadError } from "../../../../src/trading/ports.ts";
import type { ComputeDecision } from "../../../../src/trading/strategies/compute-decision.ts";
import type {
  Evaluation,
  EvaluationLog,
  LoggedEvaluation,
} from "../../../../src/trading/strategies/ports.ts";
import {
  createRunSlot,
  type RunSlot,
  SLOT_MAX_AGE_MS,
} from "../../../../src/trading/strategies/run-slot.ts";
import { DENIED, DONE, MemoryLane } from "./memory-lane.ts";
import { Clock, MemoryStrategies } from "./memory-strategies.ts";
import {
  ACCOUNT,
  BrokerInHand,
  contracts,
  evaluation,
  FALLING,
  ID,
  MINUTE_MS,
  NOW,
  NQ,
  openCompute,
  OWNER,
  position,
  SCHEDULE,
  strategy,
} from "./strategy-kit.ts";

const SLOT_ID = intentId("i0123456789abcdef0123456789abc");

let clock: Clock;
let memory: MemoryStrategies;
let lane: MemoryLane;
let broker: BrokerInHand;
let told: LoggedEvaluation[];
let computed: number;

beforeEach(() => {
  clock = new Clock();
  memory = new MemoryStrategies(clock);
  lane = new MemoryLane(clock);
  broker = new BrokerInHand();
  [told, computed] = [[], 0];
});

const scheduled = (change: Partial<Strategy> = {}) => strategy({ schedule: SCHEDULE, ...change });

/** A slot of now that somebody has taken; `change` is what is known of it beside that. */
async function taken(change: Partial<Evaluation> = {}, of: Partial<Strategy> = {}): Promise<void> {
  memory.put(scheduled(of), NOW);
  const slot = { trigger: "schedule", slotAt: NOW, evaluationId: SLOT_ID } as const;
  await memory.log.takeSlot({ ...evaluation(), ...slot, ...change }, NOW + MINUTE_MS);
}

async function open(log: EvaluationLog = memory.log): Promise<RunSlot> {
  const compute = await openCompute(broker);
  const counting: ComputeDecision = async (...given) => {
    computed += 1;
    return await compute(...given);
  };
  return createRunSlot({
    strategies: memory.strategies,
    log,
    intents: lane,
    compute: counting,
    contracts,
    submit: lane.submit,
    observer: { evaluated: (_, one) => void told.push(one) },
  });
}

/** Runs the slot in a process that dies when its intent was sent, before it can say so. */
async function runAndDie(): Promise<void> {
  const killed = new Error("killed");
  const dying = await open({ ...memory.log, end: () => Promise.reject(killed) });
  await expect(dying(SLOT_ID)).rejects.toBe(killed);
  expect(lane.accepted).toHaveLength(1);
}

const run = async () => await (await open())(SLOT_ID);
const logged = () => memory.ended(ID);

/** What a process had decided when it died. */
const DECIDED = {
  verdict: "enterLong",
  targetQty: 2,
  netQty: 0,
  contract: NQ,
  sends: true,
} as const;

describe("a slot", () => {
  test("is decided, carried out, and ended in the log", async () => {
    await taken();
    clock.at += 40;
    await run();
    expect(logged()).toMatchObject([
      {
        evaluationId: SLOT_ID,
        trigger: "schedule",
        slotAt: NOW,
        openedAt: NOW + 40,
        verdict: "enterLong",
        sends: true,
        outcome: DONE,
        durationMs: 40,
      },
    ]);
    expect(told).toMatchObject([{ evaluationId: SLOT_ID, outcome: DONE, endedAt: NOW + 40 }]);
    expect(memory.open.size).toBe(0);
  });

  test("sends one adjustment with its evaluation's id, in nobody's name but its user's", async () => {
    await taken();
    await run();
    expect(lane.submissions).toMatchObject([
      {
        accountId: ACCOUNT,
        userId: OWNER,
        source: { kind: "strategy" },
        requestId: SLOT_ID,
        intentId: SLOT_ID,
        receivedAt: NOW,
        entryMaxAgeMs: 10_000,
        intent: { kind: "ADJUST", contract: NQ, aim: { to: "enter", side: "BUY", qty: 2 } },
      },
    ]);
    expect(Object.keys(lane.submissions[0]?.source ?? {})).toEqual(["kind"]);
  });

  test("keeps its decision before anything is sent", async () => {
    await taken();
    lane.fault = errors.storeUnavailable(undefined);
    await expect(run()).rejects.toBe(lane.fault);
    expect(await memory.log.findOpen(SLOT_ID)).toMatchObject({ ...DECIDED });
    expect([logged(), told]).toEqual([[], []]);
  });

  test.each<[string, Partial<Strategy>, object]>([
    ["observes", { mode: "observe" }, { heldBack: "observe" }],
    ["holds already", { conditions: { enterLong: "close[0] > close[1] && position.net > 9" } }, {}],
  ])("of a strategy that %s sends nothing", async (_, of, expected) => {
    await taken({}, of);
    await run();
    expect(logged()).toMatchObject([expected]);
    expect(lane.submissions).toEqual([]);
  });

  test("whose outcome is not known in time is left open", async () => {
    lane.outcome = undefined;
    await taken();
    await run();
    expect([logged(), memory.open.size]).toEqual([[], 1]);
  });

  test("that was denied on the lane tells so", async () => {
    lane.outcome = DENIED;
    await taken();
    await run();
    expect(logged()).toMatchObject([{ outcome: DENIED }]);
  });

  test("whose bracket does not fit its contract any more is not sent, with the reason", async () => {
    await taken({}, { bracket: { stopLoss: { offset: "0.1" } } });
    await run();
    const outcome = { kind: "notSent", reason: expect.stringContaining("stopLoss") };
    expect(logged()).toMatchObject([{ verdict: "enterLong", sends: true, outcome }]);
    expect(lane.accepted).toEqual([]);
  });

  test("of a contract that has expired fails", async () => {
    await taken({}, { symbol: "NQH6" });
    await run();
    expect(logged()).toMatchObject([{ verdict: "failed" }]);
    expect(lane.submissions).toEqual([]);
  });

  test("that was changed before its turn is skipped", async () => {
    await taken();
    memory.put(scheduled({ version: 2 }), NOW + MINUTE_MS);
    await run();
    expect(logged()).toMatchObject([
      { verdict: "skipped", reason: expect.stringContaining("changed") },
    ]);
    expect([computed, lane.submissions]).toEqual([0, []]);
  });

  test("whose bars cannot be read is left open while it is in time, and failed after that", async () => {
    await taken();
    broker.fault = new BrokerReadError("The session is gone");
    await run();
    expect([logged(), memory.open.size]).toEqual([[], 1]);
    clock.at = NOW + SLOT_MAX_AGE_MS - 1_000;
    await run();
    expect(logged()).toMatchObject([
      { verdict: "failed", reason: expect.stringContaining("The session is gone") },
    ]);
  });

  test("whose bars can be read again is decided", async () => {
    await taken();
    broker.fault = new BrokerReadError("The session is gone");
    await run();
    broker.fault = undefined;
    clock.at = NOW + 4_000;
    await run();
    expect(logged()).toMatchObject([{ verdict: "enterLong", outcome: DONE }]);
  });

  test("that was begun too late is missed", async () => {
    await taken();
    clock.at = NOW + SLOT_MAX_AGE_MS + 1;
    await run();
    expect(logged()).toMatchObject([
      {
        verdict: "missed",
        reason: expect.stringContaining("10 seconds late"),
      },
    ]);
    expect([computed, lane.submissions]).toEqual([0, []]);
    expect(told).toHaveLength(1);
  });

  test("that was begun at the last moment is not", async () => {
    await taken();
    clock.at = NOW + SLOT_MAX_AGE_MS - 1;
    await run();
    expect(logged()).toMatchObject([{ verdict: "enterLong", outcome: DONE }]);
  });

  test("that has ended, or never was, is nobody's", async () => {
    await taken();
    await run();
    await run();
    await (
      await open()
    )(intentId("i9"));
    expect([logged().length, told.length, computed, lane.submissions.length]).toEqual([1, 1, 1, 1]);
  });

  test("of a strategy that is gone comes to nothing", async () => {
    await taken();
    memory.kept.delete(ID);
    await run();
    expect([computed, told, lane.submissions]).toEqual([0, [], []]);
  });

  test("that another process ended meanwhile is not sent", async () => {
    await taken();
    memory.beforeDecide = async () => {
      await memory.log.end({ ...evaluation(), evaluationId: SLOT_ID, verdict: "missed" });
    };
    await run();
    expect(lane.submissions).toEqual([]);
    expect(logged()).toMatchObject([{ verdict: "missed" }]);
    expect(told).toEqual([]);
  });

  test("that could not be computed for an error that nobody foresaw stays open", async () => {
    await taken();
    broker.fault = new TypeError("a bug");
    await expect(run()).rejects.toThrow(TypeError);
    expect((await memory.log.findOpen(SLOT_ID))?.verdict).toBeUndefined();
  });
});

describe("a slot that runs again", () => {
  test("after it was decided sends what was decided then, under the same id", async () => {
    await taken(DECIDED);
    broker.told = FALLING;
    broker.held = [position(NQ, 3)];
    clock.at += 5_000;
    await run();
    expect(computed).toBe(0);
    expect(lane.submissions).toMatchObject([
      { intentId: SLOT_ID, intent: { aim: { to: "enter", side: "BUY" } } },
    ]);
    expect(logged()).toMatchObject([{ verdict: "enterLong", outcome: DONE }]);
  });

  test("after it was sent is accepted once, and told its outcome", async () => {
    await taken();
    lane.outcome = DENIED;
    await runAndDie();
    lane.outcome = DONE;
    broker.told = FALLING;
    await run();
    expect(lane.accepted).toHaveLength(1);
    expect(lane.submissions.map((one) => one.intentId)).toEqual([SLOT_ID, SLOT_ID]);
    expect(logged()).toMatchObject([{ verdict: "enterLong", outcome: DENIED }]);
    expect([computed, told.length]).toEqual([1, 1]);
  });

  test("beside another one takes the decision that was kept first", async () => {
    await taken();
    const other = { ...evaluation(), evaluationId: SLOT_ID, slotAt: NOW, verdict: "hold" } as const;
    memory.beforeDecide = () => {
      memory.open.set(SLOT_ID, JSON.stringify(other));
    };
    await run();
    expect(lane.submissions).toEqual([]);
    expect(logged()).toMatchObject([{ verdict: "hold" }]);
  });

  test.each([SLOT_MAX_AGE_MS + 1, 3_600_000])(
    "%d ms after its time sends nothing any more",
    async (lateMs) => {
      await taken(DECIDED);
      clock.at += lateMs;
      await run();
      expect(lane.accepted).toEqual([]);
      expect(logged()).toMatchObject([{ verdict: "enterLong", outcome: { kind: "notSent" } }]);
    },
  );

  test("too late tells what became of what was sent in time", async () => {
    await taken();
    await runAndDie();
    lane.settle(SLOT_ID, DENIED);
    clock.at += 60_000;
    await run();
    expect(logged()).toMatchObject([{ verdict: "enterLong", outcome: DENIED }]);
    expect(lane.accepted).toHaveLength(1);
  });

  test("too late leaves open what is not known of it yet", async () => {
    lane.outcome = undefined;
    await taken();
    await run();
    clock.at += 60_000;
    await run();
    expect([logged(), memory.open.size]).toEqual([[], 1]);
  });

  // The rules that it was decided by are not the strategy's any more.
  test.each<[string, Partial<Strategy>]>([
    ["was switched off", { enabled: false }],
    ["only observes now", { mode: "observe" }],
    ["is for another market", { symbol: "ES" }],
    ["is for more contracts", { qty: 50 }],
  ])("after its strategy %s sends nothing", async (_, change) => {
    await taken(DECIDED);
    memory.put(scheduled({ version: 2, ...change }), NOW + MINUTE_MS);
    await run();
    expect(lane.accepted).toEqual([]);
    expect(memory.open.size).toBe(0);
    expect(logged()).toMatchObject([{ evaluationId: SLOT_ID, outcome: { kind: "notSent" } }]);
  });

  test("after its strategy was changed tells what became of what was sent before", async () => {
    await taken();
    await runAndDie();
    memory.put(scheduled({ version: 2, enabled: false }));
    await run();
    expect(lane.accepted).toHaveLength(1);
    expect(logged()).toMatchObject([{ verdict: "enterLong", outcome: DONE }]);
  });
});
