import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSealer } from "../../../src/data-folder/seal.ts";
import { SealError } from "../../../src/trading/connections/ports.ts";

const KEY = Buffer.alloc(32, 7);
const sealer = createSealer(KEY);
const PLACE = { connectionId: "tradovate-1", field: "password" };

const texts = fc.string({ unit: "grapheme", maxLength: 200 });
const places = fc.record({
  connectionId: fc.string({ maxLength: 20 }),
  field: fc.string({ maxLength: 20 }),
});

test("what is sealed opens where it was sealed, to the same text", () => {
  fc.assert(
    fc.property(texts, places, (text, place) => {
      expect(sealer.open(sealer.seal(text, place), place)).toBe(text);
    }),
  );
});

test("a sealed text shows nothing of the text, and is another one each time", () => {
  const sealed = sealer.seal("hunter2 is the password", PLACE);
  expect(sealed).toMatch(/^v1\.[0-9a-f]{8}\.[\w-]{16}\.[\w-]{22}\.[\w-]+$/);
  expect(Buffer.from(sealed.split(".").at(-1) ?? "", "base64url").toString()).not.toMatch(/hunter/);
  expect(sealer.seal("hunter2 is the password", PLACE)).not.toBe(sealed);
});

test("a sealed text that is moved elsewhere does not open", () => {
  fc.assert(
    fc.property(texts, places, places, (text, from, to) => {
      fc.pre(from.connectionId !== to.connectionId || from.field !== to.field);
      const sealed = sealer.seal(text, from);
      expect(() => sealer.open(sealed, to)).toThrow(SealError);
    }),
  );
});

test("the parts of a place are told apart", () => {
  const sealed = sealer.seal("x", { connectionId: "ab", field: "c" });
  expect(() => sealer.open(sealed, { connectionId: "a", field: "bc" })).toThrow(SealError);
});

test("a sealed text that was changed in any character does not open", () => {
  const sealed = sealer.seal("hunter2", PLACE);
  const at = fc.integer({ min: 0, max: sealed.length - 1 });
  const letter = fc.constantFrom(...Array.from("abcXYZ019-_.= "));
  fc.assert(
    fc.property(at, letter, (index, other) => {
      fc.pre(sealed[index] !== other);
      const changed = `${sealed.slice(0, index)}${other}${sealed.slice(index + 1)}`;
      expect(() => sealer.open(changed, PLACE)).toThrow(SealError);
    }),
    { numRuns: 1_000 },
  );
});

test("a sealed text that was cut or made longer does not open", () => {
  const sealed = sealer.seal("hunter2", PLACE);
  fc.assert(
    fc.property(fc.nat(sealed.length - 1), (length) => {
      expect(() => sealer.open(sealed.slice(0, length), PLACE)).toThrow(SealError);
    }),
  );
  for (const more of ["A", ".", ".A", "\n"]) {
    expect(() => sealer.open(sealed + more, PLACE)).toThrow(SealError);
  }
});

test("anything else does not open", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(() => sealer.open(text, PLACE)).toThrow(SealError);
    }),
  );
});

describe("another key", () => {
  const other = createSealer(randomBytes(32));

  test("is refused, and both are named", () => {
    const sealed = sealer.seal("hunter2", PLACE);
    const [, ours = ""] = sealed.split(".");
    const [, theirs = ""] = other.seal("", PLACE).split(".");
    expect(() => other.open(sealed, PLACE)).toThrow(
      new RegExp(`^"password" was sealed with the key ${ours}, and this gateway has ${theirs}`),
    );
  });

  test("is no key under a name that is not its own", () => {
    const [, ours = ""] = sealer.seal("", PLACE).split(".");
    const [version, , ...rest] = other.seal("hunter2", PLACE).split(".");
    expect(() => sealer.open([version, ours, ...rest].join("."), PLACE)).toThrow(SealError);
  });
});

test.each([0, 16, 31, 33, 64])("a key of %i bytes is none", (bytes) => {
  expect(() => createSealer(Buffer.alloc(bytes))).toThrow(SealError);
});
