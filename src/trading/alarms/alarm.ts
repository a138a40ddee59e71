import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { OpenPosition } from "../../domain/contracts/exit-contract.ts";
import type { AccountId, ConnectionId, IntentId, OrderId } from "../../domain/ids.ts";
import type { IntentRecord } from "../../domain/intent.ts";
import type { LegCut } from "../../domain/legs.ts";
import type { Fill, OrderReport } from "../../domain/order.ts";
import type { CopyEntry } from "../copying/ports.ts";
import type { Difference } from "../lane/reconcile/reconcile-account.ts";
import type { Exit } from "../reads/protection.ts";
import type { GuardStateFacts, GuardStateIds } from "./guard-alarms.ts";
import type { LoggedEvaluation } from "../strategies/ports.ts";

/** Tells the states of one kind apart: two alarms with the same ids are one. */
interface StateIds extends GuardStateIds {
  /** Exits that were requested are not at the broker. */
  readonly unprotected: { readonly accountId: AccountId; readonly contract: ContractCode };
  /** The account could not be compared with its broker since its session began. */
  readonly outOfStep: { readonly accountId: AccountId };
  /** The broker refused the credentials. */
  readonly loginRefused: { readonly connectionId: ConnectionId };
  /** The broker said that it will never work so. */
  readonly connectionRefused: { readonly connectionId: ConnectionId };
  /** The limits of all processes leave no room for some connections. */
  readonly noRoom: object;
  /** What the account has won, by its broker and by our own account, has differed for a while. */
  readonly moneyDiffers: { readonly accountId: AccountId; readonly currency: string };
  /** An exit plan sees no prices, or what it is to do is refused again and again. */
  readonly exitPlanHeld: {
    readonly accountId: AccountId;
    readonly contract: ContractCode;
    readonly what: "blind" | "stuck";
  };
  /** The clock of Redis, and this process' own, differ by more than 2 s. */
  readonly clockApart: object;
  readonly storeRefused: object;
  readonly storeUnsafe: { readonly finding: string };
  readonly diskNeedsRoom: { readonly finding: string };
  /** Redis comes near its `maxmemory`, or has reached it. */
  readonly memoryNeedsRoom: { readonly finding: string };
  /** Redis takes so long that callers may not be answered in time. */
  readonly storeSlow: { readonly finding: string };
  /** More states stand than are remembered. */
  readonly alarmsFull: object;
}

/** What else is known of a state. Other facts are news of the same alarm. */
interface StateFacts extends GuardStateFacts {
  readonly unprotected: { readonly exits: readonly Exit[] };
  readonly outOfStep: object;
  readonly loginRefused: { readonly reason: string };
  readonly connectionRefused: { readonly reason: string };
  readonly noRoom: { readonly count: number };
  readonly moneyDiffers: { readonly reason: string };
  readonly exitPlanHeld: { readonly reason: string };
  readonly clockApart: { readonly reason: string };
  readonly storeRefused: { readonly reason: string };
  readonly storeUnsafe: { readonly reason: string };
  readonly diskNeedsRoom: { readonly reason: string };
  readonly memoryNeedsRoom: { readonly reason: string };
  readonly storeSlow: { readonly reason: string };
  readonly alarmsFull: { readonly count: number };
}

interface OfIntent {
  readonly record: IntentRecord;
}

interface OfCopy {
  readonly entry: CopyEntry;
  readonly reason: string;
}

interface OfAlert {
  readonly intentId: IntentId;
  readonly accountId: AccountId;
  readonly requestId: string;
}

interface OfEvaluation {
  readonly evaluation: LoggedEvaluation;
}

/** What is known of each kind of event. */
interface EventFacts {
  readonly outcomeUnknown: OfIntent;
  readonly orderLost: OfIntent;
  /** An order of unknown or lost outcome may be one that the broker shows without a name. */
  readonly orderNameless: {
    readonly accountId: AccountId;
    readonly intentId: IntentId;
    readonly reason: string;
  };
  /** What was to close or cancel something was too old to be sent. */
  readonly exitExpired: OfIntent;
  readonly exitNotSent: OfIntent;
  /** By the gateway, or by the broker. */
  readonly exitRefused: OfIntent;
  readonly exitIncomplete: OfIntent;
  /** It is tried again by itself. */
  readonly exitUnfinished: OfIntent;
  /** It goes on when its market opens. */
  readonly exitHeld: OfIntent;
  readonly protectionFailed: OfIntent;
  /** It ended otherwise, and exits that it asked for are not there. */
  readonly exitsMissing: OfIntent;
  /** A strategy's message does not fit what the account holds, or came out of its order. */
  readonly strategyContradicted: OfIntent;
  /** The exits of an entry, as its broker's adapter put them there. */
  readonly exitsNotAsAsked: {
    readonly connectionId: ConnectionId;
    readonly accountId: AccountId;
    readonly orderId: OrderId;
    readonly contract: ContractCode;
    readonly reason: string;
  };
  /** A leg had to go while its entry goes on: what that still fills has no such exit. */
  readonly legDropped: { readonly accountId: AccountId; readonly cut: LegCut };
  /** A leg that was changed was cancelled by the broker, and its position is open without it. */
  readonly legLost: { readonly accountId: AccountId; readonly leg: OrderReport };
  /** A leg that could open a position is still there after several attempts; raised repeatedly. */
  readonly legStuck: {
    readonly accountId: AccountId;
    readonly cut: LegCut;
    readonly reason: string;
  };
  /** What closed a position, and what filled beside it, have opened the other side. */
  readonly positionTurned: { readonly accountId: AccountId } & OpenPosition;
  /** What the broker reports by itself cannot be relied on. */
  readonly feedFailed: { readonly connectionId: ConnectionId; readonly reason: string };
  readonly unexplained: { readonly accountId: AccountId; readonly difference: Difference };
  /** A fill that had counted was taken back by the broker, or is another one now. */
  readonly fillCorrected: { readonly accountId: AccountId; readonly fill: Fill };
  readonly jobDropped: { readonly accountId: AccountId; readonly jobId: string };
  readonly followerStopped: OfCopy;
  readonly followerDrifted: {
    readonly entry: CopyEntry;
    readonly heldQty: number;
    readonly dueQty: number;
  };
  /** Of a strategy that trades. */
  readonly strategyMissed: OfEvaluation;
  readonly strategyNotCarriedOut: OfEvaluation;
  /** The operator has allowed a store that may lose orders. */
  readonly startedUnsafe: { readonly reason: string };
  /** The store has changed servers, and the new one does not have what was answered a moment ago. */
  readonly answerMissing: { readonly intentId: IntentId; readonly accountId: AccountId };
  /** An alert that asked for a way out, or may have. */
  readonly exitAlertRefused: OfAlert & { readonly reason: string };
  /** A duplicate that may be the second of two equal fills of an exit. */
  readonly exitTakenForRepeat: OfAlert & { readonly reason: string };
  readonly alertNotLogged: OfAlert & { readonly error: unknown };
}

export type StateKind = keyof StateIds;
export type EventKind = keyof EventFacts;
export type AlarmKind = StateKind | EventKind;

/** Which state it is. */
export type StateId = {
  [Kind in StateKind]: { readonly kind: Kind } & StateIds[Kind];
}[StateKind];

/** Stands from the moment it is raised until it is cleared. */
export type StateAlarm = {
  [Kind in StateKind]: { readonly kind: Kind } & StateIds[Kind] & StateFacts[Kind];
}[StateKind];

/** Has happened, once. */
export type EventAlarm = {
  [Kind in EventKind]: { readonly kind: Kind } & EventFacts[Kind];
}[EventKind];

/**
 * Something that a person has to look at or to act on. What heals by itself and leaves nothing to
 * check is none: it is only logged.
 */
export type Alarm = StateAlarm | EventAlarm;

/** Why a state stands no more. */
export type Clearing = "over" | "unseen";

/** Where alarms are raised and cleared. Neither throws, even where a listener fails. */
export interface Alarms {
  /** A state that stands already, with the same facts, is no news. */
  readonly raise: (alarm: Alarm) => void;
  /** What was never raised is nothing. Of what is `unseen` from here on, nobody knows whether it is over. */
  readonly clear: (state: StateId, how?: Clearing) => void;
}

/** Brings alarms somewhere: the log, the metrics, the overview, a person. */
export interface AlarmListener {
  /** A state is raised again when its facts have changed. */
  readonly raised: (alarm: Alarm) => void;
  readonly cleared: (state: StateAlarm, how: Clearing) => void;
}
