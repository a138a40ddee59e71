import { isNewlyProven } from "../../domain/session.ts";
import { errors } from "../../errors.ts";
import type { Person } from "./people.ts";

/** A session that somebody left open must not be enough to let its finder come back for ever. */
export function requireNewProof({ session, receivedAt }: Person): void {
  if (!isNewlyProven(session, receivedAt)) throw errors.signInAgain();
}
