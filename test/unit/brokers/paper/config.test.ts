import { expect, test } from "vitest";
import { formatScaled } from "../../../../src/domain/contracts/decimal.ts";
import { parseAccountNumbers, parseFees } from "../../../../src/brokers/paper/config.ts";

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

const isRoot = (root: string) => ["ES", "MES", "6E"].includes(root);

test.each([
  ["*=0", ["0", "0", "0"]],
  ["ES=2.25,MES=0.62,*=1", ["2.25", "0.62", "1"]],
  ["*=1.5, 6E=3", ["1.5", "1.5", "3"]],
  ["MES=0.62", ["0", "0.62", "0"]],
])("fees %s", (text, fees) => {
  const feeOf = parseFees(text, isRoot);
  expect(["ES", "MES", "6E"].map((root) => formatScaled(feeOf(root)))).toEqual(fees);
});

test.each(["", "2.25", "ES=", "ES=-1", "ES=1e2", "XX=1", "ES=1,ES=2", "*=1,*=2", "ES=1,"])(
  "refuses the fees %j",
  (text) => {
    expect(() => parseFees(text, isRoot)).toThrow("paper fees");
  },
);
