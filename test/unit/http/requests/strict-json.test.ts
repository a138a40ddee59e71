import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readJson } from "../../../../src/http/requests/strict-json.ts";

const PIECES = [...Array.from('{}[]:,"\\ntrue0123.eE+- \n'), "null", '"a"', "\u0001"];
const REFUSED = /^is (?:not valid JSON|empty)/;

describe("readJson", () => {
  test("reads what JSON.parse reads, to the same value", () => {
    const shallow = fc.jsonValue({ maxDepth: 6 });
    fc.assert(
      fc.property(shallow, fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        fc.pre(!text.includes("__proto__"));
        expect(readJson(text)).toEqual({ value: JSON.parse(text) as unknown, problems: [] });
      }),
    );
  });

  test("refuses every text that JSON.parse refuses", () => {
    const pieces = fc.constantFrom(...PIECES);
    fc.assert(
      fc.property(
        fc.array(pieces).map((parts) => parts.join("")),
        (text) => {
          const refused = readJson(text).problems.some(({ message }) => REFUSED.test(message));
          expect(refused).toBe(!parses(text));
        },
      ),
      { numRuns: 2000 },
    );
  });

  test.each([
    ['{"a":{"b":1,"b":2}}', "a.b", "is given more than once"],
    ['{"a":[1,{"__proto__":2}]}', "a.1.__proto__", "is not a known field"],
    ['{"a":-1e400}', "a", "is too large a number"],
  ])("%s", (text, path, message) => {
    expect(readJson(text).problems).toEqual([{ path, message }]);
  });

  test("the first of two is kept, and no prototype is touched", () => {
    const { value } = readJson('{"a":1,"a":2,"__proto__":{"x":1}}');
    expect(value).toEqual({ a: 1 });
    expect(({} as { x?: number }).x).toBeUndefined();
  });

  test.each([
    ['"a\\q"', "is not valid JSON: a string holds an unknown escape, at line 1, column 1"],
    ['"a\tb"', "is not valid JSON: a string holds a control character, at line 1, column 3"],
    ['{\n  "a": "b', "is not valid JSON: a string is not closed, at line 2, column 10"],
    ["01", 'is not valid JSON: unexpected "1", at line 1, column 2'],
    ["\u{1f600}", 'is not valid JSON: unexpected "\u{1f600}", at line 1, column 1'],
  ])("%j says where", (text, message) => {
    expect(readJson(text).problems).toEqual([{ path: "body", message }]);
  });

  test.each([16, 17])("%i levels", (levels) => {
    const { problems } = readJson("[".repeat(levels) + "]".repeat(levels));
    expect(problems.length).toBe(levels > 16 ? 1 : 0);
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
