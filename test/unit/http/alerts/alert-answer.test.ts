import { describe, expect, test } from "vitest";
import { intentId, orderId } from "../../../../src/domain/ids.ts";
import type { Intent, Outcome } from "../../../../src/domain/intent.ts";
import { errors, GatewayError } from "../../../../src/errors.ts";
import {
  type AlertAudience,
  alertAnswer,
  alertsAnswer,
} from "../../../../src/http/present/alert.ts";
import { errorForSender, hookStatus } from "../../../../src/http/present/outcome.ts";
import { ES, filled, flattened, flattenIntent, openApi, settled, validator } from "../http-kit.ts";
import type { HandledAlert } from "../../../../src/trading/alerts/alert-uses.ts";

const SENDER: AlertAudience = {
  describe: () => ({ symbol: "ESZ6", tickSize: "0.25", tickValue: "12.50", currency: "USD" }),
  requestId: "r_1",
  told: (error) => {
    const told = errorForSender(error);
    return { error: told, status: hookStatus(told) };
  },
};
const CALLER: AlertAudience = {
  ...SENDER,
  told: (error) => ({ error, status: error.spec.status }),
};

const ID = intentId("01J8ZK3V7M");
const ending = (outcome: Outcome, intent?: Intent): HandledAlert => ({
  alertId: ID,
  unread: [],
  settled: settled(outcome, intent),
});

const DONE = ending(filled);
const PENDING: HandledAlert = { alertId: ID, unread: [] };
const UNKNOWN = ending({ kind: "unknown", reason: "x" });
const BAD: HandledAlert = { alertId: ID, error: errors.unknownSymbol("ZZZ", "no root") };
const NOTHING_YET = {
  kind: "FLATTEN",
  closed: [],
  canceledOrderIds: [],
  remaining: [{ contract: ES, netQty: 2 }],
  remainingOrderIds: [],
  problems: ["x"],
} as const;
const GOES_ON = { reason: "x", soFar: NOTHING_YET, settled: [] } as const;
const OPENS_AT = Date.UTC(2026, 10, 29, 23);
const UNFINISHED = ending({ kind: "unfinished", ...GOES_ON }, flattenIntent);
const HELD = ending({ kind: "held", ...GOES_ON, opensAt: OPENS_AT }, flattenIntent);
const CLOSED = ending(
  { kind: "denied", code: "MARKET_CLOSED", reason: "x", opensAt: OPENS_AT },
  flattenIntent,
);
const REJECTED = ending({ kind: "rejected", reason: "x" });
const AWAY: HandledAlert = { alertId: ID, error: errors.storeUnavailable(undefined) };
const NOT_SENT = ending({ kind: "notSent", reason: "x" });
const LOST_ANSWER: HandledAlert = {
  alertId: ID,
  unread: [],
  error: new GatewayError("INTERNAL_ERROR", "The store did not answer"),
};

const terms = { ordType: "MARKET", timeInForce: "DAY" } as const;
const adjust: Intent = { kind: "ADJUST", contract: ES, aim: { to: "add", qty: 1 }, terms };
const adjusted: Outcome = {
  kind: "done",
  result: {
    kind: "ADJUST",
    contract: ES,
    closed: [{ contract: ES, netQty: -1, orderId: orderId("c1") }],
    canceledOrderIds: [orderId("x1")],
    order: { orderId: orderId("o1"), ordStatus: "NEW", cumQty: 0, side: "BUY", orderQty: 2 },
    netQty: 0,
    problems: ["one thing"],
    exits: { kind: "none" as const },
  },
};

describe("what is done is told in the words of its kind, as the document has them", () => {
  const done = (result: Extract<Outcome, { kind: "done" }>["result"]): Outcome => ({
    kind: "done",
    result,
  });
  const protect: Intent = { kind: "PROTECT", contract: ES, levels: {} };

  test.each<[string, HandledAlert, object]>([
    ["an order", DONE, { outcome: "done", action: "buy", orderId: "4000001", status: "filled" }],
    [
      "a flatten",
      ending(flattened, flattenIntent),
      { outcome: "done", closed: [{ side: "short", qty: 2 }], canceledOrders: ["4000002"] },
    ],
    [
      "an adjustment",
      ending(adjusted, adjust),
      {
        outcome: "done",
        position: { qty: 0, side: "flat" },
        closed: [{ side: "short", qty: 1, orderId: "c1" }],
        canceledOrders: ["x1"],
        order: { orderId: "o1", action: "buy", qty: 2, status: "working" },
        problems: ["one thing"],
      },
    ],
    [
      "exits",
      ending(
        done({ kind: "PROTECT", contract: ES, orderQty: 2, stopLossOrderId: orderId("s1") }),
        protect,
      ),
      { outcome: "done", symbol: "ESZ6", qty: 2, takeProfitOrderId: null, stopLossOrderId: "s1" },
    ],
    [
      "a cancel",
      ending(done({ kind: "CANCEL_ENTRIES", canceledOrderIds: [orderId("x1")] }), {
        kind: "CANCEL_ENTRIES",
      }),
      { outcome: "done", accountId: "paper-1", canceledOrders: ["x1"] },
    ],
    [
      "a test",
      ending(
        done({
          kind: "TEST",
          steps: [
            { kind: "cancel", orderId: orderId("x1"), contract: ES },
            { kind: "close", contract: ES, netQty: -1 },
            { kind: "wait", reason: "an earlier one is not known" },
          ],
        }),
      ),
      {
        outcome: "test",
        wouldDo: [
          { step: "cancel", orderId: "x1", symbol: "ESZ6" },
          { step: "close", symbol: "ESZ6", qty: 1, side: "short" },
          { step: "wait", reason: "an earlier one is not known" },
        ],
      },
    ],
  ])("%s", (_, alert, expected) => {
    const { status, body } = alertAnswer(alert, SENDER);
    expect(status).toBe(200);
    expect(body).toMatchObject({ alertId: ID, intentId: ID, ...expected });
    expectDocumented(200, body);
  });
});

describe("one alert", () => {
  test.each<[string, HandledAlert, number, number]>([
    ["done", DONE, 200, 200],
    ["under way", PENDING, 202, 202],
    ["not known", UNKNOWN, 202, 202],
    ["refused for now, and goes on", UNFINISHED, 202, 202],
    ["held until the opening", HELD, 202, 202],
    ["refused, as its market is closed", CLOSED, 409, 409],
    ["unreadable", BAD, 400, 400],
    ["rejected", REJECTED, 422, 502],
    ["not sent", NOT_SENT, 503, 503],
    ["not accepted", AWAY, 503, 503],
    ["perhaps accepted", LOST_ANSWER, 504, 500],
  ])("that is %s is a %j to its sender", (_, alert, toSender, toCaller) => {
    const told = alertsAnswer({ isArray: false, alerts: [alert] }, SENDER);
    expect(told.status).toBe(toSender);
    expectDocumented(toSender, told.body);
    const passedOver = { ...alert, unread: ["comment"] };
    expectDocumented(toSender, alertsAnswer({ isArray: false, alerts: [passedOver] }, SENDER).body);
    expect(alertsAnswer({ isArray: false, alerts: [alert] }, CALLER).status).toBe(toCaller);
  });

  test.each<[string, HandledAlert, object]>([
    ["is tried again", UNFINISHED, { outcome: "unfinished", reason: "x", opensAt: null }],
    ["is held", HELD, { outcome: "held", reason: "x", opensAt: "2026-11-29T23:00:00.000Z" }],
  ])("that %s has its reason, and the opening", (_, alert, expected) => {
    expect(alertAnswer({ ...alert, duplicate: true }, SENDER)).toEqual({
      status: 202,
      body: { alertId: ID, intentId: ID, ...expected, duplicate: true },
    });
  });

  test("of a closed market says when that opens", () => {
    expect(alertAnswer(CLOSED, SENDER).body).toMatchObject({
      error: { code: "MARKET_CLOSED", alertId: ID, opensAt: "2026-11-29T23:00:00.000Z" },
    });
  });

  test.each([
    [ending(filled), "duplicate"],
    [ending({ kind: "unknown", reason: "x" }), "duplicate"],
    [{ alertId: ID, unread: [] }, "duplicate"],
    [ending({ kind: "rejected", reason: "x" }), "error.duplicate"],
  ])("that came before is marked", (alert, path) => {
    expect(alertAnswer({ ...alert, duplicate: true }, SENDER).body).toHaveProperty(path, true);
    expect(alertAnswer(alert, SENDER).body).not.toHaveProperty(path);
  });

  test("that is refused has its id, and every problem", () => {
    expect(alertAnswer(BAD, SENDER)).toMatchObject({
      status: 400,
      errorCode: "UNKNOWN_SYMBOL",
      body: { error: { alertId: ID, details: [{ path: "symbol" }], requestId: "r_1" } },
    });
  });
});

describe("an array", () => {
  test.each<[string, HandledAlert[], number]>([
    ["all done", [DONE, DONE], 200],
    ["one alert, done", [DONE], 200],
    ["all under way", [PENDING, UNKNOWN], 202],
    ["done and under way", [DONE, PENDING], 207],
    ["all held or going on", [HELD, UNFINISHED], 202],
    ["done and refused", [DONE, BAD], 207],
    ["all refused alike", [BAD, BAD], 207],
    ["one alert, refused", [BAD], 207],
    ["done, then not accepted", [DONE, AWAY, AWAY], 207],
    ["refused, then not accepted", [BAD, AWAY], 207],
    ["not sent, then done", [NOT_SENT, DONE], 207],
  ])("%s", (_, alerts, status) => {
    const answer = alertsAnswer({ isArray: true, alerts }, SENDER);
    expect(answer.status).toBe(status);
    const alone = alerts.map((alert) => alertAnswer(alert, SENDER));
    expect(answer.body).toEqual({
      alerts: alone.map((one) => ({ httpStatus: one.status, ...(one.body as object) })),
    });
    expectDocumented(status, answer.body);
  });

  test("of which nothing was accepted is an error alone, so that it is sent again", () => {
    for (const alerts of [[AWAY], [AWAY, AWAY], [NOT_SENT, AWAY]]) {
      const answer = alertsAnswer({ isArray: true, alerts }, SENDER);
      expect([answer.status, answer.body]).toEqual([503, { error: expect.anything() as unknown }]);
    }
  });

  test("of which something may have been accepted is never sent again", () => {
    for (const alerts of [[LOST_ANSWER], [LOST_ANSWER, AWAY], [NOT_SENT, LOST_ANSWER]]) {
      expect(alertsAnswer({ isArray: true, alerts }, SENDER).status).not.toBe(503);
    }
  });
});

function expectDocumented(status: number, body: unknown): void {
  expect(openApi.paths["/hooks/{token}"]?.["post"]?.responses).toHaveProperty(String(status));
  const pointer = `#/paths/~1hooks~1{token}/post/responses/${status}/content/application~1json/schema`;
  const validate = validator(pointer);
  validate(body);
  expect({ body, errors: validate.errors }).toEqual({ body, errors: null });
}
