import { beforeEach, describe, expect, test } from "vitest";
import { accountId, connectionId } from "../../../../src/domain/ids.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import type { AlarmListener, StateAlarm, StateId } from "../../../../src/trading/alarms/alarm.ts";
import { AlarmBoard } from "../../../../src/trading/alarms/alarm-board.ts";

const ES = "ESZ2026" as ContractCode;
const outOfStep = (n: number) => ({ kind: "outOfStep", accountId: accountId(`A${n}`) }) as const;

let board: AlarmBoard;
let told: unknown[];
let errors: unknown[];

const listener: AlarmListener = {
  raised: (alarm) => void told.push(["raised", alarm]),
  cleared: (alarm) => void told.push(["cleared", alarm]),
};

beforeEach(() => {
  [told, errors] = [[], []];
  board = new AlarmBoard((error) => errors.push(error), { most: 3, slack: 1 });
  board.listen(listener);
});

describe("a state", () => {
  const missing = (exits: readonly ("STOP_LOSS" | "TAKE_PROFIT")[]) =>
    ({ kind: "unprotected", accountId: accountId("A1"), contract: ES, exits }) as const;

  test("raised twice is one alarm, until it is cleared", () => {
    board.raise(missing(["STOP_LOSS"]));
    board.raise(missing(["STOP_LOSS"]));
    board.clear(missing([]));
    board.raise(missing(["STOP_LOSS"]));
    expect(told).toEqual([
      ["raised", missing(["STOP_LOSS"])],
      ["cleared", missing(["STOP_LOSS"])],
      ["raised", missing(["STOP_LOSS"])],
    ]);
  });

  test("with other facts is news of the same alarm, and ends once", () => {
    board.raise(missing(["STOP_LOSS"]));
    board.raise(missing(["STOP_LOSS", "TAKE_PROFIT"]));
    board.clear(missing([]));
    board.clear(missing([]));
    expect(told).toEqual([
      ["raised", missing(["STOP_LOSS"])],
      ["raised", missing(["STOP_LOSS", "TAKE_PROFIT"])],
      ["cleared", missing(["STOP_LOSS", "TAKE_PROFIT"])],
    ]);
  });

  test("that was never raised is cleared in silence", () => {
    board.clear(outOfStep(1));
    expect(told).toEqual([]);
  });

  // Each pair differs in one thing that names it.
  const reason = "Why";
  test.each<[StateAlarm, StateAlarm & StateId]>([
    [missing([]), { ...missing([]), contract: "NQZ2026" as ContractCode }],
    [missing([]), { ...missing([]), accountId: accountId("A2") }],
    [outOfStep(1), outOfStep(2)],
    [
      { kind: "loginRefused", connectionId: connectionId("c-1"), reason },
      { kind: "loginRefused", connectionId: connectionId("c-2"), reason },
    ],
    [
      { kind: "connectionRefused", connectionId: connectionId("c-1"), reason },
      { kind: "loginRefused", connectionId: connectionId("c-1"), reason },
    ],
    [
      { kind: "guardBlind", accountId: accountId("A1"), reason },
      { kind: "guardBlind", accountId: accountId("A2"), reason },
    ],
    [
      { kind: "accountLocked", accountId: accountId("A1"), reason },
      { kind: "guardNotFlat", accountId: accountId("A1"), reason },
    ],
    [
      { kind: "calendarExpired", accountId: accountId("A1"), calendar: "news", reason },
      { kind: "calendarExpired", accountId: accountId("A1"), calendar: "fed", reason },
    ],
    [
      { kind: "storeUnsafe", finding: "replicas", reason },
      { kind: "storeUnsafe", finding: "fsync", reason },
    ],
    [
      { kind: "diskNeedsRoom", finding: "diskLow", reason },
      { kind: "diskNeedsRoom", finding: "diskFull", reason },
    ],
    [
      { kind: "storeRefused", reason },
      { kind: "diskNeedsRoom", finding: "diskFull", reason },
    ],
  ])("is told from another one: %j %j", (one, other) => {
    board.raise(one);
    board.clear(other);
    board.raise(other);
    expect(told).toEqual([
      ["raised", one],
      ["raised", other],
    ]);
  });

  test("that stands is told to whoever listens later", () => {
    board.raise(outOfStep(1));
    board.raise(outOfStep(2));
    board.clear(outOfStep(1));
    told.length = 0;
    board.listen(listener);
    expect(told).toEqual([["raised", outOfStep(2)]]);
    expect([...board.standing]).toEqual([outOfStep(2)]);
  });
});

test("an event is told each time, and remembered by nobody", () => {
  const event = { kind: "startedUnsafe", reason: "appendonly is off" } as const;
  board.raise(event);
  board.raise(event);
  expect(told).toEqual([
    ["raised", event],
    ["raised", event],
  ]);
  told.length = 0;
  board.listen(listener);
  expect(told).toEqual([]);
});

describe("where more stand than are remembered", () => {
  const full = { kind: "alarmsFull", count: 3 } as const;

  beforeEach(() => {
    for (const n of [1, 2, 3]) board.raise(outOfStep(n));
    told.length = 0;
  });

  test("it says so once, and announces the new ones each time they are raised", () => {
    board.raise(outOfStep(4));
    board.raise(outOfStep(4));
    board.raise(outOfStep(5));
    board.clear(outOfStep(4));
    expect(told).toEqual([
      ["raised", full],
      ["raised", outOfStep(4)],
      ["raised", outOfStep(4)],
      ["raised", outOfStep(5)],
    ]);
  });

  test("those that are remembered are as before", () => {
    board.raise(outOfStep(4));
    told.length = 0;
    board.raise(outOfStep(1));
    board.clear(outOfStep(1));
    expect(told).toEqual([["cleared", outOfStep(1)]]);
  });

  test("it is over once there is room again, with some to spare", () => {
    board.raise(outOfStep(4));
    told.length = 0;
    board.clear(outOfStep(1));
    board.clear(outOfStep(2));
    expect(told).toEqual([
      ["cleared", outOfStep(1)],
      ["cleared", outOfStep(2)],
      ["cleared", full],
    ]);
    board.raise(outOfStep(4));
    expect(told.at(-1)).toEqual(["raised", outOfStep(4)]);
    board.clear(outOfStep(4));
    expect(told.at(-1)).toEqual(["cleared", outOfStep(4)]);
  });
});

test("a listener that fails keeps nobody else from hearing, nor whoever raises from going on", () => {
  const failing = () => {
    throw new Error("It broke");
  };
  const other = new AlarmBoard((error) => errors.push(error));
  other.listen({ raised: failing, cleared: failing });
  other.listen(listener);
  other.raise(outOfStep(1));
  other.clear(outOfStep(1));
  expect(told).toEqual([
    ["raised", outOfStep(1)],
    ["cleared", outOfStep(1)],
  ]);
  expect(errors).toHaveLength(2);
});

test("whoever stops listening hears no more", () => {
  const stop = board.listen(listener);
  stop();
  board.raise(outOfStep(1));
  expect(told).toHaveLength(0);
});
