import { expect, test } from "vitest";
import type { IntentRecord, IntentState, Outcome } from "../../../../src/domain/intent.ts";
import { copyOutcome } from "../../../../src/trading/copying/copy-outcome.ts";
import { copyEntry, FIRST, NOW, OWNER } from "./copy-kit.ts";

const entry = copyEntry({ targetQty: 1 });

function intent(state: IntentState, outcome?: Outcome): IntentRecord {
  return {
    intentId: entry.copyId,
    accountId: FIRST,
    userId: OWNER,
    source: { kind: "copy" },
    requestId: "i1",
    intent: { kind: "FLATTEN", cancelResting: true },
    state,
    clOrdIds: [],
    acceptedAt: NOW,
    entryExpiresAt: NOW,
    exitExpiresAt: NOW,
    ...(outcome !== undefined && { outcome }),
  };
}

const reason = "no";
const closed = {
  kind: "FLATTEN",
  closed: [],
  canceledOrderIds: [],
  remaining: [],
  remainingOrderIds: [],
  problems: [],
} as const;

const measure = { filledQty: 1, settledMs: 12 };

test.each([
  ["skipped", { skipped: { reason } }],
  ["pending", {}],
  ["pending", { intent: intent("PREPARED") }],
  ["pending", { intent: intent("SENDING") }],
  ["unknown", { intent: intent("UNKNOWN", { kind: "unknown", reason }) }],
  ["expired", { intent: intent("EXPIRED", { kind: "expired", reason }) }],
  ["rejected", { intent: intent("REJECTED", { kind: "rejected", reason }) }],
  ["pending", { intent: intent("DONE", { kind: "done", result: closed }) }],
  ["done", { intent: intent("DONE", { kind: "done", result: closed }), measure }],
] as const)("a copy is %s, of %j", (word, more) => {
  expect(copyOutcome({ entry, ...more })).toBe(word);
});
