import { expect, test } from "vitest";
import { decodeAccount } from "../../../../src/brokers/paper/state.ts";
import { A } from "./test-exchange.ts";

// That everything an account can hold survives is a property of the exchange's own tests.

test("nothing stored is no state", () => {
  expect(decodeAccount(A, new Map())).toBeUndefined();
});

test.each([
  ["o7", "{"],
  ["o7", "{}"],
  ["o7", '{"orderId":"7","side":"HOLD"}'],
  ["pESZ2026", '{"contract":"ESZ2026","netQty":1.5,"lots":[],"realizedTicks":0}'],
  ["f8", "[]"],
  ["a", '{"lastId":-1}'],
  ["a", '{"lastId":1,"totals":{"USD":{"realized":1}}}'],
  ["a", '{"lastId":1,"totals":{"USD":{"realized":"1","day":{"beganAt":0,"fees":"x"}}}}'],
  ["x", "{}"],
])("an entry %s that cannot be read is named: %s", (key, value) => {
  const entries = new Map([["a", '{"lastId":9}']]).set(key, value);
  expect(() => decodeAccount(A, entries)).toThrow(`"${key}" of paper account paper-1`);
});

test("an account of an earlier version has no totals yet", () => {
  const state = decodeAccount(A, new Map([["a", '{"lastId":9}']]));
  expect(state).toMatchObject({ lastId: 9, totals: new Map() });
});

test("a state without its counter is refused: its numbers would be given again", () => {
  const position = '{"contract":"ESZ2026","netQty":1,"lots":[{"qty":1,"px":4}],"realizedTicks":0}';
  expect(() => decodeAccount(A, new Map([["pESZ2026", position]]))).toThrow("counter");
});
