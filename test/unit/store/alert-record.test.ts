import fc from "fast-check";
import { expect, test } from "vitest";
import type { AlertRequest } from "../../../src/domain/alert.ts";
import { contractCode } from "../../../src/domain/contracts/contract.ts";
import { accountId, credentialId, intentId, userId } from "../../../src/domain/ids.ts";
import type { Intent } from "../../../src/domain/intent.ts";
import { ticks } from "../../../src/domain/contracts/price.ts";
import {
  ALERT_FIELDS,
  decodeAccepted,
  decodeEnded,
  encodeAlert,
  encodeEnded,
} from "../../../src/store/alerts/alert-record.ts";
import { encodeIntent } from "../../../src/store/intents/intent-record.ts";
import type { AlertEntry } from "../../../src/trading/alerts/alert-log.ts";
import type { NewIntent } from "../../../src/trading/orders/ports.ts";

const ES = contractCode({ root: "ES", year: 2026, month: 12 });
const WANTED = {
  userId: userId("user_1"),
  source: { kind: "webhook", credentialId: credentialId("hook_1") },
  requestId: "r1",
} as const;
const ACCEPTED_AT = 5;
const NAMED = { alertId: intentId("i1"), accountId: accountId("paper-1") };

/** An object's names in any order: each profile reads them in its own. */
const shuffled = (value: object) =>
  fc
    .shuffledSubarray(Object.entries(value), { minLength: Object.keys(value).length })
    .map((entries) => Object.fromEntries(entries) as object);

const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const some = <Value extends object>(value: Value): Value =>
  JSON.parse(JSON.stringify(value)) as Value;

const bracket = fc.constantFrom({ takeProfit: { ticks: 40 } }, { stopLoss: { price: "6000.25" } });
const ticket = fc
  .record({
    symbol: fc.constantFrom("ES1!", "CME_MINI:ES1!", ES),
    side: fc.constantFrom("BUY", "SELL"),
    orderQty: fc.integer({ min: 1, max: 3 }),
    ordType: fc.constantFrom("MARKET", "LIMIT"),
    timeInForce: optional(fc.constantFrom("DAY", "GTC")),
    price: optional(fc.constant("6000.5")),
    bracket: optional(bracket),
  })
  .map(some)
  .chain(shuffled);
const request = fc.oneof(
  fc.record({ kind: fc.constant("order"), ticket }).chain(shuffled),
  fc
    .record({
      kind: fc.constant("adjust"),
      symbol: fc.constant("ES1!"),
      aim: fc.constant({ to: "position", netQty: 2 }),
      terms: fc.constantFrom({ ordType: "MARKET" }, { timeInForce: "DAY", ordType: "MARKET" }),
      cancelFirst: optional(fc.boolean()),
    })
    .map(some)
    .chain(shuffled),
  fc.constantFrom({ kind: "flatten" }, { kind: "flatten", symbol: "ES1!" }),
) as fc.Arbitrary<AlertRequest>;

const terms = { ordType: "MARKET", timeInForce: "DAY" } as const;
const lasting = { timeInForce: "GTC", bracket: {} } as const;
const legs = {
  takeProfit: { by: "distance", distance: ticks(40) },
  stopLoss: { by: "price", price: ticks(9) },
} as const;
const intents: readonly Intent[] = [
  { kind: "PLACE", order: { contract: ES, side: "BUY", orderQty: 1, ...terms } },
  { kind: "PLACE", order: { contract: ES, side: "BUY", orderQty: 2, ...terms, bracket: legs } },
  {
    kind: "PLACE",
    order: {
      contract: ES,
      side: "BUY",
      orderQty: 1,
      ordType: "LIMIT",
      price: ticks(9),
      ...lasting,
    },
    isFrontMonth: true,
  },
  { kind: "ADJUST", contract: ES, aim: { to: "position", netQty: 2 }, terms, cancelFirst: true },
  { kind: "FLATTEN", mustHold: "ES", cancelResting: true },
];

const body = fc.constantFrom(
  "",
  "  {}\n",
  '{"alertId":"mine","qty":1}',
  '{"alertId": "ü\\n"}',
  "x=ü",
);
const entry = fc
  .record({
    ...Object.fromEntries(
      Object.entries({
        ...NAMED,
        userId: WANTED.userId,
        webhookId: WANTED.source.credentialId,
      }).map(([name, value]) => [name, fc.constant(value)]),
    ),
    requestId: fc.constantFrom("r1", "r2"),
    receivedAt: fc.integer({ min: 1, max: 9 }),
    sender: fc.constant("52.89.214.238"),
    profile: fc.constantFrom("native", "position"),
    body,
    bodyBytes: fc.constantFrom(0, 2, 26, 9_000),
    fingerprint: optional(fc.constantFrom("a", "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU")),
    place: optional(fc.constant(1)),
    request: optional(request),
    senderAlertId: optional(fc.constantFrom("mine", "yours")),
    test: optional(fc.constant(true)),
    unread: fc.constantFrom([], ["time"]),
    contract: optional(fc.constantFrom(ES, "ESH2027")),
    decisions: fc.constantFrom([], ["NQ1! is traded as MNQ1!"]),
    replayOf: optional(fc.constant("i0")),
  })
  .map(some) as unknown as fc.Arbitrary<AlertEntry>;

test("an accepted alert is read as it was written, its request in the same order", () => {
  fc.assert(
    fc.property(
      entry,
      fc.constantFrom(...intents),
      optional(fc.constant(true)),
      (one, intent, test) => {
        const wanted = { ...WANTED, intent, ...(test && { test }) };
        const stored: Readonly<Record<string, string>> = {
          record: encodeIntent(wanted as NewIntent),
          state: "PREPARED",
          acceptedAt: String(ACCEPTED_AT),
          maxAges: "2 30",
          alert: encodeAlert(one, wanted),
          body: one.body,
          age: String(ACCEPTED_AT - one.receivedAt),
        };
        const read = decodeAccepted(
          NAMED,
          ALERT_FIELDS.map((name) => stored[name]),
        );
        expect(read?.entry).toEqual(one);
        expect(read).toMatchObject({ intent: { ...wanted, entryExpiresAt: 7, exitExpiresAt: 35 } });
        expect(JSON.stringify(read?.entry.request)).toBe(JSON.stringify(one.request));
      },
    ),
    { numRuns: 500 },
  );
});

test("an alert without an intent is read as it was written, its request in the same order", () => {
  fc.assert(
    fc.property(entry, (one) => {
      const ending = { kind: "duplicate", of: intentId("i0") } as const;
      const read = decodeEnded(NAMED, encodeEnded(one, ending));
      expect(read).toEqual({ entry: one, ending });
      expect(JSON.stringify(read?.entry.request)).toBe(JSON.stringify(one.request));
    }),
  );
});
