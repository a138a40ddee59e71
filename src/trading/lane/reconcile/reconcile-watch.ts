import type { AccountId } from "../../../domain/ids.ts";
import type { LaneSession } from "../connected.ts";
import { CONFIRM_AFTER_MS } from "./reconcile-positions.ts";

/** An account that holds something, has a working order, or had one report since it was read. */
export const BUSY_EVERY_MS = 30_000;
export const QUIET_EVERY_MS = 30 * 60_000;
/** How soon an account that is left out is tried again; each time twice as late. */
const FIRST_RETRY_MS = 1_000;

/** What the accounts of a connection are read in at its start. */
export interface StartOfSession {
  /** What is said of the session to the lanes of its accounts. */
  readonly session: LaneSession;
  /** Those that the broker reports in it. */
  readonly accounts: readonly AccountId[];
  /** Throws when the session itself is gone, and not only one account of it. */
  readonly requireSession: () => Promise<unknown>;
}

/** One account in one session; the next session has another one. */
export interface Watched {
  readonly account: AccountId;
  readonly session: LaneSession;
  /** It was read in full in this session. Until then nothing is sent for it. */
  isInStep: boolean;
  /** How often it was tried in vain while it was left out. */
  failures: number;
  reconciledAt: number;
  dueAt: number;
  isQuiet: boolean;
  /** Something was reported since its last reading began. */
  hasNews: boolean;
  isSuspected: boolean;
  isUnderWay: boolean;
}

/** The accounts of a session at its start: nothing that an `earlier` one has shown counts in it. */
export function watchAll(
  { session, accounts }: StartOfSession,
  earlier: readonly Watched[],
  now: number,
): readonly Watched[] {
  const readAt = new Map(earlier.map(({ account, reconciledAt }) => [account, reconciledAt]));
  return accounts.map((account) => ({
    account,
    session,
    isInStep: false,
    failures: 0,
    reconciledAt: readAt.get(account) ?? now,
    dueAt: now,
    isQuiet: false,
    hasNews: false,
    isSuspected: false,
    isUnderWay: false,
  }));
}

export function intervalOf({ isSuspected, isQuiet }: Watched): number {
  if (isSuspected) return CONFIRM_AFTER_MS;
  return isQuiet ? QUIET_EVERY_MS : BUSY_EVERY_MS;
}

/** Soon, then later and later: a short failure delays an account little, a lasting one costs little. */
export function retryAfter({ isInStep, failures }: Watched): number {
  return isInStep ? BUSY_EVERY_MS : Math.min(BUSY_EVERY_MS, FIRST_RETRY_MS * 2 ** failures);
}
