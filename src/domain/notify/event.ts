import type { AccountEnvironment } from "../environment.ts";
import type { AccountId, ConnectionId, UserId } from "../ids.ts";
import type { Severity } from "../severity.ts";
import type { EventFacts } from "./event-facts.ts";

interface DeclaredEvent {
  readonly severity: Severity;
  readonly facts: keyof EventFacts;
  /** In a heading. */
  readonly title: string;
  readonly description: string;
  /** Equal ones of a minute are told to people as one. */
  readonly folds?: true;
  /** Whether a destination without rules takes it, although it is only `info`. */
  readonly isWanted?: true;
}

/** Every event that the gateway tells, once. */
export const EVENTS = {
  "order.filled": {
    severity: "info",
    facts: "order",
    title: "Filled",
    description: "An order filled, wholly or in part; what fills within moments is one event",
    isWanted: true,
  },
  "bracket.target_hit": {
    severity: "info",
    facts: "order",
    title: "Take-profit hit",
    description: "A take-profit filled",
    isWanted: true,
  },
  "bracket.stop_hit": {
    severity: "info",
    facts: "order",
    title: "Stop-loss hit",
    description: "A stop-loss filled",
    isWanted: true,
  },
  "order.fill_corrected": {
    severity: "critical",
    facts: "order",
    title: "A fill was taken back or corrected",
    description:
      "The broker or the exchange has cancelled a fill, or changed its quantity or price; `reason` says what it was and what it is",
  },
  "order.canceled": {
    severity: "info",
    facts: "order",
    title: "Canceled",
    description: "Orders were cancelled as somebody asked",
  },
  "order.rejected": {
    severity: "warning",
    facts: "order",
    title: "Rejected by the broker",
    description: "The broker refused an order; nothing of it is there",
    folds: true,
  },
  "order.refused": {
    severity: "warning",
    facts: "order",
    title: "Refused by the gateway",
    description: "A limit, a switch or a rule kept an order from being sent",
    folds: true,
  },
  "order.expired": {
    severity: "warning",
    facts: "order",
    title: "Expired unsent",
    description: "An order grew too old before it could be sent, and was dropped",
    folds: true,
  },
  "order.overtaken": {
    severity: "info",
    facts: "order",
    title: "Overtaken",
    description: "A later exit, target or copy took the place of an order that was not sent",
    folds: true,
  },
  "order.not_sent": {
    severity: "warning",
    facts: "order",
    title: "Not sent",
    description: "The connection ended right before an order left; nothing was sent",
    folds: true,
  },
  "order.outcome_unknown": {
    severity: "critical",
    facts: "order",
    title: "The broker did not answer",
    description: "An order may be live or not; it is settled as soon as the broker can be asked",
  },
  "order.settled": {
    severity: "info",
    facts: "order",
    title: "Settled",
    description: "What became of an order that was unknown, or was taken for something else",
    isWanted: true,
  },
  "order.incomplete": {
    severity: "warning",
    facts: "order",
    title: "Not all of an order was carried out",
    description: "Something went wrong on the way; `reason` says what",
  },
  "order.lost": {
    severity: "critical",
    facts: "order",
    title: "An order never reached the broker",
    description: "What was unknown is settled: the broker does not have the order",
  },
  "exit.failed": {
    severity: "critical",
    facts: "order",
    title: "An exit was not carried out",
    description: "A close or a cancel was refused, expired, was not sent, or left something open",
  },
  "exit.unfinished": {
    severity: "critical",
    facts: "order",
    title: "An exit is not done yet",
    description: "A close was refused or carried out in part; it is tried again by itself",
  },
  "exit.held": {
    severity: "warning",
    facts: "order",
    title: "An exit waits for its market",
    description: "A close came while its market was closed; it goes on at the opening",
  },
  "exit.done": {
    severity: "info",
    facts: "order",
    title: "An exit is done at last",
    description: "It was held back or refused at first, and is carried out now",
  },
  "position.unprotected": {
    severity: "critical",
    facts: "order",
    title: "A position lacks its exits",
    description: "A stop-loss or take-profit that was asked for is not at the broker",
  },
  "alert.refused": {
    severity: "warning",
    facts: "alert",
    title: "An alert was refused",
    description:
      "Nothing of an alert was handed on: it could not be read, or was not allowed. Critical if it was an exit, or has a word for one",
    folds: true,
  },
  "connection.down": {
    severity: "critical",
    facts: "state",
    title: "A connection is down",
    description: "A broker's connection has been down for half a minute; its orders are refused",
  },
  "connection.refused": {
    severity: "critical",
    facts: "state",
    title: "The broker refused a connection",
    description: "Nothing logs in again until a person asks for it",
  },
  "copy.drifted": {
    severity: "warning",
    facts: "state",
    title: "A follower is out of sync, or was stopped",
    description: "A follower does not hold what it is to hold, or takes no entries any more",
  },
  "strategy.failed": {
    severity: "warning",
    facts: "state",
    title: "A strategy did not do what it should",
    description: "A slot was missed, or what was decided was not carried out",
  },
  "kill_switch.on": {
    severity: "info",
    facts: "state",
    title: "A kill switch is on",
    description: "Entries are refused, exits pass",
    isWanted: true,
  },
  "guard.warned": {
    severity: "warning",
    facts: "guard",
    title: "A limit is near",
    description: "A figure of an account came near to what its guards allow",
  },
  "guard.entries_off": {
    severity: "warning",
    facts: "guard",
    title: "Entries are off",
    description: "A figure of an account is so near to its limit that entries are refused",
  },
  "guard.locked": {
    severity: "critical",
    facts: "guard",
    title: "An account is locked",
    description: "A limit was breached, or somebody asked for it: entries are refused, exits pass",
  },
  "guard.unlocked": {
    severity: "warning",
    facts: "guard",
    title: "An account is unlocked",
    description: "A lock is over, by itself or because a person has ended it: entries pass again",
  },
  "guard.flattened": {
    severity: "critical",
    facts: "guard",
    title: "A guard has closed an account",
    description: "What a guard was to close is closed: the account is flat, and nothing rests",
  },
  "guard.would_act": {
    severity: "info",
    facts: "guard",
    title: "A guard would have acted",
    description: "A rule in shadow mode would have locked, closed or refused something",
    folds: true,
    isWanted: true,
  },
  "guard.changed": {
    severity: "info",
    facts: "guard",
    title: "Guards were changed",
    description: "Somebody has set, tightened or loosened what an account is kept from",
  },
  "store.unsafe": {
    severity: "critical",
    facts: "state",
    title: "The gateway's database may lose orders",
    description: "Redis is not set up, or not there, as it has to be",
  },
  "attention.needed": {
    severity: "critical",
    facts: "state",
    title: "Something needs you",
    description: "Any other state that a person has to look at; `cause` says which",
  },
  "attention.over": {
    severity: "info",
    facts: "state",
    title: "Over",
    description: "A state that was told is over; `cause` says which",
    isWanted: true,
  },
  "summary.daily": {
    severity: "info",
    facts: "summary",
    title: "The day",
    description:
      "Trades, net, fees, refusals and slippage of each day that has ended; also a sign of life",
    isWanted: true,
  },
  "destination.disabled": {
    severity: "warning",
    facts: "destination",
    title: "A destination was switched off",
    description: "It refused for good, or took nothing for a day",
  },
  "destination.tested": {
    severity: "info",
    facts: "destination",
    title: "A test",
    description: "Somebody tried a destination out",
    isWanted: true,
  },
  "operator.alarm": {
    severity: "warning",
    facts: "operator",
    title: "An alarm rule fires",
    description: "Sent on by the operator's Alertmanager, with the severity of its rule",
  },
  "operator.resolved": {
    severity: "info",
    facts: "operator",
    title: "An alarm rule is quiet again",
    description: "Sent on by the operator's Alertmanager",
    isWanted: true,
  },
  "gateway.alive": {
    severity: "info",
    facts: "nothing",
    title: "Alive",
    description: "Each minute, to heartbeats alone: where it stays out, the gateway is dead",
  },
} as const satisfies Readonly<Record<string, DeclaredEvent>>;

export type EventType = keyof typeof EVENTS;
export const EVENT_TYPES = Object.keys(EVENTS) as readonly EventType[];

/** What is declared of a type. */
export const declaredEvent = (type: EventType): DeclaredEvent => EVENTS[type];

export type FactsOf<Type extends EventType> = EventFacts[(typeof EVENTS)[Type]["facts"]];

/** What all events have. */
interface EventFrame {
  /** The same however often it is told. Letters, digits, `_` and `-`. */
  readonly id: string;
  readonly userId: UserId;
  /** When it happened, Unix ms by the store's clock. */
  readonly at: number;
  /** That of its type, but for a state, which has that of its cause, and for an exit that is not done. */
  readonly severity: Severity;
  readonly accountId?: AccountId;
  readonly accountName?: string;
  readonly connectionId?: ConnectionId;
  readonly environment?: AccountEnvironment;
  /** What has happened, in a sentence for its owner. Never a secret. */
  readonly message: string;
  /** What to do. */
  readonly advice?: string;
  /** The two without accounts' numbers, for people; absent where they name none. */
  readonly masked?: { readonly message: string; readonly advice?: string };
}

/** Something that happened and may be told. */
export type GatewayEvent = {
  [Type in EventType]: EventFrame & { readonly type: Type; readonly facts: FactsOf<Type> };
}[EventType];
