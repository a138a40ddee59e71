import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AdjustIntent, type AdjustSteps, planAdjust } from "../../../src/domain/adjust.ts";
import type { Aim, Holding } from "../../../src/domain/alert.ts";
import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import { OPENS_NOTHING } from "../../../src/domain/fit-bracket.ts";
import { clOrdId, orderId } from "../../../src/domain/ids.ts";
import { clOrdIdOf } from "../../../src/domain/intent.ts";
import { type OrderReport, SIDES, sign } from "../../../src/domain/order.ts";
import { ticks } from "../../../src/domain/contracts/price.ts";

const SEP = "ESU2026" as ContractCode;
const DEC = "ESZ2026" as ContractCode;
const MAR = "ESH2027" as ContractCode;
const NQ = "NQZ2026" as ContractCode;

type Held = Partial<Record<string, number>>;

const adjust = (aim: Aim, change: Partial<AdjustIntent> = {}): AdjustIntent => ({
  kind: "ADJUST",
  contract: DEC,
  isFrontMonth: true,
  aim,
  terms: { ordType: "MARKET", timeInForce: "DAY" },
  ...change,
});

const positionsOf = (held: Held) =>
  Object.entries(held).map(([contract, netQty = 0]) => ({
    contract: contract as ContractCode,
    netQty,
  }));

const plan = (intent: AdjustIntent, held: Held, working: readonly OrderReport[] = []) =>
  planAdjust(intent, { positions: positionsOf(held), working }, String);

/** The plan in few words: what it closes, reduces, enters; or its refusal's code. */
function told(intent: AdjustIntent, held: Held): string {
  const made = plan(intent, held);
  if (made.kind !== "steps") return made.kind === "refuse" ? made.code : "nothing";
  const size = ({ side, orderQty, contract }: NonNullable<AdjustSteps["entry"]>) =>
    `${side.toLowerCase()} ${orderQty} ${contract.slice(0, 3)}`;
  return [
    ...made.closes.map(({ contract }) => `close ${contract.slice(0, 3)}`),
    ...(made.reduce ? [`reduce: ${size(made.reduce)}`] : []),
    ...(made.entry ? [size(made.entry)] : []),
  ].join(", ");
}

/** What is held once every step has filled. Fails where an order would turn a position around. */
function carriedOut(steps: AdjustSteps, before: Held): Map<string, number> {
  const held = new Map(Object.entries(before).map(([contract, netQty = 0]) => [contract, netQty]));
  for (const { contract, netQty } of steps.closes) {
    if (held.get(contract) !== netQty) throw new Error(`${contract} is not held as it is closed`);
    held.set(contract, 0);
  }
  for (const order of [steps.reduce, steps.entry]) {
    if (order === undefined) continue;
    const was = held.get(order.contract) ?? 0;
    const is = was + sign(order.side) * order.orderQty;
    const reduces = Math.abs(is) < Math.abs(was);
    if (was * is < 0 || (order === steps.reduce && !reduces)) throw new Error(`${was} to ${is}`);
    held.set(order.contract, is);
  }
  return held;
}

/** What is held of one contract in the end; "refused" where nothing is done. */
function endOf(intent: AdjustIntent, held: number): number | "refused" {
  const made = plan(intent, { [DEC]: held });
  if (made.kind === "refuse") return "refused";
  return made.kind === "nothing" ? held : (carriedOut(made, { [DEC]: held }).get(DEC) ?? 0);
}

const qty = fc.integer({ min: 1, max: 50 });
const net = fc.integer({ min: -50, max: 50 });
const whenHeld = fc.constantFrom("add" as const, "refuse" as const, "replace" as const);
const whenOpposite = fc.constantFrom("close" as const, "reduceIfLess" as const);
const side = fc.constantFrom(...SIDES);
const opening: fc.Arbitrary<Aim> = fc.oneof(
  fc.record({ to: fc.constant("position" as const), netQty: net }),
  fc.record({ to: fc.constant("reverse" as const) }),
  fc.record({ to: fc.constant("reverse" as const), qty }),
  fc.record({ to: fc.constant("add" as const), qty }),
  fc.record({ to: fc.constant("enter" as const), side, qty, whenHeld, whenOpposite }),
);
const closing: fc.Arbitrary<Aim> = fc.oneof(
  fc.record({ to: fc.constant("close" as const), qty }),
  fc.record({ to: fc.constant("close" as const), percent: fc.integer({ min: 1, max: 100 }) }),
);

describe("in one month, with everything filled", () => {
  /** What an aim means, said without orders; undefined where it is refused. */
  function meaning(aim: Aim, held: number): number | undefined {
    const towards = Math.sign(held);
    switch (aim.to) {
      case "position":
        return aim.netQty;
      case "reverse":
        return held === 0 ? undefined : -towards * (aim.qty ?? Math.abs(held));
      case "add":
        return held === 0 ? undefined : held + towards * aim.qty;
      case "close": {
        if (held === 0) return undefined;
        const size = Math.abs(held);
        const part = "qty" in aim ? aim.qty : Math.max(1, Math.round((size * aim.percent) / 100));
        return towards * Math.max(0, size - part);
      }
      case "enter": {
        const wanted = sign(aim.side) * aim.qty;
        if (held * wanted > 0) {
          return { add: held + wanted, refuse: undefined, replace: wanted }[aim.whenHeld];
        }
        const isPart = aim.whenOpposite === "reduceIfLess" && aim.qty < Math.abs(held);
        return isPart ? held + wanted : wanted;
      }
      case "order":
        return held + sign(aim.side) * aim.qty;
    }
  }

  test("the position ends where the aim says, and no order turns it around", () => {
    fc.assert(
      fc.property(fc.oneof(opening, closing), net, fc.boolean(), (aim, held, isFrontMonth) => {
        const { isFrontMonth: _, ...named } = adjust(aim);
        const wanted = meaning(aim, held);
        const end = endOf(isFrontMonth ? adjust(aim) : named, held);
        // Adding 0 makes 0 of a negative zero.
        expect(end).toBe(wanted === undefined ? "refused" : wanted + 0);
      }),
    );
  });
});

describe("in several months", () => {
  const held = fc.record({ [SEP]: net, [DEC]: net, [MAR]: net, [NQ]: net });
  const open = (months: Map<string, number>) =>
    [...months].filter(([contract, netQty]) => contract.startsWith("ES") && netQty !== 0);

  test("an entry never leaves two months open, and nothing but the front month ever grows", () => {
    fc.assert(
      fc.property(opening, held, (aim, before) => {
        const made = plan(adjust(aim), before);
        if (made.kind !== "steps") return;
        const after = carriedOut(made, before);
        const entered = made.entry === undefined ? [] : [made.entry.contract];
        expect(entered).toEqual(made.entry === undefined ? [] : [DEC]);
        expect(made.entry === undefined || open(after).length === 1).toBe(true);
        for (const month of [SEP, MAR]) {
          expect(Math.abs(after.get(month) ?? 0)).toBeLessThanOrEqual(Math.abs(before[month] ?? 0));
        }
        expect(after.get(NQ)).toBe(before[NQ]);
      }),
    );
  });

  test("a close only ever makes smaller, and by what was asked", () => {
    fc.assert(
      fc.property(closing, held, (aim, before) => {
        const made = plan(adjust(aim), before);
        if (made.kind !== "steps") return;
        expect(made.entry).toBeUndefined();
        const after = carriedOut(made, before);
        const months = [SEP, DEC, MAR];
        const size = (of: (month: string) => number | undefined) =>
          months.reduce((sum, month) => sum + Math.abs(of(month) ?? 0), 0);
        const total = size((month) => before[month]);
        const part =
          aim.to === "close" && "qty" in aim
            ? Math.min(aim.qty, total)
            : Math.max(1, Math.round((total * (aim as { percent: number }).percent) / 100));
        expect(total - size((month) => after.get(month))).toBe(part);
      }),
    );
  });

  test("a named contract leaves every other month alone", () => {
    fc.assert(
      fc.property(fc.oneof(opening, closing), held, (aim, before) => {
        const { isFrontMonth: _, ...named } = adjust(aim);
        const made = plan(named, before);
        const alone = plan(named, { [DEC]: before[DEC] ?? 0 });
        expect(made).toEqual(alone);
      }),
    );
  });

  test.each<[Aim, Held, string]>([
    [{ to: "position", netQty: 0 }, { [SEP]: 2 }, "close ESU"],
    [{ to: "position", netQty: 0 }, { [SEP]: 2, [DEC]: -1 }, "close ESU, close ESZ"],
    [{ to: "position", netQty: -1 }, { [SEP]: 2 }, "close ESU, sell 1 ESZ"],
    [{ to: "position", netQty: 2 }, { [SEP]: 2 }, "nothing"],
    [{ to: "position", netQty: 1 }, { [SEP]: 3 }, "reduce: sell 2 ESU"],
    [{ to: "position", netQty: 3 }, { [SEP]: 2 }, "SYMBOL_MISMATCH"],
    [{ to: "position", netQty: 1 }, { [SEP]: 1, [DEC]: 1 }, "SYMBOL_MISMATCH"],
    [{ to: "reverse" }, { [SEP]: 1, [DEC]: 2 }, "close ESU, close ESZ, sell 3 ESZ"],
    [{ to: "reverse" }, { [SEP]: 1, [DEC]: -2 }, "SYMBOL_MISMATCH"],
    [{ to: "close", qty: 2 }, { [SEP]: 1, [DEC]: 2 }, "close ESU, reduce: sell 1 ESZ"],
    [{ to: "close", qty: 1 }, { [SEP]: 1, [DEC]: 2 }, "close ESU"],
    [{ to: "close", qty: 1 }, { [SEP]: 1, [DEC]: -2 }, "SYMBOL_MISMATCH"],
    [{ to: "close", qty: 1, holding: "SHORT" }, { [SEP]: 3, [DEC]: -2 }, "reduce: buy 1 ESZ"],
    [{ to: "add", qty: 1 }, { [SEP]: 1 }, "SYMBOL_MISMATCH"],
    [{ to: "order", side: "SELL", qty: 1 }, { [SEP]: 2 }, "sell 1 ESU"],
    [{ to: "order", side: "SELL", qty: 3 }, { [SEP]: 2 }, "reduce: sell 2 ESU, sell 1 ESZ"],
    [
      { to: "order", side: "BUY", qty: 3 },
      { [SEP]: -1, [MAR]: -1 },
      "reduce: buy 1 ESU, buy 2 ESZ",
    ],
    [{ to: "order", side: "BUY", qty: 3 }, { [SEP]: 2 }, "buy 3 ESZ"],
  ])("%j holding %j: %s", (aim, held, said) => {
    expect(told(adjust(aim), held)).toBe(said);
  });

  test("the refusal names the month that is held", () => {
    expect(plan(adjust({ to: "add", qty: 1 }), { [SEP]: 2 })).toMatchObject({
      reason: expect.stringContaining("The account holds 2 ESU2026, not the front month ESZ2026"),
    });
  });
});

describe("entering", () => {
  const enter = (change: Partial<Extract<Aim, { to: "enter" }>> = {}): Aim => ({
    to: "enter",
    side: "BUY",
    qty: 2,
    whenHeld: "add",
    whenOpposite: "close",
    ...change,
  });
  test.each<[Aim, Held, string]>([
    [enter(), {}, "buy 2 ESZ"],
    [enter(), { [DEC]: 1 }, "buy 2 ESZ"],
    [enter(), { [DEC]: -5 }, "close ESZ, buy 2 ESZ"],
    [enter(), { [SEP]: -5 }, "close ESU, buy 2 ESZ"],
    [enter(), { [SEP]: 1 }, "SYMBOL_MISMATCH"],
    [enter({ whenHeld: "refuse" }), { [DEC]: 1 }, "POSITION_HELD"],
    [enter({ whenHeld: "refuse" }), { [DEC]: -1 }, "close ESZ, buy 2 ESZ"],
    [enter({ whenHeld: "replace" }), { [SEP]: 1 }, "close ESU, buy 2 ESZ"],
    [enter({ whenOpposite: "reduceIfLess" }), { [DEC]: -5 }, "reduce: buy 2 ESZ"],
    [enter({ whenOpposite: "reduceIfLess" }), { [DEC]: -2 }, "close ESZ, buy 2 ESZ"],
    [enter({ swap: "never" }), {}, "buy 2 ESZ"],
    [enter({ swap: "never" }), { [DEC]: -1 }, "close ESZ"],
    [enter({ swap: "never" }), { [DEC]: -2 }, "close ESZ"],
    [enter({ swap: "never", whenHeld: "refuse" }), { [DEC]: 1 }, "POSITION_HELD"],
    [enter({ swap: "never", whenOpposite: "reduceIfLess" }), { [DEC]: -5 }, "reduce: buy 2 ESZ"],
    [enter({ swap: "withRest" }), {}, "buy 2 ESZ"],
    [enter({ swap: "withRest" }), { [DEC]: -1 }, "close ESZ, buy 1 ESZ"],
    [enter({ swap: "withRest" }), { [DEC]: -2 }, "close ESZ"],
    [enter({ swap: "withRest" }), { [DEC]: -5 }, "close ESZ"],
  ])("%j holding %j: %s", (aim, held, said) => {
    expect(told(adjust(aim), held)).toBe(said);
  });
});

test.each<[percent: number, held: number, closed: number]>([
  [50, 3, 2],
  [50, 1, 1],
  [1, 10, 1],
  [33.3, 10, 3],
  [12.5, 4, 1],
  [0.1, 500, 1],
  [1e-7, 500, 1],
])("%d percent of %i are %i", (percent, held, closed) => {
  const made = plan(adjust({ to: "close", percent }), { [DEC]: held });
  const { reduce, closes = [] } = made.kind === "steps" ? made : {};
  expect(closes.length > 0 ? held : reduce?.orderQty).toBe(closed);
});

test.each<[readonly Holding[], Held, boolean]>([
  [["FLAT"], {}, true],
  [["FLAT"], { [DEC]: 1 }, false],
  [["LONG"], { [SEP]: 1 }, true],
  [["LONG", "FLAT"], { [DEC]: -1 }, false],
  [["LONG"], { [DEC]: 1, [SEP]: -1 }, false],
  [["LONG"], { [NQ]: 1 }, false],
])("only when %j, holding %j: goes on %s", (onlyWhen, held, goesOn) => {
  const made = plan(adjust({ to: "order", side: "BUY", qty: 1 }, { onlyWhen }), held);
  expect(made.kind === "refuse" && made.code === "POSITION_MISMATCH").toBe(!goesOn);
});

test("an order that closes one month, with another one held, goes without its bracket", () => {
  const bracket = { stopLoss: { by: "distance", distance: ticks(8) } } as const;
  const terms = { ordType: "MARKET", timeInForce: "DAY", bracket } as const;
  const made = plan(adjust({ to: "order", side: "BUY", qty: 1 }, { terms }), {
    [SEP]: 1,
    [DEC]: -2,
  });
  expect(made).toMatchObject({ kind: "steps", problem: OPENS_NOTHING });
  expect(made).not.toHaveProperty("entry.bracket");
});

describe("a bracket whose side is known only now", () => {
  const at = (price: number) => ({ by: "price", price: ticks(price) }) as const;
  const limit = { ordType: "LIMIT", timeInForce: "DAY", price: ticks(4_000) } as const;
  test.each<[held: number, AdjustIntent["terms"]["bracket"], boolean]>([
    [1, { takeProfit: at(3_900), stopLoss: at(4_100) }, true],
    [-1, { takeProfit: at(3_900) }, false],
    [1, { stopLoss: at(3_900) }, false],
    [-1, { takeProfit: at(4_100), stopLoss: at(3_900) }, true],
  ])("holding %i, turned around with %j: fits %s", (held, bracket, fits) => {
    const made = plan(
      adjust({ to: "reverse" }, { terms: { ...limit, ...(bracket && { bracket }) } }),
      {
        [DEC]: held,
      },
    );
    expect(made.kind === "refuse" ? made.code : made.kind).toBe(
      fits ? "steps" : "VALIDATION_FAILED",
    );
  });
});

const resting = (id: string, change: Partial<OrderReport> = {}): OrderReport => ({
  orderId: orderId(id),
  clOrdId: clOrdIdOf(`i${"0".repeat(28)}` as never, 1),
  contract: DEC,
  side: "BUY",
  ordType: "LIMIT",
  timeInForce: "DAY",
  ordStatus: "NEW",
  orderQty: 1,
  cumQty: 0,
  leavesQty: 1,
  role: "ORDER",
  transactTimeAt: 0,
  ...change,
});

/** The plan in few words, with what has to make way before it. */
function toldBeside(intent: AdjustIntent, held: Held, working: readonly OrderReport[]): string {
  const made = plan(intent, held, working);
  if (made.kind === "refuse") return made.code;
  if (made.kind === "nothing") return made.problem ?? "nothing";
  return [
    ...made.cancels.map((order) => `cancel ${order.orderId}`),
    ...made.closes.map(({ contract }) => `close ${contract.slice(0, 3)}`),
    ...[made.reduce, made.entry].flatMap((order) =>
      order === undefined ? [] : `${order.side.toLowerCase()} ${order.orderQty}`,
    ),
    ...made.cuts.map(({ order, leavesQty }) => `cut ${order.orderId} to ${leavesQty}`),
  ].join(", ");
}

describe("beside an order that is still being filled", () => {
  const filling = (side: "BUY" | "SELL", leavesQty: number) =>
    resting("filling", { side, ordType: "MARKET", cumQty: 3, leavesQty });
  const reduce: Aim = { to: "close", qty: 5 };
  const outOrIn: Aim = {
    to: "enter",
    side: "SELL",
    qty: 5,
    whenHeld: "add",
    whenOpposite: "reduceIfLess",
  };

  test.each<[string, Aim, held: number, OrderReport, string]>([
    [
      "a target that it leads to is on its way",
      { to: "position", netQty: 10 },
      3,
      filling("BUY", 7),
      `Of 10 ${DEC} 3 are held yet, and the rest is being filled`,
    ],
    [
      "another target",
      { to: "position", netQty: 12 },
      3,
      filling("BUY", 7),
      "cancel filling, buy 9",
    ],
    [
      "a smaller target",
      { to: "position", netQty: 2 },
      3,
      filling("BUY", 7),
      "cancel filling, sell 1",
    ],
    ["flat", { to: "position", netQty: 0 }, 3, filling("BUY", 7), "close ESZ"],
    [
      "flat, with nothing filled yet",
      { to: "position", netQty: 0 },
      0,
      filling("BUY", 7),
      "close ESZ",
    ],
    ["flat, and on its way", { to: "position", netQty: 0 }, 7, filling("SELL", 7), "close ESZ"],
    ["a close", { to: "close", percent: 100 }, 7, filling("SELL", 7), "close ESZ"],
    ["a part that goes behind another", { to: "close", qty: 2 }, 10, filling("SELL", 5), "sell 2"],
    ["a part that is the rest by then", reduce, 10, filling("SELL", 5), "close ESZ"],
    ["a part of what still grows", reduce, 8, filling("BUY", 7), "cancel filling, sell 5"],
    ["an entry that only takes off", outOrIn, 8, filling("BUY", 7), "cancel filling, sell 5"],
    [
      "an entry of more than has filled",
      outOrIn,
      3,
      filling("BUY", 7),
      "cancel filling, close ESZ, sell 5",
    ],
    ["an entry that what grows is for", outOrIn, -8, filling("SELL", 7), "sell 5"],
    ["a close of what has not filled yet", reduce, 0, filling("BUY", 7), "cancel filling"],
    ["a reversal", { to: "reverse" }, 3, filling("BUY", 7), "close ESZ, sell 10"],
    ["a reversal of what is closed", { to: "reverse" }, 7, filling("SELL", 7), "NO_POSITION"],
    ["more of it", { to: "add", qty: 2 }, 3, filling("BUY", 7), "buy 2"],
  ])("%s", (_, aim, held, order, expected) => {
    expect(toldBeside(adjust(aim), { [DEC]: held }, [order])).toBe(expected);
  });

  test("an entry where nothing may be held finds it held", () => {
    const enter = { to: "enter", side: "BUY", qty: 1, whenHeld: "refuse" } as const;
    const aim: Aim = { ...enter, whenOpposite: "close" };
    expect(toldBeside(adjust(aim), {}, [filling("BUY", 7)])).toBe("POSITION_HELD");
    expect(toldBeside(adjust(aim), { [DEC]: -7 }, [filling("BUY", 7)])).toBe("buy 1");
  });

  test("what was placed by hand is never cancelled, and counts all the same", () => {
    const byHand = { ...filling("BUY", 7), clOrdId: clOrdId("manual-1") };
    expect(toldBeside(adjust({ to: "position", netQty: 12 }), { [DEC]: 3 }, [byHand])).toBe(
      "buy 2",
    );
  });
});

describe("a target that rests", () => {
  const limit = { terms: { ordType: "LIMIT", timeInForce: "DAY", price: ticks(4_000) } } as const;
  const target = (netQty: number) => adjust({ to: "position", netQty }, limit);
  const ofAdjustment = { clOrdId: clOrdIdOf(`i${"1".repeat(28)}` as never, 100) };

  test.each<[string, AdjustIntent, held: number, OrderReport[], string]>([
    [
      "takes the place of an earlier one",
      target(2),
      0,
      [resting("old", { leavesQty: 2 })],
      "cancel old, buy 2",
    ],
    ["has nothing left beside it", target(2), 2, [resting("old")], "cancel old"],
    [
      "counts a part that has filled",
      target(3),
      1,
      [resting("old", { cumQty: 1 })],
      "cancel old, buy 2",
    ],
    ["leaves exits alone", target(3), 2, [resting("exit", { side: "SELL" })], "buy 1"],
    ["leaves legs alone", target(3), 2, [resting("leg", { role: "TAKE_PROFIT" })], "buy 1"],
    [
      "gives way to one at the market",
      adjust({ to: "position", netQty: 2 }),
      0,
      [resting("target", ofAdjustment), resting("plain")],
      "cancel target, buy 2",
    ],
  ])("%s", (_, intent, held, working, expected) => {
    expect(toldBeside(intent, { [DEC]: held }, working)).toBe(expected);
  });

  test("however often it comes, never more than it may come of it", () => {
    const step = fc.record({ netQty: fc.integer({ min: 1, max: 9 }), fills: fc.nat({ max: 9 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (targets) => {
        let [held, working]: [number, OrderReport[]] = [0, []];
        for (const { netQty, fills } of targets) {
          const made = plan(target(netQty), { [DEC]: held }, working);
          if (made.kind === "steps") {
            working = working.filter((order) => !made.cancels.includes(order));
            held -= made.reduce?.orderQty ?? 0;
            const leavesQty = made.entry?.orderQty ?? 0;
            if (leavesQty > 0) working.push(resting("entry", { leavesQty, orderQty: leavesQty }));
          }
          const left = working.reduce((sum, { leavesQty }) => sum + leavesQty, 0);
          expect(held + left).toBe(netQty);
          const [entry] = working;
          const filled = Math.min(fills, left);
          held += filled;
          working = entry && filled < left ? [{ ...entry, leavesQty: left - filled }] : [];
        }
      }),
    );
  });
});

describe("cancelling first", () => {
  const working = [
    resting("front"),
    resting("other month", { contract: SEP }),
    resting("other root", { contract: NQ }),
    resting("leg", { role: "STOP_LOSS" }),
    resting("by hand", { clOrdId: clOrdId("manual-1") }),
  ];
  const canceled = (intent: AdjustIntent, held: Held = {}) => {
    const made = plan({ ...intent, cancelFirst: true }, held, working);
    return made.kind === "steps" ? made.cancels.map((order) => String(order.orderId)) : made.kind;
  };

  test("ends our own plain orders of the root, and no exits", () => {
    expect(canceled(adjust({ to: "position", netQty: 1 }))).toEqual(["front", "other month"]);
  });

  test("where a contract is named, only that one's", () => {
    const { isFrontMonth: _, ...named } = adjust({ to: "position", netQty: 1 });
    expect(canceled(named)).toEqual(["front"]);
  });

  test("an entry that is to be the only one is refused while one works on its side", () => {
    const enter = { to: "enter", qty: 2, whenHeld: "refuse", whenOpposite: "close" } as const;
    const only = { ...enter, whenWorking: "refuse" } as const;
    expect(plan(adjust({ ...only, side: "BUY" }), {}, working)).toMatchObject({
      kind: "refuse",
      code: "POSITION_HELD",
    });
    expect(plan(adjust({ ...only, side: "SELL" }), {}, working).kind).toBe("steps");
    expect(plan(adjust({ ...enter, side: "BUY" }), {}, working).kind).toBe("steps");
    const notOurs = working.filter(
      ({ role, clOrdId: id }) => role !== "ORDER" || id === "manual-1",
    );
    expect(plan(adjust({ ...only, side: "BUY" }), {}, notOurs).kind).toBe("steps");
  });

  test.each<[string, Aim, held: number, OrderReport[], string]>([
    [
      "a stop of what stays open is kept",
      { to: "order", side: "BUY", qty: 1 },
      2,
      [resting("stop", { side: "SELL", ordType: "STOP", leavesQty: 2 }), resting("entry")],
      "cancel entry, buy 1",
    ],
    [
      "and cut to it where a part goes",
      { to: "close", qty: 3 },
      5,
      [resting("stop", { side: "SELL", ordType: "STOP", leavesQty: 5 })],
      "sell 3, cut stop to 2",
    ],
    [
      "of rivals the stop stays, however young",
      { to: "close", qty: 3 },
      5,
      [
        resting("limit", { side: "SELL", leavesQty: 5 }),
        resting("stop", { side: "SELL", ordType: "STOP", leavesQty: 5 }),
      ],
      "cancel limit, sell 3, cut stop to 2",
    ],
    [
      "with the whole position its exits go",
      { to: "close", percent: 100 },
      2,
      [resting("stop", { side: "SELL", ordType: "STOP", leavesQty: 2 })],
      "cancel stop, close ESZ",
    ],
    [
      "and so they do with an order that closes it",
      { to: "order", side: "SELL", qty: 2 },
      2,
      [resting("stop", { side: "SELL", ordType: "STOP", leavesQty: 2 })],
      "cancel stop, sell 2",
    ],
  ])("%s", (_, aim, held, orders, expected) => {
    const asked = adjust(aim, { cancelFirst: true });
    expect(toldBeside(asked, { [DEC]: held }, orders)).toBe(expected);
  });

  test.each<[string, held: number, OrderReport[], string]>([
    ["an exit is none", -1, [resting("exit")], "close ESZ, buy 2"],
    [
      "nor is one of two exits of the same position",
      -1,
      [resting("stop", { ordType: "STOP" }), resting("limit")],
      "close ESZ, buy 2",
    ],
    [
      "an order that is larger than what is held is one",
      -3,
      [resting("turn", { leavesQty: 5 })],
      "POSITION_HELD",
    ],
  ])(
    "what works on the side of an entry that is to be the only one: %s",
    (_, held, orders, told) => {
      const enter = { to: "enter", side: "BUY", qty: 2, whenHeld: "refuse" } as const;
      const aim: Aim = { ...enter, whenOpposite: "close", whenWorking: "refuse" };
      expect(toldBeside(adjust(aim), { [DEC]: held }, orders)).toBe(told);
    },
  );

  test("is done where the position needs no change, and where there is none to close", () => {
    expect(canceled(adjust({ to: "position", netQty: 0 }))).toHaveLength(2);
    expect(canceled(adjust({ to: "close", percent: 100 }))).toHaveLength(2);
  });

  test("is not done for what is refused", () => {
    expect(canceled(adjust({ to: "reverse" }))).toBe("refuse");
  });
});
