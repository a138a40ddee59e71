import { scrub } from "../observability/scrub.ts";
import type { BrokerAdapter } from "./broker-adapter.ts";
import type { ConnectionStop } from "../trading/connections/connection-records.ts";

/**
 * The broker refused the credentials, or they expired and cannot be renewed. A session that rejects
 * with it is not tried again until a person asks: wrong credentials, tried again, lock accounts.
 */
export class CredentialsRefusedError extends Error {
  override readonly name = "CredentialsRefusedError";

  /** `words` are the broker's; they are shown, so what could be a secret in them is taken out. */
  constructor(words: string, options?: ErrorOptions) {
    super(scrub(words), options);
  }
}

/**
 * The broker says that a session will never work as things are: the account is closed, the version
 * is refused, a penalty asks for a person. As above, it is not tried again.
 */
export class SessionImpossibleError extends Error {
  override readonly name = "SessionImpossibleError";

  /** `words` are the broker's, as above. */
  constructor(words: string, options?: ErrorOptions) {
    super(scrub(words), options);
  }
}

/**
 * This process cannot open the connection, and another one may: it has other brokers, or another key.
 * Where none can, the adapter that stands in shows why.
 */
export class UnfitHereError extends Error {
  override readonly name = "UnfitHereError";
  readonly standIn: BrokerAdapter;

  constructor(words: string, standIn: BrokerAdapter) {
    super(scrub(words));
    this.standIn = standIn;
  }
}

/** What an error of a session stops; undefined for one after which trying again may help. */
export function stopFor(error: unknown): ConnectionStop | undefined {
  if (error instanceof CredentialsRefusedError) {
    return { status: "AUTH_EXPIRED", reason: error.message };
  }
  if (error instanceof SessionImpossibleError) {
    return { status: "FATAL_ERROR", reason: error.message };
  }
  return undefined;
}

/** Why a session ended, fit to be shown. */
export function wordsFor(error: unknown): string {
  return error instanceof Error && error.message !== ""
    ? scrub(error.message)
    : "The session failed";
}
