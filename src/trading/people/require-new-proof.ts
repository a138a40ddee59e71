import { isNewlyProven } from "../../domain/people/session.ts";
import { errors } from "../../errors.ts";
import type { Person } from "./people.ts";
import type { SessionStore } from "./ports.ts";

/** A session that somebody left open must not be enough to let its finder come back for ever. */
export function requireNewProof({ session, receivedAt }: Person): void {
  if (!isNewlyProven(session, receivedAt)) throw errors.signInAgain();
}

/**
 * The session was looked up before the body came in, which takes as long as its sender likes. What
 * outlives a session is given to nobody who was signed out meanwhile.
 */
export async function requireStillIn(
  sessions: Pick<SessionStore, "findEnded">,
  { session }: Person,
): Promise<void> {
  const ended = await sessions.findEnded([session]);
  if (ended.length > 0) throw errors.sessionOver();
}
