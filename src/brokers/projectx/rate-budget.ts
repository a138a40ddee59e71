import { PromisedRoom } from "../promised-room.ts";

/**
 * What a request is for. What protects money goes before all else, what a session cannot begin without
 * before entries, and what only asks comes last.
 */
export type Purpose = "protect" | "load" | "entry" | "read";

export interface RateLimit {
  /** So many requests at most in any span of that length. */
  readonly most: number;
  readonly withinMs: number;
}

/** Published are 200 in 60 s for everything but bars; a few are left for other programs. */
export const DEFAULT_LIMIT: RateLimit = { most: 190, withinMs: 60_000 };

/** Kept free for what matters more, as a share of the limit. */
const KEPT_FREE: Readonly<Record<Purpose, number>> = {
  protect: 0,
  load: 0.05,
  entry: 0.25,
  read: 0.5,
};

/** Whether requests of the one kind are still made where those of the other are not. */
export const goesBefore = (purpose: Purpose, than: Purpose): boolean =>
  KEPT_FREE[purpose] < KEPT_FREE[than];

/**
 * Questions that can be spared: what a busy moment asks over and over is known by the hub too, and the
 * rest of the span must not pay for it.
 */
const SPARED = { share: 0.1, ofSpan: 1 / 12 } as const;

/** An exit asks all the same, ms after a refusal: nothing says that it still lasts. */
const EXIT_TRIES_AFTER_MS = 1_500;

/** Requests that may still be made, counted exactly over the last span. */
export class RateBudget {
  readonly #limit: RateLimit;
  readonly #elapsed: () => number;
  readonly #promised: PromisedRoom;
  /** When requests were made, oldest first. */
  #made: number[] = [];
  /** When those were made that could have been spared. */
  #asked: number[] = [];
  #lockedUntil = 0;
  #exitTriesAt = 0;
  /** Whether an exit was tried in spite of the refusal. */
  #isTried = false;

  /** `elapsed` is a clock in ms that is never set. */
  constructor(limit: RateLimit, elapsed: () => number) {
    this.#limit = limit;
    this.#elapsed = elapsed;
    this.#promised = new PromisedRoom(elapsed);
  }

  /** Takes one request from the budget; otherwise answers in words why it may not be made now. */
  take(purpose: Purpose): string | undefined {
    const now = this.#elapsed();
    if (now < this.#lockedUntil && !this.#mayTry(purpose, now)) {
      const seconds = Math.ceil((this.#lockedUntil - now) / 1_000);
      return `ProjectX has refused requests, for too many of them: for ${seconds} s more`;
    }
    if (this.#free(now) < 1 + this.#kept(purpose)) {
      return "The request budget for ProjectX is used up; what is left is kept for exits";
    }
    if (purpose === "read" && !this.#mayAskIdly(now)) {
      return "So much was asked of ProjectX right now that the rest of its request budget is kept";
    }
    this.#made.push(now);
    return undefined;
  }

  /** So many requests of that kind may be made in one span at most. */
  mostFor(purpose: Purpose): number {
    return Math.trunc(this.#limit.most - this.#kept(purpose));
  }

  /** Whether so many requests of an exit may be made at once; they are kept for it for a moment. */
  hasRoomFor(requests: number): boolean {
    const isFree = (all: number) =>
      all <= this.mostFor("protect") && this.waitMs("protect", all) === 0;
    return this.#promised.take(requests, isFree);
  }

  /** In how many ms so many requests of that kind could be made one after the other; 0 for now. */
  waitMs(purpose: Purpose, count: number): number {
    const now = this.#elapsed();
    const lockedMs = Math.max(0, this.#lockedUntil - now);
    const missing = Math.min(count, this.mostFor(purpose)) + this.#kept(purpose) - this.#free(now);
    if (missing <= 0) return lockedMs;
    const leaves = this.#made[Math.min(Math.ceil(missing), this.#made.length) - 1] ?? now;
    return Math.max(lockedMs, leaves + this.#limit.withinMs - now);
  }

  /** The broker's status 429. How long it lasts is not documented: as long as the span it counts. */
  lockOut(): void {
    const now = this.#elapsed();
    this.#lockedUntil = now + this.#limit.withinMs;
    this.#exitTriesAt = now + EXIT_TRIES_AFTER_MS;
    this.#isTried = false;
  }

  /** A request was answered: where an exit was tried during a refusal, that has ended. */
  answered(): void {
    if (this.#isTried) this.#lockedUntil = 0;
  }

  /** Exits that go in spite of a refusal go one at a time. */
  #mayTry(purpose: Purpose, now: number): boolean {
    if (purpose !== "protect" || now < this.#exitTriesAt) return false;
    this.#exitTriesAt = now + EXIT_TRIES_AFTER_MS;
    this.#isTried = true;
    return true;
  }

  #mayAskIdly(now: number): boolean {
    const { most, withinMs } = this.#limit;
    this.#asked = this.#asked.filter((at) => at > now - withinMs * SPARED.ofSpan);
    if (this.#asked.length >= most * SPARED.share) return false;
    this.#asked.push(now);
    return true;
  }

  #kept(purpose: Purpose): number {
    return KEPT_FREE[purpose] * this.#limit.most;
  }

  #free(now: number): number {
    const since = now - this.#limit.withinMs;
    const past = this.#made.findIndex((at) => at > since);
    if (past !== 0) this.#made = past === -1 ? [] : this.#made.slice(past);
    return this.#limit.most - this.#made.length;
  }
}
