import { expect, test } from "vitest";
import { formatScaled } from "../../../src/domain/contracts/decimal.ts";
import { FeeTableError, readFeeTable } from "../../../src/domain/fee-table.ts";

const isRoot = (root: string) => ["ES", "MES", "6E"].includes(root);

test.each([
  ["*=0", ["0", "0", "0"]],
  ["ES=2.25,MES=0.62,*=1", ["2.25", "0.62", "1"]],
  ["*=1.5, 6E=3", ["1.5", "1.5", "3"]],
  ["MES=0.62", [undefined, "0.62", undefined]],
  ["", [undefined, undefined, undefined]],
])("fees %s", (text, fees) => {
  const feeOf = readFeeTable(text, isRoot);
  const told = ["ES", "MES", "6E"].map((root) => {
    const fee = feeOf(root);
    return fee && formatScaled(fee);
  });
  expect(told).toEqual(fees);
});

test.each(["2.25", "ES=", "ES=-1", "ES=1e2", "XX=1", "ES=1,ES=2", "*=1,*=2", "ES=1,"])(
  "refuses the fees %j",
  (text) => {
    expect(() => readFeeTable(text, isRoot)).toThrow(FeeTableError);
  },
);
