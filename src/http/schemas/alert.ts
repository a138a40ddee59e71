import {
  AccountIdText,
  choice,
  CredentialIdText,
  Cursor,
  Instant,
  IntentIdText,
  NextCursor,
  nullable,
  NumberOrText,
  OrderIdText,
  PageLimit,
  ResolvedSymbol,
  Symbol,
} from "./parts.ts";
import { Bracket, Leg, OrderReply, PRICES_WRITTEN, sizeSchema } from "./order.ts";
import { Type } from "@sinclair/typebox";
import { STRATEGY_ALERT_ID } from "../../domain/declared/strategy-alert-id.ts";
import { ALERT_PROFILES } from "../../domain/declared/webhook-options.ts";
import { SEVERITIES } from "../../domain/severity.ts";
import { ALERT_OUTCOMES } from "../../trading/alerts/alert-outcome.ts";
import { ACTIONS, DURATIONS, ORDER_TYPES } from "../words.ts";
import { AdjustReply, TestReply } from "./adjust.ts";
import { CanceledEntries, IntentReply } from "./intent.ts";
import { FlattenReply, GOING_ON, ProtectReply } from "./position.ts";
import { INTENT_RECORD, ORDER } from "./examples.ts";

const LegWritten = Type.Object(
  {
    price: Type.Optional(NumberOrText),
    ticks: Type.Optional(NumberOrText),
    offset: Type.Optional(NumberOrText),
  },
  { title: "AlertLeg", description: Leg.description ?? "", minProperties: 1, maxProperties: 1 },
);

const FLATTENING = "close, flat, flatten and exit";

/** For the API document; `http/alerts` does the reading, which is more forgiving. */
const NativeAlert = Type.Object(
  {
    action: Type.Optional(
      choice(
        [...ACTIONS, "close", "flat", "flatten", "exit", "reverse", "reduce", "cancel", "protect"],
        {
          description: `In any case. ${FLATTENING} cancel every resting order and close every position of the webhook's account; reduce closes qty contracts, or percent, of one symbol; reverse turns it around; cancel ends resting entries; protect puts exits on what is held`,
        },
      ),
    ),
    position: Type.Optional(
      Type.Union([Type.Integer(), Type.String()], {
        description:
          "Instead of action and qty: where the position is to stand, positive long, negative short, 0 flat",
      }),
    ),
    symbol: Type.Optional(Symbol),
    qty: Type.Optional(NumberOrText),
    size: Type.Optional(sizeSchema("AlertSize", NumberOrText)),
    risk: Type.Optional(NumberOrText),
    riskPercent: Type.Optional(NumberOrText),
    percent: Type.Optional(NumberOrText),
    type: Type.Optional(choice(ORDER_TYPES, { default: "market" })),
    ...PRICES_WRITTEN,
    timeInForce: Type.Optional(choice(DURATIONS, { default: "day" })),
    bracket: Type.Optional(
      Type.Object(
        { takeProfit: Type.Optional(LegWritten), stopLoss: Type.Optional(LegWritten) },
        { title: "AlertBracket", description: Bracket.description ?? "" },
      ),
    ),
    takeProfit: Type.Optional(LegWritten),
    stopLoss: Type.Optional(LegWritten),
    exitPlan: Type.Optional(
      Type.Unsafe<string | object>({
        type: ["object", "string"],
        description:
          "Instead of take-profit and stop-loss: the name of one of your exit plans, or a definition as PUT /v1/exit-plans takes it, with numbers as text too",
        examples: ["runner"],
      }),
    ),
    cancelFirst: Type.Optional(
      Type.Boolean({
        description:
          "Cancel what rests in the symbol before; exits of what stays are kept. With position true unless said otherwise",
      }),
    ),
    alertId: Type.Optional(
      Type.String({
        maxLength: 1_000,
        description: "Your own name for it: the same one within 24 hours is the same alert",
      }),
    ),
    maxAgeSeconds: Type.Optional(NumberOrText),
    firedAt: Type.Optional(
      Type.String({
        description:
          "{{timenow}}: the age of what opens or grows a position counts from then. An entry that is more than 60 s old, or older than maxAgeSeconds or the webhook's entryMaxAgeSeconds, is refused",
      }),
    ),
    test: Type.Optional(Type.Boolean({ description: "Everything but the sending" })),
  },
  {
    title: "Alert",
    description:
      "The native profile. Names in any case, numbers and flags as text too. Fields that charting platforms send beside an order (time, comment, close, …) are passed over and named in the answer; every other unknown name is refused, unless the alert only closes or cancels. Other profiles read other services' words; docs/alerts.md has them",
  },
);

export const AlertBody = Type.Union([NativeAlert, Type.Array(NativeAlert, { maxItems: 20 })], {
  description:
    "JSON, an array of alerts, name=value pairs parted by semicolons or lines, or the comma form `licence,command,symbol,name=value`",
});

const Duplicate = Type.Optional(
  Type.Boolean({ description: "This alert came before; this is its first answer" }),
);

const UnreadFields = Type.Array(Type.String(), {
  description: "Its fields that were passed over: they ask for nothing this gateway acts on",
});

const Notes = Type.Array(Type.String(), {
  description: "Which exits the alert says that its order is to go without, in plain words",
});

const handled = (outcome: string) => ({
  alertId: IntentIdText,
  outcome: choice([outcome]),
  duplicate: Duplicate,
  unreadFields: Type.Optional(UnreadFields),
  notes: Type.Optional(Notes),
});

const AlertDone = Type.Union([
  Type.Object(
    { ...handled("done"), action: choice(ACTIONS), ...OrderReply.properties },
    { title: "AlertOrderDone" },
  ),
  Type.Object({ ...handled("done"), ...FlattenReply.properties }, { title: "AlertFlattenDone" }),
  Type.Object({ ...handled("done"), ...AdjustReply.properties }, { title: "AlertAdjustDone" }),
  Type.Object({ ...handled("done"), ...ProtectReply.properties }, { title: "AlertProtectDone" }),
  Type.Object(
    {
      ...handled("done"),
      intentId: IntentIdText,
      accountId: AccountIdText,
      ...CanceledEntries.properties,
    },
    { title: "AlertCancelDone" },
  ),
  Type.Object({ ...handled("test"), ...TestReply.properties }, { title: "AlertTested" }),
]);

export const AlertAcceptedReply = Type.Object(
  {
    alertId: IntentIdText,
    intentId: IntentIdText,
    outcome: choice(["pending", "unknown", "unfinished", "held"], {
      description:
        "pending: under way. unknown: it may be live at the broker. unfinished: an exit that is tried again by itself. held: an exit that goes on when its market opens",
    }),
    reason: Type.Optional(GOING_ON.reason),
    opensAt: Type.Optional(GOING_ON.opensAt),
    duplicate: Duplicate,
    unreadFields: Type.Optional(UnreadFields),
    notes: Type.Optional(Notes),
  },
  { title: "AlertAccepted" },
);

/** The answer to an alert for a group: one for each account, with the status it would have had alone. */
export const AlertGroupReply = Type.Object(
  {
    alertId: IntentIdText,
    groupId: Type.String(),
    outcome: choice(["split"]),
    duplicate: Duplicate,
    problems: Type.Optional(
      Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
        description:
          "Of a way out: accounts that it names and the group does not have, or not on. The others were asked",
      }),
    ),
    accounts: Type.Array(
      Type.Object(
        { accountId: AccountIdText, httpStatus: Type.Integer() },
        { additionalProperties: true },
      ),
    ),
  },
  { title: "AlertGroup" },
);

/** The answer to an array: one for each alert, each with the status it would have had alone. */
export const AlertListReply = Type.Object(
  {
    alerts: Type.Array(Type.Object({ httpStatus: Type.Integer() }, { additionalProperties: true })),
  },
  { title: "AlertList" },
);

export const AlertDoneReply = Type.Union([AlertDone, AlertListReply, AlertGroupReply]);
export const AlertPendingReply = Type.Union([AlertAcceptedReply, AlertListReply, AlertGroupReply]);
export const AlertMixedReply = Type.Union([AlertListReply, AlertGroupReply]);

const LoggedAlertFields = {
  alertId: IntentIdText,
  webhookId: CredentialIdText,
  accountId: Type.String({
    ...AccountIdText,
    description:
      "Of an alert for a group as a whole (groupId without partOf): the account that its webhook lies with",
  }),
  outcome: choice(ALERT_OUTCOMES, {
    description:
      "done: carried out. pending: waits or is under way. refused: nothing was accepted. denied: this gateway refused it right before sending. rejected: the broker refused it. overtaken: the account was flattened before it was sent, and it never will be. expired, withdrawn, notSent, lost: nothing is at the broker. unknown: it may be live there. duplicate: an earlier one stands for it. test: nothing was to be sent. unprotected: the position may stand without its exits. split: it went to the accounts of a group, each of which has a line of its own (children)",
  }),
  code: nullable(
    Type.String({ description: "The error code, where it was refused, denied or overtaken" }),
  ),
  reason: nullable(Type.String({ description: "What became of it, in plain words" })),
  severity: nullable(
    choice(SEVERITIES, {
      description:
        "How much a refusal matters: critical where the alert asked for a way out, or has a word for one",
    }),
  ),
  read: nullable(
    Type.String({ description: "How it was understood; null when it could not be read" }),
  ),
  symbol: nullable(ResolvedSymbol),
  place: nullable(Type.Integer({ description: "Its place in an array of alerts, from 0" })),
  test: Type.Boolean(),
  duplicateOf: nullable(IntentIdText),
  replayOf: nullable(IntentIdText),
  groupId: nullable(
    Type.String({
      description: "The account group that it went to, as a whole or in this account",
    }),
  ),
  partOf: nullable(
    Type.String({
      description: "Of one account's part of an alert for a group: the alert as a whole",
    }),
  ),
  children: Type.Array(
    Type.Object({ accountId: AccountIdText, alertId: IntentIdText }, { title: "AlertPart" }),
    {
      description:
        "Of an alert for a group: its line in each account, for GET /v1/alerts/{alertId}",
    },
  ),
  senderAlertId: nullable(Type.String({ description: "The alertId in its body" })),
  unreadFields: UnreadFields,
  orderIds: Type.Array(OrderIdText),
  times: Type.Object(
    {
      received: Instant,
      enqueued: nullable(Instant),
      sent: nullable(Instant),
      acknowledged: nullable(Instant),
      settled: nullable(Instant),
    },
    { title: "AlertTimes", description: "When it passed each stage" },
  ),
};

export const LoggedAlertReply = Type.Object(
  {
    ...LoggedAlertFields,
    requestId: Type.String(),
    sender: Type.String({ description: "The address it came from" }),
    profile: choice(ALERT_PROFILES),
    body: Type.String({ description: "As received, without secrets, at most 4,096 characters" }),
    bodyBytes: Type.Integer({ description: "How long it was" }),
    decisions: Type.Array(Type.String(), { description: "What was decided, in plain words" }),
    details: Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
      description: "Every problem, where it was refused",
    }),
    intent: nullable(IntentReply),
  },
  { title: "LoggedAlert" },
);

export const LoggedAlertsReply = Type.Object(
  {
    alerts: Type.Array(Type.Object(LoggedAlertFields, { title: "LoggedAlertLine" })),
    nextCursor: NextCursor,
  },
  { title: "LoggedAlerts" },
);

const instant = (description: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: `${description}: 2026-09-21T14:30:00Z, or Unix time in milliseconds`,
    }),
  );

export const AlertsQuery = Type.Object(
  {
    limit: PageLimit,
    cursor: Type.Optional(Cursor),
    accountId: Type.Optional(AccountIdText),
    webhookId: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
    outcome: Type.Optional(choice(ALERT_OUTCOMES)),
    from: instant("Only alerts received then or later"),
    to: instant("Only alerts received before"),
  },
  { additionalProperties: false },
);

/** The alerts of the story that `examples.ts` tells. */

const ALERT = "01J8ZK3V7M";
const TIME = "2026-09-21T14:30:00.000Z";

export const ALERT_BODIES = {
  order: {
    action: "buy",
    symbol: "ES1!",
    qty: 1,
    stopLoss: { ticks: 20 },
    alertId: STRATEGY_ALERT_ID,
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
      exitPlan: null,
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
  severity: null,
  read: "buy 1 ES1!, stop-loss 20 ticks away",
  symbol: "ESZ6",
  place: null,
  test: false,
  duplicateOf: null,
  replayOf: null,
  groupId: null,
  partOf: null,
  children: [],
  senderAlertId: "Long 2026-09-21T14:29:59Z long 1",
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
