// A process may stand still at any moment: frozen by its machine, or asleep with a laptop. What it
// does once it goes on is as late as it says.
import { beforeEach, expect, test } from "vitest";
import { intentId } from "../../../../src/domain/ids.ts";
import type { EvaluationLog } from "../../../../src/trading/strategies/ports.ts";
import { createRunSlot, type RunSlot } from "../../../../src/trading/strategies/run-slot.ts";
import { MemoryLane } from "./memory-lane.ts";
import { Clock, MemoryStrategies } from "./memory-strategies.ts";
import {
  BrokerInHand,
  contracts,
  evaluation,
  ID,
  MINUTE_MS,
  NOW,
  openCompute,
  SCHEDULE,
  strategy,
} from "./strategy-kit.ts";

const SLOT_ID = intentId("i0123456789abcdef0123456789abc");

let clock: Clock;
let memory: MemoryStrategies;
let lane: MemoryLane;

beforeEach(async () => {
  clock = new Clock();
  memory = new MemoryStrategies(clock);
  lane = new MemoryLane(clock);
  memory.put(strategy({ schedule: SCHEDULE }), NOW);
  const slot = { trigger: "schedule", slotAt: NOW, evaluationId: SLOT_ID } as const;
  await memory.log.takeSlot({ ...evaluation(), ...slot }, NOW + MINUTE_MS);
});

async function open(log: EvaluationLog, broker = new BrokerInHand()): Promise<RunSlot> {
  return createRunSlot({
    strategies: memory.strategies,
    log,
    intents: lane,
    compute: await openCompute(broker),
    contracts,
    submit: lane.submit,
    observer: { evaluated: () => undefined },
  });
}

/** Keeps what is decided, and then stands still while `meanwhile` happens. */
const pausing = (meanwhile: () => Promise<void> | void): EvaluationLog => ({
  ...memory.log,
  decide: async (decided) => {
    const stands = await memory.log.decide(decided);
    await meanwhile();
    return stands;
  },
});

test("a slot whose process stood still once it had decided sends nothing after its time", async () => {
  const run = await open(pausing(() => void (clock.at += 60_000)));
  // Whether it ends the slot itself, or leaves that to the next one, is its own affair.
  await run(SLOT_ID).catch(() => undefined);
  expect(lane.accepted).toEqual([]);
});

test("a slot that another process ended as not sent is not sent after that", async () => {
  const other = await open(memory.log);
  const run = await open(
    pausing(async () => {
      clock.at += 11_000;
      await other(SLOT_ID);
      expect(memory.ended(ID)).toMatchObject([{ outcome: { kind: "notSent" } }]);
    }),
  );
  await run(SLOT_ID).catch(() => undefined);
  expect(lane.accepted).toEqual([]);
});
