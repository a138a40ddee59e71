import { errors } from "../../errors.ts";
import type { Person, SignedIn } from "./people.ts";
import type { PeopleStore, SessionStore, SignInRecord } from "./ports.ts";

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
