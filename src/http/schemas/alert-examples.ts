import { INTENT_RECORD, ORDER } from "./examples.ts";

/** The alerts of the story that `examples.ts` tells. */

const ALERT = "01J8ZK3V7M";
const TIME = "2026-09-21T14:30:00.000Z";

export const ALERT_BODIES = {
  order: {
    action: "buy",
    symbol: "ES1!",
    qty: 1,
    stopLoss: { ticks: 20 },
    alertId: "breakout-{{timenow}}",
  },
  position: { position: -2, symbol: "NQ1!" },
  reduce: { action: "reduce", symbol: "ES1!", percent: 50 },
  flatten: { action: "flatten" },
  several: [{ action: "flatten" }, { action: "buy", symbol: "ES1!", qty: 1 }],
};

export const ALERT_DONE = {
  alertId: ALERT,
  outcome: "done",
  action: "buy",
  ...ORDER,
  bracket: { takeProfitOrderId: null, stopLossOrderId: "4000003" },
};

export const ALERT_LIST = {
  alerts: [
    { httpStatus: 200, ...ALERT_DONE },
    { httpStatus: 202, alertId: "01J8ZK3V7N", intentId: "01J8ZK3V7N", outcome: "pending" },
  ],
};

export const ALERT_TESTED = {
  alertId: ALERT,
  outcome: "test",
  accountId: "paper-1",
  wouldDo: [
    {
      step: "order",
      order: INTENT_RECORD.order,
      adds: true,
    },
  ],
  intentId: ALERT,
};

export const LOGGED_ALERT_LINE = {
  alertId: ALERT,
  webhookId: "wh_5Q2m",
  accountId: "paper-1",
  outcome: "done",
  code: null,
  reason: "The order in ESZ6 is filled: 1 at 5000.25",
  read: "buy 1 ES1!, stop-loss 20 ticks away",
  symbol: "ESZ6",
  place: null,
  test: false,
  duplicateOf: null,
  replayOf: null,
  senderAlertId: "breakout-2026-09-21T14:29:59Z",
  unreadFields: [],
  orderIds: ["4000001", "4000003"],
  times: { received: TIME, enqueued: TIME, sent: TIME, acknowledged: TIME, settled: TIME },
};

export const LOGGED_ALERT = {
  ...LOGGED_ALERT_LINE,
  requestId: "7d0f6a52-6f0c-4bde-8f6e-0d9f6f0a2a11",
  sender: "52.89.214.238",
  profile: "native",
  body: '{"action":"buy","symbol":"ES1!","qty":1,"stopLoss":{"ticks":20}}',
  bodyBytes: 64,
  decisions: ["ES1! is ESZ6"],
  details: [],
  intent: INTENT_RECORD,
};
