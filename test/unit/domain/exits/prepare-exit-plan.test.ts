import { describe, expect, test } from "vitest";
import fc from "fast-check";
import {
  formatTicks,
  type TickSize,
  tickSize,
  ticks,
} from "../../../../src/domain/contracts/price.ts";
import type { WrittenNumber } from "../../../../src/domain/contracts/tick-reader.ts";
import type {
  ExitPlan,
  ExitPlanTicket,
  PlanLevel,
  PlanLevelTicket,
} from "../../../../src/domain/exits/exit-plan.ts";
import { checkExitPlan, prepareExitPlan } from "../../../../src/domain/exits/prepare-exit-plan.ts";

const QUARTER = tickSize("0.25");
const YEN = tickSize("0.0000005");

function prepared(ticket: ExitPlanTicket, size = QUARTER): ExitPlan {
  const read = prepareExitPlan(ticket, { tickSize: size });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value;
}

function problemsOf(ticket: ExitPlanTicket, terms = { tickSize: QUARTER }): string[] {
  const read = prepareExitPlan(ticket, terms);
  return read.ok ? [] : read.problems.map(({ path, message }) => `${path} ${message}`);
}

const stop = { ticks: 20 };

describe("a plan is read", () => {
  test("with all of its parts, into ticks and exact decimals", () => {
    const plan = prepared({
      name: "runner",
      targets: [
        { ticks: 8, share: 50 },
        { offset: "2.5", qty: 1 },
        { percent: "1.50" },
        { money: 0.1 },
        { r: "2.0" },
        { price: "5010.25" },
        {},
      ],
      stop: { offset: 5 },
      breakeven: { after: { target: 1 }, plus: 2 },
      trailing: { from: { r: 1 }, distance: { ticks: 12 }, step: 4 },
      closeAfterSeconds: 3_600,
      closeBeforeSessionEndSeconds: 0,
    });
    expect(plan).toEqual({
      name: "runner",
      targets: [
        { at: { by: "ticks", ticks: 8 }, share: 50 },
        { at: { by: "ticks", ticks: 10 }, qty: 1 },
        { at: { by: "percent", percent: "1.5" } },
        { at: { by: "money", money: "0.1" } },
        { at: { by: "r", r: "2" } },
        { at: { by: "price", price: 20_041 } },
        {},
      ],
      stop: { by: "ticks", ticks: 20 },
      breakeven: { after: { by: "target", target: 1 }, plus: 2 },
      trailing: {
        from: { by: "r", r: "1" },
        distance: { by: "ticks", ticks: 12 },
        step: 1 + 3,
      },
      closeAfterSeconds: 3_600,
      closeBeforeSessionEndSeconds: 0,
    });
  });

  test.each<[string, ExitPlanTicket, object]>([
    ["a stop alone", { stop }, { targets: [], stop: { by: "ticks", ticks: 20 } }],
    [
      "a target alone",
      { targets: [{ ticks: 8 }] },
      { targets: [{ at: { by: "ticks", ticks: 8 } }] },
    ],
    [
      "what trails from the entry on, a tick at a time",
      { trailing: { distance: { percent: 1 } } },
      { targets: [], trailing: { distance: { by: "percent", percent: "1" }, step: 1 } },
    ],
    [
      "a breakeven at the entry's price",
      { stop, breakeven: { after: { ticks: 10 } } },
      { breakeven: { after: { by: "ticks", ticks: 10 }, plus: 0 } },
    ],
    [
      "parts that share out all",
      {
        stop,
        targets: [
          { ticks: 8, share: 33.3 },
          { ticks: 9, share: 66.7 },
        ],
      },
      { targets: [{ share: 33.3 }, { share: 66.7 }] },
    ],
    [
      "prices one way, and the other way",
      { stop, targets: [{ price: 5010 }, { price: 5010 }, { price: 5000 }, { price: 4990 }] },
      { targets: [{}, {}, {}, {}] },
    ],
  ])("%s", (_, ticket, plan) => {
    expect(problemsOf(ticket)).toEqual([]);
    expect(checkExitPlan(ticket)).toEqual([]);
    expect(prepared(ticket)).toMatchObject(plan);
  });

  test("a tiny tick is counted exactly", () => {
    const plan = prepared({ stop: { offset: 5e-7 }, targets: [{ price: "0.0067155" }] }, YEN);
    expect(plan).toMatchObject({ stop: { ticks: 1 }, targets: [{ at: { price: 13_431 } }] });
  });

  test("a negative price is one where there are such prices only", () => {
    const ticket = { stop: { price: -37.75 } };
    expect(prepareExitPlan(ticket, { tickSize: QUARTER, mayBeNegative: true }).ok).toBe(true);
    expect(problemsOf(ticket)).toEqual(["exitPlan.stop.price must be greater than 0"]);
    expect(checkExitPlan(ticket)).toEqual([]);
  });
});

/** Refused in whatever contract, so already when it is saved. */
const REFUSED: [string, ExitPlanTicket, ...string[]][] = [
  ["nothing", {}, " needs a stop or a target"],
  ["nothing but times", { closeAfterSeconds: 60 }, " needs a stop or a target"],
  ["what waits for nothing", { breakeven: { after: { ticks: 4 } } }, " needs a stop or a target"],
  [
    "a level of none",
    { stop: {} },
    "stop needs exactly one of price, ticks, offset, percent, money, r",
  ],
  [
    "a level of two",
    { stop: { ticks: 4, r: 1 } },
    "stop needs exactly one of price, ticks, offset, percent, money, r",
  ],
  ["no ticks", { stop: { ticks: 0 } }, "stop.ticks must be a whole number from 1 to 100000"],
  [
    "a part of a tick",
    { stop: { ticks: 1.5 } },
    "stop.ticks must be a whole number from 1 to 100000",
  ],
  ["no distance", { stop: { offset: "0.00" } }, "stop.offset must be greater than 0"],
  ["a distance backwards", { stop: { offset: -2 } }, "stop.offset must be greater than 0"],
  [
    "no number",
    { stop: { percent: "half" } },
    "stop.percent must be a number with at most 12 decimals",
  ],
  [
    "too many digits",
    { stop: { money: "1e-13" } },
    "stop.money must be a number with at most 12 decimals",
  ],
  ["no percent", { stop: { percent: 0 } }, "stop.percent must be greater than 0"],
  ["the whole price", { stop: { percent: "100.0" } }, "stop.percent must be less than 100"],
  ["no money", { stop: { money: -5 } }, "stop.money must be greater than 0"],
  ["too much money", { stop: { money: "1000000000.01" } }, "stop.money must be at most 1000000000"],
  ["a stop in r", { stop: { r: 1 } }, "stop is what r is counted by, so it cannot be in r"],
  ["too many r", { stop, targets: [{ r: 1_001 }] }, "targets.0.r must be at most 1000"],
  ["r without a stop", { targets: [{ r: 1 }] }, "stop is needed where something is counted in r"],
  [
    "r of what trails",
    { trailing: { distance: { r: 1 } } },
    "stop is needed where something is counted in r",
  ],
  [
    "more parts than there may be",
    { stop, targets: Array.from({ length: 9 }, (_, n) => ({ ticks: n + 1 })) },
    "targets must be at most 8",
  ],
  [
    "several without a stop",
    { targets: [{ ticks: 8 }, { ticks: 9 }] },
    "stop is needed for several targets",
  ],
  ["a runner without a stop", { targets: [{}] }, "stop is needed for a part without a level"],
  [
    "a part that nothing takes out",
    { targets: [{ ticks: 8, share: 50 }] },
    "stop is needed for what no target takes out",
  ],
  [
    "contracts that may be fewer than are held",
    { targets: [{ ticks: 8, qty: 1 }] },
    "stop is needed for what no target takes out",
  ],
  [
    "breakeven without a stop",
    { targets: [{ ticks: 8 }], breakeven: { after: { ticks: 4 } } },
    "stop is needed for breakeven",
  ],
  [
    "what trails later, without a stop until then",
    { targets: [{ ticks: 8 }], trailing: { from: { ticks: 4 }, distance: { ticks: 4 } } },
    "stop is needed for trailing from a level on",
  ],
  [
    "a share and contracts",
    { stop, targets: [{ share: 50, qty: 1 }] },
    "targets.0 has a share or a qty, not both",
  ],
  ["no share", { stop, targets: [{ share: 0 }] }, "targets.0.share must be greater than 0"],
  [
    "too large a share",
    { stop, targets: [{ share: 100.5 }] },
    "targets.0.share must be at most 100",
    "targets must not share out more than 100 percent",
  ],
  [
    "shares of more than all, by a little",
    {
      stop,
      targets: [
        { ticks: 4, share: 70.1 },
        { ticks: 5, share: 29.900001 },
      ],
    },
    "targets must not share out more than 100 percent",
  ],
  [
    "a rest of nothing",
    { stop, targets: [{ ticks: 4, share: 70.1 }, { ticks: 5, share: 29.9 }, {}] },
    "targets.2 has nothing left: the others share out all",
  ],
  [
    "no contract",
    { stop, targets: [{ qty: 0 }] },
    "targets.0.qty must be a whole number from 1 to 10000",
  ],
  [
    "a nearer target behind one of its kind",
    { stop, targets: [{ ticks: 8 }, { percent: 1 }, { ticks: 7 }, { percent: "1.0" }] },
    "targets.2 is nearer than one before it: list them as they are reached",
  ],
  [
    "prices to and fro",
    { stop, targets: [{ price: 5010 }, { price: 5020 }, { price: 5015 }] },
    "targets.2 is on the way to one before it: list them as they are reached",
  ],
  [
    "breakeven after a target and a level",
    { stop, targets: [{ ticks: 8 }, {}], breakeven: { after: { target: 1, ticks: 8 } } },
    "breakeven.after is a target or a level, not both",
  ],
  [
    "breakeven after a target that is not there",
    { stop, targets: [{ ticks: 8 }, {}], breakeven: { after: { target: 3 } } },
    "breakeven.after.target is no target of this plan",
  ],
  [
    "breakeven after the zeroth target",
    { stop, targets: [{ ticks: 8 }, {}], breakeven: { after: { target: 0 } } },
    "breakeven.after.target must be a whole number from 1 to 8",
    "breakeven.after.target is no target of this plan",
  ],
  [
    "breakeven after what is never reached",
    { stop, targets: [{ ticks: 8 }, {}], breakeven: { after: { target: 2 } } },
    "breakeven.after.target is a part without a level, which is never reached",
  ],
  [
    "breakeven once all is out",
    { stop, targets: [{ ticks: 8 }, { ticks: 9 }], breakeven: { after: { target: 2 } } },
    "breakeven.after.target is the last one: nothing is left to protect then",
  ],
  [
    "breakeven in the market",
    { stop, breakeven: { after: { ticks: 8 }, plus: 8 } },
    "breakeven.plus must be less than what it waits for: the stop would be in the market",
  ],
  [
    "breakeven beyond its target",
    { stop, targets: [{ ticks: 8 }, {}], breakeven: { after: { target: 1 }, plus: 9 } },
    "breakeven.plus must be less than what it waits for: the stop would be in the market",
  ],
  [
    "breakeven on the losing side",
    { stop, breakeven: { after: { ticks: 8 }, plus: -1 } },
    "breakeven.plus must be a whole number from 0 to 100000",
  ],
  [
    "what trails by a price",
    { trailing: { distance: { price: 5000 } } },
    "trailing.distance is a distance, not a price",
  ],
  [
    "what trails by nothing",
    { stop, trailing: { distance: { ticks: 4 }, step: 0 } },
    "trailing.step must be a whole number from 1 to 100000",
  ],
  [
    "no time",
    { stop, closeAfterSeconds: 0 },
    "closeAfterSeconds must be a whole number from 1 to 86400",
  ],
  [
    "a time of before the session",
    { stop, closeBeforeSessionEndSeconds: 21_601 },
    "closeBeforeSessionEndSeconds must be a whole number from 0 to 21600",
  ],
];

describe("a plan that cannot work is refused", () => {
  test.each(REFUSED)("%s", (_, ticket, ...problems) => {
    const told = checkExitPlan(ticket).map(({ path, message }) => `${path} ${message}`);
    expect(told).toEqual(problems);
    const onContract = problems.map((one) => `exitPlan.${one}`.replace(". ", " "));
    expect(problemsOf(ticket)).toEqual(onContract);
  });

  test.each<[string, ExitPlanTicket, ...string[]]>([
    [
      "between two ticks",
      { stop: { offset: 0.3 } },
      "exitPlan.stop.offset 0.3 is not a multiple of the tick size 0.25",
    ],
    [
      "at a price between two ticks",
      { targets: [{ price: "5000.1" }] },
      "exitPlan.targets.0.price 5000.1 is not a multiple of the tick size 0.25",
    ],
    ["at no price", { stop: { price: 0 } }, "exitPlan.stop.price must be greater than 0"],
    [
      "too far away",
      { stop: { offset: 25_000.25 } },
      "exitPlan.stop.offset must be at most 100000 ticks",
    ],
    [
      "nearer, counted otherwise",
      { stop, targets: [{ ticks: 8 }, { offset: 1.75 }] },
      "exitPlan.targets.1 is nearer than one before it: list them as they are reached",
    ],
    [
      "in the market, counted otherwise",
      { stop, breakeven: { after: { offset: 1 }, plus: 4 } },
      "exitPlan.breakeven.plus must be less than what it waits for: the stop would be in the market",
    ],
  ])("only on its contract: %s", (_, ticket, ...problems) => {
    expect(checkExitPlan(ticket)).toEqual([]);
    expect(problemsOf(ticket)).toEqual(problems);
  });

  test("everything that is wrong is named, under the given name", () => {
    const ticket = { stop: { ticks: -1 }, targets: [{ ticks: 2 }, { r: 0 }] };
    const paths = ["plan.targets.1.r", "plan.stop.ticks"];
    expect(checkExitPlan(ticket, "plan").map(({ path }) => path)).toEqual(paths);
  });
});

const whole = (max: number) => fc.integer({ min: 1, max });

/** A positive decimal of at most twelve places, as a number or as text. */
const decimal = (max: number): fc.Arbitrary<WrittenNumber> =>
  fc
    .tuple(fc.integer({ min: 0, max: max - 1 }), whole(9_999), fc.boolean())
    .map(([units, rest, isText]) => {
      const text = `${units}.${String(rest).padStart(4, "0")}`;
      return isText ? text : Number(text);
    });

const distance = (size: TickSize): fc.Arbitrary<PlanLevelTicket> =>
  fc.oneof(
    whole(100_000).map((count) => ({ ticks: count })),
    whole(100_000).map((count) => ({ offset: formatTicks(ticks(count), size) })),
    decimal(99).map((percent) => ({ percent })),
    decimal(1_000_000).map((money) => ({ money })),
  );

/** What a level said, read back from what it has become. */
function writtenAs(level: PlanLevel | undefined, size: TickSize): PlanLevelTicket {
  switch (level?.by) {
    case "price":
      return { price: formatTicks(level.price, size) };
    case "ticks":
      return { ticks: level.ticks };
    case "percent":
      return { percent: level.percent };
    case "money":
      return { money: level.money };
    case "r":
      return { r: level.r };
    case undefined:
      return {};
  }
}

test("what is written comes out, exactly, and is read once more as the same", () => {
  const tickets = fc.constantFrom(QUARTER, YEN).chain((size) =>
    fc.record({
      size: fc.constant(size),
      ticket: fc.record(
        {
          stop: distance(size),
          targets: fc.tuple(
            distance(size).map((level) => ({ ...level, share: 40 })),
            fc.constant({}),
          ),
          trailing: fc.record({ distance: distance(size), step: whole(1_000) }),
          closeAfterSeconds: whole(86_400),
          name: fc.constantFrom("a", "b"),
        },
        { requiredKeys: ["stop"] },
      ),
    }),
  );
  fc.assert(
    fc.property(tickets, ({ size, ticket }) => {
      expect(checkExitPlan(ticket)).toEqual([]);
      const plan = prepared(ticket, size);
      const back: ExitPlanTicket = {
        ...plan,
        stop: writtenAs(plan.stop, size),
        targets: plan.targets.map(({ at, ...part }) => ({ ...part, ...writtenAs(at, size) })),
        ...(plan.trailing && {
          trailing: { ...plan.trailing, distance: writtenAs(plan.trailing.distance, size) },
        }),
      } as ExitPlanTicket;
      expect(prepared(back, size)).toEqual(plan);
      const asWritten =
        "offset" in ticket.stop && plan.stop?.by === "ticks"
          ? { offset: formatTicks(plan.stop.ticks, size) }
          : writtenAs(plan.stop, size);
      const numbersIn = (level: object) =>
        Object.entries(level).map(([name, n]) => [name, Number(n)]);
      expect(numbersIn(asWritten)).toEqual(numbersIn(ticket.stop));
    }),
  );
});
