import type { AccountId, ClOrdId, CredentialId, IntentId, UserId } from "../../domain/ids.ts";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { DenialCode } from "../../domain/denials.ts";
import type { CopyMark, Intent, IntentRecord, IntentSource, Outcome } from "../../domain/intent.ts";
import type { Side } from "../../domain/order.ts";
import type { AlertEntry, SameAlert } from "../alerts/alert-log.ts";
import type { Quota, Remembered } from "../people/admissions.ts";
import type { LaneContext, ParkedIntent } from "../lane/ports.ts";
import type { SendPermit, SendRequest } from "../lane/send-permit.ts";

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

/** What admits a request with its acceptance. */
export interface AdmittedWith extends Remembered {
  /** Called once it is admitted, before the acceptance is answered. */
  readonly told: (quota: Quota) => void;
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
  /** In place of `ACCEPT_WITHIN_MS`. */
  readonly acceptMs?: number | undefined;
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
  /** The price that its alert named, as it was written: for the ledger. */
  readonly signalPrice?: string;
  /** Lost attempts that were looked up again just now: only after these is it tried anew. */
  readonly lookedUp?: readonly IntentId[];
  /** Of an alert whose webhook is remembered: it is admitted in the step that accepts it. */
  readonly admission?: AdmittedWith;
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
  | { readonly kind: "tooLate" }
  /** It can only open something, and the store's memory is nearly full: nothing was written. */
  | { readonly kind: "full" }
  /** Its webhook is not as remembered, or has no requests left: nothing was written or counted. */
  | { readonly kind: "unadmitted" };

/** What of an intent is held against what its broker shows. */
export type IntentProgress = Pick<IntentRecord, "state" | "clOrdIds">;

/** The intents of all accounts. */
export interface IntentStore {
  /** The store's clock, Unix ms: all ages count by it. */
  readonly now: () => Promise<number>;
  /**
   * Writes the record, and its place on the account's lane in the same step: the order of acceptance
   * is the order on the lane, whoever else accepts at the same time. The command is sent in this very
   * call. Throws when it may not have been carried out; where that can be read, it is.
   */
  readonly accept: (
    intent: NewIntent,
    how?: {
      /** Whether the lane is woken in the same step: for one that another process works. */
      readonly rings?: boolean;
    },
  ) => Promise<Acceptance>;
  /** Puts an unsent intent on its lane, unless it is there. */
  readonly enqueue: (account: AccountId, id: IntentId) => Promise<void>;
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
  /** Lets an exit that goes on send nothing more; its lane ends it. False where it does not go on. */
  readonly stopGoingOn: (account: AccountId, id: IntentId) => Promise<boolean>;
  readonly isStopped: (account: AccountId, id: IntentId) => Promise<boolean>;
  /** Whether the intent was accepted after the other one, also within one millisecond. */
  readonly follows: (account: AccountId, id: IntentId, other: IntentId) => Promise<boolean>;
  /**
   * Whether a target for all of the contract was accepted after the intent, and was carried out or begun: where
   * that is to be, it says alone.
   */
  readonly targetFollows: (
    account: AccountId,
    id: IntentId,
    contract: ContractCode,
  ) => Promise<boolean>;
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
   * record says: the broker shows the order. False where it is not so any more.
   */
  readonly amend: (record: IntentRecord, order: ClOrdId, outcome: Outcome) => Promise<boolean>;
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
  /**
   * To be called before the account's first intent is accepted; it sends on the connection of
   * `IntentStore.accept`, and is not waited for.
   */
  readonly prepare: (account: AccountId) => void;
  /** Whether another process works the lane, or nobody: it is called over the store. */
  readonly isElsewhere: (account: AccountId) => boolean;
  /** To be called right after `IntentStore.accept`, before its answer: the lane may look at once. */
  readonly expect: (account: AccountId, id: IntentId) => void;
  /** Wakes the lane once the intent is there. */
  readonly ring: (account: AccountId, id: IntentId) => void;
}

/** Carries outcomes from the lane back to whoever waits for them. */
export interface Outcomes {
  /**
   * Listens from now on. `stop` must be called in the end. Who took the request in is told how it ended;
   * a repeat may be another process, and reads it now and then.
   */
  readonly expect: (
    account: AccountId,
    id: IntentId,
    isRepeat?: boolean,
  ) => {
    /** The settled record, or undefined when `ms` passed first. */
    readonly within: (ms: number) => Promise<IntentRecord | undefined>;
    readonly stop: () => void;
  };
  /** Whether who waits there can be told only over the store. */
  readonly isElsewhere: (replyTo: string) => boolean;
  /**
   * `replyTo` names the process whose caller may be waiting; it is absent where that one was told with
   * the end itself.
   */
  readonly announce: (record: IntentRecord, replyTo?: string) => void;
}
