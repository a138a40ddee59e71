import { expect, test } from "vitest";
import { currencyOf } from "../../../../src/brokers/tradovate/broker-reads.ts";
import { EntityStore } from "../../../../src/brokers/tradovate/entity-store.ts";

const ACCOUNT = 7;
const balance = (id: number, currencyId: number, accountId = ACCOUNT) => ({
  id,
  accountId,
  currencyId,
});

test.each([
  ["dollars", [balance(1, 1)], "USD"],
  ["euros, told twice", [balance(1, 2), balance(2, 2)], "EUR"],
  ["nothing that was told", [], undefined],
  ["another account's", [balance(1, 1, 8)], undefined],
  ["a currency that was not told", [balance(1, 9)], undefined],
  ["a name that is none", [balance(1, 3)], undefined],
  ["two currencies", [balance(1, 1), balance(2, 2)], undefined],
])("a balance in %s", (_, balances, expected) => {
  const store = new EntityStore();
  store.merge("cashBalance", balances);
  store.merge("currency", [
    { id: 1, name: "USD" },
    { id: 2, name: "EUR" },
    { id: 3, name: "points" },
  ]);
  expect(currencyOf(store, ACCOUNT)).toBe(expected);
});
