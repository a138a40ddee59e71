import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { parseAccountId } from "../../../src/domain/ids.ts";

describe("parseAccountId", () => {
  test.each(["paper-1", "tradovate-DEMO_12.3", "a", "A".repeat(64)])("reads %s", (text) => {
    expect(parseAccountId(text)).toBe(text);
  });

  test.each(["", "A".repeat(65), "a b", "a/b", "a:b", "{a}", "a}b", "é", "a\n", "a\u0000"])(
    "refuses %j",
    (text) => {
      expect(parseAccountId(text)).toBeUndefined();
    },
  );

  test("nothing that passes can leave its place in a key, a queue name or a path", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const parsed = parseAccountId(text);
        expect(parsed === undefined || !/[^\w.-]/.test(parsed)).toBe(true);
      }),
    );
  });
});
