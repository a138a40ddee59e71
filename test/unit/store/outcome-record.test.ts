import { expect, test } from "vitest";
import { contractCode } from "../../../src/domain/contracts/contract.ts";
import { orderId } from "../../../src/domain/ids.ts";
import { type Intent, type Outcome, stateOf } from "../../../src/domain/intent.ts";
import type { IntentResult } from "../../../src/domain/intent-result.ts";
import { decodeOutcome, encodeOutcome } from "../../../src/store/intents/outcome-record.ts";

const ES = contractCode({ root: "ES", year: 2026, month: 12 });
const terms = { ordType: "MARKET", timeInForce: "DAY" } as const;
const nothing = { closed: [], canceledOrderIds: [], problems: [] };
const order = { orderId: orderId("7"), ordStatus: "FILLED", cumQty: 1 } as const;

const place: Intent = {
  kind: "PLACE",
  order: { contract: ES, side: "BUY", orderQty: 1, ...terms },
};
const adjust: Intent = { kind: "ADJUST", contract: ES, aim: { to: "position", netQty: 0 }, terms };
const flatten: Intent = { kind: "FLATTEN", cancelResting: true };
const cancelEntries: Intent = { kind: "CANCEL_ENTRIES" };
const cancel: Intent = { kind: "CANCEL", orderId: orderId("7") };

const flattened = {
  kind: "FLATTEN",
  ...nothing,
  remaining: [],
  remainingOrderIds: [],
} as const satisfies IntentResult;

const results: readonly (readonly [Intent, IntentResult])[] = [
  [place, { kind: "PLACE", contract: ES, order }],
  [adjust, { kind: "ADJUST", contract: ES, ...nothing }],
  [
    adjust,
    { kind: "ADJUST", contract: ES, ...nothing, order: { ...order, side: "BUY", orderQty: 1 } },
  ],
  [flatten, flattened],
  [flatten, { ...flattened, canceledOrderIds: [orderId("8")], problems: ["One"] }],
  [cancelEntries, { kind: "CANCEL_ENTRIES", canceledOrderIds: [] }],
  [cancelEntries, { kind: "CANCEL_ENTRIES", canceledOrderIds: [orderId("8")] }],
  [cancel, { kind: "CANCEL", orderId: orderId("7") }],
  [flatten, { kind: "TEST", steps: [] }],
];
const others: readonly Outcome[] = [
  { kind: "denied", code: "NO_POSITION", reason: "Nothing is held" },
  { kind: "unprotected", canceled: "a stop", reason: "Refused", restored: false },
  { kind: "unknown", reason: "No answer", soFar: flattened },
  { kind: "unknown", reason: "No answer" },
];

const readBack = (intent: Intent, outcome: Outcome): Outcome =>
  decodeOutcome({ state: stateOf(outcome), intent }, encodeOutcome(outcome, intent));

test.each(results)("what was done of %j is read as it was written", (intent, result) => {
  const outcome = { kind: "done", result } as const;
  expect(readBack(intent, outcome)).toEqual(outcome);
});

test.each(others)("the outcome %j is read as it was written", (outcome) => {
  for (const intent of [place, flatten]) expect(readBack(intent, outcome)).toEqual(outcome);
});
