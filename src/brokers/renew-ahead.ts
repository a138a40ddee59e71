import { setTimeout as sleep } from "node:timers/promises";
import { CredentialsRefusedError, SessionImpossibleError } from "./session-errors.ts";

/** What a login or a renewal gave. */
export interface Token {
  /** How long it holds, in ms, from the moment that it was asked for. */
  readonly validForMs: number;
}

export interface RenewAheadDeps {
  /**
   * Gets a new token, and puts it to use. Rejects with `CredentialsRefusedError` when the broker
   * will not renew any more, and with any other error when it may be tried again.
   */
  readonly renew: (signal: AbortSignal) => Promise<Token>;
  /** Ends the renewing, and what is being asked. */
  readonly signal: AbortSignal;
  /** Hears of each renewal that failed and is tried again. */
  readonly onError: (error: unknown) => void;
  readonly random?: () => number;
  /** A clock in ms that is never set. */
  readonly elapsed?: () => number;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** A renewal has the last part of a token's life to be tried again. */
const EARLIEST_SHARE = 0.75;
const LATEST_SHARE = 0.85;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;
/** A timer takes no longer wait than 24 days. */
const LONGEST_WAIT_MS = 24 * 60 * 60 * 1_000;

/**
 * Keeps the token of a session fresh, which was asked for at `askedAt` by `elapsed`: made for a race
 * with the rest of an adapter's `runSession`. Resolves when the signal ended it. Rejects with
 * `CredentialsRefusedError` or `SessionImpossibleError` when the broker said so, and with a plain
 * error, after which a new login may help, when the token ended before it could be renewed.
 */
export async function renewAhead(
  token: Token,
  askedAt: number,
  deps: RenewAheadDeps,
): Promise<void> {
  const { signal, random = Math.random, elapsed = () => performance.now() } = deps;
  let [current, since] = [token, askedAt];
  while (!signal.aborted) {
    const share = EARLIEST_SHARE + random() * (LATEST_SHARE - EARLIEST_SHARE);
    await waitUntil(since + current.validForMs * share, deps);
    if (signal.aborted) return;
    const renewed = await renewBefore(since + current.validForMs, deps);
    if (renewed === undefined) return;
    [current, since] = [renewed.token, renewed.askedAt];
    // A broker that gives what is over already would be asked without a pause.
    if (since + current.validForMs <= elapsed()) throw endedTooSoon();
  }
}

/** Undefined when the signal ended it. */
async function renewBefore(
  endsAt: number,
  deps: RenewAheadDeps,
): Promise<{ readonly token: Token; readonly askedAt: number } | undefined> {
  const { renew, signal, onError, random = Math.random, elapsed = () => performance.now() } = deps;
  const late = new AbortController();
  const either = AbortSignal.any([signal, late.signal]);
  for (let longestMs = FIRST_RETRY_MS; ; longestMs = Math.min(2 * longestMs, LONGEST_RETRY_MS)) {
    const askedAt = elapsed();
    if (askedAt >= endsAt) throw endedTooSoon();
    const asked = renew(either);
    const over = new AbortController();
    const end = waitUntil(endsAt, { ...deps, signal: AbortSignal.any([signal, over.signal]) });
    try {
      const token = await Promise.race([asked, end]);
      if (token !== undefined) return { token, askedAt };
    } catch (error) {
      if (signal.aborted) return undefined;
      if (isFinal(error)) throw error;
      onError(error);
    } finally {
      over.abort();
      // Whoever is too late is not listened to.
      asked.catch(() => undefined);
    }
    if (signal.aborted) return undefined;
    if (elapsed() >= endsAt) late.abort();
    const retryAt = elapsed() + longestMs * (0.5 + random() / 2);
    await waitUntil(Math.min(retryAt, endsAt), deps);
    if (signal.aborted) return undefined;
  }
}

const isFinal = (error: unknown): boolean =>
  error instanceof CredentialsRefusedError || error instanceof SessionImpossibleError;

const endedTooSoon = (): Error => new Error("The token ended before it could be renewed");

async function waitUntil(
  at: number,
  { signal, elapsed = () => performance.now(), wait = sleepFor }: RenewAheadDeps,
): Promise<void> {
  for (;;) {
    const leftMs = at - elapsed();
    if (signal.aborted || leftMs <= 0) return;
    await wait(Math.min(leftMs, LONGEST_WAIT_MS), signal);
  }
}

async function sleepFor(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
