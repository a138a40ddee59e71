import { expect, test } from "vitest";
import type { LogEntry } from "../simulators/exchange/event-log.ts";
import type { DoneFault } from "./faults-done.ts";
import { measureTakeOvers, spread } from "./take-overs.ts";

const entry = (seq: number, at: number, op: string, connection = "sim-1"): LogEntry => {
  return { seq, at, op, connection, outcome: "accepted" };
};

const kill = (at: number, connections: readonly string[]): DoneFault => ({
  fault: { kind: "killWorker", ownerOf: 0, isKilledAgain: false, pauseMs: 0, isReported: true },
  startedAt: at,
  endedAt: at + 1,
  note: "worker-1",
  isHit: true,
  kills: 1,
  death: { at, isReported: true, connections },
});

test("a take-over is counted from the death to the next login, and to the order after it", () => {
  const log = [
    entry(1, 900, "login"),
    entry(2, 950, "submitOrder"),
    // Still the dead one's, which the broker had not read yet.
    entry(3, 1_001, "submitOrder"),
    entry(4, 1_050, "login", "sim-2"),
    entry(5, 1_070, "login"),
    entry(6, 1_200, "submitOrder"),
  ];
  expect(measureTakeOvers([kill(1_000, ["sim-1"])], log)).toEqual([
    { isReported: true, toLoginMs: 70, toOrderMs: 200, isUndisturbed: true },
  ]);
});

test("each connection of the dead counts; one that nobody took over does not", () => {
  const log = [entry(1, 1_010, "login"), entry(2, 1_020, "login", "sim-2")];
  const found = measureTakeOvers([kill(1_000, ["sim-1", "sim-2", "sim-3"])], log);
  expect(found.map(({ toLoginMs }) => toLoginMs)).toEqual([10, 20]);
  expect(found.map(({ toOrderMs }) => toOrderMs)).toEqual([undefined, undefined]);
});

test("another fault near it disturbs it", () => {
  const log = [entry(1, 1_010, "login"), entry(2, 1_020, "submitOrder")];
  const [found] = measureTakeOvers([kill(1_000, ["sim-1"]), kill(500, [])], log);
  expect(found?.isUndisturbed).toBe(false);
});

test("the middle and the largest", () => {
  expect(spread([30, 10, 20])).toEqual({ p50: 20, max: 30 });
  expect(spread([])).toBeUndefined();
});
