import fc from "fast-check";

const LAST = 0x10_ff_ff;
/** Halves of characters are none. */
const HALVES = { from: 0xd8_00, count: 0x8_00 };

/**
 * Any character whatever, as fast-check's unit "binary" is: that one lists a million of them when it
 * is first used, which takes seconds, and longer than a test may on a busy machine.
 */
export const ANY_CHARACTER = fc
  .nat({ max: LAST - HALVES.count })
  .map((nth) => String.fromCodePoint(nth < HALVES.from ? nth : nth + HALVES.count), nthOf);

function nthOf(text: unknown): number {
  const code = typeof text === "string" ? (text.codePointAt(0) ?? -1) : -1;
  const isHalf = code >= HALVES.from && code < HALVES.from + HALVES.count;
  if (code < 0 || isHalf || text !== String.fromCodePoint(code)) throw new Error("No character");
  return code < HALVES.from ? code : code - HALVES.count;
}
