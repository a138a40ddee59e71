import { expect, test } from "vitest";
import { EntityStore } from "../../../../src/brokers/tradovate/entity-store.ts";
import { feeOf } from "../../../../src/brokers/tradovate/fill-fees.ts";
import { event } from "./entity-kit.ts";

function feeFrom(costs: object) {
  const store = new EntityStore();
  store.apply(event("currency", "Created", { id: 1, name: "USD" }));
  store.apply(event("currency", "Created", { id: 2, name: "EUR" }));
  store.apply(event("fillFee", "Created", { id: 5, ...costs }));
  return feeOf(store, 5);
}

test.each([
  ["the exact sum of its parts", { clearingFee: 0.1, exchangeFee: 0.2, nfaFee: 0.02 }, "0.32"],
  ["no noise of a double", { clearingFee: 0.1, nfaFee: 5.551115123125783e-17 }, "0.10"],
  ["nothing where nothing is named", {}, undefined],
  ["nothing paid where that is said", { commission: 0 }, "0.00"],
])("a fill costs %s", (_, costs, fee) => {
  expect(feeFrom(costs).fee).toBe(fee);
});

test("a fee has the currency of what was paid, and no sum in two of them", () => {
  const usd = { commission: 1.5, commissionCurrencyId: 1 };
  expect(feeFrom({ ...usd, nfaFee: 0, nfaCurrencyId: 2 })).toEqual({
    fee: "1.50",
    feeCurrency: "USD",
  });
  expect(feeFrom({ ...usd, nfaFee: 0.02, nfaCurrencyId: 2 })).toEqual({});
  expect(feeFrom({ ...usd, commissionCurrencyId: 9 })).toEqual({ fee: "1.50" });
});
