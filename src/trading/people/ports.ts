import type {
  ApiKey,
  Scope,
  User,
  Webhook,
  PasskeyProof,
  ProvenPasskey,
} from "../../domain/people/credential.ts";
import type {
  AccountGroupId,
  AccountId,
  CredentialId,
  PasskeyId,
  UserId,
} from "../../domain/ids.ts";
import type { Session } from "../../domain/people/session.ts";
import type { WebhookOptions, WebhookOptionsChange } from "../../domain/alert.ts";

/** A person who has set up how they sign in. */
export interface SignInRecord {
  readonly userId: UserId;
  readonly name: string;
  readonly passwordHash: string;
}

/** The people of this appliance, and what they sign in with. All of these throw `StoreError`. */
export interface PeopleStore {
  readonly users: () => Promise<readonly User[]>;
  readonly user: (id: UserId) => Promise<User | undefined>;
  readonly addUser: (name: string) => Promise<User>;
  /** Forgets the user, and all that they sign in with. */
  readonly removeUser: (id: UserId) => Promise<void>;
  /** Undefined until it is set up. */
  readonly find: (user: UserId) => Promise<SignInRecord | undefined>;
  /** Takes the same steps for a name that nobody has. */
  readonly findByName: (name: string) => Promise<SignInRecord | undefined>;
  /** Whether anybody can sign in. */
  readonly anybody: () => Promise<boolean>;
  /** The secret of a link that holds for a day, and until the user sets up by it or by another. */
  readonly createLink: (user: UserId) => Promise<string>;
  readonly readLink: (secret: string) => Promise<UserId | undefined>;
  /** Uses the user's links up, unless the name is another's. */
  readonly setUp: (
    link: string,
    record: SignInRecord,
  ) => Promise<"done" | "linkGone" | "nameTaken">;
  /** False when the password is another one by now than the record's. */
  readonly changePassword: (record: SignInRecord, passwordHash: string) => Promise<boolean>;
}

export interface PasskeyStore {
  readonly list: (user: UserId) => Promise<readonly ProvenPasskey[]>;
  readonly add: (passkey: Omit<ProvenPasskey, "id" | "createdAt">) => Promise<ProvenPasskey>;
  /** Does nothing to one that was removed meanwhile. */
  readonly noteUse: (passkey: ProvenPasskey, counter: number) => Promise<void>;
  /** False when there is none. */
  readonly remove: (user: UserId, id: PasskeyId) => Promise<boolean>;
  readonly removeAll: (user: UserId) => Promise<void>;
}

/** What a passkey is asked to sign, and what for. */
export interface Challenge {
  readonly text: string;
  readonly purpose: "signIn" | "confirm" | "add";
  /** Of the last two: for whom alone it holds. */
  readonly sessionId?: CredentialId;
}

/** Each challenge can be answered once, within 5 minutes. */
export interface ChallengeStore {
  readonly keep: (challenge: Challenge) => Promise<string>;
  readonly take: (id: string) => Promise<Challenge | undefined>;
}

export interface OpenedSession {
  readonly session: Session;
  /** Shown this once, in a cookie. */
  readonly secret: string;
}

export interface SessionStore {
  readonly begin: (user: UserId) => Promise<OpenedSession>;
  /**
   * The same session, confirmed now, under a new secret; the former one is worth nothing. Undefined
   * when it ended meanwhile.
   */
  readonly renew: (session: Session) => Promise<OpenedSession | undefined>;
  readonly end: (session: Pick<Session, "id" | "userId">) => Promise<void>;
  readonly endAll: (user: UserId, except?: CredentialId) => Promise<void>;
  /** Which of these are signed out, or over. */
  readonly findEnded: (
    sessions: readonly Pick<Session, "id" | "userId">[],
  ) => Promise<readonly CredentialId[]>;
}

export interface Attempt {
  readonly address: string;
  /** Absent where nobody said who they are, as with a passkey. */
  readonly name?: string;
}

/**
 * Attempts to sign in, counted before it is known how they end, so that many at once are not more
 * than their number.
 */
export interface AttemptStore {
  /** Answers 0, or in how many ms to come back; what is refused is not counted. */
  readonly begin: (attempt: Attempt) => Promise<number>;
  /** It was no failure: takes it back, and forgets how often this name failed from there. */
  readonly succeed: (attempt: Attempt) => Promise<void>;
  /** Nothing was looked at: takes it back. */
  readonly withdraw: (attempt: Attempt) => Promise<void>;
  /** Of asking for challenges; as `begin`. */
  readonly beginChallenge: (address: string) => Promise<number>;
}

/** Slow on purpose. Throws SIGN_IN_BUSY when too many wait. */
export interface Passwords {
  readonly hash: (password: string) => Promise<string>;
  /** Without a hash it takes as long, and answers false. */
  readonly verify: (hash: string | undefined, password: string) => Promise<boolean>;
}

/** Where a person's browser finds us: passkeys are made for one site, and answer it alone. */
export interface Site {
  readonly origin: string;
  /** The host's name. */
  readonly rpId: string;
}

/** Both sides' part of WebAuthn. `options` are for the browser as they are. */
export interface PasskeyCeremonies {
  readonly offerNew: (
    site: Site,
    user: User,
    known: readonly ProvenPasskey[],
  ) => Promise<{ readonly text: string; readonly options: object }>;
  /** Undefined when the answer proves nothing. */
  readonly readNew: (
    site: Site,
    challenge: string,
    response: object,
  ) => Promise<PasskeyProof | undefined>;
  /** Without `known` any passkey of the site may answer. */
  readonly ask: (
    site: Site,
    known?: readonly ProvenPasskey[],
  ) => Promise<{ readonly text: string; readonly options: object }>;
  /**
   * Whose passkey says to answer, and by which of its passkeys; not proven yet. One that was asked for
   * by its id may leave out whose it is.
   */
  readonly readClaim: (response: object) => {
    readonly userId: UserId | undefined;
    readonly credentialId: string;
  };
  /** The passkey's counter; undefined when the answer proves nothing. */
  readonly verify: (
    site: Site,
    challenge: string,
    answer: { readonly passkey: ProvenPasskey; readonly response: object },
  ) => Promise<number | undefined>;
}

/** What became of an attempt to sign in. */
export type SignInResult = "signedIn" | "refused" | "throttled";

export type Proof = "password" | "passkey" | "set-up";

/** Told of everything that gives access to a person, or takes it. */
export interface SignInObserver {
  readonly signedIn: (who: SignInReport) => void;
  readonly signInRefused: (
    who: Partial<Pick<SignInReport, "userId">> & Omit<SignInReport, "userId">,
  ) => void;
  readonly signInThrottled: (who: { readonly address: string }) => void;
}

interface SignInReport {
  readonly userId: UserId;
  readonly address: string;
  readonly proof: Proof;
}

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
    readonly groupId?: AccountGroupId;
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
      /** Null: its alerts go to its account alone. */
      readonly groupId?: AccountGroupId | null;
      readonly name?: string;
      readonly paused?: boolean;
      /** Field by field, so that of two changes at once none is lost. */
      readonly options?: WebhookOptionsChange;
    },
  ) => Promise<Webhook | undefined>;
  /** To be called before an alert may come to them otherwise than by a webhook that points there. */
  readonly rememberAlertAccounts: (user: UserId, accounts: readonly AccountId[]) => Promise<void>;
  /** The accounts that a webhook of the user ever pointed to. */
  readonly alertAccounts: (user: UserId) => Promise<readonly AccountId[]>;
  readonly deleteWebhook: (user: UserId, id: CredentialId) => Promise<boolean>;
}
