import { expect, test } from "vitest";
import { intentId } from "../../../src/domain/ids.ts";
import { clOrdIdOf, type IntentState, isUnsettled } from "../../../src/domain/intent.ts";

test.each<[IntentState, boolean]>([
  ["PREPARED", true],
  ["SENDING", true],
  ["UNKNOWN", true],
  ["DONE", false],
  ["DENIED", false],
  ["REJECTED", false],
  ["UNPROTECTED", false],
  ["NOTSENT", false],
  ["EXPIRED", false],
  ["WITHDRAWN", false],
  ["LOST", false],
])("%s: may still lead to an order is %s", (state, expected) => {
  expect(isUnsettled(state)).toBe(expected);
});

test("an order's identifier follows from its intent and its number alone", () => {
  const id = intentId("i0123");
  expect(clOrdIdOf(id, 1)).toBe(clOrdIdOf(id, 1));
  expect(new Set([1, 2, 10].map((nth) => clOrdIdOf(id, nth))).size).toBe(3);
  expect(clOrdIdOf(id, 1)).not.toBe(clOrdIdOf(intentId("i01231"), 1));
});
