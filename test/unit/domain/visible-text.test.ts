import { expect, test } from "vitest";
import {
  bareText,
  hiddenIn,
  isShownAsItIs,
  trimmed,
  withCodePoints,
} from "../../../src/domain/visible-text.ts";

test.each([
  ["buy", "buy", "buy"],
  ["  buy\r\n", "buy", "buy"],
  ["\ufeff\u200bbuy\u00a0", "buy", "buy"],
  ["b\u200bu\u00ady", "b\u200bu\u00ady", "buy"],
  ["a\u00a0b", "a\u00a0b", "a\u00a0b"],
  ["\u202ebuy", "\u202ebuy", "\u202ebuy"],
  ["\u200b \ufeff", "", ""],
  ["", "", ""],
])("%j without what is at its ends is %j, and as a word %j", (text, ends, word) => {
  expect([trimmed(text), bareText(text)]).toEqual([ends, word]);
});

test.each([
  ["ES1!", undefined, "ES1!"],
  ["É 1\n\t", undefined, "É 1\n\t"],
  ["ES\u202e1!", "U+202E as its character 3", "ES<U+202E>1!"],
  ["\u0000", "U+0000 as its character 1", "<U+0000>"],
  ["1\u00a00\u200b", "U+00A0 as its character 2", "1<U+00A0>0<U+200B>"],
])("%j holds %s, and is shown as %j", (text, hidden, shown) => {
  expect(hiddenIn(text)).toBe(hidden && `holds the invisible character ${hidden}: delete it`);
  expect(withCodePoints(text)).toBe(shown);
});

test.each([
  ["plain words", "Evaluation 50k", true],
  ["letters of any script", "Überhang 測試 عربي עברית", true],
  ["a picture that is joined of several", "👨‍👩‍👧", true],
  ["a mark that turns the direction of a line", "live\u202etest", false],
  ["an isolate of a direction", "a\u2066b", false],
  ["a space without a width", "a\u200bb", false],
  ["a soft hyphen", "a\u00adb", false],
  ["a control character", "a\u001b[31m", false],
  ["an end of a line", "a\nb", false],
  ["another end of a line", "a\u2028b", false],
])("a name with %s", (_, name, is) => {
  expect(isShownAsItIs(name)).toBe(is);
});
