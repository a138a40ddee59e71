import type { ApiKey, Scope, User, Passkey } from "../../domain/people/credential.ts";
import type { CredentialId, PasskeyId } from "../../domain/ids.ts";
import type { Session } from "../../domain/people/session.ts";
import type { OpenedSession, SessionStore, Site } from "./ports.ts";
import type { Caller } from "./caller.ts";

/** Where a request of a person's browser comes from, and where it found us. */
export interface Visit {
  readonly address: string;
  readonly site: Site;
}

/** A caller who is proven by a session. */
export interface Person extends Caller {
  readonly session: Session;
  readonly visit: Visit;
}

export interface SignedIn extends OpenedSession {
  readonly user: User;
}

/** What a browser hands to `navigator.credentials`, and under which name to answer. */
export interface Ceremony {
  readonly challengeId: string;
  readonly options: object;
}

export interface CeremonyAnswer {
  readonly challengeId: string;
  readonly response: object;
}

/**
 * Everything that people may ask about themselves: how they come in, and which keys they hand out.
 * Each answers with what happened or throws a `GatewayError`. What gives lasting access asks for a
 * proof of the last 15 minutes, else SIGN_IN_AGAIN.
 */
export interface People {
  /** `former` is the session that the same browser had until now; it ends. */
  readonly signIn: (
    visit: Visit,
    said: { readonly name: string; readonly password: string },
    former?: Person,
  ) => Promise<SignedIn>;
  readonly readSession: (person: Person) => Promise<User>;
  readonly signOut: (person: Person) => Promise<void>;
  readonly confirm: (person: Person, password: string) => Promise<SignedIn>;

  /** With a person it is to confirm who they are, and their own passkeys alone will do. */
  readonly askForPasskey: (visit: Visit, person?: Person) => Promise<Ceremony>;
  readonly signInByPasskey: (
    visit: Visit,
    answer: CeremonyAnswer,
    person?: Person,
  ) => Promise<SignedIn>;

  readonly checkSetUp: (
    token: string,
  ) => Promise<{ readonly user: User; readonly isFirst: boolean }>;
  readonly setUp: (
    visit: Visit,
    request: {
      readonly token: string;
      readonly name: string;
      readonly password: string;
      readonly forgetPasskeys: boolean;
    },
    former?: Person,
  ) => Promise<SignedIn>;
  /** Ends all other sessions. */
  readonly changePassword: (person: Person, password: string) => Promise<void>;

  readonly listPasskeys: (person: Person) => Promise<readonly Passkey[]>;
  readonly offerPasskey: (person: Person) => Promise<Ceremony>;
  readonly addPasskey: (person: Person, name: string, answer: CeremonyAnswer) => Promise<Passkey>;
  readonly removePasskey: (person: Person, id: PasskeyId) => Promise<void>;

  readonly listKeys: (person: Person) => Promise<readonly ApiKey[]>;
  /** `secret` is shown this once and kept nowhere. */
  readonly createKey: (
    person: Person,
    request: { readonly name: string; readonly scopes: readonly Scope[] },
  ) => Promise<{ readonly key: ApiKey; readonly secret: string }>;
  /** One that is revoked already stays so. */
  readonly revokeKey: (person: Person, id: CredentialId) => Promise<void>;

  readonly findEndedSessions: SessionStore["findEnded"];
}

/** Whether a caller came by a session. */
export function isPerson(caller: Caller): caller is Person {
  return "session" in caller;
}
