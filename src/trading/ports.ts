import type { Bar } from "../domain/strategies/bar.ts";
import type { ConnectionStatus, ConnectionWhy } from "../domain/connection-status.ts";
import type { ContractCode } from "../domain/contracts/contract.ts";
import type { AccountId, ClOrdId, ConnectionId, IntentId, OrderId, UserId } from "../domain/ids.ts";
import type {
  BrokerReport,
  Fill,
  NewOrderSingle,
  OrderChange,
  OrderReport,
  ProtectionOrder,
  WorkingOrder,
} from "../domain/order.ts";
import type { AccountEnvironment } from "../domain/environment.ts";
import type { OpaquePosition } from "../domain/exposure.ts";
import type { AveragePrice } from "../domain/contracts/price.ts";
import type { BrokerLacks } from "../domain/broker-lacks.ts";
import type { BrokerTerms } from "../domain/broker-terms.ts";
import type { GuardAlarm } from "./alarms/guard-alarms.ts";
import type { PlanAlarm } from "./alarms/plan-alarms.ts";
import type { BarsRequest, BrokerBalance, BrokerGuards, ValueSource } from "./money/ports.ts";

/**
 * How an order command can end. `rejected` needs proof from the broker, `notSent` needs certainty
 * that no byte left, and everything else is `unknown`: it is never collapsed into the others.
 */
export type SubmitOutcome =
  | {
      readonly kind: "accepted";
      readonly orderId: OrderId;
      readonly takeProfitOrderId?: OrderId;
      readonly stopLossOrderId?: OrderId;
    }
  | CommandFailure;

/** How a modify or cancel can end. `accepted` means that the broker has carried it out. */
export type CommandOutcome = { readonly kind: "accepted" } | CommandFailure;

export type CommandFailure =
  | { readonly kind: "rejected"; readonly reason: string }
  | { readonly kind: "notSent"; readonly reason: string }
  | { readonly kind: "unknown"; readonly reason: string };

/** One account as the broker reports it. An account that is no longer reported is inactive. */
export interface BrokerAccount {
  readonly accountId: AccountId;
  readonly name: string;
  /** The broker's own number, the same by every login; absent where each login has its own accounts. */
  readonly number?: string;
  /** Which of the broker's services gave the number; absent where all of them count as one. */
  readonly numberedBy?: string;
  /** Absent where the broker does not say. */
  readonly currency?: string;
  /** False when the broker refuses trading on it. */
  readonly active: boolean;
  /** Absent where it is that of its connection. */
  readonly environment?: AccountEnvironment;
  /**
   * Why the broker may refuse to cancel the account's orders, in a sentence without its end. Entries
   * wait for a person's confirmation (`AccountLimits.entriesWithoutCancel`).
   */
  readonly cannotCancel?: string;
}

/** One open position as the broker reports it. Flat contracts are left out. */
export interface BrokerPosition {
  readonly contract: ContractCode;
  /** Positive long, negative short; never 0. */
  readonly netQty: number;
  /** Present where our table does not list the contract: prices are counted in these ticks then. */
  readonly terms?: BrokerTerms;
  /** Absent where the broker does not report it. */
  readonly avgPx?: AveragePrice;
  /** Exact, in the contract's currency, since the position was opened from flat. */
  readonly realizedPnl?: string;
}

/**
 * The order that a read decides on. For an exit the broker is asked now, with requests that are kept for
 * exits. A read for neither spends no request that is kept for them.
 */
export type Decider = "exit" | "entry";

/**
 * What the lane may ask of a broker connection. Commands never throw for what the world can do:
 * they answer with an outcome. Reads ask the broker now and throw `BrokerReadError` when it cannot
 * be asked: a failed read is never an empty answer.
 */
export interface Broker {
  accounts(): Promise<readonly BrokerAccount[]>;
  submitOrder(account: AccountId, order: NewOrderSingle): Promise<SubmitOutcome>;
  /** Places one or two exits as the broker's own OCO pair. `orderId` is the first one present. */
  submitProtection(account: AccountId, order: ProtectionOrder): Promise<SubmitOutcome>;
  modifyOrder(account: AccountId, change: OrderChange): Promise<CommandOutcome>;
  cancelOrder(account: AccountId, order: OrderId): Promise<CommandOutcome>;
  /** Market order over the whole net position at the broker; rejected when flat. */
  closePosition(
    account: AccountId,
    contract: ContractCode,
    clOrdId: ClOrdId,
  ): Promise<SubmitOutcome>;
  /** Throws `OpaquePositionsError` where only a part of them can be read. */
  positions(account: AccountId, by?: Decider): Promise<readonly BrokerPosition[]>;
  /**
   * Every order that may still fill, including bracket legs that wait for their entry. An order that
   * cannot be understood is among them as an opaque one, and never hides the others.
   */
  workingOrders(account: AccountId, by?: Decider): Promise<readonly WorkingOrder[]>;
  /**
   * Why no position may be opened or grown in the contract: the broker describes it differently from
   * our table. Undefined where they agree, or the broker knows no such contract.
   */
  contractDoubt(contract: ContractCode): Promise<string | undefined>;
  /** What the broker has reported so far of its accounts and is not understood. */
  unread(): readonly Unread[];
  /**
   * Whether so many requests of an exit may be made at once now, by the broker's own limits. They are
   * kept for that exit for a moment.
   */
  hasRoomFor(requests: number): boolean;
  /**
   * Whether exits that came with this order, and are not there, are about to be placed by the adapter itself.
   * The lane does not place them meanwhile. False once it has given up, or cannot know.
   */
  tendsExits(entry: ClOrdId): boolean;
  /** The order in any state, looked up by our identifier; undefined when the broker has none. */
  findOrder(account: AccountId, clOrdId: ClOrdId, by?: Decider): Promise<OrderReport | undefined>;
  /** Fills since the given instant (Unix ms), oldest first, as far back as the broker keeps them. */
  fills(account: AccountId, sinceAt: number): Promise<readonly Fill[]>;
}

/** The broker could not be asked, or its answer made no sense. */
export class BrokerReadError extends Error {
  override readonly name = "BrokerReadError";
}

/**
 * Not every position of an account can be read, so its positions are not known: to most callers that is
 * a failed read. A caller that closes may continue with what could be read.
 */
export class OpaquePositionsError extends BrokerReadError {
  readonly readable: readonly BrokerPosition[];
  readonly opaque: readonly OpaquePosition[];

  constructor(readable: readonly BrokerPosition[], opaque: readonly OpaquePosition[]) {
    super(opaque.map(({ problem }) => problem).join(". "));
    this.readable = readable;
    this.opaque = opaque;
  }
}

/** Called once per report, in the broker's order. Reports may come before a command's own answer. */
export type ReportListener = (account: AccountId, report: BrokerReport) => void;

/**
 * Our identifiers of an account's working orders: a broker may keep an order longer than our identifier
 * of it, and without that an order of ours looks like a foreign one.
 */
export interface OrderNames {
  /** The stored names of these orders, where there is one. */
  readonly find: (
    account: AccountId,
    orders: readonly OrderId[],
  ) => Promise<ReadonlyMap<OrderId, ClOrdId>>;
  readonly keep: (account: AccountId, order: OrderId, name: ClOrdId) => Promise<void>;
  /** The order has ended. */
  readonly drop: (account: AccountId, order: OrderId) => Promise<void>;
}

/** Where a broker inside this gateway (paper trading) keeps an account's state between restarts. */
export interface BrokerStateStore {
  load(account: AccountId): Promise<ReadonlyMap<string, string>>;
  /**
   * All or nothing, and durable once it resolves. After a rejection it may have been written, unless
   * `expect` did not hold: then nothing was, and nothing of a late or former writer ever is.
   */
  commit(
    account: AccountId,
    changes: {
      readonly put: ReadonlyMap<string, string>;
      readonly remove: readonly string[];
      /** The entry that must still have this value; undefined when it must not exist. */
      readonly expect: { readonly key: string; readonly value: string | undefined };
    },
  ): Promise<void>;
}

/** This process' right to act on a connection and on the lanes of its accounts. */
export interface Ownership {
  /** Grows with each new owner; the store refuses the write-ahead of any but the newest. */
  readonly epoch: number;
  /** False from the moment another process may be the owner; checked right before each send. */
  readonly isOwned: () => boolean;
}

/** One period of owning a connection. */
export interface Owned {
  readonly connectionId: ConnectionId;
  readonly userId: UserId | undefined;
  readonly ownership: Ownership;
}

/** A connection that this process owns. */
export interface OwnedConnection {
  readonly broker: Broker & ValueSource;
  readonly status: ConnectionStatus;
  /** Absent while it is connected. */
  readonly why?: ConnectionWhy | undefined;
  readonly ownership: Ownership;
  /** Cancelling one leg of a pair ends the other one too. */
  readonly cancelEndsLinkedLeg: boolean;
  /** The broker itself ends one exit when the other fills; otherwise they are two plain orders. */
  readonly nativeOco: boolean;
  /** A trailing stop that names no start begins at the market; otherwise it must name one. */
  readonly trailsFromMarket: boolean;
  /** It trades in the hours of the exchanges alone; otherwise at any time. */
  readonly keepsHours: boolean;
  /** What of an order the broker cannot do at all. */
  readonly lacks: BrokerLacks;
  /** Why nothing may be opened on it now, in words; exits are still sent. */
  readonly entriesHeld?: string | undefined;
}

/** The broker connections, as far as this process owns them. */
export interface Connections {
  /** Undefined when the connection is not owned here. */
  readonly find: (connection: ConnectionId) => OwnedConnection | undefined;
}

/** The status of every connection of the appliance, whichever process owns it. */
export interface ConnectionBoard {
  readonly known: () => readonly ConnectionId[];
  /** DISCONNECTED when nobody owns it. */
  readonly status: (connection: ConnectionId) => ConnectionStatus;
  /** Undefined while it is connected. */
  readonly why: (connection: ConnectionId) => ConnectionWhy | undefined;
}

/** The board, with a subscription to its changes. */
export interface LiveConnectionBoard extends ConnectionBoard {
  /**
   * Calls the listener at each change of a status or its reason, never with the same twice in a row;
   * returns the unsubscribe function.
   */
  readonly onChange: (
    listener: (connection: ConnectionId, status: ConnectionStatus, why?: ConnectionWhy) => void,
  ) => () => void;
}

/** What any process may ask of a broker, now and outside the lanes. */
export type BrokerQuestion =
  | {
      readonly kind: "positions" | "workingOrders";
      readonly account: AccountId;
      readonly by?: Decider;
    }
  /** Answered with null where the broker has no bars. */
  | ({ readonly kind: "bars"; readonly account: AccountId } & BarsRequest)
  /** Answered with null where the broker does not say. */
  | { readonly kind: "balances"; readonly account: AccountId }
  /** Answered with null where the broker tells of none, or does not let us read them. */
  | { readonly kind: "brokerGuards"; readonly account: AccountId }
  /** Look an unknown outcome up. */
  | { readonly kind: "settle"; readonly account: AccountId; readonly intent: IntentId }
  /** What of the connection needs a person: an `OwnersTroubles`. */
  | { readonly kind: "troubles"; readonly connection: ConnectionId };

/** What only the process that owns a connection knows of its accounts. */
export interface OwnersTroubles {
  /** Not reconciled with their broker, so that nothing is sent for them. */
  readonly outOfStep: readonly AccountId[];
  /** What the broker reports of these accounts and is not understood. */
  readonly unread: readonly Unread[];
  /** Followers of leaders on this connection. */
  readonly astray: readonly DriftedFollower[];
  /** Why nothing may be opened on the connection though it is up, in words. */
  readonly entriesHeld?: string;
  /** What their guards have come to; absent from an owner of an earlier version. */
  readonly guards?: readonly GuardAlarm[];
  /** Exit plans that cannot go on; absent from an owner of an earlier version. */
  readonly plans?: readonly PlanAlarm[];
}

/** Something that the broker reports and is not understood. */
export interface Unread {
  /** Absent where it concerns no single account. */
  readonly account?: AccountId;
  /** What it is, in words for a person. */
  readonly problem: string;
}

/** A follower whose position differs from its target, or that a guard has stopped. */
export interface DriftedFollower {
  readonly account: AccountId;
  readonly leader: AccountId;
  readonly state: "drifted" | "stopped";
}

/** Carries questions to a connection's owner in another process. */
export interface OwnerDesk {
  /** Throws `BrokerReadError` when there is no owner, or it cannot answer in time. */
  readonly ask: (connection: ConnectionId, question: BrokerQuestion) => Promise<unknown>;
  /** Answers questions about a connection from now on; resolves with the function that ends it. */
  readonly attend: (
    connection: ConnectionId,
    serve: (question: BrokerQuestion) => Promise<unknown>,
  ) => Promise<() => void>;
}

/** Reads from the broker now, through whichever process owns the connection. */
export interface BrokerReads {
  readonly positions: (
    connection: ConnectionId,
    account: AccountId,
    by?: Decider,
  ) => Promise<readonly BrokerPosition[]>;
  readonly workingOrders: (
    connection: ConnectionId,
    account: AccountId,
    by?: Decider,
  ) => Promise<readonly WorkingOrder[]>;
  /** From the account's own broker; undefined where it has none. */
  readonly bars: (
    connection: ConnectionId,
    account: AccountId,
    request: BarsRequest,
  ) => Promise<readonly Bar[] | undefined>;
  /** What the account's broker says that it is worth; none where it does not say. */
  readonly balances: (
    connection: ConnectionId,
    account: AccountId,
  ) => Promise<readonly BrokerBalance[]>;
  /** What the account's broker itself holds it to; undefined where it does not say. */
  readonly brokerGuards: (
    connection: ConnectionId,
    account: AccountId,
  ) => Promise<BrokerGuards | undefined>;
}

/** Resolves after `ms`, or as soon as the function handed to `onWake` is called. */
export type WaitFor = (ms: number, onWake: (wake: () => void) => void) => Promise<void>;
