// The goal: the picture of an exit plan shows what would be carried out, to the cent, and its form sends
// what was typed.
// The method: tables of plans whose figures are worked out by hand, and each plan through the form.
import { describe, expect, test } from "vitest";
import {
  type Ladder,
  type LadderTerms,
  readLadder,
} from "../../../src/console/pages/exit-plans/ladder.ts";
import {
  NEW_PLAN,
  NEW_TARGET,
  planOf,
  typedPlan,
} from "../../../src/console/pages/exit-plans/plan-typed.ts";
import { heightsOf, rungsOf } from "../../../src/console/pages/exit-plans/rungs.ts";
import type { ExitPlanTicket } from "../../../src/domain/exits/exit-plan.ts";

/** Four MNQ, bought. */
const MNQ: LadderTerms = { side: "buy", qty: 4, tickSize: "0.25", tickValue: "0.5" };

function draw(plan: ExitPlanTicket, terms: Partial<LadderTerms> = {}): Ladder {
  const reading = readLadder(plan, { ...MNQ, ...terms });
  if (reading.kind === "problems") throw new Error(JSON.stringify(reading.problems));
  return reading.ladder;
}

/** Of each target: ticks from the entry, what leaves, what is held then, what is won. */
const stepsOf = ({ steps }: Ladder) =>
  steps.map(({ at, leaves, heldAfter, won }) => [at?.ticks, leaves, heldAfter, won]);

const THIRDS: ExitPlanTicket = {
  targets: [{ ticks: 20, share: 50 }, { ticks: 40 }, {}],
  stop: { ticks: 20 },
  breakeven: { after: { target: 1 }, plus: 2 },
};

test("what leaves at each target, what is held then, and what both are worth", () => {
  const ladder = draw(THIRDS);
  expect(stepsOf(ladder)).toEqual([
    [20, 2, 2, "20.00"],
    [40, 1, 1, "20.00"],
  ]);
  expect(ladder).toMatchObject({ runs: 1, stop: { ticks: -20 }, atStop: "-40.00" });
  expect(ladder).toMatchObject({ wonInAll: "40.00", needsEntry: false });
});

test("what the trade comes to if the stop is next, which breakeven has moved", () => {
  const { steps } = draw(THIRDS);
  // 20 won, and two contracts 2 ticks beyond the entry; then 40, and one.
  expect(steps.map(({ ifStopped, stopAfter }) => [stopAfter?.ticks, ifStopped])).toEqual([
    [2, "22.00"],
    [2, "41.00"],
  ]);
});

test("without breakeven the stop stays where it is", () => {
  const { steps } = draw({ targets: [{ ticks: 20, qty: 1 }, { ticks: 40 }], stop: { ticks: 20 } });
  expect(steps.map(({ ifStopped }) => ifStopped)).toEqual(["-20.00", undefined]);
});

test("a breakeven that waits for a level holds from the first target beyond it", () => {
  const plan = {
    targets: [{ ticks: 20 }, { ticks: 40 }, { ticks: 60 }],
    stop: { ticks: 20 },
    breakeven: { after: { ticks: 30 } },
  };
  const ladder = draw(plan, { qty: 3 });
  expect(ladder.steps.map(({ stopAfter }) => stopAfter?.ticks)).toEqual([-20, 0, undefined]);
  expect(ladder.evenFrom?.ticks).toBe(30);
});

describe("levels", () => {
  test.each<[string, ExitPlanTicket, Partial<LadderTerms>, readonly (number | undefined)[]]>([
    [
      "money of one contract",
      { targets: [{ money: 25 }], stop: { money: "12.50" } },
      {},
      [50, -25],
    ],
    ["a stop is never further than its money", { stop: { money: "12.70" } }, {}, [-25]],
    ["points", { targets: [{ offset: 10 }], stop: { offset: 5 } }, {}, [40, -20]],
    ["R", { targets: [{ r: "1.5" }], stop: { ticks: 20 } }, {}, [30, -20]],
    ["a trailing stop is the first one too", { trailing: { distance: { ticks: 16 } } }, {}, [-16]],
    [
      "percent, of an entry that is known",
      { targets: [{ percent: 1 }], stop: { percent: "0.5" } },
      { entry: "20000" },
      [800, -400],
    ],
    [
      "prices, of a short trade",
      { targets: [{ price: 19_990 }], stop: { price: 20_005 } },
      { entry: "20000", side: "sell" },
      [40, -20],
    ],
    ["percent, of an entry that is not", { stop: { percent: 1 } }, {}, [undefined]],
    ["R of such a stop", { targets: [{ r: 2 }], stop: { price: 1 } }, {}, [undefined, undefined]],
  ])("%s", (_, plan, terms, ticks) => {
    const ladder = draw(plan, terms);
    const targets = ladder.steps.map(({ at }) => at?.ticks);
    expect([...targets, ladder.stop?.ticks]).toEqual(ticks);
    expect(ladder.needsEntry).toBe(ticks.includes(undefined));
  });
});

test("prices stand beside ticks once the entry's is known", () => {
  const { stop, steps } = draw(THIRDS, { entry: "20000.25", side: "sell" });
  expect([stop?.price, steps[0]?.at?.price]).toEqual(["20005.25", "19995.25"]);
});

test("an entry between two ticks is not known", () => {
  const ladder = draw({ stop: { percent: 1 } }, { entry: "20000.1" });
  expect(ladder).toMatchObject({ needsEntry: true });
});

test("figures are exact where floating point is not", () => {
  const ladder = draw({ stop: { ticks: 3 } }, { qty: 1, tickSize: "5e-7", tickValue: "0.1" });
  expect(ladder.atStop).toBe("-0.30");
});

test("without the worth of a tick nothing is said of money", () => {
  const { tickValue: _, ...terms } = MNQ;
  const reading = readLadder(THIRDS, terms);
  expect(reading).toMatchObject({ kind: "drawn" });
  expect(JSON.stringify(reading)).not.toMatch(/won|atStop|ifStopped/);
});

test("targets of different units are drawn as they are reached", () => {
  const plan = {
    targets: [
      { ticks: 40, qty: 1 },
      { money: 10, qty: 3 },
    ],
    stop: { ticks: 8 },
  };
  expect(stepsOf(draw(plan))).toEqual([
    [20, 3, 1, "30.00"],
    [40, 1, 0, "20.00"],
  ]);
});

test("an impossible plan is told by the words of the gateway", () => {
  const plan = { targets: [{ ticks: 0 }, { share: 120 }] };
  const reading = readLadder(plan, MNQ);
  expect(reading.kind === "problems" && reading.problems.map(({ path }) => path)).toEqual(
    expect.arrayContaining(["targets.0.ticks", "targets.1.share", "stop"]),
  );
});

describe("the picture", () => {
  const words = { ...MNQ, currency: "USD" };

  test("has a line for each place, from the furthest target to the stop", () => {
    expect(rungsOf(draw(THIRDS), words).map(({ title, detail }) => `${title} | ${detail}`)).toEqual(
      [
        "Target 2: +40 ticks | 1 leaves, 1 held: +20.00 USD",
        "Target 1: +20 ticks | 2 leave, 2 held: +20.00 USD",
        "Stop after target 1: +2 ticks | ",
        "Entry: buy 4 | 4 held",
        "Stop: −20 ticks | 4 leave: -40.00 USD",
      ],
    );
  });

  test("keeps lines apart as their prices are, and never so near that words cover others", () => {
    const heights = heightsOf([undefined, 40, 38, 0, -40]);
    const gaps = heights.slice(1).map((y, nth) => y - (heights[nth] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(40);
    expect(heightsOf([0])).toEqual([24]);
    expect(heightsOf([100, 50, 0])).toEqual([24, 144, 264]);
  });
});

describe("the form", () => {
  test.each<[string, ExitPlanTicket]>([
    ["every kind of target", { targets: [{ ticks: 8, share: 50 }, { r: 2, qty: 1 }, {}] }],
    ["every other level", { targets: [{ offset: 2.5 }, { percent: 1 }, { money: 100 }] }],
    ["a price", { targets: [{ price: 25_000 }], stop: { price: 24_000 } }],
    ["breakeven after a target", { breakeven: { after: { target: 2 }, plus: 1 } }],
    ["breakeven after a level", { breakeven: { after: { r: 1 } } }],
    ["trailing", { trailing: { from: { r: 1 }, distance: { ticks: 8 }, step: 4 } }],
    ["times", { closeAfterSeconds: 60, closeBeforeSessionEndSeconds: 0 }],
  ])("keeps %s as it was", (_, plan) => {
    expect(planOf(typedPlan("one", plan))).toEqual(plan);
  });

  test("leaves out what is left empty", () => {
    expect(planOf({ ...NEW_PLAN, targets: [], stop: { unit: "none", text: "7" } })).toEqual({});
  });

  test("sends what is no number as it was typed, for the gateway to refuse", () => {
    const typed = {
      ...NEW_PLAN,
      targets: [NEW_TARGET],
      stop: { unit: "ticks", text: "x" },
    } as const;
    expect(planOf(typed)).toEqual({ targets: [{ ticks: "" }], stop: { ticks: "x" } });
  });
});
