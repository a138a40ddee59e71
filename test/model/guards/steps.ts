// What may happen to an account, drawn at random: mostly near the limits, and near 17:00 in Chicago.
import fc from "fast-check";
import type { Rule, Settings } from "./words.ts";
import { BEGAN_WITH, type Happening } from "./account.ts";

export type Step =
  | Happening
  /** The process has died: what is left is what was stored. */
  | { readonly is: "crashed" }
  | { readonly is: "changed"; readonly settings: Settings }
  | { readonly is: "locked"; readonly minutes: number; readonly then: "flatten" | "exitsOnly" }
  /** A person ends the lock that is shown, if it is a soft one. */
  | { readonly is: "ended" };

export interface Beginning {
  readonly at: number;
  /** By which every amount is multiplied. */
  readonly scale: number;
  readonly settings: Settings;
}

/** With limits of this size in mind: 1,000 is hit by a few. */
const amount = fc.oneof(
  fc.integer({ min: -12, max: 12 }).map((times) => times * 50),
  fc.constantFrom(-1000, -950, -901, -900, -700, -1, 1, 400, 1000),
);
const limit = fc.constantFrom(100, 500, 700, 1000, 1001, 2000);
const optional = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: undefined });
const age = fc.constantFrom(0, 0, 0, 10_000, 10_001, 60_000);
const lock = fc.constantFrom("soft" as const, "hard" as const);
const then = fc.constantFrom("flatten" as const, "exitsOnly" as const);
const mode = fc.constantFrom("on" as const, "on" as const, "on" as const, "shadow" as const);

function rulesOf(scale: number): fc.Arbitrary<readonly Rule[]> {
  const scaled = (of: fc.Arbitrary<number>) => of.map((each) => each * scale);
  const worth = (most: number) =>
    scaled(fc.integer({ min: 0, max: most }).map((hundreds) => BEGAN_WITH + hundreds * 100));
  const loss = (id: string, kind: "loss" | "profit") =>
    fc.record({
      id: fc.constant(id),
      mode,
      lock,
      kind: fc.constant(kind),
      period: fc.constantFrom("day" as const, "week" as const),
      limit: scaled(limit),
      counts: fc.constantFrom("open" as const, "closed" as const),
      then,
    });
  const drawdown = (id: string, trails: "endOfDay" | "live") =>
    fc.record(
      {
        id: fc.constant(id),
        mode,
        lock,
        kind: fc.constant("drawdown" as const),
        trails: fc.constant(trails),
        size: scaled(limit),
        start: fc.constant(BEGAN_WITH * scale),
        peak: worth(10),
        locksAt: worth(3),
        then,
      },
      { requiredKeys: ["id", "mode", "lock", "kind", "trails", "size", "start", "then"] },
    );
  const lots = fc.record(
    {
      id: fc.constant("lots"),
      mode,
      lock,
      kind: fc.constant("lots" as const),
      max: fc.constantFrom(2000, 5000),
      weights: fc.constant({ MES: 100 }),
      ladder: fc.record({
        start: fc.constant(BEGAN_WITH * scale),
        counts: fc.constantFrom("nextDay" as const, "live" as const),
        steps: fc.constant([
          { above: 150 * scale, max: 6000 },
          { above: 400 * scale, max: 9000 },
        ]),
      }),
    },
    { requiredKeys: ["id", "mode", "lock", "kind", "max", "weights"] },
  );
  const count = (of: "trades" | "executions" | "lossesInRow") =>
    fc.record({
      id: fc.constant<string>(of),
      mode,
      lock,
      kind: fc.constant("count" as const),
      of: fc.constant(of),
      max: fc.integer({ min: 1, max: 5 }),
    });
  const consistency = fc.record({
    id: fc.constant("share"),
    mode,
    lock,
    kind: fc.constant("consistency" as const),
    percent: fc.constantFrom(33, 50, 90),
  });
  return fc.uniqueArray<Rule, string>(
    fc.oneof(
      { weight: 4, arbitrary: loss("loss1", "loss") },
      { weight: 4, arbitrary: loss("loss2", "loss") },
      loss("won", "profit"),
      { weight: 3, arbitrary: drawdown("ended", "endOfDay") },
      { weight: 3, arbitrary: drawdown("live", "live") },
      lots,
      count("trades"),
      count("executions"),
      count("lossesInRow"),
      consistency,
    ),
    { selector: ({ id }) => id, maxLength: 6 },
  );
}

const settingsOf = (scale: number): fc.Arbitrary<Settings> =>
  fc.record({
    warnPercent: fc.constant(70),
    entriesOffPercent: fc.constantFrom(90, 100),
    bufferPercent: fc.constantFrom(0, 5, 5, 50),
    rules: rulesOf(scale),
  });

/** 1, an odd one, and one with which limits are near 10^12. */
const SCALES = [1, 7, 499_999_999] as const;

/** Around clock changes, New Year, a holiday on a Monday, and plain days; at any time of the day. */
const dates = fc.constantFrom(
  "2026-03-06",
  "2026-10-30",
  "2026-12-30",
  "2027-01-15",
  "2026-06-10",
  "2026-06-14",
);

const beginningOf = (scale: number): fc.Arbitrary<Beginning> =>
  fc.record({
    at: fc
      .tuple(dates, fc.integer({ min: 0, max: 86_399 }))
      .map(([date, second]) => Date.parse(`${date}T00:00:00Z`) + second * 1000),
    scale: fc.constant(scale),
    settings: settingsOf(scale),
  });

const happenings: fc.Arbitrary<Happening>[] = [
  fc.record({
    is: fc.constant("closed" as const),
    net: amount,
    trades: fc.integer({ min: 0, max: 1 }),
  }),
  fc.record({
    is: fc.constant("price" as const),
    open: optional(amount),
    toStop: optional(amount),
    age,
  }),
  fc.constant({ is: "flat" }),
  fc.record({
    is: fc.constant("held" as const),
    root: fc.constantFrom("ES", "MES"),
    qty: fc.integer({ min: -6, max: 60 }),
  }),
  fc.record({
    is: fc.constant("passed" as const),
    seconds: fc.constantFrom(1, 5, 11, 3600, 30_000, -2, -600),
  }),
  fc.record({
    is: fc.constant("dayEnd" as const),
    off: fc.constantFrom(-1 as const, 0 as const, 0 as const, 1 as const),
  }),
  fc.record({ is: fc.constant("days" as const), count: fc.integer({ min: 1, max: 6 }) }),
  fc.record({
    is: fc.constant("broker" as const),
    age,
    tells: fc.oneof(
      fc.constant(["closed" as const, "open" as const, "worth" as const]),
      fc.subarray(["closed" as const, "open" as const, "worth" as const]),
    ),
    off: fc.oneof(fc.constant(0), amount),
    paidIn: fc.constantFrom(0, 0, 0, 5000, -300),
    dailyLoss: optional(limit),
    weeklyLoss: optional(limit),
    floor: optional(fc.constantFrom(BEGAN_WITH - 900, BEGAN_WITH - 2500)),
  }),
  fc.constant({ is: "silent" }),
  fc.boolean().map((isOn) => ({ is: "doubt" as const, isOn })),
  fc.boolean().map((isLost) => ({ is: "history" as const, isLost })),
];

const WEIGHTS = [6, 6, 2, 1, 3, 4, 2, 4, 1, 1, 1];

const stepOf = (scale: number): fc.Arbitrary<Step> =>
  fc.oneof(
    ...happenings.map((arbitrary, nth) => ({ weight: WEIGHTS[nth] ?? 1, arbitrary })),
    { weight: 2, arbitrary: fc.constant<Step>({ is: "crashed" }) },
    {
      weight: 2,
      arbitrary: settingsOf(scale).map((settings): Step => ({ is: "changed", settings })),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        is: fc.constant("locked" as const),
        minutes: fc.integer({ min: 1, max: 3000 }),
        then,
      }),
    },
    { weight: 2, arbitrary: fc.constant<Step>({ is: "ended" }) },
  );

export const sequences: fc.Arbitrary<readonly [Beginning, readonly Step[]]> = fc
  .constantFrom(...SCALES)
  .chain((scale) =>
    fc.tuple(beginningOf(scale), fc.array(stepOf(scale), { minLength: 1, maxLength: 40 })),
  );
