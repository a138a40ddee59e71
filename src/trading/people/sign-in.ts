import { errors } from "../../errors.ts";
import { firstStep } from "../public-error.ts";
import type { People, Visit, Person, SignedIn } from "./people.ts";
import type {
  AttemptStore,
  Passwords,
  PeopleStore,
  SessionStore,
  SignInObserver,
  SignInRecord,
  Attempt,
} from "./ports.ts";

export interface SignInDeps {
  readonly people: PeopleStore;
  readonly sessions: SessionStore;
  readonly attempts: AttemptStore;
  readonly passwords: Passwords;
  readonly observer: SignInObserver;
  readonly openSession: OpenSession;
}

type SignInUses = Pick<
  People,
  "signIn" | "readSession" | "signOut" | "confirm" | "findEndedSessions"
>;

/** Coming in by name and password, and going. */
export function createSignInUses(deps: SignInDeps): SignInUses {
  const { people, sessions, observer, openSession } = deps;
  const prove = createProvePassword(deps);
  return {
    signIn: async (visit, { name, password }, former) => {
      const record = await firstStep("reads", () => people.findByName(name));
      const proven = await prove(visit, { name, record }, password);
      const signedIn = await openSession(proven, former);
      observer.signedIn({ userId: proven.userId, address: visit.address, proof: "password" });
      return signedIn;
    },

    readSession: async ({ userId }) => {
      const user = await people.user(userId);
      if (user === undefined) throw errors.notFound("user");
      return user;
    },

    signOut: async ({ session }) => await sessions.end(session),

    confirm: async ({ session, userId, visit }, password) => {
      const [record, user] = await Promise.all([people.find(userId), people.user(userId)]);
      if (record === undefined || user === undefined) throw errors.notFound("user");
      await prove(visit, { name: record.name, record }, password);
      const renewed = await sessions.renew(session);
      if (renewed === undefined) throw errors.sessionOver();
      observer.signedIn({ userId, address: visit.address, proof: "password" });
      return { ...renewed, user };
    },

    findEndedSessions: sessions.findEnded,
  };
}

/** Of a name that nobody has it takes the same time, and says the same. */
function createProvePassword({ attempts, passwords, observer }: SignInDeps) {
  return async function provePassword(
    { address }: Visit,
    { name, record }: { readonly name: string; readonly record: SignInRecord | undefined },
    password: string,
  ): Promise<SignInRecord> {
    const attempt = { name, address };
    await beginAttempt({ attempts, observer }, attempt);
    const isRight = await passwords
      .verify(record?.passwordHash, password)
      .catch(async (error: unknown) => {
        await attempts.withdraw(attempt);
        throw error;
      });
    if (record === undefined || !isRight) {
      const who = record === undefined ? {} : { userId: record.userId };
      observer.signInRefused({ ...who, address, proof: "password" });
      throw errors.signInFailed();
    }
    await attempts.succeed(attempt);
    return record;
  };
}

interface BeginAttemptDeps {
  readonly attempts: Pick<AttemptStore, "begin">;
  readonly observer: Pick<SignInObserver, "signInThrottled">;
}

/** Counts an attempt to sign in before anything of it is looked at; RATE_LIMITED after too many. */
export async function beginAttempt(
  { attempts, observer }: BeginAttemptDeps,
  attempt: Attempt,
): Promise<void> {
  const waitMs = await attempts.begin(attempt);
  if (waitMs === 0) return;
  observer.signInThrottled({ address: attempt.address });
  throw errors.tooManyAttempts(waitMs);
}

export interface OpenSessionDeps {
  readonly people: PeopleStore;
  readonly sessions: SessionStore;
}

export type OpenSession = (proven: SignInRecord, former?: Person) => Promise<SignedIn>;

/** What was proven becomes a session under a new secret, so that none can be planted before. */
export function createOpenSession({ people, sessions }: OpenSessionDeps): OpenSession {
  return async function openSession(proven, former) {
    const { userId } = proven;
    const opened = await sessions.begin(userId);
    if (former !== undefined) await sessions.end(former.session);
    // The user may have been removed, or the password changed, since the proof was looked at: whoever
    // did that has ended the sessions there were, and this one came too late to be among them.
    const [user, now] = await Promise.all([people.user(userId), people.find(userId)]);
    if (user !== undefined && now?.passwordHash === proven.passwordHash) return { ...opened, user };
    await sessions.end(opened.session);
    throw errors.signInFailed();
  };
}
