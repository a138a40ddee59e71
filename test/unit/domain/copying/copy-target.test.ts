import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contracts as products } from "../../../../config/contracts.ts";
import { closures, holidays } from "../../../../config/holidays.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { createContractDirectory } from "../../../../src/domain/contracts/contract-directory.ts";
import type { CopySize, FollowerTerms } from "../../../../src/domain/copying/copy-group.ts";
import {
  copiedContract,
  isReduction,
  sizedQty,
  targetsOf,
} from "../../../../src/domain/copying/copy-target.ts";

const directory = createContractDirectory({ products, holidays, closures });
const cycleOf = (root: string) => directory.product(root)?.cycle;

const code = (text: string) => text as ContractCode;
const [NQ, MNQ, ES] = [code("NQZ2026"), code("MNQZ2026"), code("ESZ2026")];

type Terms = Omit<FollowerTerms, "accountId" | "enabled">;

const by = (multiplier: string, rounding: "down" | "nearest" | "up" = "down"): CopySize => ({
  by: "multiplier",
  multiplier,
  rounding,
});
const fixed = (qty: number): CopySize => ({ by: "fixed", qty });
const terms = (change: Partial<Terms> = {}): Terms => ({
  size: by("1"),
  invert: false,
  symbolMap: {},
  ...change,
});

describe("how many a follower holds", () => {
  test.each<[string, Partial<Terms>, readonly [leader: number, follower: number][]]>([
    [
      "one for one",
      {},
      [
        [3, 3],
        [-2, -2],
        [0, 0],
      ],
    ],
    [
      "twice",
      { size: by("2") },
      [
        [3, 6],
        [-1, -2],
      ],
    ],
    [
      "half, rounded down",
      { size: by("0.5") },
      [
        [1, 0],
        [3, 1],
        [-3, -1],
        [4, 2],
      ],
    ],
    [
      "half, rounded up",
      { size: by("0.5", "up") },
      [
        [1, 1],
        [3, 2],
        [-3, -2],
        [4, 2],
      ],
    ],
    [
      "half, to the nearest",
      { size: by("0.5", "nearest") },
      [
        [1, 1],
        [3, 2],
        [-1, -1],
      ],
    ],
    [
      "a third or so, to the nearest",
      { size: by("0.33", "nearest") },
      [
        [1, 0],
        [2, 1],
        [-4, -1],
      ],
    ],
    // What binary fractions get wrong: 0.1 * 30 is 3.0000000000000004, and 0.29 * 100 is 28.999….
    [
      "an exact tenth, rounded up",
      { size: by("0.1", "up") },
      [
        [30, 3],
        [31, 4],
        [1, 1],
      ],
    ],
    [
      "an exact 29th of a hundred",
      { size: by("0.29") },
      [
        [100, 29],
        [99, 28],
      ],
    ],
    [
      "always the same",
      { size: fixed(3) },
      [
        [1, 3],
        [9, 3],
        [-1, -3],
        [0, 0],
      ],
    ],
    [
      "the other side",
      { invert: true },
      [
        [2, -2],
        [-2, 2],
        [0, 0],
      ],
    ],
    [
      "a capped multiple",
      { size: by("10"), maxQty: 4 },
      [
        [1, 4],
        [-1, -4],
        [0, 0],
      ],
    ],
    [
      "a capped fixed size",
      { size: fixed(3), maxQty: 2 },
      [
        [1, 2],
        [-5, -2],
      ],
    ],
  ])("is %s", (_, change, rows) => {
    for (const [leader, follower] of rows) expect(sizedQty(terms(change), leader)).toBe(follower);
  });

  test("is never a negative zero, which compares as another number", () => {
    expect(Object.is(sizedQty(terms({ size: by("0.5") }), -1), 0)).toBe(true);
    expect(Object.is(sizedQty(terms({ invert: true }), 0), 0)).toBe(true);
  });
});

/** Hundredths up to a hundredfold. */
const multiplier = fc.integer({ min: 1, max: 10_000 });
const sizes: fc.Arbitrary<CopySize> = fc.oneof(
  fc
    .tuple(multiplier, fc.constantFrom("down" as const, "nearest" as const, "up" as const))
    .map(([hundredths, rounding]) => by((hundredths / 100).toFixed(2), rounding)),
  fc.integer({ min: 1, max: 50 }).map(fixed),
);
const anyTerms = fc
  .record({
    size: sizes,
    invert: fc.boolean(),
    maxQty: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
  })
  .map(({ maxQty, ...rest }) => terms({ ...rest, ...(maxQty !== undefined && { maxQty }) }));
const held = fc.integer({ min: -500, max: 500 });

describe("a follower's size, whatever its terms", () => {
  const check = (claim: (its: Terms, leader: number, other: number) => void) =>
    fc.assert(fc.property(anyTerms, held, held, claim));

  test("is flat with its leader, and on its side or on the other", () => {
    check((its, leader) => {
      const qty = sizedQty(its, leader);
      expect(Number.isSafeInteger(qty)).toBe(true);
      expect(sizedQty(its, 0)).toBe(0);
      const side = Math.sign(leader) * (its.invert ? -1 : 1);
      expect(qty === 0 || Math.sign(qty) === side).toBe(true);
    });
  });

  test("is never over its cap", () => {
    check((its, leader) => {
      expect(Math.abs(sizedQty(its, leader))).toBeLessThanOrEqual(its.maxQty ?? Infinity);
    });
  });

  test("is as large for a short leader as for a long one", () => {
    check((its, leader) => {
      expect(sizedQty(its, -leader) + sizedQty(its, leader)).toBe(0);
    });
  });

  test("never shrinks when the leader grows on its side", () => {
    check((its, leader, other) => {
      const [small = 0, large = 0] = [leader, other].map(Math.abs).toSorted((a, b) => a - b);
      const sized = [small, large].map((qty) => Math.abs(sizedQty(its, qty)));
      expect(sized[0]).toBeLessThanOrEqual(sized[1] ?? 0);
    });
  });

  test("is off the exact product by less than one contract, and in the rounding's direction", () => {
    fc.assert(
      fc.property(multiplier, fc.nat(500), (hundredths, leader) => {
        const text = (hundredths / 100).toFixed(2);
        const [down, nearest, up] = (["down", "nearest", "up"] as const).map(
          (rounding) => sizedQty(terms({ size: by(text, rounding) }), leader) * 100,
        ) as [number, number, number];
        const exact = hundredths * leader;
        expect(down).toBeLessThanOrEqual(exact);
        expect(up).toBeGreaterThanOrEqual(exact);
        expect(exact - down).toBeLessThan(100);
        expect(up - exact).toBeLessThan(100);
        expect(Math.abs(nearest - exact)).toBeLessThanOrEqual(50);
        expect(exact % 100 !== 0 || (down === exact && up === exact)).toBe(true);
      }),
    );
  });
});

describe("a leader's contract", () => {
  const symbols = (symbolMap: Terms["symbolMap"], allowedSymbols?: readonly string[]) => ({
    symbolMap,
    ...(allowedSymbols !== undefined && { allowedSymbols }),
  });

  test.each<[string, ReturnType<typeof symbols>, string, string]>([
    ["itself", symbols({}), "NQZ2026", "NQZ2026"],
    ["the same month of the mapped root", symbols({ NQ: "MNQ" }), "NQH2027", "MNQH2027"],
    ["itself where another root is mapped", symbols({ NQ: "MNQ" }), "ESZ2026", "ESZ2026"],
    [
      "what the map allows, not what it maps",
      symbols({ NQ: "MNQ" }, ["MNQ"]),
      "NQZ2026",
      "MNQZ2026",
    ],
    ["an energy month of a full cycle", symbols({ CL: "MCL" }), "CLF2027", "MCLF2027"],
  ])("is %s", (_, its, leader, contract) => {
    const copied = copiedContract(its, code(leader), cycleOf);
    expect(copied).toEqual({ kind: "contract", contract });
  });

  test.each<[string, ReturnType<typeof symbols>, string, RegExp]>([
    ["a root that is not allowed", symbols({}, ["ES"]), "NQZ2026", /NQ is not among/],
    ["a mapped root that is not", symbols({ NQ: "MNQ" }, ["NQ"]), "NQZ2026", /MNQ is not among/],
    ["anything, where nothing is allowed", symbols({}, []), "ESZ2026", /ES is not among/],
    ["a month that the root has not", symbols({ CL: "ES" }), "CLF2027", /ES is not listed .* F/],
    ["a root that is unknown", symbols({ NQ: "XYZ" }), "NQZ2026", /XYZ is not listed/],
    ["what is no contract", symbols({}), "NQ", /NQ is no contract/],
  ])("is not traded for %s", (_, its, leader, reason) => {
    const copied = copiedContract(its, code(leader), cycleOf);
    expect(copied).toEqual({ kind: "none", reason: expect.stringMatching(reason) });
  });
});

describe("what a follower is to hold", () => {
  const of = (change: Partial<Terms>, ...leader: [ContractCode, number][]) =>
    Object.fromEntries(targetsOf(terms(change), new Map(leader), cycleOf));

  test("adds up what becomes one contract before it is sized", () => {
    const symbolMap = { NQ: "MNQ" };
    expect(of({ symbolMap }, [NQ, 2], [MNQ, 1])).toEqual({ [MNQ]: 3 });
    // Each by itself would be rounded down to nothing.
    expect(of({ symbolMap, size: by("0.5") }, [NQ, 1], [MNQ, 1])).toEqual({ [MNQ]: 1 });
    expect(of({ symbolMap, size: fixed(4) }, [NQ, 3], [MNQ, -3])).toEqual({ [MNQ]: 0 });
    expect(of({ symbolMap, maxQty: 2 }, [NQ, 5], [MNQ, -4])).toEqual({ [MNQ]: 1 });
  });

  test("leaves out what it does not trade, and names what is to be flat", () => {
    expect(of({ allowedSymbols: ["ES"] }, [NQ, 2], [ES, 0])).toEqual({ [ES]: 0 });
    expect(of({ size: by("0.5") }, [ES, 1])).toEqual({ [ES]: 0 });
    expect(of({})).toEqual({});
  });

  test("is a function of what the leader holds, not of the order in which it is told", () => {
    const qty = fc.integer({ min: -9, max: 9 });
    fc.assert(
      fc.property(anyTerms, qty, qty, qty, (its, nq, mnq, es) => {
        const change = { ...its, symbolMap: { NQ: "MNQ" } };
        const leader: [ContractCode, number][] = [
          [NQ, nq],
          [MNQ, mnq],
          [ES, es],
        ];
        expect(of(change, ...leader)).toEqual(of(change, ...leader.toReversed()));
        expect(of(change, ...leader)).toEqual({
          [MNQ]: sizedQty(its, nq + mnq),
          [ES]: sizedQty(its, es),
        });
      }),
    );
  });
});

test.each<[number, number, boolean]>([
  [3, 1, true],
  [3, 0, true],
  [-3, -1, true],
  [-1, 0, true],
  [3, 3, false],
  [0, 0, false],
  [0, 1, false],
  [1, 3, false],
  // Through flat it opens.
  [3, -1, false],
  [-5, 2, false],
])("from %i to %i only takes something off: %s", (from, to, expected) => {
  expect(isReduction(from, to)).toBe(expected);
});
