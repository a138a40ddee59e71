import type { Limit, Settings } from "./settings.ts";
import { obtain } from "../obtain.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

interface Counted {
  readonly times: number[];
  lockedUntil: number;
  isWarned: boolean;
}

export type Verdict = "ok" | 423 | 429;

/**
 * Counts requests over rolling windows. The first over a limit is warned by 423 and the next locks
 * its asker out for an hour, which each further request begins anew.
 */
export class RateLimits {
  readonly #now: () => number;
  readonly #counted = new Map<string, Counted>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts one request of the user, and says whether it may be carried out. */
  ask(user: string, endpoint: string, settings: Settings): Verdict {
    const ofUser = this.#ask(user, settings.userLimit, settings);
    if (ofUser !== "ok") return ofUser;
    const limit = settings.endpointLimits[endpoint];
    return limit === undefined ? "ok" : this.#ask(`${user} ${endpoint}`, limit, settings);
  }

  /** For what counts only its failures: asks without counting. */
  peek(key: string, limit: Limit | undefined, settings: Settings): Verdict {
    if (limit === undefined) return "ok";
    const counted = this.#of(key);
    if (this.#isLocked(counted, settings)) return 429;
    return this.#isOver(counted, limit, 1) ? this.#punish(counted, settings) : "ok";
  }

  count(key: string): void {
    this.#of(key).times.push(this.#now());
  }

  /** Counts what somebody else has asked for. */
  spend(user: string, requests: number): void {
    for (let n = 0; n < requests; n += 1) this.count(user);
  }

  /** Locks out as if the limit had been passed. */
  lock(user: string, ms: number): void {
    this.#of(user).lockedUntil = this.#now() + ms;
  }

  clear(): void {
    this.#counted.clear();
  }

  #ask(key: string, limit: Limit, settings: Settings): Verdict {
    const counted = this.#of(key);
    if (this.#isLocked(counted, settings)) return 429;
    counted.times.push(this.#now());
    return this.#isOver(counted, limit, 0) ? this.#punish(counted, settings) : "ok";
  }

  #isLocked(counted: Counted, { lockoutMs }: Settings): boolean {
    if (counted.lockedUntil <= this.#now()) return false;
    counted.lockedUntil = Math.max(counted.lockedUntil, this.#now() + lockoutMs);
    return true;
  }

  #punish(counted: Counted, { warnsBeforeLockout, lockoutMs }: Settings): Verdict {
    if (warnsBeforeLockout && !counted.isWarned) {
      counted.isWarned = true;
      return 423;
    }
    counted.isWarned = false;
    counted.lockedUntil = this.#now() + lockoutMs;
    return 429;
  }

  #isOver({ times }: Counted, limit: Limit, ahead: number): boolean {
    const now = this.#now();
    while (times[0] !== undefined && times[0] <= now - HOUR_MS) times.shift();
    const within = (ms: number) => countAfter(times, now - ms) + ahead;
    const { perHour = Infinity, perMinute = Infinity, perSecond = Infinity, gapMs = 0 } = limit;
    const last = times.at(ahead === 0 ? -2 : -1);
    const isTooSoon = gapMs > 0 && last !== undefined && now - last < gapMs;
    return (
      isTooSoon ||
      times.length + ahead > perHour ||
      within(MINUTE_MS) > perMinute ||
      within(SECOND_MS) > perSecond
    );
  }

  #of(key: string): Counted {
    return obtain(this.#counted, key, () => ({ times: [], lockedUntil: 0, isWarned: false }));
  }
}

/** How many of the growing times are later than `after`. */
function countAfter(times: readonly number[], after: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) <= after) low = middle + 1;
    else high = middle;
  }
  return times.length - low;
}
