import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type BookFill,
  leftOf,
  lotsOf,
  netOf,
  NO_TRIP,
  type Trip,
  wasClosedSince,
  withUntold,
} from "../../../../src/domain/book/lots.ts";
import { execId } from "../../../../src/domain/ids.ts";
import { type Side, SIDES, sign } from "../../../../src/domain/order.ts";

const LATER = 1_000_000;

let count = 0;
const fill = (order: string, side: Side, qty: number, more: Partial<BookFill> = {}): BookFill => ({
  execId: execId(`e${(count += 1)}`),
  order,
  side,
  qty,
  at: count,
  heardAt: count,
  ...more,
});

const trip = (fills: readonly BookFill[], more: Partial<Trip> = {}): Trip => ({
  ...NO_TRIP,
  fills,
  ...more,
});
const held = (of: Trip, now = LATER) => {
  const lots = lotsOf(of, now);
  const owners = [...new Set(lots.lots.flatMap(({ owner }) => owner ?? []))];
  return Object.fromEntries(
    owners.map((one) => [one, leftOf(lots, [one])]).filter(([, left]) => left !== 0),
  );
};

describe("lots of a trip", () => {
  const a = fill("A", "BUY", 4);
  test("a reduce, and a plain buy later: the plan's time exit closes its own", () => {
    expect(held(trip([a, fill("R", "SELL", 2), fill("C", "BUY", 2)]))).toEqual({ A: 2, C: 2 });
  });
  test("two plans in one contract and a reduce: the oldest lot only", () => {
    expect(held(trip([a, fill("B", "BUY", 3), fill("R", "SELL", 2)]))).toEqual({ A: 2, B: 3 });
  });
  test("close and buy in one message: the new position is not the old plan's", () => {
    expect(held(trip([a, fill("X", "SELL", 4), fill("C", "BUY", 2)]))).toEqual({ C: 2 });
  });
  test("a reversal in one fill closes, and opens what is left", () => {
    const lots = lotsOf(trip([a, fill("T", "SELL", 6)]), LATER);
    expect([leftOf(lots, ["A"]), leftOf(lots, ["T"])]).toEqual([0, 2]);
  });
  test("a close that came after a leg's fill takes what that has left, also of one instant", () => {
    const [b, at] = [fill("B", "BUY", 2), count + 1];
    const leg = fill("A-SL", "SELL", 4, { closes: ["A"], at });
    expect(held(trip([a, b, leg, fill("X", "SELL", 2, { at })]), at)).toEqual({});
  });
  test("an exit of one instant with its entry comes after it, whichever is told first", () => {
    const exit = fill("B-SL", "SELL", 2, { closes: ["B"], at: count + 2 });
    expect(held(trip([a, exit, fill("B", "BUY", 2)]))).toEqual({ A: 4 });
  });
  test("of one instant, fills count in the order of their numbers, whichever is told first", () => {
    const at = count + 1;
    const early = fill("A", "BUY", 1, { at });
    const late = [fill("X", "SELL", 1, { at }), fill("B", "BUY", 3, { at })];
    expect(held(trip([...late, early]))).toEqual({ B: 3 });
  });
  test("an exit of one instant with its entry moves nothing that came before both", () => {
    const [x, at] = [fill("X", "BUY", 1), count + 1];
    const stop = fill("X-SL", "SELL", 1, { closes: ["X"], at });
    const exit = fill("E-TP", "BUY", 1, { closes: ["E"], at });
    const reversal = fill("E", "SELL", 3, { at });
    expect(held(trip([x, stop, reversal, exit]))).toEqual({ E: 2 });
  });
  test("nothing is owed once the fills explain all that is held", () => {
    const fills = [a, fill("B", "BUY", 2), fill("X", "SELL", 4)];
    const leg = fill("A-SL", "SELL", 2, { closes: ["A"] });
    const of = trip([...fills, leg]);
    expect([lotsOf(of, count).owed, leftOf(lotsOf(of, count), ["B"])]).toEqual([
      [{ entry: "A", side: "BUY", qty: 2 }],
      2,
    ]);
    expect([lotsOf(of, count, 0).owed, leftOf(lotsOf(of, count, 0), ["B"])]).toEqual([[], 0]);
  });
  test("legs close their own entry's lots, not the oldest", () => {
    expect(
      held(trip([a, fill("B", "BUY", 2), fill("B-SL", "SELL", 2, { closes: ["B"] })])),
    ).toEqual({ A: 4 });
  });
  test("a leg that is told before its entry takes no other's lots, and in the end is its own", () => {
    const leg = fill("B-SL", "SELL", 2, { closes: ["B"], at: 900, heardAt: 900 });
    expect(held(trip([a, leg]), 950)).toEqual({ A: 4 });
    expect(lotsOf(trip([a, leg]), 950).owed).toEqual([{ entry: "B", side: "BUY", qty: 2 }]);
    const entry = fill("B", "BUY", 2, { at: 899, heardAt: 960 });
    expect(held(trip([a, leg, entry]), 970)).toEqual({ A: 4 });
  });
  test("a close that nobody told is taken back when its fill comes late", () => {
    const b = fill("B", "BUY", 2);
    // The broker shows 4; two readings agreed.
    expect(netOf(trip([a, b], { unexplained: -2 }))).toBe(4);
    const late = fill("B-SL", "SELL", 2, { closes: ["B"] });
    expect(held(trip([a, b, late]))).toEqual({ A: 4 });
  });
  test("a trade that is taken back never was", () => {
    const fills = [a, fill("V", "SELL", 1), fill("C", "BUY", 1)];
    expect(held(trip(fills))).toEqual({ A: 3, C: 1 });
    const taken = fills.map((one) =>
      one.order === "V" ? { ...one, isTakenBack: true as const } : one,
    );
    expect(held(trip(taken))).toEqual({ A: 4, C: 1 });
  });
});

test("the lots of thousands of fills take no square of their number", () => {
  const row = Array.from({ length: 8_000 }, (_, nth) =>
    fill(`O${nth}`, nth % 2 === 0 ? "BUY" : "SELL", 1),
  );
  const cpuMs = (count: number): number => {
    const before = process.cpuUsage();
    lotsOf(trip(row.slice(0, count)), LATER);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  // Four times the fills: four times the time, and sixteen times where it is the square.
  const isSquare = () => cpuMs(8_000) > Math.max(200, 9 * cpuMs(2_000));
  expect(isSquare() && isSquare()).toBe(false);
});

test("a leg of an entry that is older than all fills closes what is no one's", () => {
  const leg = fill("X-SL", "SELL", 4, { closes: ["X"], at: 1 });
  const entry = fill("P", "BUY", 2, { at: 2 });
  const since = trip([leg, entry, fill("R", "SELL", 2, { at: 3 })], { unexplained: 4 });
  expect(held(since, leg.heardAt)).toEqual({});
});

describe("orders that have filled more than is told", () => {
  const bought = (cumQty: number) => [{ order: "B", side: "BUY" as const, cumQty }];
  test.each([
    ["nothing is told yet", [], 0, { B: 3 }],
    ["a part is told", [fill("B", "BUY", 1)], 0, { B: 3 }],
    ["all is told", [fill("B", "BUY", 3)], 0, { B: 3 }],
    ["a position is only a number after a restart", [], 5, { B: 3 }],
    [
      "what is there without a fill is older, and closed first",
      [fill("R", "SELL", 4)],
      5,
      { B: 1 },
    ],
    ["a number on the other side is another's", [], -1, { B: 2 }],
  ])("while %s", (_, fills, unexplained, lots) => {
    expect(held(withUntold(trip(fills, { unexplained }), bought(3), LATER))).toEqual(lots);
  });

  test("the position that is explained stays the same where it was only a number", () => {
    const shown = withUntold(trip([], { unexplained: 5 }), bought(3), LATER);
    expect([netOf(shown), shown.unexplained]).toEqual([5, 2]);
  });
});

describe("a position is known to be closed, whatever is held now, but not while", () => {
  const [a, x, c] = [fill("A", "BUY", 4), fill("X", "SELL", 4), fill("C", "BUY", 2)];
  test.each<[string, Trip, string, boolean]>([
    ["it is held", trip([a]), a.execId, false],
    ["a part was closed", trip([a, fill("R", "SELL", 2)]), a.execId, false],
    ["it has grown", trip([a, fill("B", "BUY", 1)]), a.execId, false],
    ["it is flat", trip([a, x]), a.execId, true],
    ["it was closed, and another is held", trip([a, x, c]), a.execId, true],
    ["the other one itself", trip([a, x, c]), c.execId, false],
    ["it was turned around by one fill", trip([a, fill("T", "SELL", 6)]), a.execId, true],
    ["it is all that is known, after a fill of before", trip([c]), a.execId, false],
    ["nothing is held yet, and the fill comes", trip([c]), "", false],
    ["only a number, still held", trip([], { unexplained: 3 }), "", false],
    [
      "only a number, closed since",
      trip([fill("X", "SELL", 3), fill("C", "BUY", 2)], { unexplained: 3 }),
      "",
      true,
    ],
    [
      "it was closed without a fill, and another is held",
      trip([a, c], { unexplained: -4 }),
      a.execId,
      true,
    ],
  ])("%s", (_, of, since, isOver) => {
    expect(wasClosedSince(of, execId(since), "BUY")).toBe(isOver);
  });
});

test("a position goes on where the fill that it was known by is taken back", () => {
  const round = [fill("A", "BUY", 1), fill("X", "SELL", 1)];
  const [most, last] = [fill("B", "BUY", 3), fill("B", "BUY", 1)];
  const since = trip([...round, most, { ...last, isTakenBack: true }]);
  expect(wasClosedSince(since, last.execId, "BUY")).toBe(false);
  const closed = trip([...since.fills, fill("Y", "SELL", 3)]);
  expect(wasClosedSince(closed, last.execId, "BUY")).toBe(true);
});

/** The reference: single contracts in a row, closed one by one, in the order of what happened. */
interface Deed {
  readonly does: "trade" | "leg" | "close";
  readonly side: Side;
  readonly of: number;
  readonly qty: number;
}

class OneByOne {
  readonly units: { owner: string; side: Side }[] = [];
  readonly fills: BookFill[] = [];
  #nth = 0;

  do({ does, side, of, qty }: Deed): void {
    const at = (this.#nth += 1) * 2;
    if (does === "trade") return this.#trade(`o${at}`, side, qty, at);
    const owners = [...new Set(this.units.map(({ owner }) => owner))];
    const owner = owners[of % Math.max(1, owners.length)];
    const mine = this.units.filter((unit) => unit.owner === owner);
    const [first] = mine;
    if (owner === undefined || first === undefined) return;
    const out = first.side === "BUY" ? "SELL" : "BUY";
    const closing = mine.slice(0, qty);
    for (const unit of closing) this.units.splice(this.units.indexOf(unit), 1);
    this.#note(does === "leg" ? `${owner}-SL` : `c${at}`, out, closing.length, at, [owner]);
  }

  #trade(order: string, side: Side, qty: number, at: number): void {
    for (let unit = 0; unit < qty; unit += 1) {
      const against = this.units.findIndex((one) => one.side !== side);
      if (against >= 0) this.units.splice(against, 1);
      else this.units.push({ owner: order, side });
    }
    this.#note(order, side, qty, at);
  }

  #note(order: string, side: Side, qty: number, at: number, closes?: readonly string[]): void {
    const id = execId(`e${at}`);
    this.fills.push({ execId: id, order, side, qty, at, heardAt: at, ...(closes && { closes }) });
  }

  left(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { owner } of this.units) counts[owner] = (counts[owner] ?? 0) + 1;
    return counts;
  }

  net = (): number => this.units.reduce((net, { side }) => net + sign(side), 0);
}

const deed: fc.Arbitrary<Deed> = fc.record({
  does: fc.constantFrom("trade" as const, "trade" as const, "leg" as const, "close" as const),
  side: fc.constantFrom(...SIDES),
  of: fc.nat(9),
  qty: fc.integer({ min: 1, max: 5 }),
});
const deeds = fc.array(deed, { maxLength: 30 });
const played = (all: readonly Deed[]) => {
  const world = new OneByOne();
  for (const one of all) world.do(one);
  return world;
};
const RUNS = { numRuns: 1_000 };

test("lots are what single contracts come to, in whatever order the fills are told", () => {
  fc.assert(
    fc.property(deeds, fc.infiniteStream(fc.nat(1_000)), (all, keys) => {
      const world = played(all);
      const told = world.fills.map((one) => ({ one, key: keys.next().value as number }));
      const shuffled = told.toSorted((a, b) => a.key - b.key).map(({ one }) => one);
      expect(held(trip(shuffled))).toEqual(world.left());
      expect(netOf(trip(shuffled))).toBe(world.net());
    }),
    RUNS,
  );
});

test("while some are untold, lots and what is owed are always all that is known to be held", () => {
  fc.assert(
    fc.property(deeds, fc.infiniteStream(fc.boolean()), fc.boolean(), (all, isTold, isYoung) => {
      const world = played(all);
      const some = world.fills.filter(() => isTold.next().value as boolean);
      const known = some.reduce((net, { side, qty }) => net + sign(side) * qty, 0);
      const of = trip(some, { unexplained: world.net() - known });
      const { lots, owed } = lotsOf(of, isYoung ? 0 : LATER);
      const open = lots.reduce((net, { side, leftQty }) => net + sign(side) * leftQty, 0);
      const late = owed.reduce((net, { side, qty }) => net + sign(side) * qty, 0);
      expect(open - late).toBe(world.net());
      for (const lot of lots) expect(lot.leftQty).toBeGreaterThanOrEqual(0);
      const sides = new Set(lots.filter(({ leftQty }) => leftQty > 0).map(({ side }) => side));
      expect(isYoung || (owed.length === 0 && sides.size < 2)).toBe(true);
    }),
    RUNS,
  );
});
