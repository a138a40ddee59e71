import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cut, inBytes, inUnits, readableText } from "../../../src/notify/readable-text.ts";
import { webhookBody } from "../../../src/notify/webhook-body.ts";
import { eventOf } from "../../conformance/channel-kit.ts";

/** Whole characters, of one to four bytes, and some that are seen as one. */
const anyText = fc.string({ unit: "binary", maxLength: 60 });
/** Whatever a string can hold, halves of characters too. */
const anyUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 })
  .map((units) => String.fromCharCode(...units));

describe("what is cut", () => {
  test.each([
    ["units", inUnits],
    ["bytes", inBytes],
  ])(
    "is within its limit of %s, ends between characters, and loses no more than it must",
    (_, sizeOf) => {
      fc.assert(
        fc.property(anyText, fc.integer({ min: 3, max: 80 }), (text, limit) => {
          const kept = cut(text, limit, sizeOf);
          expect(sizeOf(kept)).toBeLessThanOrEqual(limit);
          expect(kept).not.toMatch(/\p{Surrogate}/u);
          if (kept === text) return;
          expect(sizeOf(text)).toBeGreaterThan(limit);
          expect(kept.endsWith("…")).toBe(true);
          expect(text.startsWith(kept.slice(0, -1))).toBe(true);
          const next = String.fromCodePoint(text.codePointAt(kept.length - 1) ?? 0);
          expect(sizeOf(`${kept}${next}`)).toBeGreaterThan(limit);
        }),
      );
    },
  );
});

test("a line stays one, whatever is in it, and nothing in it cannot be seen", () => {
  fc.assert(
    fc.property(anyUnits, (message) => {
      const event = eventOf({ message });
      const { title, body } = readableText({ event, count: 1, isSilent: false });
      expect(title).toBe("Warning: Rejected by the broker");
      const lines = body.split("\n");
      expect(lines).toHaveLength(2);
      expect(lines[1]).toBe("…4321 · live");
      expect(body.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Surrogate}\u2028\u2029\u202e]/u);
    }),
  );
});

test("a line of a million spaces takes no time", () => {
  // At a square of its length this would outlast the limit of a test that hangs.
  const event = eventOf({ message: `a${" ".repeat(1_000_000)}b` });
  const { body } = readableText({ event, count: 1, isSilent: false });
  expect(body.length).toBeGreaterThan(1_000_000);
});

test("a webhook's body is JSON below 20 KB, whatever is told", () => {
  fc.assert(
    fc.property(anyUnits, fc.integer({ min: 1, max: 3_000 }), (text, times) => {
      const long = text.repeat(times);
      const body = webhookBody(eventOf({ message: long, advice: long }));
      expect(Buffer.byteLength(body)).toBeLessThan(20_000);
      expect(JSON.parse(body)).toHaveProperty("data.id", eventOf().id);
    }),
  );
});
