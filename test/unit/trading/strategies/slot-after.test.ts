// The slot after one that was taken follows from that slot, and from nothing that a process reads a
// moment later: between two looks at a clock a slot may come.
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { slotIdOf } from "../../../../src/app/new-ids.ts";
import { SlotKeeper } from "../../../../src/trading/strategies/slot-keeper.ts";
import { MemoryLane } from "./memory-lane.ts";
import { Clock, MemoryStrategies, MinuteScheduler } from "./memory-strategies.ts";
import { ID, MINUTE_MS, NOW, SCHEDULE, strategy } from "./strategy-kit.ts";

const SLOT = NOW + MINUTE_MS;

test.each([
  ["a moment before the next one", SLOT + MINUTE_MS - 1],
  ["in the very moment of the next one", SLOT + MINUTE_MS],
])("a slot that is taken %s leaves that one to be taken", async (_, takenAt) => {
  const [redis, process] = [new Clock(), new Clock()];
  const memory = new MemoryStrategies(redis);
  memory.put(strategy({ schedule: SCHEDULE }), SLOT);
  let ring: (slotAt: number) => void = () => undefined;
  const keeper = new SlotKeeper({
    strategies: memory.strategies,
    log: memory.log,
    intents: new MemoryLane(redis),
    scheduler: new MinuteScheduler(process),
    timers: { start: (__, onSlot) => ((ring = onSlot), () => undefined) },
    queue: { add: () => Promise.resolve() },
    slotId: slotIdOf,
    observer: { evaluated: () => undefined },
    onError: (error) => expect.fail(String(error)),
  });
  await keeper.load();
  // The answer of Redis takes 20 ms.
  [redis.at, process.at] = [takenAt, takenAt + 20];
  ring(SLOT);
  await turn();
  expect(memory.nextSlots.get(ID)).toBe(SLOT + MINUTE_MS);
});
