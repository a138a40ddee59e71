import { expect, test } from "vitest";
import { table } from "../../../src/cli/command-words.ts";

test("columns are as wide as their widest cell", () => {
  const rows = [["a", "first"], ["longer", ""], ["b"]];
  expect(table(["id", "name"], rows)).toBe("id      name\na       first\nlonger\nb");
});

test.each([
  ["a colour", "\u001b[31mred\u001b[0m", "�[31mred�[0m"],
  ["a window's title", "\u001b]0;mine\u0007", "�]0;mine�"],
  ["a sequence of one character", "\u009b2Jx", "�2Jx"],
  ["a line of its own", "a\r\nds_1  Phone\u2028x", "a��ds_1  Phone�x"],
  ["what takes back", "off\b\b\bon\u007f", "off���on�"],
  ["what turns the direction", "\u202eno\u2066\u200f", "�no��"],
])("%s is shown and not obeyed", (_, cell, shown) => {
  expect(table(["name"], [[cell]])).toBe(`name\n${shown}`);
});

test("words of any script stay", () => {
  expect(table(["name"], [["Börse 取引 📈 نعم"]])).toContain("Börse 取引 📈 نعم");
});
