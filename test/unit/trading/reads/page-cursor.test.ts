import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type PageFilters,
  readCursor,
  readIdCursor,
  requireWithin,
  writeCursor,
  writeIdCursor,
} from "../../../../src/trading/reads/page-cursor.ts";
import { ANY_CHARACTER } from "../../../support/any-character.ts";

const POSITION = { at: 1_790_001_000_000, id: "9000001" };
const PLAIN: PageFilters = ["paper-1", undefined, undefined];
const FROM: PageFilters = ["paper-1", 1, undefined];
const TO: PageFilters = ["paper-1", undefined, 1];
const OTHER: PageFilters = ["paper-2", undefined, undefined];
const LONGER: PageFilters = [...PLAIN, undefined];
const TEXT: PageFilters = ["paper-1", "1", undefined];

const ALL = [PLAIN, FROM, TO, OTHER, LONGER, TEXT];

const forged = (words: unknown): string => Buffer.from(JSON.stringify(words)).toString("base64url");

describe("a cursor", () => {
  test("leads back to its place, whatever the id looks like", () => {
    const ids = fc.string({ unit: "grapheme", maxLength: 128 });
    fc.assert(
      fc.property(fc.nat(), ids, fc.constantFrom(...ALL), (at, id, filters) => {
        const cursor = writeCursor({ at, id }, filters);
        expect(cursor).toMatch(/^[\w-]+$/);
        expect(readCursor(cursor, filters)).toEqual({ at, id });
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
    forged({}),
    forged(null),
    forged(["1", "a", "paper-1", null, null]),
    forged([1.5, "a", "paper-1", null, null]),
    forged([1, 2, "paper-1", null, null]),
    forged([]),
  ])("%j is none", (text) => {
    expect(() => readCursor(text, PLAIN)).toThrow(/cursor is no nextCursor of this list/);
  });

  test("no text whatever is an error of another kind", () => {
    fc.assert(
      fc.property(fc.string({ unit: ANY_CHARACTER }), (text) => {
        expect(() => readCursor(text, PLAIN)).toThrow(/^The request is not valid: cursor /);
      }),
    );
  });
});

describe("a place outside of the range that was asked for is none", () => {
  const within = (at: number, range: Parameters<typeof requireWithin>[1]) => () =>
    requireWithin({ at, id: "x" }, range);

  test.each([
    [10, { fromAt: 10, beforeAt: 20 }],
    [19, { fromAt: 10, beforeAt: 20 }],
    [20, { fromAt: 10 }],
    [9, { beforeAt: 20 }],
    [0, {}],
  ])("%d is within %j", (at, range) => {
    expect(within(at, range)).not.toThrow();
  });

  test.each([
    [9, { fromAt: 10, beforeAt: 20 }],
    [20, { fromAt: 10, beforeAt: 20 }],
    [9, { fromAt: 10 }],
    [20, { beforeAt: 20 }],
  ])("%d is outside of %j", (at, range) => {
    expect(within(at, range)).toThrow(/is no nextCursor/);
  });
});

describe("a cursor by id", () => {
  test("leads back to its place, in its own list only", () => {
    const ids = fc.string({ unit: "grapheme", maxLength: 128 });
    fc.assert(
      fc.property(ids, (id) => {
        const cursor = writeIdCursor("accounts", id);
        expect(readIdCursor("accounts", cursor)).toBe(id);
        expect(() => readIdCursor("others", cursor)).toThrow(/is no nextCursor of this list/);
      }),
    );
  });

  test.each([
    "",
    "x",
    forged([]),
    forged(["accounts"]),
    forged(["accounts", 1]),
    forged(["accounts", "paper-1", "paper-2"]),
    writeCursor(POSITION, ["accounts"]),
  ])("%j was never handed out", (cursor) => {
    expect(() => readIdCursor("accounts", cursor)).toThrow(/is no nextCursor of this list/);
  });
});
