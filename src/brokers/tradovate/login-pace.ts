import type { LoginRecord } from "./login-record.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Five failed logins in an hour are the limit: so long after the first, the second, all others. */
const AFTER_FAILURES_MS = [15_000, 2 * MINUTE_MS, 20 * MINUTE_MS];
/** A token lives longer than an hour: so long after the first login in one, the second, all others. */
const AFTER_LOGINS_MS = [0, 15_000, MINUTE_MS, 10 * MINUTE_MS];
/**
 * Someone else's login has ended our session, or one of ours that was left behind: so long after the
 * first time in an hour, the second, and so on. Two programs that end each other's sessions in turn
 * do it ever more slowly.
 */
const AFTER_QUOTAS_MS = [MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, 30 * MINUTE_MS];
/** No pause is longer, so one that says so was written by another clock. */
const LONGEST_PAUSE_MS = HOUR_MS;

/** When the next login may be: Tradovate locks out who tries too often. By the steady clock. */
export class LoginPace {
  readonly #elapsed: () => number;
  #failures = 0;
  #notBefore = 0;
  #quotaAt: number | undefined;
  /** How often it came to that, each time within an hour of the one before. */
  #quotas = 0;
  /** Logins that were granted within the last hour. */
  #grantedAt: readonly number[] = [];

  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  /** For how long no login may be tried, ms. */
  get waitMs(): number {
    return Math.max(0, this.#notBefore - this.#elapsed());
  }

  /** Two programs that end each other's sessions in turn do it ever more slowly. */
  granted(): void {
    const now = this.#elapsed();
    this.#failures = 0;
    this.#grantedAt = [...this.#grantedAt.filter((at) => now - at < HOUR_MS), now];
    const waits = AFTER_LOGINS_MS;
    const ms = waits[Math.min(this.#grantedAt.length, waits.length) - 1] ?? 0;
    this.#notBefore = Math.max(this.#notBefore, now + ms);
  }

  /** The broker saw a login and did not grant it. */
  failed(atLeastMs = 0): void {
    const waits = AFTER_FAILURES_MS;
    const ms = waits[Math.min(this.#failures, waits.length - 1)] ?? 0;
    this.#failures += 1;
    this.#notBefore = this.#elapsed() + Math.max(ms, atLeastMs);
  }

  /** The session limit ended our session; answers whether it did within the last hour already. */
  endedByQuota(): boolean {
    const now = this.#elapsed();
    const isAgain = this.#quotaAt !== undefined && now - this.#quotaAt < HOUR_MS;
    this.#quotaAt = now;
    this.#quotas = isAgain ? this.#quotas + 1 : 1;
    const waits = AFTER_QUOTAS_MS;
    this.#notBefore = now + (waits[Math.min(this.#quotas, waits.length) - 1] ?? 0);
    return isAgain;
  }

  /** `shift` is what another clock is ahead of the steady one. */
  toRecord(shift: number): LoginRecord["pace"] {
    return {
      failures: this.#failures,
      notBefore: this.#notBefore + shift,
      quotaAt: this.#quotaAt === undefined ? null : this.#quotaAt + shift,
      quotas: this.#quotas,
      grantedAt: this.#grantedAt.map((at) => at + shift),
    };
  }

  /** Goes on where another pace was. What cannot be of the last hour is not believed. */
  restore(pace: LoginRecord["pace"], shift: number): void {
    const { failures, notBefore, quotaAt, quotas = 0, grantedAt } = pace;
    const now = this.#elapsed();
    const isRecent = (at: number) => at <= now && now - at < HOUR_MS;
    this.#failures = failures;
    this.#notBefore = Math.min(notBefore - shift, now + LONGEST_PAUSE_MS);
    const quota = (quotaAt ?? Number.NEGATIVE_INFINITY) - shift;
    this.#quotaAt = isRecent(quota) ? quota : undefined;
    this.#quotas = quotas;
    this.#grantedAt = grantedAt.map((at) => at - shift).filter(isRecent);
  }
}
