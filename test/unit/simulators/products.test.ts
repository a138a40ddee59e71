import { expect, test } from "vitest";
import { contracts } from "../../../config/contracts.ts";
import { PRODUCTS } from "../../simulators/exchange/products.ts";

// Two tables, written from the exchanges' pages apart from each other.

const ours = new Map(contracts.map((product) => [product.root, product]));

test.each(PRODUCTS)("$root is the same at the simulated broker as in the contract table", (row) => {
  const product = ours.get(row.root);
  const theirs = {
    tickSize: Number(row.tickSize),
    tickValue: Number(row.tickValue),
    pointValue: row.valuePerPoint,
    currency: row.currency,
    exchange: row.exchange,
    months: row.months,
  };
  expect(
    product && {
      tickSize: Number(product.tickSize),
      tickValue: Number(product.tickValue),
      pointValue: Number(product.pointValue),
      currency: product.currency,
      exchange: product.exchange,
      months: product.liquid ?? product.cycle,
    },
  ).toEqual(theirs);
  expect(theirs.tickSize * theirs.pointValue).toBeCloseTo(theirs.tickValue, 10);
});

test("each of the simulated broker's products is there once", () => {
  const roots = PRODUCTS.map(({ root }) => root);
  expect(new Set(roots).size).toBe(roots.length);
  expect(roots.length).toBeGreaterThan(50);
});
