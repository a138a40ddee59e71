import type { ContractCode } from "../domain/contract.ts";
import type { ConnectionStatus } from "../domain/connection-status.ts";
import type {
  AccountId,
  ConnectionId,
  CredentialId,
  IntentId,
  OrderId,
  UserId,
} from "../domain/ids.ts";
import type { Scope, User, Webhook } from "../domain/credential.ts";
import type { IntentRecord, Outcome } from "../domain/intent.ts";
import type { AccountLimits, KillSwitch } from "../domain/limits.ts";
import type { Fill, OrderReport } from "../domain/order.ts";
import type { ChangeTicket } from "../domain/order-change.ts";
import type { OrderTicket } from "../domain/order-ticket.ts";
import type { LegTicket } from "../domain/tick-reader.ts";
import type { BrokerPosition } from "./ports.ts";

/** Who asks, as proven by an API key. */
export interface Caller {
  readonly userId: UserId;
  readonly credentialId: CredentialId;
  readonly scopes: readonly Scope[];
  /** When the request came in, by Redis' clock (Unix ms): from here its deadlines count. */
  readonly receivedAt: number;
  readonly requestId: string;
}

/** One account with the connection it is reached through. */
export interface AccountView {
  readonly accountId: AccountId;
  readonly name: string;
  readonly connectionId: ConnectionId;
  readonly broker: string;
  readonly environment: "demo" | "live";
  readonly currency: string;
  readonly active: boolean;
  readonly connectionStatus: ConnectionStatus;
}

/** A read model's content with the instant (Unix ms) of the broker's last word on it. */
export interface AsOf<Value> {
  readonly value: Value;
  readonly asOf: number;
  /** False when the connection is down: the content may be old. */
  readonly live: boolean;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

/** Which trades of an account, newest first. */
export interface TradesRequest {
  readonly limit: number;
  /** `nextCursor` of the page before; it holds for the same filters only. */
  readonly cursor?: string;
  /** Unix ms by the broker's clock: trades at `fromAt` are included, those at `beforeAt` are not. */
  readonly fromAt?: number;
  readonly beforeAt?: number;
  /** A full contract stands for itself, every other form for all months of its root. */
  readonly symbol?: string;
}

export interface TradesPage extends Page<Fill> {
  /** Older trades may have made room for newer ones; absent while all are kept. */
  readonly keptSinceAt?: number;
}

/** One connection to a broker, whichever process owns it. */
export interface ConnectionView {
  readonly connectionId: ConnectionId;
  readonly broker: string;
  readonly environment: "demo" | "live";
  readonly status: ConnectionStatus;
  /** When the status became this one (Unix ms). */
  readonly since: number;
  /** The broker's words, while nothing logs in until a person asks for it. */
  readonly reason?: string;
}

/** How an intent ended, and whether this is a replay of an earlier answer. */
export interface Settled {
  readonly record: IntentRecord & { readonly outcome: Outcome };
  readonly replayed: boolean;
}

/** What an alert asks for, read but not yet resolved. */
export type AlertOrder =
  | { readonly kind: "order"; readonly ticket: OrderTicket }
  | { readonly kind: "flatten"; readonly symbol?: string };

/** The kill switch of a user's every account, and of single accounts. */
export interface KillSwitchView extends KillSwitch {
  readonly accounts: readonly (KillSwitch & { readonly accountId: AccountId })[];
}

/**
 * Everything that HTTP and the command line may ask of the gateway. Each answers with what
 * happened or throws a `GatewayError`; an account, token or intent that is not the caller's is
 * NOT_FOUND.
 */
export interface Gateway {
  readonly placeOrder: (
    caller: Caller,
    account: AccountId,
    ticket: OrderTicket,
    /** `fingerprint` is a hash of the body; the same key with another one is refused. */
    idempotency?: { readonly key: string; readonly fingerprint: string },
  ) => Promise<Settled>;
  readonly cancelOrder: (caller: Caller, account: AccountId, order: OrderId) => Promise<Settled>;
  readonly modifyOrder: (
    caller: Caller,
    account: AccountId,
    order: OrderId,
    change: ChangeTicket,
  ) => Promise<Settled>;
  readonly protectPosition: (
    caller: Caller,
    account: AccountId,
    request: {
      readonly symbol?: string;
      readonly takeProfit?: LegTicket;
      readonly stopLoss?: LegTicket;
    },
  ) => Promise<Settled>;
  readonly flattenAccount: (
    caller: Caller,
    account: AccountId,
    symbol?: string,
  ) => Promise<Settled>;
  /** Throws what every alert of the token is refused with, whatever it says (specification 4.3.6). */
  readonly requireAlertAccount: (webhook: Webhook) => Promise<void>;
  /** Never throws for what became of the order: `settled` is absent when time ran out (202). */
  readonly handleAlert: (
    webhook: Webhook,
    alert: AlertOrder,
    received: { readonly receivedAt: number; readonly requestId: string },
  ) => Promise<{ readonly intentId: IntentId; readonly settled?: Settled }>;

  readonly listAccounts: (caller: Caller) => Promise<readonly AccountView[]>;
  readonly listConnections: (caller: Caller) => Promise<readonly ConnectionView[]>;
  /**
   * Lets a connection log in again whose credentials or sessions the broker refused; does nothing
   * to any other one. Answers how it stood; what becomes of it comes later.
   */
  readonly reconnectConnection: (
    caller: Caller,
    connection: ConnectionId,
  ) => Promise<ConnectionView>;
  readonly readPositions: (
    caller: Caller,
    account: AccountId,
  ) => Promise<AsOf<readonly BrokerPosition[]>>;
  readonly readTrades: (
    caller: Caller,
    account: AccountId,
    request: TradesRequest,
  ) => Promise<TradesPage>;
  readonly readWorkingOrders: (
    caller: Caller,
    account: AccountId,
  ) => Promise<readonly OrderReport[]>;
  readonly findIntent: (
    caller: Caller,
    account: AccountId,
    intent: IntentId,
  ) => Promise<IntentRecord>;
  readonly listUnsettledIntents: (
    caller: Caller,
    account: AccountId,
  ) => Promise<readonly IntentRecord[]>;

  readonly readLimits: (caller: Caller, account: AccountId) => Promise<AccountLimits>;
  readonly changeLimits: (
    caller: Caller,
    account: AccountId,
    change: Partial<AccountLimits>,
  ) => Promise<AccountLimits>;
  readonly readKillSwitch: (caller: Caller) => Promise<KillSwitchView>;
  readonly changeKillSwitch: (
    caller: Caller,
    change: {
      readonly active: boolean;
      readonly accountId?: AccountId;
      readonly reason?: string;
    },
  ) => Promise<KillSwitchView>;

  /** `secret` is shown this once and kept nowhere. */
  readonly createWebhook: (
    caller: Caller,
    request: { readonly accountId: AccountId; readonly name?: string },
  ) => Promise<{ readonly webhook: Webhook; readonly secret: string }>;
  readonly listWebhooks: (caller: Caller) => Promise<readonly Webhook[]>;
  readonly findWebhook: (caller: Caller, id: CredentialId) => Promise<Webhook>;
  readonly changeWebhook: (
    caller: Caller,
    id: CredentialId,
    change: {
      readonly accountId?: AccountId;
      readonly name?: string;
      readonly paused?: boolean;
    },
  ) => Promise<Webhook>;
  readonly deleteWebhook: (caller: Caller, id: CredentialId) => Promise<void>;
  readonly readUser: (caller: Caller) => Promise<User>;

  /**
   * Tells how each connection of the caller's user stands: those known now before
   * it resolves, then every change, and one that appears later. Answers what ends it.
   */
  readonly watchConnections: (
    caller: Caller,
    hear: (connection: ConnectionId, status: ConnectionStatus) => void,
  ) => Promise<() => void>;
  /** Which of these API keys were revoked since they were admitted. */
  readonly findRevokedKeys: (keys: readonly CredentialId[]) => Promise<readonly CredentialId[]>;
}

/** Tick size, tick value and currency of a contract, for showing prices and money. */
export interface ContractTerms {
  readonly symbol: string;
  readonly tickSize: string;
  readonly tickValue: string;
  readonly currency: string;
}

export type DescribeContract = (contract: ContractCode) => ContractTerms;
