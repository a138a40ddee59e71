// The goal: contrast may be looked at on a desk alone. The method: what a width changes, as it is written.
import { expect, test } from "vitest";
import { styleSheets, textOf } from "../../support/source-tree.ts";

/** What stands within each pair of braces that a width opens. */
function narrowed(sheet: string): string[] {
  return [...sheet.matchAll(/^@(?:media|container)[^{]*width[^{]*\{\n(.*?)^\}/gms)].map(
    ([, rules = ""]) => rules,
  );
}

const SHEETS = styleSheets("src/console");
const RULES = SHEETS.flatMap((file) => narrowed(textOf(file) ?? ""));

test("there are widths that change something", () => {
  expect(SHEETS.length).toBeGreaterThan(5);
  expect(RULES.length).toBeGreaterThan(5);
});

test("no width gives anything a colour but the one of quiet words", () => {
  const coloured =
    /^\s*(?:[a-z-]*(?:color|background|shadow|filter)[a-z-]*|opacity|fill|stroke):.*$/gm;
  const said = RULES.flatMap((rules) => rules.match(coloured) ?? []).map((line) => line.trim());
  expect(new Set(said)).toEqual(new Set(["color: var(--quiet);"]));
});
