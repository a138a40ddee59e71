import type {
  AccountId,
  ClOrdId,
  ConnectionId,
  CredentialId,
  IntentId,
  UserId,
} from "../domain/ids.ts";
import type {
  Intent,
  IntentOwner,
  IntentRecord,
  IntentSource,
  LegPlan,
  Outcome,
} from "../domain/intent.ts";
import type { AccountLimits, KillSwitch } from "../domain/limits.ts";
import type { Fill } from "../domain/order.ts";
import type { AccountView, AsOf, Page } from "./gateway.ts";
import type { ApiKey, Scope, User, Webhook } from "../domain/credential.ts";
import type { BrokerPosition } from "./ports.ts";

/** The store could not be reached, or refused to write. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  /** False when the command may have been carried out although its answer never came. */
  readonly certainlyNotWritten: boolean;

  constructor(message: string, options: { certainlyNotWritten: boolean; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.certainlyNotWritten = options.certainlyNotWritten;
  }
}

export interface NewIntent {
  readonly intentId: IntentId;
  readonly accountId: AccountId;
  readonly userId: UserId;
  readonly source: IntentSource;
  readonly requestId: string;
  readonly intent: Intent;
  readonly entryMaxAgeMs: number;
  readonly exitMaxAgeMs: number;
  /** When the request came in, by Redis' clock. Long after that, it is not accepted any more. */
  readonly receivedAt: number;
  readonly idempotency?: {
    /** Scoped to the API key; the account scopes it by itself. */
    readonly key: string;
    readonly fingerprint: string;
  };
}

export type Acceptance =
  | { readonly kind: "accepted" }
  /** An earlier request with the same Idempotency-Key stands for this one. */
  | { readonly kind: "known"; readonly intentId: IntentId }
  | { readonly kind: "keyReused" }
  /** The store was reached too late: nothing was written. */
  | { readonly kind: "tooLate" };

/** Everything the lane decides on. What may change until the order is sent is asked again then. */
export interface LaneContext {
  readonly record: IntentRecord;
  /** The store's clock, Unix ms. */
  readonly now: number;
  /** Whether a flatten of the whole account was accepted after this intent. */
  readonly flattenFollows: boolean;
  /** How many other intents of the account have an unknown outcome. */
  readonly unknownIntents: number;
  readonly limits: Partial<AccountLimits>;
  readonly accountKillSwitch: KillSwitch;
  readonly userKillSwitch: KillSwitch;
  /** False when the key or token it came by was revoked or deleted since. */
  readonly sourceAlive: boolean;
}

export interface SendRequest {
  readonly account: AccountId;
  readonly intentId: IntentId;
  readonly clOrdId: ClOrdId;
  /** The owner's; the account's newest must be the same. */
  readonly epoch: number;
  /** From here on (the store's clock) it is too late to send. */
  readonly expiresAt: number;
  /** How many orders its intent may send at most. */
  readonly maxOrders: number;
  /** Kept with the intent, when it is interrupted. */
  readonly plan?: LegPlan | undefined;
  /** Given for what adds risk: it is counted per minute, and held back by kill switches. */
  readonly entry?: {
    readonly perAccount: number;
    readonly inAll: number;
    readonly owner: IntentOwner;
  };
}

export type SendPermit =
  | { readonly kind: "granted" }
  | { readonly kind: "expired" | "killed" }
  | { readonly kind: "limited"; readonly which: "account" | "all"; readonly limit: number }
  /** The intent is settled or withdrawn, or more orders would leave than it is for. */
  | { readonly kind: "refused"; readonly reason: string };

/** The intents of all accounts. */
export interface IntentStore {
  /** The store's clock, Unix ms: all ages count by it. */
  readonly now: () => Promise<number>;
  /** Writes the record; an intent whose record was never written does nothing on its lane. */
  readonly accept: (intent: NewIntent) => Promise<Acceptance>;
  readonly find: (account: AccountId, id: IntentId) => Promise<IntentRecord | undefined>;
  /** Every intent of the account that is not settled, oldest first. */
  readonly unsettled: (account: AccountId) => Promise<readonly IntentRecord[]>;
  readonly loadForLane: (
    account: AccountId,
    id: IntentId,
    owner: IntentOwner,
  ) => Promise<LaneContext | undefined>;
  /** PREPARED or SENDING to SENDING, with the order's identifier: before its first byte leaves. */
  readonly beginSending: (request: SendRequest) => Promise<SendPermit>;
  /** Ends an unsettled intent, or marks it unknown. Returns the record as it then stands. */
  readonly settle: (account: AccountId, id: IntentId, outcome: Outcome) => Promise<IntentRecord>;
  /** Ends it only if nothing was sent yet; false when it is too late for that. */
  readonly withdraw: (account: AccountId, id: IntentId, outcome: Outcome) => Promise<boolean>;
}

/** The lanes' other end: one strictly ordered queue per account. */
export interface Lanes {
  /**
   * Enqueues a pointer to the intent and rings the lane's doorbell. Uses the same connection as
   * `IntentStore.accept`, in call order: the record is always there before its pointer.
   */
  readonly add: (account: AccountId, id: IntentId, owner: IntentOwner) => Promise<void>;
}

/** Carries outcomes from the lane back to whoever waits for them. */
export interface Outcomes {
  /** Listens from now on. `stop` must be called in the end. */
  readonly expect: (
    account: AccountId,
    id: IntentId,
  ) => {
    /** The settled record, or undefined when `ms` passed first. */
    readonly within: (ms: number) => Promise<IntentRecord | undefined>;
    readonly stop: () => void;
  };
  /** `replyTo` names the process whose caller may be waiting. */
  readonly announce: (record: IntentRecord, replyTo: string) => void;
}

/** What is shown of accounts, kept by the owner of their connection. */
export interface AccountViews {
  readonly saveAccounts: (
    connection: ConnectionId,
    accounts: readonly StoredAccount[],
  ) => Promise<void>;
  readonly accounts: () => Promise<readonly StoredAccount[]>;
  readonly savePositions: (
    account: AccountId,
    positions: readonly BrokerPosition[],
  ) => Promise<void>;
  readonly positions: (
    account: AccountId,
  ) => Promise<Omit<AsOf<readonly BrokerPosition[]>, "live">>;
  /** Adding a fill twice is the same as adding it once. */
  readonly addFills: (account: AccountId, fills: readonly Fill[]) => Promise<void>;
  /** Newest first. */
  readonly fills: (
    account: AccountId,
    page: { readonly limit: number; readonly cursor?: string },
  ) => Promise<Page<Fill>>;
  readonly newestFillAt: (account: AccountId) => Promise<number>;
}

/** An account as it is kept; how its connection stands is known only while running. */
export type StoredAccount = Omit<AccountView, "connectionStatus"> & { readonly userId: UserId };

export interface LimitStore {
  readonly limits: (account: AccountId) => Promise<Partial<AccountLimits>>;
  readonly changeLimits: (account: AccountId, change: Partial<AccountLimits>) => Promise<void>;
  readonly killSwitch: (target: KillTarget) => Promise<KillSwitch>;
  readonly setKillSwitch: (
    target: KillTarget,
    active: boolean,
    reason: string | undefined,
  ) => Promise<void>;
}

/** One account, or everything of one user. */
export type KillTarget = { readonly accountId: AccountId } | { readonly userId: UserId };

/** API keys, webhook tokens and users. Secrets are handed out once and stored as SHA-256. */
export interface CredentialStore {
  /** The appliance's first user, created at the first call with that name. */
  readonly firstUser: (name: string) => Promise<User>;
  readonly users: () => Promise<readonly User[]>;
  readonly createKey: (request: {
    readonly userId: UserId;
    readonly name: string;
    readonly scopes: readonly Scope[];
  }) => Promise<{ readonly key: ApiKey; readonly secret: string }>;
  readonly keys: (user: UserId) => Promise<readonly ApiKey[]>;
  /** False when there is no such living key. */
  readonly revokeKey: (user: UserId, id: CredentialId) => Promise<boolean>;
  readonly createWebhook: (request: {
    readonly userId: UserId;
    readonly accountId: AccountId;
    readonly name: string;
  }) => Promise<{ readonly webhook: Webhook; readonly secret: string }>;
  readonly webhooks: (user: UserId) => Promise<readonly Webhook[]>;
  readonly webhook: (user: UserId, id: CredentialId) => Promise<Webhook | undefined>;
  readonly changeWebhook: (
    user: UserId,
    id: CredentialId,
    change: {
      readonly accountId?: AccountId;
      readonly name?: string;
      readonly paused?: boolean;
    },
  ) => Promise<Webhook | undefined>;
  readonly deleteWebhook: (user: UserId, id: CredentialId) => Promise<boolean>;
}
