import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type ContractCode,
  contractSymbol,
  parseContractCode,
} from "../../../../src/domain/contracts/contract.ts";
import {
  closingPart,
  exitContract,
  type OpenPosition,
  mismatchReason,
} from "../../../../src/domain/contracts/exit-contract.ts";
import { type Side, SIDES, sign } from "../../../../src/domain/order.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";

const FRONT = "ESH2027" as ContractCode;
const LEGS = { stopLoss: { by: "distance", distance: ticks(8) } } as const;

const code = (text: string) => text as ContractCode;
const held = (contract: string, netQty: number): OpenPosition => ({
  contract: code(contract),
  netQty,
});
const order = (side: Side, orderQty: number, bracket?: typeof LEGS) => ({
  contract: FRONT,
  side,
  orderQty,
  ...(bracket !== undefined && { bracket }),
});
const symbolOf = (contract: ContractCode) => {
  const parsed = parseContractCode(contract);
  return parsed === undefined ? contract : contractSymbol(parsed);
};

describe("an order for which only the root was named", () => {
  test.each<[string, Side, number, OpenPosition[], string]>([
    ["exits the month that is held", "SELL", 2, [held("ESZ2026", 2)], "ESZ2026"],
    ["exits a part of it", "SELL", 1, [held("ESZ2026", 2)], "ESZ2026"],
    ["exits what is short", "BUY", 2, [held("ESZ2026", -2)], "ESZ2026"],
    ["exits a month that comes later", "SELL", 1, [held("ESM2027", 1)], "ESM2027"],
    [
      "exits the nearest of several",
      "SELL",
      2,
      [held("ESH2028", 5), held("ESZ2026", 2), held("ESM2027", 5)],
      "ESZ2026",
    ],
    [
      "exits the nearest on the other side",
      "SELL",
      1,
      [held("ESZ2026", -3), held("ESM2027", 1)],
      "ESM2027",
    ],
    ["opens the front month when nothing is held", "SELL", 2, [], FRONT],
    ["adds in the front month to what is held elsewhere", "BUY", 2, [held("ESZ2026", 2)], FRONT],
    [
      "exits the front month when it is held",
      "SELL",
      1,
      [held("ESZ2026", 2), held(FRONT, 1)],
      FRONT,
    ],
    ["turns the front month around", "SELL", 3, [held("ESZ2026", 9), held(FRONT, 1)], FRONT],
    ["ignores another root", "SELL", 1, [held("MESZ2026", 1), held("NQZ2026", 1)], FRONT],
    ["ignores what is flat", "SELL", 1, [held("ESZ2026", 0)], FRONT],
  ])("%s", (_, side, qty, positions, contract) => {
    expect(exitContract(order(side, qty), positions)).toEqual({ kind: "use", contract });
  });

  test.each<[string, Side, OpenPosition[]]>([
    ["the month that is held", "SELL", [held("ESZ2026", 2)]],
    ["what is short", "BUY", [held("ESZ2026", -2)]],
    ["the nearest of several", "SELL", [held("ESM2027", 5), held("ESZ2026", 2)]],
  ])("turns %s around when it is more than that", (_, side, positions) => {
    const nearest = positions.at(-1);
    expect(exitContract(order(side, 3), positions)).toEqual({ kind: "turn", held: nearest });
  });

  test.each([
    [undefined, "Only 2 of 3 were sent, to close what is held in ESZ6"],
    [LEGS, "Only 2 of 3 were sent without their take-profit and stop-loss, to close"],
  ])("of one that rests only what closes is sent, with %j", (bracket, words) => {
    const part = closingPart(order("SELL", 3, bracket), held("ESZ2026", 2), symbolOf);
    expect(part.order).toEqual({ contract: "ESZ2026", side: "SELL", orderQty: 2 });
    expect(part.problem).toContain(words);
    expect(part.problem).toContain("the other 1 would open the front month ESH7 beside it");
  });
});

test.each([
  [2, undefined, "2 ESZ6, not the front month ESH7: an order of 3 would leave both open"],
  [-2, undefined, "2 ESZ6 short, not the front month ESH7: an order of 3 would"],
  [2, LEGS, "2 ESZ6, not the front month ESH7: an order of 3 with a bracket would"],
])("an order beside %i of another month is refused in words", (netQty, bracket, words) => {
  const reason = mismatchReason(order("BUY", 3, bracket), held("ESZ2026", netQty), symbolOf);
  expect(reason).toContain(`The account holds ${words}`);
  expect(reason).toContain("Close ESZ6 first, or name a contract");
});

describe("for every account", () => {
  const contract = fc.constantFrom(
    "ESZ2026",
    "ESH2027",
    "ESM2027",
    "ESH2028",
    "MESZ2026",
    "NQZ2026",
  );
  const positions = fc.uniqueArray(
    fc.record({ contract: contract.map(code), netQty: fc.integer({ min: -9, max: 9 }) }),
    { selector: (position) => position.contract },
  );
  const anyOrder = fc
    .tuple(fc.constantFrom(...SIDES), fc.integer({ min: 1, max: 9 }), fc.boolean())
    .map(([side, qty, hasLegs]) => order(side, qty, hasLegs ? LEGS : undefined));
  const heldOf = (all: readonly OpenPosition[], wanted: string) =>
    all.find((one) => one.contract === wanted)?.netQty ?? 0;

  test("an order that leaves the front month only ever makes a position smaller", () => {
    fc.assert(
      fc.property(anyOrder, positions, (asked, all) => {
        const aim = exitContract(asked, all);
        if (aim.kind === "turn" || aim.contract === FRONT) return;
        const before = heldOf(all, aim.contract);
        const after = before + sign(asked.side) * asked.orderQty;
        expect(Math.abs(after)).toBeLessThan(Math.abs(before));
        expect(after * before).toBeGreaterThanOrEqual(0);
        expect(heldOf(all, FRONT)).toBe(0);
      }),
    );
  });

  test("an order never opens the front month against another month that is held", () => {
    fc.assert(
      fc.property(anyOrder, positions, (asked, all) => {
        const aim = exitContract(asked, all);
        const isOpposed = all.some(
          (one) => /^ES[HMUZ]/.test(one.contract) && one.netQty * sign(asked.side) < 0,
        );
        const opens = aim.kind === "use" && aim.contract === FRONT && heldOf(all, FRONT) === 0;
        expect(opens && isOpposed).toBe(false);
        // And is taken apart only where that could happen, and where something is left of it.
        if (aim.kind === "use") return;
        expect([isOpposed, heldOf(all, FRONT)]).toEqual([true, 0]);
        expect(asked.orderQty).toBeGreaterThan(Math.abs(aim.held.netQty));
      }),
    );
  });

  test("the order of the positions does not matter", () => {
    fc.assert(
      fc.property(anyOrder, positions, (asked, all) => {
        expect(exitContract(asked, all.toReversed())).toEqual(exitContract(asked, all));
      }),
    );
  });
});
