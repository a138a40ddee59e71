import type { ContractCode } from "../domain/contracts/contract.ts";
import type { WebhookOptions, WebhookOptionsChange } from "../domain/alert.ts";
import type { ConnectionStatus, ConnectionWhy } from "../domain/connection-status.ts";
import type {
  AccountId,
  ConnectionId,
  CopyGroupId,
  CredentialId,
  IntentId,
  OrderId,
  UserId,
} from "../domain/ids.ts";
import type { Scope, User, Webhook } from "../domain/people/credential.ts";
import type { IntentRecord, Outcome } from "../domain/intent.ts";
import type { AccountLimits, KillSwitch } from "../domain/limits.ts";
import type { Fill, WorkingOrder } from "../domain/order.ts";
import type { ChangeTicket } from "../domain/order-change.ts";
import type { OrderTicket } from "../domain/order-ticket.ts";
import type { LegTicket } from "../domain/contracts/tick-reader.ts";
import type { BrokerTerms } from "../domain/broker-terms.ts";
import type { GatewayError } from "../errors.ts";
import type {
  BrokerOffer,
  ConnectionSettings,
  ConnectionTrial,
  SettingsChange,
} from "./connections/connection-setups.ts";
import type { AlertsRequest, Delivery } from "./alerts/alert-requests.ts";
import type { CopyGroupTerms } from "../domain/copying/copy-group.ts";
import type {
  CopiesRequest,
  CopyGroupRequest,
  FollowerChange,
  FollowerRequest,
} from "./copying/copy-requests.ts";
import type { CopyGroupView } from "./copying/copy-views.ts";
import type { CopyEntry, LoggedCopy } from "./copying/ports.ts";
import type { Holding } from "./reads/read-holdings.ts";
import type { LoggedAlert } from "./alerts/alert-log.ts";
import type { ChangeKind } from "./changes.ts";
import type { Overview } from "./reads/overview.ts";
import type { StrategyUses } from "./strategies/strategy-uses.ts";

/** Who asks, as proven by an API key or a session. */
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
  /** Absent where the broker does not say. */
  readonly currency?: string;
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
  /** Why it is not connected: the broker's words, or ours. Absent only while it is. */
  readonly reason?: string;
  /** When the next login is tried (Unix ms); absent where none is planned. */
  readonly retryAt?: number;
  /** What its user has set; absent where the gateway's own settings say everything. */
  readonly setup?: ConnectionSetupView;
}

/** What a user has set of a connection. Of secrets only whether they are set. */
export interface ConnectionSetupView {
  readonly name: string;
  readonly paused: boolean;
  readonly settings: ConnectionSettings;
  readonly secrets: Readonly<Record<string, boolean>>;
}

/** How an intent ended, and whether this is a replay of an earlier answer. */
export interface Settled {
  readonly record: IntentRecord & { readonly outcome: Outcome };
  readonly replayed: boolean;
}

/** How one alert is answered. Its intent, where there is one, has the same id. */
export type HandledAlert =
  /** `settled` is absent when time ran out. `alertId` is the first one's, of a repeat; `unread` is its own. */
  | {
      readonly alertId: IntentId;
      readonly settled?: Settled;
      readonly duplicate?: true;
      readonly unread: readonly string[];
    }
  | { readonly alertId: IntentId; readonly error: GatewayError };

/** The kill switch of a user's every account, and of single accounts. */
export interface KillSwitchView extends KillSwitch {
  readonly accounts: readonly (KillSwitch & { readonly accountId: AccountId })[];
}

/** An Idempotency-Key as its caller wrote it, with a hash of the body it came with. */
export interface CallersKey {
  readonly key: string;
  readonly fingerprint: string;
}

/**
 * Everything that HTTP and the command line may ask of the gateway. Each answers with what
 * happened or throws a `GatewayError`; an account, token or intent that is not the caller's is
 * NOT_FOUND.
 */
export interface Gateway extends StrategyUses {
  readonly placeOrder: (
    caller: Caller,
    account: AccountId,
    ticket: OrderTicket,
    idempotency?: CallersKey,
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
  /**
   * Carries out what came to a webhook's URL, in its order, and answers each alert. Throws only what
   * is a fault of the gateway itself.
   */
  readonly receiveAlerts: (
    webhook: Webhook,
    delivery: Delivery,
  ) => Promise<{ readonly isArray: boolean; readonly alerts: readonly HandledAlert[] }>;
  readonly listAlerts: (caller: Caller, request: AlertsRequest) => Promise<Page<LoggedAlert>>;
  readonly findAlert: (caller: Caller, alert: IntentId) => Promise<LoggedAlert>;
  /** Carries out an alert of which nothing was sent, as if it came now. Once, however often it is asked. */
  readonly replayAlert: (caller: Caller, alert: IntentId) => Promise<HandledAlert>;

  /** Whether the money on the caller's accounts is safe now. */
  readonly readOverview: (caller: Caller) => Promise<Overview>;
  readonly listAccounts: (caller: Caller) => Promise<readonly AccountView[]>;
  /** The brokers that connections can be added for. */
  readonly listBrokers: (caller: Caller) => Promise<readonly BrokerOffer[]>;
  readonly listConnections: (caller: Caller) => Promise<readonly ConnectionView[]>;
  readonly findConnection: (caller: Caller, connection: ConnectionId) => Promise<ConnectionView>;
  /** It is owned and logged in by whichever process is free for it; what comes of it comes later. */
  readonly addConnection: (
    caller: Caller,
    request: {
      readonly broker: string;
      readonly environment: "demo" | "live";
      readonly name?: string;
      /** Secrets among them. */
      readonly settings: ConnectionSettings;
    },
  ) => Promise<ConnectionView>;
  /** New settings end the session in order and begin another one with them. */
  readonly changeConnection: (
    caller: Caller,
    connection: ConnectionId,
    change: {
      readonly name?: string;
      readonly paused?: boolean;
      readonly settings?: SettingsChange;
    },
  ) => Promise<ConnectionView>;
  /** Ends its session and forgets its secrets; its accounts become inactive, their records stay. */
  readonly removeConnection: (caller: Caller, connection: ConnectionId) => Promise<void>;
  readonly testConnection: (caller: Caller, connection: ConnectionId) => Promise<ConnectionTrial>;
  /**
   * Lets a connection log in again whose credentials or sessions the broker refused; does nothing
   * to any other one. Answers how it stood, and in `next` what comes of it.
   */
  readonly reconnectConnection: (
    caller: Caller,
    connection: ConnectionId,
  ) => Promise<ConnectionView & { readonly next: string }>;
  readonly readPositions: (caller: Caller, account: AccountId) => Promise<AsOf<readonly Holding[]>>;
  readonly readTrades: (
    caller: Caller,
    account: AccountId,
    request: TradesRequest,
  ) => Promise<TradesPage>;
  readonly readWorkingOrders: (
    caller: Caller,
    account: AccountId,
  ) => Promise<readonly WorkingOrder[]>;
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
    request: {
      readonly accountId: AccountId;
      readonly name?: string;
      readonly options?: WebhookOptions;
    },
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
      readonly options?: WebhookOptionsChange;
    },
  ) => Promise<Webhook>;
  readonly deleteWebhook: (caller: Caller, id: CredentialId) => Promise<void>;

  readonly listCopyGroups: (caller: Caller) => Promise<readonly CopyGroupView[]>;
  readonly findCopyGroup: (caller: Caller, group: CopyGroupId) => Promise<CopyGroupView>;
  /** Throws COPY_LOOP where an account would lead and follow, or follow twice. */
  readonly createCopyGroup: (caller: Caller, request: CopyGroupRequest) => Promise<CopyGroupView>;
  readonly changeCopyGroup: (
    caller: Caller,
    group: CopyGroupId,
    change: Partial<CopyGroupTerms>,
  ) => Promise<CopyGroupView>;
  /** What its accounts hold stays as it is. */
  readonly deleteCopyGroup: (caller: Caller, group: CopyGroupId) => Promise<void>;
  /** Adds a follower, or sets all of its terms anew. */
  readonly putFollower: (
    caller: Caller,
    group: CopyGroupId,
    account: AccountId,
    request: FollowerRequest,
  ) => Promise<CopyGroupView>;
  readonly changeFollower: (
    caller: Caller,
    group: CopyGroupId,
    account: AccountId,
    change: FollowerChange,
  ) => Promise<CopyGroupView>;
  readonly removeFollower: (
    caller: Caller,
    group: CopyGroupId,
    account: AccountId,
  ) => Promise<CopyGroupView>;
  /** Brings one follower, or all that are on, to what the leader's position comes to. */
  readonly syncCopyGroup: (
    caller: Caller,
    group: CopyGroupId,
    account?: AccountId,
  ) => Promise<readonly CopyEntry[]>;
  readonly listCopies: (
    caller: Caller,
    group: CopyGroupId,
    request: CopiesRequest,
  ) => Promise<Page<LoggedCopy>>;

  readonly readUser: (caller: Caller) => Promise<User>;

  /**
   * Tells how each connection of the caller's user stands: those known now before
   * it resolves, then every change, and one that appears later. Answers what ends it.
   */
  readonly watchConnections: (
    caller: Caller,
    hear: (connection: ConnectionId, status: ConnectionStatus, why?: ConnectionWhy) => void,
  ) => Promise<() => void>;
  /**
   * Tells what of the caller's user looks different from now on, of one account or, without it, of
   * any. May tell more than has changed, never less. Answers what ends it.
   */
  readonly watchChanges: (
    caller: Caller,
    hear: (account: AccountId | undefined, what: readonly ChangeKind[]) => void,
  ) => Promise<() => void>;
  /** Which of these API keys were revoked since they were admitted. */
  readonly findRevokedKeys: (keys: readonly CredentialId[]) => Promise<readonly CredentialId[]>;
}

/**
 * Tick size, tick value and currency of a contract, for showing prices and money. Undefined is what
 * neither our table nor the broker tells: it is shown as unknown.
 */
export interface ContractTerms {
  readonly symbol: string;
  readonly tickSize: string | undefined;
  readonly tickValue: string | undefined;
  readonly currency: string | undefined;
  /** Whether its prices may be 0 or less; of what is not in our table its broker is the judge. */
  readonly mayBeNegative?: boolean;
}

/**
 * The terms of any contract, of our table or not: it never fails. What was `told` with the price that
 * is to be shown comes before our table, since the price is counted in it.
 */
export type DescribeContract = (contract: ContractCode, told?: BrokerTerms) => ContractTerms;
