// The goal: whatever must never become of a strategy's slots is found. The method: invented histories
// of one strategy, good ones and ones with one thing wrong in them, held against every check.
import { expect, test } from "vitest";
import { SLOT_EVERY_MS } from "./evaluating.ts";
import type { DoneFault } from "./faults-done.ts";
import type { History } from "./history.ts";
import { judge } from "./invariants.ts";
import { InventedSlots, slotId } from "./invented-slots.ts";
import { madeUpBars } from "./made-up-bars.ts";
import type { Fault } from "./schedule.ts";

const run = () => new InventedSlots();

/** The names of the checks that this history does not pass. */
function failed(history: History): string[] {
  return judge(history)
    .filter(({ violations }) => violations.length > 0)
    .map(({ name }) => name);
}

const DOUBLED = "no order is doubled";
const ORPHAN = "every order has its intent";
const UNSENT = "not sent is true";
const SHAPE = "an adjustment closes first, and opens once";
const AIM = "an adjustment ends where it aims";
const TOO_MANY = "no more orders than intents";
const UNSETTLED = "nothing is left unsettled";
const TOLD = "every slot is told once";
const ONCE = "a slot sends once, and what it decided";
const ONE_ENTRY = "a strategy holds one entry, or nothing";
const TRUE = "what a slot is told to come to is true";
const LATE = "no slot is begun late";
const OPEN = "no slot is left open";
const VAIN = "no slot is in vain but for a fault";

const HOLD = { verdict: "hold", outcome: "none" } as const;
const FAILED = { verdict: "failed", outcome: "none" } as const;
const SKIPPED = { verdict: "skipped", outcome: "none" } as const;
const MISSED = { verdict: "missed", outcome: "none" } as const;
const ENTRY = { verdict: "enterLong", outcome: "done" } as const;
const EXIT = { verdict: "exit", outcome: "done" } as const;
const ENTER = {
  aim: { to: "enter", side: "BUY", qty: 2, whenHeld: "refuse", whenOpposite: "close" },
} as const;
const CLOSE = { aim: { to: "close", percent: 100, holding: "LONG" } } as const;
const UNTOLD = { verdict: "enterLong", outcome: "notSent" } as const;

/** From that slot's time on, for so long. */
function fault(kind: Fault["kind"], slot: number, change: Partial<DoneFault> = {}): DoneFault {
  const startedAt = slot * SLOT_EVERY_MS;
  const planned = { kind } as Fault;
  const done = { fault: planned, note: "", isHit: true, kills: 1 };
  return { ...done, startedAt, endedAt: startedAt + 1_000, ...change };
}

const two = () => run().enters().exits();
const atThird = { faults: [fault("killWorker", 3)] };

const GOOD: Readonly<Record<string, History>> = {
  "in and out in turns": two().enters().exits().history(),
  "in and out as it aims": run()
    .next(ENTRY)
    .accept(ENTER)
    .send(2)
    .next(EXIT)
    .accept(CLOSE)
    .close()
    .history(),
  "a slot after which nothing changes": run().next(HOLD).history(),
  "a slot that was denied on its lane": run()
    .next({ ...ENTRY, outcome: "denied" })
    .accept({ state: "DENIED" })
    .history(),
  "a decision that never came to its lane": run().next(UNTOLD).history(),
  "a slot that is missed while Redis is away": two()
    .misses()
    .history({ faults: [fault("killRedis", 3)] }),
  "slots that are missed together while Redis is frozen": run()
    .missesTogether(3)
    .history({ faults: [1, 2, 3].map((slot) => fault("freezeRedis", slot)) }),
  "a slot that is missed while a process is down": two().misses().history(atThird),
  "bars that cannot be read from a broker that is gone": run()
    .next(FAILED)
    .history({ faults: [fault("cutSession", 1)] }),
  "a slot that the end of the run skips": two()
    .next(SKIPPED)
    .history({ untilAt: 2 * SLOT_EVERY_MS }),
  "a slot that is begun at the last moment": run()
    .next({ ...HOLD, startedAt: 2 * SLOT_EVERY_MS })
    .history(),
};

test.each(Object.entries(GOOD))("%s: nothing is wrong", (_, history) => {
  expect(failed(history)).toEqual([]);
});

const BAD: readonly (readonly [string, History, readonly string[]])[] = [
  ["a slot that nobody tells of", two().forgets().enters().history(), [TOLD]],
  ["the last slot, of which nobody tells", two().forgets().history(), [TOLD]],
  ["a slot that is told twice", two().next(HOLD).tell(HOLD).history(), [TOLD]],
  [
    "a slot that is told as evaluated and as missed",
    two().next(HOLD).tell(MISSED).history(atThird),
    [TOLD],
  ],
  [
    "slots missed together, one of which was evaluated",
    run()
      .next(HOLD)
      .next({ ...MISSED, missedFromAt: SLOT_EVERY_MS, missedSlots: 2 })
      .history({ faults: [fault("killRedis", 1), fault("killRedis", 2)] }),
    [TOLD],
  ],
  [
    "slots missed together, and counted wrongly",
    run()
      .missesTogether(3, 2)
      .history({ faults: [1, 2, 3].map((slot) => fault("killRedis", slot)) }),
    [TOLD],
  ],
  [
    "a slot that is in no schedule",
    run()
      .next(HOLD)
      .tell({ ...HOLD, slotAt: 11_000, startedAt: 11_000 })
      .history(),
    [TOLD, ONCE],
  ],
  [
    "a slot whose id is another one's",
    run()
      .next({ ...HOLD, evaluationId: slotId(9) })
      .history(),
    [ONCE],
  ],
  ["two intents of a slot", run().enters().accept().history(), [ONCE]],
  ["an intent that no slot tells of", run().next(HOLD).accept().history(), [ONCE, TRUE]],
  [
    "an intent on the account of another strategy",
    run().next(ENTRY).accept({ account: "sim-9-9" }).send(2).history(),
    [ONCE],
  ],
  [
    "an entry that is doubled",
    run().enters().send(2).history(),
    [DOUBLED, SHAPE, TOO_MANY, ONCE, ONE_ENTRY],
  ],
  [
    "an entry that is doubled under another name",
    run().enters().send(2, 1).history(),
    [SHAPE, TOO_MANY, ONCE, ONE_ENTRY],
  ],
  ["two slots that both enter", run().enters().enters().history(), [ONE_ENTRY]],
  [
    "an exit that sells too much",
    run().enters().next(EXIT).accept().send(-3).history(),
    [ONCE, ONE_ENTRY],
  ],
  [
    "an exit that does not close all",
    run().enters().next(EXIT).accept(CLOSE).send(-1, 1).history(),
    [AIM, ONCE],
  ],
  ["an entry of another size", run().next(ENTRY).accept(ENTER).send(1).history(), [AIM]],
  [
    "a slot that decided nothing, and sends",
    run().next(HOLD).send(2).history(),
    [ORPHAN, TOO_MANY, ONCE, TRUE],
  ],
  ["done without an order", run().next(ENTRY).accept().history(), [TRUE]],
  ["done without a record", run().next(ENTRY).history(), [TRUE]],
  ["told as not sent, with an order", run().next(UNTOLD).accept().send(2).history(), [TRUE]],
  ...(["denied", "expired", "notSent"] as const).map(
    (outcome) =>
      [
        `${outcome} with an order`,
        run()
          .next({ ...ENTRY, outcome })
          .accept({ state: outcome.toUpperCase() as "DENIED" })
          .send(2)
          .history(),
        [UNSENT, TRUE],
      ] as const,
  ),
  [
    "told as expired, though it was denied",
    run()
      .next({ ...ENTRY, outcome: "expired" })
      .accept({ state: "DENIED" })
      .history(),
    [TRUE],
  ],
  [
    "pending at the end",
    run()
      .next({ ...ENTRY, outcome: "pending" })
      .accept({ state: "PREPARED" })
      .history(),
    [UNSETTLED, TRUE],
  ],
  [
    "a slot that is begun late",
    run()
      .next({ ...HOLD, startedAt: 20_001 })
      .history(),
    [LATE],
  ],
  [
    "a slot that is begun early",
    run()
      .next({ ...HOLD, startedAt: 9_900 })
      .history(),
    [LATE],
  ],
  [
    "a decision that is sent long after its slot",
    run().next(ENTRY).accept({ acceptedAt: 32_001 }).send(2).history(),
    [LATE],
  ],
  ["an evaluation that never ends", two().history({ left: 1 }), [OPEN]],
  ["a slot that is missed though all is well", two().misses().history(), [VAIN]],
  [
    "a slot that is missed though nothing that takes slots failed",
    two()
      .misses()
      .history({ faults: [fault("killIngress", 3), fault("cutSession", 3)] }),
    [VAIN],
  ],
  [
    "a slot that is missed long after Redis was away",
    two()
      .misses()
      .history({ faults: [fault("killRedis", 1)] }),
    [VAIN],
  ],
  [
    "a slot that is missed long before Redis is away",
    two()
      .misses()
      .history({ faults: [fault("killRedis", 5)] }),
    [VAIN],
  ],
  [
    "a slot that is missed for a fault that met nothing",
    two()
      .misses()
      .history({ faults: [fault("killRedis", 3, { isHit: false })] }),
    [VAIN],
  ],
  [
    "slots missed together, one of them though all is well",
    run()
      .missesTogether(3)
      .history({ faults: [fault("killRedis", 3)] }),
    [VAIN],
  ],
  ["bars that are not read though all is well", run().next(FAILED).history(), [VAIN]],
  [
    "bars that are not read long after a fault",
    two()
      .next(FAILED)
      .history({ faults: [fault("cutSession", 1)] }),
    [VAIN],
  ],
  [
    "a slot that is skipped in the midst of a run",
    run().next(SKIPPED).next(HOLD).next(HOLD).next(HOLD).history(),
    [VAIN],
  ],
  [
    "bars that are too old",
    run().next({ verdict: "stale", outcome: "none" }).history(atThird),
    [VAIN],
  ],
  [
    "bars that are too few",
    run().next({ verdict: "notReady", outcome: "none" }).history(atThird),
    [VAIN],
  ],
];

test.each(BAD)("%s: it is found", (_, history, names) => {
  expect(failed(history)).toEqual(names);
});

test("made-up bars are finished, follow one another, and stay as they were told", () => {
  const now = Date.UTC(2026, 10, 22, 12, 0, 30);
  const bars = madeUpBars({ minutes: 1, count: 20 }, now);
  expect(bars).toHaveLength(20);
  expect(bars.at(-1)?.startsAt).toBe(Date.UTC(2026, 10, 22, 11, 59));
  for (const [n, { startsAt, open, high, low, close }] of bars.entries()) {
    expect(high).toBeGreaterThan(Math.max(open, close));
    expect(low).toBeLessThan(Math.min(open, close));
    const before = bars[n - 1];
    if (before === undefined) continue;
    expect(startsAt - before.startsAt).toBe(60_000);
    expect(open).toBe(before.close);
  }
  expect(new Set(bars.map(({ close }) => close)).size).toBeGreaterThan(5);
  expect(madeUpBars({ minutes: 1, count: 21 }, now + 60_000).slice(0, -1)).toEqual(bars);
  expect(madeUpBars({ minutes: 5, count: 2 }, now).map(({ startsAt }) => startsAt)).toEqual([
    Date.UTC(2026, 10, 22, 11, 50),
    Date.UTC(2026, 10, 22, 11, 55),
  ]);
});
