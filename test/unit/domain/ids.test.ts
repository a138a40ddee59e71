import { describe, expect, test } from "vitest";
import fc from "fast-check";
import {
  clOrdId,
  intentId,
  intentIdOf,
  isOwnClOrdId,
  parseAccountId,
} from "../../../src/domain/ids.ts";
import { clOrdIdOf } from "../../../src/domain/intent.ts";
import { isForeign } from "../../../src/domain/order.ts";
import { newIntentId } from "../../../src/app/new-ids.ts";

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

describe("an order's identifier", () => {
  const id = intentId("i0123456789abcdef0123456789ab");

  test.each([`${id}-1`, `${id}-64`, `${id}-1-TP`, `${id}-1-SL`])("%s is ours", (text) => {
    expect(isOwnClOrdId(clOrdId(text))).toBe(true);
    expect(intentIdOf(clOrdId(text))).toBe(id);
  });

  test("that this appliance makes is ours", () => {
    expect(intentIdOf(clOrdIdOf(newIntentId(), 1))).toMatch(/^i[0-9a-f]{28}$/);
  });

  test.each([
    "",
    id,
    `${id}-0`,
    `${id}-`,
    `${id}-1-XX`,
    `${id}-1-TP-SL`,
    ` ${id}-1`,
    `${id}-1\n`,
    "i0123-1",
    "I0123456789ABCDEF0123456789AB-1",
    "my order",
  ])("%j is another program's", (text) => {
    expect(isOwnClOrdId(clOrdId(text))).toBe(false);
    expect(intentIdOf(clOrdId(text))).toBeUndefined();
    expect(isForeign({ clOrdId: clOrdId(text) })).toBe(true);
  });

  test("that is not there was placed by hand", () => {
    expect(isForeign({})).toBe(true);
    expect(isForeign({ clOrdId: clOrdId(`${id}-1-TP`) })).toBe(false);
  });
});
