// The goal: how an intent ended is told by one event with the right name, and nothing is told twice.
import { expect, test } from "vitest";
import { contractCode } from "../../../../src/domain/contracts/contract.ts";
import { accountId, intentId, orderId, userId } from "../../../../src/domain/ids.ts";
import type { Intent, IntentRecord, IntentState, Outcome } from "../../../../src/domain/intent.ts";
import { eventOfIntent } from "../../../../src/trading/notify/event-of-intent.ts";

const ES = contractCode({ root: "ES", year: 2026, month: 12 });
const order = { contract: ES, side: "BUY", orderQty: 2, ordType: "MARKET", timeInForce: "DAY" };
const PLACE = { kind: "PLACE", order } as Intent;
const FLATTEN: Intent = { kind: "FLATTEN", cancelResting: true };
const CANCEL: Intent = { kind: "CANCEL", orderId: orderId("7") };

const record = (intent: Intent, outcome: Outcome, change: Partial<IntentRecord> = {}) =>
  ({
    intentId: intentId("i1"),
    accountId: accountId("paper-1"),
    userId: userId("user_1"),
    source: { kind: "webhook" },
    requestId: "r1",
    intent,
    state: outcome.kind.toUpperCase() as IntentState,
    clOrdIds: [],
    acceptedAt: 0,
    entryExpiresAt: 30_000,
    exitExpiresAt: 600_000,
    outcome,
    ...change,
  }) as IntentRecord;

const flattened = { kind: "FLATTEN", closed: [], problems: [], remainingOrderIds: [] } as const;
const filled = {
  kind: "done",
  result: {
    kind: "PLACE",
    contract: ES,
    order: { orderId: orderId("9"), ordStatus: "FILLED", cumQty: 2 },
  },
} as const satisfies Outcome;
const canceled = {
  kind: "done",
  result: {
    kind: "PLACE",
    contract: ES,
    order: { orderId: orderId("9"), ordStatus: "CANCELED", cumQty: 0 },
  },
} as const satisfies Outcome;
const CLOSE = {
  kind: "ADJUST",
  contract: ES,
  aim: { to: "close", percent: 100 },
  terms: { ordType: "MARKET", timeInForce: "DAY" },
} as Intent;
const OUT = { ...CLOSE, aim: { to: "position", netQty: 0 } } as Intent;
const PROTECT = { kind: "PROTECT", contract: ES, levels: {} } as Intent;
const reason = "it says why";
const inactive = { kind: "denied", code: "ACCOUNT_INACTIVE", reason } as const;
const left = [{ contract: ES, netQty: 2 }];

test.each<[what: string, Intent, Outcome, string | undefined, IntentState?]>([
  ["an exit that the broker refused", FLATTEN, { kind: "rejected", reason }, "exit.failed"],
  ["a close that it refused", CLOSE, { kind: "rejected", reason }, "exit.failed"],
  ["a close that grew too old", CLOSE, { kind: "expired", reason }, "exit.failed"],
  ["a target of nothing that it refused", OUT, { kind: "rejected", reason }, "exit.failed"],
  ["one that we refused", OUT, inactive, "exit.failed"],
  ["an order that would have closed", PLACE, { ...inactive, closes: true }, "exit.failed"],
  ["exits that were refused", PROTECT, { kind: "rejected", reason }, "position.unprotected"],
  ["a copy that a newer one replaced", OUT, { kind: "overtaken", reason }, "order.overtaken"],
  ["what the broker cancelled", PLACE, canceled, "order.canceled"],
  [
    "what went wrong on the way",
    PLACE,
    { ...filled, result: { ...filled.result, problems: [reason] } },
    "order.incomplete",
  ],
  ["what the broker refused", PLACE, { kind: "rejected", reason }, "order.rejected"],
  ["what we refused", PLACE, { kind: "denied", code: "LIMIT_EXCEEDED", reason }, "order.refused"],
  ["an entry that grew too old", PLACE, { kind: "expired", reason }, "order.expired"],
  ["an exit that did", FLATTEN, { kind: "expired", reason }, "exit.failed"],
  ["an entry that was not sent", PLACE, { kind: "notSent", reason }, "order.not_sent"],
  ["an exit that was not", FLATTEN, { kind: "notSent", reason }, "exit.failed"],
  ["what was overtaken", PLACE, { kind: "overtaken", reason }, "order.overtaken"],
  ["what nobody answered", PLACE, { kind: "unknown", reason }, "order.outcome_unknown"],
  ["what never came there", PLACE, { kind: "lost", reason }, "order.lost"],
  ["a fill, which its ledger tells", PLACE, filled, undefined],
  ["one that was unknown until then", PLACE, filled, "order.settled", "UNKNOWN"],
  ["a cancel", CANCEL, { kind: "done", result: CANCEL }, "order.canceled"],
  [
    "a flatten that left something",
    FLATTEN,
    { kind: "done", result: { ...flattened, canceledOrderIds: [], remaining: left } },
    "exit.failed",
  ],
  [
    "one that cancelled orders",
    FLATTEN,
    {
      kind: "done",
      result: { ...flattened, canceledOrderIds: [orderId("8")], remaining: [] },
    },
    "order.canceled",
  ],
  [
    "one that had nothing to do",
    FLATTEN,
    { kind: "done", result: { ...flattened, canceledOrderIds: [], remaining: [] } },
    undefined,
  ],
])("%s", (_, intent, outcome, type, before = "SENDING") => {
  const event = eventOfIntent(record(intent, outcome), before);
  expect(event?.type).toBe(type);
  expect(event?.message ?? reason).toContain("reason" in outcome ? reason : "");
});

test("a test is not told", () => {
  const denied = { kind: "denied", code: "LIMIT_EXCEEDED", reason } as const;
  expect(eventOfIntent(record(PLACE, denied, { test: true }), "PREPARED")).toBeUndefined();
});

test("what is told names the order, who asked for it, and never more", () => {
  const denied = { kind: "denied", code: "LIMIT_EXCEEDED", reason } as const;
  const event = eventOfIntent(record(PLACE, denied), "PREPARED");
  expect(event).toEqual({
    type: "order.refused",
    severity: "warning",
    accountId: "paper-1",
    message: "paper-1: Buy 2 ESZ6. The gateway refused it: it says why",
    facts: {
      intentId: "i1",
      alertId: "i1",
      symbol: "ESZ6",
      action: "buy",
      qty: 2,
      source: "webhook",
      outcome: "denied",
      code: "LIMIT_EXCEEDED",
      reason,
    },
  });
});
