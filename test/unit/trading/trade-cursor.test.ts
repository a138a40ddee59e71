import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { execId } from "../../../src/domain/ids.ts";
import { readCursor, type TradeFilters, writeCursor } from "../../../src/trading/trade-cursor.ts";

const POSITION = { at: 1_790_001_000_000, execId: execId("9000001") };
const PLAIN: TradeFilters = { accountId: "paper-1" };
const ES: TradeFilters = { ...PLAIN, traded: { root: "ES" } };
const ESZ6: TradeFilters = { ...PLAIN, traded: { root: "ES", contract: { month: 12, year: "6" } } };
const FROM: TradeFilters = { ...PLAIN, fromAt: 1 };
const TO: TradeFilters = { ...PLAIN, beforeAt: 1_800_000_000_000 };
const OTHER: TradeFilters = { accountId: "paper-2" };

const ALL = [PLAIN, ES, ESZ6, FROM, TO, OTHER];

describe("a cursor", () => {
  test("leads back to its place, whatever the id looks like", () => {
    const ids = fc.string({ unit: "grapheme", maxLength: 128 });
    fc.assert(
      fc.property(fc.nat(), ids, fc.constantFrom(PLAIN, ES, ESZ6), (at, id, filters) => {
        const position = { at, execId: execId(id) };
        const cursor = writeCursor(position, filters);
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(readCursor(cursor, filters)).toEqual(position);
      }),
    );
  });

  test("is good for its own filters only", () => {
    for (const own of ALL) {
      for (const other of ALL.filter((filters) => filters !== own)) {
        const cursor = writeCursor(POSITION, own);
        expect(() => readCursor(cursor, other)).toThrow(/cursor belongs to another account or/);
      }
    }
  });

  test.each([
    "9000001",
    "",
    "!",
    "%00",
    `${writeCursor(POSITION, PLAIN)}=`,
    `${writeCursor(POSITION, PLAIN)}!`,
    writeCursor(POSITION, PLAIN).slice(0, -4),
    Buffer.from("{}").toString("base64url"),
    Buffer.from('["1","a","paper-1",null,null,null,null,null]').toString("base64url"),
    Buffer.from('[1.5,"a","paper-1",null,null,null,null,null]').toString("base64url"),
    Buffer.from('[1,2,"paper-1",null,null,null,null,null]').toString("base64url"),
  ])("%j is none", (text) => {
    expect(() => readCursor(text, PLAIN)).toThrow(/cursor is no nextCursor of this list/);
  });

  test("outside the instants that were asked for is none", () => {
    const filters = { ...PLAIN, fromAt: 10, beforeAt: 20 };
    for (const at of [9, 20]) {
      const cursor = writeCursor({ ...POSITION, at }, filters);
      expect(() => readCursor(cursor, filters)).toThrow(/is no nextCursor/);
    }
  });
});
