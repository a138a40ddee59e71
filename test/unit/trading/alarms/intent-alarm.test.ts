import { expect, test } from "vitest";
import { accountId, intentId, userId } from "../../../../src/domain/ids.ts";
import type { Intent, IntentRecord, Outcome } from "../../../../src/domain/intent.ts";
import type { DenialCode } from "../../../../src/domain/denials.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { contractCode } from "../../../../src/domain/contracts/contract.ts";
import type { EventKind } from "../../../../src/trading/alarms/alarm.ts";
import { alarmOfIntent } from "../../../../src/trading/alarms/intent-alarm.ts";

const ES = contractCode({ root: "ES", year: 2026, month: 12 });
const stopLoss = { by: "price", price: ticks(27_000) } as const;

const FLATTEN = { kind: "FLATTEN", cancelResting: true } as Intent;
const PROTECT: Intent = { kind: "PROTECT", contract: ES, levels: { stopLoss } };
const PLACE = { kind: "PLACE", order: { contract: ES } } as unknown as Intent;

const record = (
  intent: Intent,
  outcome: Outcome | undefined,
  change: Partial<IntentRecord> = {},
): IntentRecord => ({
  intentId: intentId("i1"),
  accountId: accountId("paper-1"),
  userId: userId("user_1"),
  source: { kind: "api" },
  requestId: "r1",
  intent,
  state: "DONE",
  clOrdIds: [],
  acceptedAt: 0,
  entryExpiresAt: 30_000,
  exitExpiresAt: 600_000,
  settledAt: 600_000,
  ...(outcome !== undefined && { outcome }),
  ...change,
});

const reason = "The reason";
const flattened = (remaining: readonly unknown[], problems: readonly string[] = []) => {
  const result = { kind: "FLATTEN", closed: [], canceledOrderIds: [], remainingOrderIds: [] };
  return { kind: "done", result: { ...result, remaining, problems } } as unknown as Outcome;
};

test.each<[string, IntentRecord, EventKind | undefined]>([
  [
    "that found only what it cannot read",
    record(FLATTEN, flattened([], ["Position 7 cannot be read, so it was not closed"])),
    "exitIncomplete",
  ],
  ["without an outcome", record(PLACE, undefined), "outcomeUnknown"],
  ["that is not settled", record(PLACE, { kind: "unknown", reason }), "outcomeUnknown"],
  ["that was lost", record(PLACE, { kind: "lost", reason }), "orderLost"],
  [
    "whose levels could not be replaced",
    record(PROTECT, { kind: "unprotected", canceled: "stop", reason, restored: false }),
    "protectionFailed",
  ],
  ["that closes, and expired", record(FLATTEN, { kind: "expired", reason }), "exitExpired"],
  ["that opens, and expired", record(PLACE, { kind: "expired", reason }), undefined],
  [
    "of an alert, that waited for as long as an exit may",
    record(PLACE, { kind: "expired", reason }, { source: { kind: "alert" } as never }),
    "exitExpired",
  ],
  [
    "of an alert, that expired as an entry",
    record(
      PLACE,
      { kind: "expired", reason },
      { source: { kind: "alert" } as never, settledAt: 30_000 },
    ),
    undefined,
  ],
  ["that closes, and was not sent", record(FLATTEN, { kind: "notSent", reason }), "exitNotSent"],
  ["that closes, and was withdrawn", record(FLATTEN, { kind: "withdrawn", reason }), "exitNotSent"],
  ["that opens, and was not sent", record(PLACE, { kind: "notSent", reason }), undefined],
  ["that closed all", record(FLATTEN, flattened([])), undefined],
  ["that left something open", record(FLATTEN, flattened([{}])), "exitIncomplete"],
  [
    "that closes, and the broker refused",
    record(FLATTEN, { kind: "rejected", reason }),
    "exitRefused",
  ],
  ["that closes, and we refused", record(FLATTEN, denied("ACCOUNT_INACTIVE")), "exitRefused"],
  ["that closes, with nothing open", record(FLATTEN, denied("NO_POSITION")), undefined],
  ["whose symbol is flat", record(FLATTEN, denied("SYMBOL_MISMATCH")), undefined],
  [
    "whose symbol is held beside another",
    record(FLATTEN, { ...denied("SYMBOL_MISMATCH"), closes: true }),
    "exitRefused",
  ],
  ["to nothing, that was not sent", record(target(0), { kind: "notSent", reason }), "exitNotSent"],
  [
    "to less, that was not sent",
    record(target(1), { kind: "notSent", reason, closes: true }),
    "exitNotSent",
  ],
  ["to more, that was not sent", record(target(3), { kind: "notSent", reason }), undefined],
  [
    "that left more than its target",
    record(target(1), adjusted({ netQty: 2, problems: [reason] })),
    "exitIncomplete",
  ],
  [
    "that opened less than its target",
    record(target(3), adjusted({ netQty: 2, problems: [reason] })),
    undefined,
  ],
  [
    "that found nothing to close, and cancelled what rests",
    record(target(0), adjusted({ netQty: 0, problems: [reason] })),
    undefined,
  ],
  [
    "that would have closed, and the broker refused",
    record(PLACE, { kind: "rejected", reason, closes: true }),
    "exitRefused",
  ],
  ["that protects, and was refused", record(PROTECT, { kind: "rejected", reason }), "exitsMissing"],
  ["that protects what is not held", record(PROTECT, denied("NO_POSITION")), undefined],
  ["that was refused by us", record(PLACE, denied("LIMIT_EXCEEDED")), undefined],
  [
    "to nothing, that a newer one replaced",
    record(target(0), { kind: "overtaken", reason }),
    undefined,
  ],
  ["that a flatten overtook", record(PLACE, { kind: "overtaken", reason }), undefined],
  ["that the broker refused", record(PLACE, { kind: "rejected", reason }), undefined],
])("an intent %s", (_, ended, kind) => {
  expect(alarmOfIntent(ended)).toEqual(kind && { kind, record: ended });
});

function denied(code: DenialCode) {
  return { kind: "denied", code, reason } as const;
}

function target(netQty: number): Intent {
  const terms = { ordType: "MARKET", timeInForce: "DAY" } as const;
  return { kind: "ADJUST", contract: ES, aim: { to: "position", netQty }, terms };
}

function adjusted(result: {
  readonly netQty: number;
  readonly problems: readonly string[];
}): Outcome {
  const nothing = { closed: [], canceledOrderIds: [] };
  return { kind: "done", result: { kind: "ADJUST", contract: ES, ...nothing, ...result } };
}
