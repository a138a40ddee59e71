import { expect, test } from "vitest";
import { parseAccountNumbers } from "../../../../src/brokers/paper/config.ts";

test.each([
  ["1-2", [1, 2]],
  ["7", [7]],
  ["1,2,5-9", [1, 2, 5, 6, 7, 8, 9]],
  ["3,1-3", [3, 1, 2]],
])("accounts %s", (text, numbers) => {
  expect(parseAccountNumbers(text)).toEqual(numbers);
});

test.each(["", "0", "2-1", "1,,2", "a", "1-", "1-99999999"])("refuses %j", (text) => {
  expect(() => parseAccountNumbers(text)).toThrow("no account number");
});

test("refuses more accounts than one connection can hold", () => {
  expect(() => parseAccountNumbers("1-20001")).toThrow("at most 20000");
});
