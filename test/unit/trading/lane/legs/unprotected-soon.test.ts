// The goal: a note that exits are missing does not outlast their return. The method: a broker and a store in
// memory, and waits that end when the test says so.
import { expect, test } from "vitest";
import { accountId, clOrdId, orderId } from "../../../../../src/domain/ids.ts";
import type { ContractCode } from "../../../../../src/domain/contracts/contract.ts";
import type { WorkingOrder } from "../../../../../src/domain/order.ts";
import {
  type Missing,
  type MissingExitsStore,
  UnprotectedPositions,
} from "../../../../../src/trading/lane/legs/unprotected-positions.ts";
import { waitUntil } from "../../../../support/wait.ts";

const ACCOUNT = accountId("tv-1-7");
const CONTRACT = "ESZ2026" as ContractCode;
const STOP = {
  orderId: orderId("2"),
  clOrdId: clOrdId("i1-SL"),
  contract: CONTRACT,
  side: "SELL",
  ordType: "STOP",
  ordStatus: "NEW",
  orderQty: 1,
  cumQty: 0,
  leavesQty: 1,
  role: "STOP_LOSS",
} as unknown as WorkingOrder;

/** Holds one; its stop is missing by what was noted. */
function given() {
  let stored: readonly Missing[] = [];
  const working: WorkingOrder[] = [];
  const waits: (() => void)[] = [];
  const store: MissingExitsStore = {
    of: async () => stored,
    save: async (_, missing) => void (stored = [missing]),
    forget: async () => void (stored = []),
  };
  const watch = new UnprotectedPositions({
    store,
    brokerOf: () => ({
      positions: async () => [{ contract: CONTRACT, netQty: 1 }],
      workingOrders: async () => working,
    }),
    alarms: { raise: () => undefined, clear: () => undefined },
    waitFor: async (_ms, onWake) =>
      await new Promise((resolve) => {
        waits.push(resolve);
        onWake(resolve);
      }),
    onError: (_, error) => {
      throw error;
    },
  });
  watch.missing(ACCOUNT, { contract: CONTRACT, exits: ["STOP_LOSS"] });
  return { watch, working, waits, noted: () => stored.length };
}

const pass = (waits: (() => void)[]) => waits.splice(0).forEach((end) => end());

test("the broker is looked at a moment after exits were noted as missing", async () => {
  const { working, waits, noted } = given();
  await waitUntil("it is noted", () => noted() === 1);
  working.push(STOP);
  pass(waits);
  await waitUntil("the note is gone", () => noted() === 0);
  expect(waits).toEqual([]);
});

test("each report of the account brings another look, and many bring one", async () => {
  const { watch, working, waits, noted } = given();
  await waitUntil("it is noted", () => noted() === 1);
  pass(waits);
  await waitUntil("it was looked at", async () => {
    await Promise.resolve();
    watch.reported(ACCOUNT);
    return waits.length > 0;
  });
  watch.reported(ACCOUNT);
  expect([waits.length, noted()]).toEqual([1, 1]);
  working.push(STOP);
  pass(waits);
  await waitUntil("the note is gone", () => noted() === 0);
  watch.reported(ACCOUNT);
  expect(waits).toEqual([]);
});

test("a report of an account without a note brings none", () => {
  const { watch, waits } = given();
  watch.reported(accountId("tv-1-8"));
  expect(waits).toHaveLength(1);
});
