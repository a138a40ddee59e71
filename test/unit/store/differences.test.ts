import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { differencesFrom, keepsOrder, withDifferences } from "../../../src/store/differences.ts";

const USUAL = {
  profile: "native",
  unread: [],
  request: { kind: "order", ticket: { side: "BUY", orderQty: 2 } },
};

describe("differences from what is expected", () => {
  test.each([
    ["nothing, where all is as expected", USUAL, {}],
    [
      "what is particular, however deep it lies",
      { ...USUAL, request: { kind: "order", ticket: { side: "BUY", orderQty: 2, symbol: "ES" } } },
      { request: { ticket: { symbol: "ES" } } },
    ],
    ["a list as a whole", { ...USUAL, unread: ["time"] }, { unread: ["time"] }],
    [
      "null for what is absent",
      { profile: "native", request: { kind: "order", ticket: { side: "BUY" } } },
      { unread: null, request: { ticket: { orderQty: null } } },
    ],
    ["what is of another kind", { ...USUAL, request: "none" }, { request: "none" }],
  ])("say %s", (_, value, expected) => {
    expect(differencesFrom(USUAL, value)).toEqual(expected);
    expect(withDifferences(USUAL, expected)).toEqual(value);
  });

  test("give back any value, whatever was expected, and say whether in its order", () => {
    const { tree } = fc.letrec<{ tree: unknown; object: Record<string, unknown> }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<unknown>(0, 1, "", "a", true, false),
        fc.array(tie("tree"), { maxLength: 2 }),
        tie("object"),
      ),
      object: fc.dictionary(fc.constantFrom("a", "b", "c"), tie("tree"), { maxKeys: 3 }),
    }));
    const objects = fc.dictionary(fc.constantFrom("a", "b", "c"), tree, { noNullPrototype: true });
    fc.assert(
      fc.property(objects, objects, (expected, value) => {
        const stored = JSON.stringify(differencesFrom(expected, value));
        const read = withDifferences(expected, JSON.parse(stored) as typeof value);
        expect(read).toEqual(value);
        const isInOrder = JSON.stringify(read) === JSON.stringify(value);
        expect(keepsOrder(expected, value)).toBe(isInOrder);
      }),
    );
  });
});
