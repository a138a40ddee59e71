import { describe, expect, test } from "vitest";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { clOrdIdOf, type Outcome } from "../../../../src/domain/intent.ts";
import type { IntentResult } from "../../../../src/domain/intent-result.ts";
import { intentId, orderId } from "../../../../src/domain/ids.ts";
import {
  presentLoggedAlert,
  presentWholeAlert,
} from "../../../../src/http/present/logged-alert.ts";
import type { LoggedAlert } from "../../../../src/trading/alerts/alert-log.ts";
import { accepted, ended, REFUSED } from "../../trading/alerts/logged-alerts.ts";
import { ES, filled } from "../http-kit.ts";

const NEXT = "ESH2027" as ContractCode;

const describeContract = (contract: ContractCode) => ({
  symbol: contract === ES ? "ESZ6" : "ESH7",
  tickSize: "0.25",
  tickValue: "12.50",
  currency: "USD",
});
const line = (alert: LoggedAlert) => presentLoggedAlert(alert, describeContract);
const whole = (alert: LoggedAlert) => presentWholeAlert(alert, describeContract);

const done = (result: IntentResult): Outcome => ({ kind: "done", result });
const order = filled.result.order;

describe("a line of the log", () => {
  const nothing = { code: null, orderIds: [], test: false, duplicateOf: null, replayOf: null };

  test.each<[string, LoggedAlert, object]>([
    [
      "of what was done",
      accepted("a", filled, { senderAlertId: "mine" }),
      {
        ...nothing,
        outcome: "done",
        reason: "The order in ESZ6 is filled: 1 at 5000.25",
        read: "buy 1 ES1!",
        symbol: "ESZ6",
        senderAlertId: "mine",
        orderIds: ["4000001"],
      },
    ],
    ["of what is under way", accepted("a"), { ...nothing, outcome: "pending", reason: null }],
    [
      "of what could not be read",
      ended("a", REFUSED, { request: undefined, contract: undefined } as never),
      {
        ...nothing,
        outcome: "refused",
        code: "UNKNOWN_SYMBOL",
        reason: "Unknown symbol",
        read: null,
        symbol: null,
      },
    ],
    [
      "of what was denied",
      accepted("a", { kind: "denied", code: "LIMIT_EXCEEDED", reason: "Too many" }),
      { ...nothing, outcome: "denied", code: "LIMIT_EXCEEDED", reason: "Too many" },
    ],
    [
      "of a repeat",
      ended("a", { kind: "duplicate", of: intentId("b") }),
      { ...nothing, outcome: "duplicate", duplicateOf: "b", reason: "It repeats alert b" },
    ],
    [
      "of a replay",
      accepted("a", filled, { replayOf: intentId("b") }),
      { outcome: "done", replayOf: "b" },
    ],
    [
      "of a test",
      accepted("a", done({ kind: "TEST", steps: [] }), { test: true }),
      { ...nothing, outcome: "test", test: true, reason: "A test: nothing was sent" },
    ],
  ])("%s", (_, alert, expected) => {
    expect(line(alert)).toMatchObject({ alertId: "a", webhookId: "wh_1", ...expected });
  });

  const o = (id: string) => orderId(id);
  const closed = [{ contract: ES, netQty: 1, orderId: o("c1") }];

  test.each<[IntentResult, readonly string[]]>([
    [
      {
        kind: "PLACE",
        contract: ES,
        order: { ...order, takeProfitOrderId: o("t"), stopLossOrderId: o("s") },
      },
      ["4000001", "t", "s"],
    ],
    [
      {
        kind: "ADJUST",
        contract: ES,
        closed,
        canceledOrderIds: [o("x")],
        order: { ...order, stopLossOrderId: o("s"), side: "BUY", orderQty: 1 },
        exits: { kind: "standing", contract: ES, orderQty: 1, stopLossOrderId: o("s0") },
        problems: [],
      },
      ["c1", "s0", "4000001", "s"],
    ],
    [
      {
        kind: "ADJUST",
        contract: ES,
        closed,
        canceledOrderIds: [],
        problems: [],
        exits: { kind: "none" as const },
      },
      ["c1"],
    ],
    [
      {
        kind: "FLATTEN",
        closed,
        canceledOrderIds: [o("x")],
        remaining: [],
        remainingOrderIds: [],
        problems: [],
      },
      ["c1"],
    ],
    [{ kind: "PROTECT", contract: ES, orderQty: 1, stopLossOrderId: o("s") }, ["s"]],
    [{ kind: "CANCEL_ENTRIES", canceledOrderIds: [o("x")] }, []],
    [{ kind: "TEST", steps: [] }, []],
  ])("names the orders that were sent for it: %j", (result, expected) => {
    expect(line(accepted("a", done(result))).orderIds).toEqual(expected);
  });

  test("shows when it passed each stage", () => {
    const acknowledged = done({ ...filled.result, order: { ...order, ackMs: 12 } });
    expect(line(accepted("a", acknowledged)).times).toEqual({
      received: "2026-09-21T14:30:00.000Z",
      enqueued: "2026-09-21T14:30:00.001Z",
      sent: "2026-09-21T14:30:00.005Z",
      acknowledged: "2026-09-21T14:30:00.017Z",
      settled: "2026-09-21T14:30:00.050Z",
    });
    expect(line(accepted("a", filled)).times.acknowledged).toBeNull();
    expect(line(accepted("a")).times).toMatchObject({
      enqueued: "2026-09-21T14:30:00.001Z",
      sent: null,
      acknowledged: null,
      settled: null,
    });
    expect(line(ended("a", REFUSED)).times).toMatchObject({
      received: "2026-09-21T14:30:00.000Z",
      enqueued: null,
      sent: null,
    });
  });
});

describe("everything about one alert", () => {
  test("has what was received, who sent it, and what was made of it", () => {
    const alert = accepted("a", filled, { place: 2, unread: ["comment"], profile: "traderspost" });
    expect(whole(alert)).toMatchObject({
      ...line(alert),
      requestId: "r_1",
      sender: "192.0.2.1",
      profile: "traderspost",
      body: '{"action":"buy","symbol":"ES1!","qty":1}',
      bodyBytes: 40,
      place: 2,
      unreadFields: ["comment"],
      details: [],
      intent: { intentId: "a", kind: "place", state: "done" },
    });
  });

  test("has every problem of one that was refused", () => {
    expect(whole(ended("a", REFUSED))).toMatchObject({
      place: null,
      details: [{ path: "symbol", message: "no such root" }],
      intent: null,
    });
  });

  const held = done({ kind: "PLACE", contract: NEXT, order });

  test.each<[string, LoggedAlert, readonly string[]]>([
    ["what the symbol stands for", accepted("a", filled), ["ES1! is ESZ6"]],
    ["nothing, where it is written out", accepted("a", filled, { request: named("ESZ6") }), []],
    [
      "what the webhook's options did, first",
      accepted("a", filled, { decisions: ["NQ is traded as ES1!"] }),
      ["NQ is traded as ES1!", "ES1! is ESZ6"],
    ],
    [
      "the month that is held",
      accepted("a", held),
      ["ES1! is ESZ6", "It went to ESH7, which is held"],
    ],
    [
      "nothing of what was never resolved",
      ended("a", REFUSED, { request: named("ZZZ"), contract: undefined } as never),
      [],
    ],
  ])("says what was decided: %s", (_, alert, decisions) => {
    expect(whole(alert).decisions).toEqual(decisions);
  });

  test("holds no identifier that only the broker is to see", () => {
    const clOrdIds = [clOrdIdOf(intentId("a"), 1)];
    const alert = accepted("a", filled, { intent: { clOrdIds } });
    expect(JSON.stringify(whole(alert))).not.toContain("a-1");
  });
});

function named(symbol: string) {
  return {
    kind: "order",
    ticket: { symbol, side: "BUY", orderQty: 1, ordType: "MARKET" },
  } as const;
}
