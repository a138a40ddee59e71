import type {
  AccountId,
  ClOrdId,
  ConnectionId,
  CredentialId,
  ExecId,
  IntentId,
  UserId,
} from "../domain/ids.ts";
import type {
  CopyMark,
  DenialCode,
  Intent,
  IntentRecord,
  IntentSource,
  Outcome,
} from "../domain/intent.ts";
import type { WebhookOptions, WebhookOptionsChange } from "../domain/alert.ts";
import type { Holdings, Quantities } from "../domain/holdings.ts";
import type { AccountLimits, KillSwitch } from "../domain/limits.ts";
import type { Fill, Side } from "../domain/order.ts";
import type { UnknownIntent } from "../domain/overtaking.ts";
import type { AlertEntry, SameAlert } from "./alerts/alert-log.ts";
import type { SendPermit, SendRequest } from "./lane/send-permit.ts";
import type { FillQuery, FillsRead } from "./reads/fill-pages.ts";
import type { AccountView, AsOf } from "./gateway.ts";
import type { ApiKey, Scope, User, Webhook } from "../domain/people/credential.ts";
import type { BrokerAccount, BrokerPosition } from "./ports.ts";

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

/**
 * Past this after it came in, a request is not accepted: its caller was answered long ago. An alert
 * that can open nothing is accepted as long as an exit may wait.
 */
export const ACCEPT_WITHIN_MS = 2_000;

/** What the caller named one intended order, and what it asked for. */
export interface Idempotency {
  /** Scoped to the user; the account scopes it by itself. */
  readonly key: string;
  /** A hash of the body: the same key with another one is refused. */
  readonly fingerprint: string;
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
  /** When the request came in, by Redis' clock: see `ACCEPT_WITHIN_MS`. */
  readonly receivedAt: number;
  readonly idempotency?: Idempotency;
  /** Everything but the sending. */
  readonly test?: true;
  /** The only side on which it may open or grow a position. */
  readonly entrySide?: Side;
  /** Nothing of it may open or grow a position; why, in words. */
  readonly exitsOnly?: string;
  readonly exitsOnlyCode?: DenialCode;
  /** Its id follows from an event: the same one again is the one that is there. */
  readonly isDerived?: true;
  readonly copy?: CopyMark;
  /** Of an alert: what the alert log keeps of it, and how it is told from the ones before. */
  readonly alert?: {
    readonly entry: AlertEntry;
    readonly sameAs?: SameAlert;
    /** The alert before it in the same message: it is no younger than that one. */
    readonly follows?: IntentId;
  };
}

export type EarlierIntent =
  /**
   * An earlier request with the same Idempotency-Key, the same alert, or the intent of the same event
   * stands for this one.
   */
  { readonly kind: "known"; readonly intentId: IntentId } | { readonly kind: "keyReused" };

export type Acceptance =
  | { readonly kind: "accepted" }
  | EarlierIntent
  /** The store was reached too late: nothing was written. */
  | { readonly kind: "tooLate" };

/** Everything the lane decides on. What may change until the order is sent is asked again then. */
export interface LaneContext {
  readonly record: IntentRecord;
  /** The store's clock, Unix ms. */
  readonly now: number;
  /** Whether what empties the account, or what this intent may open, was accepted after it. */
  readonly exitFollows: boolean;
  /** Whether a target for all of what this intent may open was accepted after it. */
  readonly targetFollows: boolean;
  /** An exit that was accepted after it, is not carried out yet, and may be refused by what is held. */
  readonly mayFollow?: Intent;
  /** The other intents of the account whose outcome is unknown, or that were begun and never settled. */
  readonly unknown: readonly UnknownIntent[];
  /** Whether an intent accepted before this one is held. */
  readonly parkedBefore: boolean;
  readonly limits: Partial<AccountLimits>;
  readonly accountKillSwitch: KillSwitch;
}

/** An entry that waits until no earlier outcome is unknown. It has no job any more. */
export interface ParkedIntent {
  readonly record: IntentRecord;
  /** The process whose caller may be waiting for its outcome. */
  readonly replyTo: string;
}

/** What of an intent is held against what its broker shows. */
export type IntentProgress = Pick<IntentRecord, "state" | "clOrdIds">;

/** The intents of all accounts. */
export interface IntentStore {
  /** The store's clock, Unix ms: all ages count by it. */
  readonly now: () => Promise<number>;
  /**
   * Writes the record, and in the same step what `enqueue` sends: the order of acceptance is the
   * order on the lane, whoever else accepts at the same time. Throws when either may be missing;
   * where it can be read whether the record is there, it is.
   */
  readonly accept: (intent: NewIntent, enqueue?: () => Promise<unknown>) => Promise<Acceptance>;
  /**
   * What an Idempotency-Key stands for; undefined where the next request that has it is the first.
   * `formerKey` is its name while keys belonged to one API key each: a repeat may come across the
   * upgrade.
   */
  readonly findKeyed: (
    account: AccountId,
    idempotency: Idempotency & { readonly formerKey: string },
  ) => Promise<EarlierIntent | undefined>;
  /** Which earlier alert of the webhook stands for one that is the same. */
  readonly findSameAlert: (
    account: AccountId,
    webhook: CredentialId,
    sameAs: SameAlert,
  ) => Promise<IntentId | undefined>;
  readonly find: (account: AccountId, id: IntentId) => Promise<IntentRecord | undefined>;
  /** How far each of many intents has come, in their order; undefined for one that is not there. */
  readonly progress: (
    account: AccountId,
    ids: readonly IntentId[],
  ) => Promise<readonly (IntentProgress | undefined)[]>;
  /** Their records are kept, from now on, as long as if they had just been settled. */
  readonly keep: (account: AccountId, ids: readonly IntentId[]) => Promise<void>;
  /** Every intent of the account that is not settled, oldest first. */
  readonly unsettled: (account: AccountId) => Promise<readonly IntentRecord[]>;
  readonly loadForLane: (account: AccountId, id: IntentId) => Promise<LaneContext | undefined>;
  /**
   * PREPARED or SENDING to SENDING (an exit that goes on also stays UNKNOWN), with the order's identifier: before its first byte leaves. After
   * a rejection the intent may be SENDING, and is to be looked up.
   */
  readonly beginSending: (request: SendRequest) => Promise<SendPermit>;
  /**
   * Ends an unsettled intent, or marks it unknown. Returns the record as it then stands: the first
   * final outcome stays. `record` is the intent as it was read at any time before.
   */
  readonly settle: (record: IntentRecord, outcome: Outcome) => Promise<IntentRecord>;
  /**
   * Corrects the outcome of an intent that was thought not to have worked, while it is still as the
   * record says: the broker shows the order.
   */
  readonly amend: (record: IntentRecord, order: ClOrdId, outcome: Outcome) => Promise<void>;
  /** Ends it only if nothing was sent yet. Returns the record as it then stands. */
  readonly withdraw: (account: AccountId, id: IntentId, outcome: Outcome) => Promise<IntentRecord>;
  /**
   * Lets an unsent intent wait, in its place in the order of acceptance, until it is ended or sent.
   * False when it is not unsent any more.
   */
  readonly park: (account: AccountId, id: IntentId, replyTo: string) => Promise<boolean>;
  /** The account's held intents that are still unsent, in the order of their acceptance. */
  readonly parked: (account: AccountId) => Promise<readonly ParkedIntent[]>;
}

/** The lanes' other end: one strictly ordered queue per account. */
export interface Lanes {
  /** To be called before the account's first `add`, on the same connection and not waited for. */
  readonly prepare: (account: AccountId) => void;
  /**
   * Sends a pointer to the intent in this very call, on the connection of `IntentStore.accept`, for
   * which it is the `enqueue`. Resolves when the store has taken the command.
   */
  readonly add: (account: AccountId, id: IntentId) => Promise<unknown>;
  /** Wakes the lane once the pointer is there. */
  readonly ring: (account: AccountId, id: IntentId) => void;
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
  readonly positions: (
    account: AccountId,
  ) => Promise<Omit<AsOf<readonly BrokerPosition[]>, "live">>;
  /**
   * Adds fills, each exactly once however often it is given, and writes the positions with the time
   * of the broker's word; undefined leaves those as they are, and so does a newer owner of the
   * account. A fill is recorded whoever tells it. Answers the fills that were new.
   */
  readonly recordFills: (
    account: AccountId,
    fills: readonly Fill[],
    read: PositionReading | undefined,
  ) => Promise<readonly ExecId[]>;
  /** Newest first; of one instant, by their ids' bytes backwards. */
  readonly fills: (account: AccountId, query: FillQuery) => Promise<FillsRead>;
  /** What the account's fills and its base add up to. */
  readonly holdings: (account: AccountId) => Promise<KnownHoldings>;
  /**
   * Writes what is given of the base and of `reconciledUpTo`, and leaves the rest as it is. Does
   * nothing when the account has a newer owner.
   */
  readonly saveBase: (account: AccountId, change: BaseChange) => Promise<void>;
}

export interface KnownHoldings extends Holdings {
  /**
   * Every fill up to this instant (Unix ms by the broker's clock) is recorded; undefined while the
   * account was never reconciled.
   */
  readonly reconciledUpTo: number | undefined;
}

/** Positions as an owner has read them. */
export interface PositionReading {
  readonly positions: readonly BrokerPosition[];
  /** The owner's epoch when it read them: a write that comes late must not cover a newer owner's. */
  readonly epoch: number;
}

export interface BaseChange {
  /** The owner's, when it read what the change follows from. */
  readonly epoch: number;
  readonly reconciledUpTo?: number;
  /** Contracts by their new quantity. */
  readonly base: Quantities;
}

/** An account as it is kept; how its connection stands is known only while running. */
export type StoredAccount = Omit<AccountView, "connectionStatus"> &
  Pick<BrokerAccount, "number"> & { readonly userId: UserId };

export interface LimitStore {
  readonly limits: (account: AccountId) => Promise<Partial<AccountLimits>>;
  readonly changeLimits: (account: AccountId, change: Partial<AccountLimits>) => Promise<void>;
  /**
   * The same in one step with the look at what stands, which is the default where nothing was set:
   * false, and nothing is changed, where any of it would become looser.
   */
  readonly tightenLimits: (
    account: AccountId,
    change: Partial<AccountLimits>,
    defaults: AccountLimits,
  ) => Promise<boolean>;
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
    readonly options?: WebhookOptions;
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
      /** Field by field, so that of two changes at once none is lost. */
      readonly options?: WebhookOptionsChange;
    },
  ) => Promise<Webhook | undefined>;
  /** The accounts that a webhook of the user ever pointed to. */
  readonly alertAccounts: (user: UserId) => Promise<readonly AccountId[]>;
  readonly deleteWebhook: (user: UserId, id: CredentialId) => Promise<boolean>;
}
