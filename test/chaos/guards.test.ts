// The goal: whatever guards must never do is found. The method: an invented history of one account that
// is locked, flattened and let go again, and others with one thing wrong in them, held against every check.
import { expect, test } from "vitest";
import type { GuardLock } from "../../src/domain/guards/verdict.ts";
import type { DoneFault } from "./faults-done.ts";
import type { GuardLook, Guarding, GuardsEnd } from "./guarding.ts";
import { FLAT_WITHIN_MS, locksOf } from "./guards.ts";
import type { History } from "./history.ts";
import { ACCOUNT, idOf, InventedRun, NOTHING_GUARDED } from "./invented-history.ts";
import { judge } from "./invariants.ts";

const SENT = "no entry is sent once its account is locked";
const FLAT = "what is locked is flat in time";
const LASTS = "a lock lasts until its time";
const CLOSES = "guards only close";
const JUDGED = "guards are judged at the end";

/** Of these histories: everything before that was at its time, one thing a millisecond. */
const LOCKED_AT = 1_000;
const UNLOCKED_AT = 100_000;

const decision = (what: "locked" | "unlocked", storedAt: number, ruleId = "loss") =>
  ({ what, storedAt, at: storedAt, ruleId, reason: "" }) as const;
const LOCKED = [decision("locked", LOCKED_AT), decision("unlocked", UNLOCKED_AT)];

const LOCK: GuardLock = {
  id: "one",
  ruleId: "loss",
  at: LOCKED_AT,
  until: UNLOCKED_AT,
  lock: "soft",
  then: "flatten",
  reason: "",
};
const look = (until: number, ...locks: readonly GuardLock[]): GuardLook => ({
  account: ACCOUNT,
  from: until - 1,
  until,
  locks,
});
const LOOKS = [look(2_000, LOCK), look(3_000, LOCK), look(UNLOCKED_AT + 1)];
const STOOD = { connection: "sim-1", owner: "p", from: 0, until: 2 * UNLOCKED_AT };
const JUDGES: GuardsEnd = { judgedAt: 1, levels: { loss: "ok" }, isBlind: false };

/** Bought before the lock, and closed by a guard. */
const run = () => new InventedRun().place(1, 2);
const closed = () => run().accept(2, BY_GUARD).close(2);
const BY_GUARD = { kind: "FLATTEN", via: "guard" } as const;

function guarded(
  told: InventedRun,
  change: Partial<Guarding> = {},
  at: Readonly<Record<number, number>> = {},
): History {
  const written = told.intents.map(
    ({ clOrdIds, seq }) => [clOrdIds[0] ?? "", at[seq] ?? seq] as const,
  );
  const log = told.log.map((entry) => {
    const seq = Number((entry.clOrdId ?? "").split("-")[0]?.slice(1));
    return { ...entry, at: at[seq] ?? entry.at };
  });
  return {
    ...told.history(),
    log,
    guarding: {
      ...NOTHING_GUARDED,
      accounts: [ACCOUNT],
      writtenAhead: new Map(written),
      looks: LOOKS,
      stood: [STOOD],
      decisions: { [ACCOUNT]: LOCKED },
      ends: { [ACCOUNT]: JUDGES },
      readAt: 2 * UNLOCKED_AT,
      ...change,
    },
  };
}

const failed = (history: History): string[] =>
  judge(history)
    .filter(({ violations }) => violations.length > 0)
    .map(({ name }) => name);

const SOON = { 2: LOCKED_AT + 50 };
const LATE = { 2: LOCKED_AT + FLAT_WITHIN_MS + 50 };
const cut = (change: Partial<DoneFault> = {}): DoneFault => ({
  fault: { kind: "cutSession", connection: 0, refusedMs: 0 },
  startedAt: LOCKED_AT + 100,
  endedAt: LOCKED_AT + 2_000,
  note: "",
  isHit: true,
  kills: 0,
  ...change,
});

const GOOD: Readonly<Record<string, History>> = {
  "closed soon after the lock": guarded(closed(), {}, SOON),
  "an entry that was written ahead in the same millisecond": guarded(
    closed().place(3, 1).accept(4, BY_GUARD).close(4),
    {},
    { ...SOON, 3: LOCKED_AT, 4: LOCKED_AT + 60 },
  ),
  "an entry once it is over": guarded(closed().place(3, 1), {}, { ...SOON, 3: UNLOCKED_AT + 1 }),
  "late, while its broker was away": guarded(closed(), { faults: [cut()] }, LATE),
  "late, while nobody owned it": guarded(
    closed(),
    {
      stood: [
        { ...STOOD, until: LOCKED_AT + 100 },
        { ...STOOD, from: LOCKED_AT + 2_000 },
      ],
    },
    LATE,
  ),
  "a lock that lets positions stay": guarded(
    closed(),
    { decisions: { [ACCOUNT]: [decision("locked", LOCKED_AT, "trades")] } },
    LATE,
  ),
  "a lock that another one of its rule has replaced": guarded(
    closed(),
    { looks: [look(2_000, LOCK), look(3_000, { ...LOCK, id: "two", until: UNLOCKED_AT + 1 })] },
    SOON,
  ),
};

test.each(Object.entries(GOOD))("%s: nothing is found", (_, history) => {
  expect(failed(history)).toEqual([]);
});

const BAD: readonly (readonly [string, History, readonly string[]])[] = [
  [
    "an entry after the lock",
    guarded(
      closed().place(3, 1).accept(4, BY_GUARD).close(4),
      {},
      { ...SOON, 3: LOCKED_AT + 51, 4: LOCKED_AT + 60 },
    ),
    [SENT],
  ],
  [
    "an entry that nobody has written ahead",
    guarded(closed(), { writtenAhead: new Map() }, SOON),
    [SENT],
  ],
  ["closed too late", guarded(closed(), {}, LATE), [FLAT]],
  ["never closed", guarded(run()), [FLAT]],
  [
    "late, and another broker was away",
    guarded(
      closed(),
      { faults: [cut({ fault: { kind: "cutSession", connection: 1, refusedMs: 0 } })] },
      LATE,
    ),
    [FLAT],
  ],
  [
    "late, and the fault met nothing",
    guarded(closed(), { faults: [cut({ isHit: false })] }, LATE),
    [FLAT],
  ],
  [
    "what fills late, and is left alone",
    guarded(closed().place(3, 1), {}, { ...SOON, 1: 1, 3: LOCKED_AT }),
    [FLAT],
  ],
  [
    "a lock that is gone",
    guarded(closed(), { looks: [look(2_000, LOCK), look(3_000)] }, SOON),
    [LASTS],
  ],
  [
    "a lock that became shorter",
    guarded(
      closed(),
      { looks: [look(2_000, LOCK), look(3_000, { ...LOCK, until: 50_000 })] },
      SOON,
    ),
    [LASTS],
  ],
  [
    "a lock that another rule's has replaced",
    guarded(
      closed(),
      { looks: [look(2_000, LOCK), look(3_000, { ...LOCK, ruleId: "lots" })] },
      SOON,
    ),
    [LASTS],
  ],
  [
    "a guard that turns a position round",
    guarded(
      run().accept(2, BY_GUARD).send(2, -3).accept(3, BY_GUARD).close(3),
      {
        writtenAhead: new Map([
          [`${idOf(1)}-1`, 1],
          [`${idOf(2)}-1`, 2],
        ]),
      },
      { 2: LOCKED_AT - 2, 3: LOCKED_AT - 1 },
    ),
    ["a flatten only closes", "no more orders than intents", CLOSES],
  ],
  [
    "a rule that is unknown",
    guarded(closed(), { ends: { [ACCOUNT]: { ...JUDGES, levels: { loss: "unknown" } } } }, SOON),
    [JUDGED],
  ],
  [
    "an account that is blind",
    guarded(closed(), { ends: { [ACCOUNT]: { ...JUDGES, isBlind: true } } }, SOON),
    [JUDGED],
  ],
  [
    "guards that nobody judged",
    guarded(closed(), { ends: { [ACCOUNT]: { ...JUDGES, judgedAt: NaN } } }, SOON),
    [JUDGED],
  ],
];

test.each(BAD)("%s: it is found", (_, history, names) => {
  expect(failed(history)).toEqual(names);
});

test("locks are one span from the first until none stands", () => {
  const two = [
    decision("locked", 1),
    decision("locked", 2, "trades"),
    decision("unlocked", 5),
    decision("locked", 7, "trades"),
  ];
  expect(locksOf(two)).toEqual([
    { from: 1, until: 5, flattens: true },
    { from: 7, until: Infinity, flattens: false },
  ]);
});
