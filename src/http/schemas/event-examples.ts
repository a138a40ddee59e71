import { accountId, connectionId, intentId, orderId, userId } from "../../domain/ids.ts";
import { presentEvent } from "../../domain/notify/event-body.ts";
import {
  declaredEvent,
  EVENT_TYPES,
  type EventType,
  type GatewayEvent,
} from "../../domain/notify/event.ts";
import type { EventFacts } from "../../domain/notify/event-facts.ts";

/** One of each type, as the API document shows them. */

const ACCOUNT = accountId("paper-1");
const INTENT = intentId("i3f9a0c4d17be52a6c0d91e8b7f24");
const SINCE = "2026-09-21T14:29:30.000Z";
const DAY = [{ currency: "USD", net: "212.40", fees: "4.60" }];

const FACTS: EventFacts = {
  order: {
    intentId: INTENT,
    alertId: INTENT,
    symbol: "MNQZ6",
    action: "buy",
    qty: 2,
    source: "webhook",
  },
  alert: {
    alertId: INTENT,
    webhookId: "wh_5Q2m",
    code: "UNKNOWN_SYMBOL",
    reason: '"MNQX" is no contract that can be traded',
  },
  guard: {
    ruleId: "day-loss",
    ruleKind: "loss",
    reason: "The day's loss is 962.40 USD of 1000.00 USD, and acts from 950.00 USD on",
    figure: "-962.40",
    limit: "-1000.00",
    unit: "money",
    currency: "USD",
    resetsAt: "2026-09-21T22:00:00.000Z",
  },
  state: { cause: "connectionDown", since: SINCE },
  summary: {
    date: "2026-09-21",
    accounts: [
      {
        accountId: ACCOUNT,
        accountName: "Paper 1",
        environment: "demo",
        tradingDay: "2026-09-21",
        trades: 6,
        refusals: 1,
        day: DAY,
        slippageTicks: 3,
      },
    ],
  },
  destination: { destinationId: "ds_8Kd1pQ4v0Zxa", name: "Desk" },
  operator: {
    alertname: "GatewayStoreSlow",
    runbookUrl: "http://127.0.0.1:9090/consoles/runbook.html#gateway-store-slow",
  },
  nothing: {},
};

const FILL = {
  orderId: orderId("4000001"),
  averagePrice: "24001.25",
  outcome: "done",
  positionQty: 2,
  day: DAY,
};
const ended = (outcome: string, reason: string) => ({ outcome, reason });

/** The sentence, and what its type adds or says otherwise. */
const SAID: Readonly<
  Record<
    EventType,
    readonly [message: string, more?: EventFacts["order"] | Partial<EventFacts["guard"]>]
  >
> = {
  "order.filled": ["Bought 2 MNQZ6 at 24001.25", FILL],
  "bracket.target_hit": [
    "Take-profit: sold 2 MNQZ6 at 24031.25",
    { ...FILL, action: "sell", averagePrice: "24031.25", positionQty: 0 },
  ],
  "bracket.stop_hit": [
    "Stop-loss: sold 2 MNQZ6 at 23986.25",
    { ...FILL, action: "sell", averagePrice: "23986.25", positionQty: 0 },
  ],
  "order.fill_corrected": [
    "The broker took back a fill: bought 2 at 24001.25 MNQZ6",
    {
      ...ended("takenBack", "the broker took back a fill: bought 2 at 24001.25 MNQZ6"),
      orderId: orderId("4000001"),
      qty: 0,
      positionQty: 0,
    },
  ],
  "order.canceled": ["1 order in MNQZ6 was cancelled", { outcome: "done" }],
  "order.rejected": [
    "The broker refused to buy 2 MNQZ6: not enough margin",
    ended("rejected", "not enough margin"),
  ],
  "order.refused": [
    "Not sent: to buy 2 MNQZ6 is more than the largest order of 1",
    { ...ended("denied", "more than the largest order of 1"), code: "LIMIT_EXCEEDED" },
  ],
  "order.expired": [
    "Not sent: the order to buy 2 MNQZ6 waited more than 30 s",
    ended("expired", "it waited more than 30 s"),
  ],
  "order.overtaken": [
    "Not sent: a later exit took the place of the order to buy 2 MNQZ6",
    ended("overtaken", "a later exit closed the position"),
  ],
  "order.not_sent": [
    "Not sent: the connection ended before the order to buy 2 MNQZ6 left",
    ended("notSent", "the connection ended"),
  ],
  "order.outcome_unknown": [
    "The broker did not answer the order to buy 2 MNQZ6: it may be live",
    ended("unknown", "the broker did not answer in time"),
  ],
  "order.settled": [
    "What was unknown is settled: the order to buy 2 MNQZ6 was carried out",
    { outcome: "done" },
  ],
  "order.incomplete": [
    "Not all of the order to be 2 long in MNQZ6 was carried out: nothing was opened after the close",
    ended("done", "nothing was opened after the close"),
  ],
  "order.lost": [
    "The broker does not have the order to buy 2 MNQZ6",
    ended("lost", "it was looked up twice"),
  ],
  "exit.failed": [
    "The order that was to close MNQZ6 expired",
    { ...ended("expired", "it waited more than 600 s"), action: "sell", positionQty: 2 },
  ],
  "exit.unfinished": [
    "The order that was to close MNQZ6 is not done yet: the broker refused it",
    { ...ended("unfinished", "the broker refused it"), action: "sell", positionQty: 2 },
  ],
  "exit.held": [
    "The order that was to close MNQZ6 waits until its market opens",
    { ...ended("held", "its market opens at 23:00 UTC"), action: "sell", positionQty: 2 },
  ],
  "exit.done": ["The order that was to close MNQZ6 is done", { outcome: "done" }],
  "position.unprotected": ["2 MNQZ6 are held without their stop-loss", { positionQty: 2 }],
  "alert.refused": ['The alert was refused: "MNQX" is no contract that can be traded'],
  "connection.down": ["The connection paper has been down for 30 s"],
  "connection.refused": ["The broker refused the login of the connection paper"],
  "copy.drifted": ["Paper 1 holds 1 MNQZ6 and is to hold 2"],
  "strategy.failed": ["The strategy Breakout missed its slot of 14:30"],
  "kill_switch.on": ["The kill switch of Paper 1 is on"],
  "guard.warned": [
    "A limit is near: the day's loss is 712.40 USD of 1000.00 USD",
    { reason: "The day's loss is 712.40 USD of 1000.00 USD", figure: "-712.40" },
  ],
  "guard.entries_off": [
    "Entries are refused, exits pass: the day's loss is 904.10 USD of 1000.00 USD",
    { reason: "The day's loss is 904.10 USD of 1000.00 USD", figure: "-904.10" },
  ],
  "guard.locked": [
    "Locked until 2026-09-21T22:00:00.000Z: the day's loss is 962.40 USD of 1000.00 USD",
  ],
  "guard.unlocked": [
    "Unlocked by Ann: checked with the firm",
    { reason: "Checked with the firm", by: "Ann" },
  ],
  "guard.flattened": ["Closed by a guard: the account is flat, and nothing rests"],
  "guard.would_act": ["In shadow mode, a guard would have locked the account", { would: "lock" }],
  "guard.changed": [
    "The guards were changed by Ann: day-loss 1200.00 USD, now 1000.00 USD",
    { reason: "day-loss 1200.00 USD, now 1000.00 USD", by: "Ann" },
  ],
  "store.unsafe": ["Redis does not write each order to its disk"],
  "attention.needed": ["The broker does not show the account Paper 1"],
  "attention.over": ["The connection paper is up again"],
  "summary.daily": ["6 trades, 212.40 USD net"],
  "destination.disabled": ["Desk was switched off: it answered 410"],
  "destination.tested": ["This is a test: notifications arrive at Desk"],
  "operator.alarm": ["Redis is slow to write"],
  "operator.resolved": ["Over: Redis is slow to write"],
  "gateway.alive": ["The gateway runs"],
};

/** Those that are about no account. */
const OF_NO_ACCOUNT: ReadonlySet<keyof EventFacts> = new Set([
  "summary",
  "destination",
  "operator",
  "nothing",
]);

export function exampleEvent(type: EventType): GatewayEvent {
  const { facts, severity } = declaredEvent(type);
  const [message, more] = SAID[type];
  const ofAccount = {
    accountId: ACCOUNT,
    accountName: "Paper 1",
    connectionId: connectionId("paper"),
    environment: "demo",
  } as const;
  return {
    id: `evt_${EVENT_TYPES.indexOf(type) + 1}`,
    userId: userId("user_5Q2mW7x1Tz0c"),
    type,
    at: Date.UTC(2026, 8, 21, 14, 30),
    severity,
    ...(!OF_NO_ACCOUNT.has(facts) && ofAccount),
    message,
    facts: { ...FACTS[facts], ...more },
  } as GatewayEvent;
}

export const exampleBody = (type: EventType) => presentEvent(exampleEvent(type));
