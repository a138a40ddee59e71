import { PromisedRoom } from "../promised-room.ts";
import { limitIn } from "./classify-error.ts";
import type { TradovateAnswer } from "./wire.ts";

/** What a request is for: what protects money goes before what asks, and both before entries. */
export type RequestPurpose = "protect" | "read" | "entry";

export interface RateLimits {
  /** Requests in a rolling hour at most; the published limit is 5,000. */
  readonly perHour: number;
  /** Requests in a rolling minute at most. */
  readonly perMinute: number;
}

/**
 * Published are 5,000 an hour and 5,000 a minute for a user, who may have other programs; a client
 * of Tradovate's own holds itself to 1,000 a minute.
 */
export const DEFAULT_LIMITS: RateLimits = { perHour: 4_500, perMinute: 900 };

/** Kept free for what matters more, as a share of the bucket. */
const KEPT_FREE: Readonly<Record<RequestPurpose, number>> = { protect: 0, entry: 0.3, read: 0.5 };

/** Endpoints with a published limit of their own: what they refuse says nothing of the others. */
const LIMITED_BY_THEMSELVES: ReadonlySet<string> = new Set([
  "auth/accesstokenrequest",
  "auth/renewaccesstoken",
  "auth/me",
  "user/syncrequest",
  "order/dryrun",
]);

/** What a session begins with. */
export const AUTHORIZE = "authorize";

const HOUR_MS = 60 * 60 * 1_000;
const MINUTE_MS = 60 * 1_000;
/** Requests during a lockout make it longer. */
const LOCKOUT_MS = HOUR_MS;
/**
 * When an exit may ask all the same, ms after the refusal before. Limits are published by the second,
 * the minute and the hour, and nothing says which of them was met. Where it was the hour, this makes
 * it little more than a minute longer.
 */
const EXIT_TRIES_MS: readonly number[] = [1_500, 10_000, 65_000];
/** For so long a refusal makes a lockout no longer than it is worth, whoever asks. */
const YOUNG_MS = 5 * MINUTE_MS;
/** Exits that have waited for the same try go together. */
const TRY_OPEN_MS = 500;
/** The warning before a lockout. */
const WARNED_MS = 5 * MINUTE_MS;

/** For how long nothing may be asked, ms: of everything, and of single endpoints. */
export interface Lockouts {
  readonly everywhereMs: number;
  readonly byEndpointMs: Readonly<Record<string, number>>;
}

/**
 * Requests that may still be made, as two buckets that fill up evenly. A bucket holds a third of its
 * limit and fills with two thirds of it, so that no rolling hour or minute sees more than all of it.
 *
 * A lockout comes without a word on what it is for. It counts for the endpoint that answered so,
 * since an exit must not wait for what was asked too often elsewhere, and for all of them once a
 * second one of those answers so that have no limit of their own. How long it lasts is not said
 * either, so exits try a few times more (`tryExit`), and what is answered then is open again.
 */
export class RateBudget {
  readonly #buckets: readonly Bucket[];
  readonly #elapsed: () => number;
  readonly #promised: PromisedRoom;
  readonly #onLockOut: () => void;
  readonly #lockedUntil = new Map<string, number>();
  #allLockedUntil = 0;
  readonly #tries = new Map<string, { readonly count: number; readonly openUntil: number }>();
  readonly #warnedUntil = new Map<string, number>();
  #allWarnedUntil = 0;

  constructor(limits: RateLimits, elapsed: () => number, onLockOut: () => void = () => undefined) {
    this.#elapsed = elapsed;
    this.#promised = new PromisedRoom(elapsed);
    this.#onLockOut = onLockOut;
    this.#buckets = [
      new Bucket(limits.perHour, HOUR_MS, elapsed),
      new Bucket(limits.perMinute, MINUTE_MS, elapsed),
    ];
  }

  /** Takes one request from the budget; otherwise answers in words why it may not be made now. */
  take(purpose: RequestPurpose, endpoint: string): string | undefined {
    const lockedForMs = this.lockedForMs(endpoint);
    if (lockedForMs > 0) return this.#lockedWords(endpoint, Math.ceil(lockedForMs / MINUTE_MS));
    const warnedUntil = Math.max(
      this.#allWarnedUntil,
      this.#warnedUntil.get(nameOf(endpoint)) ?? 0,
    );
    if (this.#elapsed() < warnedUntil && purpose !== "protect") {
      return "Tradovate warned of too many requests; what is left is kept for exits";
    }
    if (this.#buckets.some((bucket) => !bucket.has(KEPT_FREE[purpose]))) {
      return "The request budget for Tradovate is used up; what is left is kept for exits";
    }
    for (const bucket of this.#buckets) bucket.take();
    return undefined;
  }

  /** Whether so many requests of an exit may be made at once; during a lockout it has a try now and then. */
  hasRoomFor(requests: number): boolean {
    const isFree = (all: number) => this.#buckets.every(({ left }) => left >= all);
    return this.#locked().length === 0 && this.#promised.take(requests, isFree);
  }

  /** Whether there is more left than is kept for entries and exits. */
  get isAmple(): boolean {
    const isWarned = this.#elapsed() < this.#allWarnedUntil;
    return !isWarned && this.#buckets.every((bucket) => bucket.has(KEPT_FREE.read));
  }

  /** In how many ms an exit may ask in spite of a lockout; undefined: not before it has ended. */
  exitTriesInMs(endpoint: string): number | undefined {
    const name = nameOf(endpoint);
    const now = this.#elapsed();
    const { count = 0, openUntil = 0 } = this.#tries.get(name) ?? {};
    if (now < openUntil) return 0;
    const afterMs = EXIT_TRIES_MS[count];
    const refusedAt = now + this.lockedForMs(endpoint) - LOCKOUT_MS;
    return afterMs === undefined ? undefined : Math.max(0, refusedAt + afterMs - now);
  }

  /**
   * In how many ms a session may begin with the token that is there. Exits wait with it, so it is tried
   * as they are; but nobody may have asked for one, so only while a lockout is young.
   */
  get sessionInMs(): number {
    const leftMs = this.lockedForMs(AUTHORIZE);
    const isYoung = leftMs > LOCKOUT_MS - YOUNG_MS;
    return (isYoung ? this.exitTriesInMs(AUTHORIZE) : undefined) ?? leftMs;
  }

  /** Takes a request for an exit that is locked out, where one may be tried now. */
  tryExit(endpoint: string): boolean {
    if (this.exitTriesInMs(endpoint) !== 0) return false;
    const name = nameOf(endpoint);
    const now = this.#elapsed();
    const { count = 0, openUntil = 0 } = this.#tries.get(name) ?? {};
    if (now >= openUntil) this.#tries.set(name, { count: count + 1, openUntil: now + TRY_OPEN_MS });
    for (const bucket of this.#buckets) bucket.take();
    return true;
  }

  /** What was tried during a lockout was answered: there is none any more. */
  open(endpoint: string): void {
    const name = nameOf(endpoint);
    // Who is answered has a session.
    for (const one of [name, AUTHORIZE]) {
      this.#lockedUntil.delete(one);
      this.#tries.delete(one);
    }
    if (isOfAll(name)) this.#allLockedUntil = 0;
    this.#onLockOut();
  }

  /** Takes note of what an answer says of how much may still be asked, and answers which it is. */
  heed(endpoint: string, answer: TradovateAnswer): ReturnType<typeof limitIn> {
    const limit = limitIn(answer);
    if (limit === "lockout") this.lockOut(endpoint);
    if (limit === "warning") this.warn(endpoint);
    return limit;
  }

  /** The broker's status 429. */
  lockOut(endpoint: string): void {
    const name = nameOf(endpoint);
    const now = this.#elapsed();
    // The others on their way had better wait for the next try; a new lockout has all of its own.
    const tried = this.#tries.get(name);
    if (this.lockedForMs(endpoint) === 0) this.#tries.delete(name);
    else if (tried !== undefined) this.#tries.set(name, { ...tried, openUntil: now });
    const isOfUser = [name, ...this.#locked()].filter(isOfAll).some((other) => other !== name);
    this.#lockedUntil.set(name, now + LOCKOUT_MS);
    if (isOfAll(name) && isOfUser) this.#allLockedUntil = now + LOCKOUT_MS;
    this.#onLockOut();
  }

  /** The broker's status 423. */
  warn(endpoint: string): void {
    const until = this.#elapsed() + WARNED_MS;
    if (isOfAll(nameOf(endpoint))) this.#allWarnedUntil = until;
    else this.#warnedUntil.set(nameOf(endpoint), until);
  }

  /** For how long the endpoint may not be asked, ms. */
  lockedForMs(endpoint: string): number {
    const until = Math.max(this.#allLockedUntil, this.#lockedUntil.get(nameOf(endpoint)) ?? 0);
    return Math.max(0, until - this.#elapsed());
  }

  /** What the next owner must keep to. */
  get lockouts(): Lockouts {
    const now = this.#elapsed();
    const left = this.#locked().map((name) => [name, this.lockedForMs(name)] as const);
    return {
      everywhereMs: Math.max(0, this.#allLockedUntil - now),
      byEndpointMs: Object.fromEntries(left),
    };
  }

  /** What is left of what a former owner has met. */
  restore({ everywhereMs, byEndpointMs }: Lockouts): void {
    const until = (ms: number) => this.#elapsed() + Math.min(ms, LOCKOUT_MS);
    this.#allLockedUntil = until(everywhereMs);
    for (const [name, ms] of Object.entries(byEndpointMs)) this.#lockedUntil.set(name, until(ms));
    // Owners that follow one another would try without end.
    this.#tries.set(AUTHORIZE, { count: EXIT_TRIES_MS.length, openUntil: 0 });
  }

  #locked(): readonly string[] {
    const now = this.#elapsed();
    return [...this.#lockedUntil].flatMap(([name, until]) => (until > now ? [name] : []));
  }

  #lockedWords(endpoint: string, minutes: number): string {
    const what =
      this.#elapsed() < this.#allLockedUntil ? "this user" : `requests for ${nameOf(endpoint)}`;
    return `Tradovate has locked ${what} out for too many requests, for ${minutes} min more`;
  }
}

/** Without what is asked of it, and however it is written. */
const nameOf = (endpoint: string): string => (endpoint.split("?", 1)[0] ?? "").toLowerCase();

/** Market data are another service: what it refuses must keep no order from going. */
const isOfAll = (name: string): boolean =>
  !LIMITED_BY_THEMSELVES.has(name) && !name.startsWith("md/");

class Bucket {
  readonly #capacity: number;
  readonly #perMs: number;
  readonly #elapsed: () => number;
  #level: number;
  #at: number;

  constructor(limit: number, spanMs: number, elapsed: () => number) {
    this.#capacity = limit / 3;
    this.#perMs = (limit - this.#capacity) / spanMs;
    this.#elapsed = elapsed;
    this.#level = this.#capacity;
    this.#at = elapsed();
  }

  /** Requests that may be made at once. */
  get left(): number {
    const now = this.#elapsed();
    this.#level = Math.min(this.#capacity, this.#level + (now - this.#at) * this.#perMs);
    this.#at = now;
    return this.#level;
  }

  has(share: number): boolean {
    return this.left - 1 >= share * this.#capacity;
  }

  take(): void {
    this.#level -= 1;
  }
}
