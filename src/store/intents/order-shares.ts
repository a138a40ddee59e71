import { randomUUID } from "node:crypto";
import type { Keys } from "../keys.ts";
import { runScript } from "../redis/script.ts";
import { leaseShare } from "./lease-share.ts";
import type { RedisClient } from "../redis/redis-client.ts";

export const orderShareScripts = [leaseShare];

const MINUTE_MS = 60_000;
/** How long a share may be used without being renewed. */
const LEASE_MS = 15_000;
const RENEW_EVERY_MS = 5_000;
const PARTS = 8;

type Need = "now" | "ahead" | "no";

interface OrderSharesDeps {
  readonly redis: RedisClient;
  readonly keys: Pick<Keys, "orderShares">;
  /** Monotonic, in ms. */
  readonly elapsed?: () => number;
}

/** One order, counted. One of the two is called in the end. */
export interface Taken {
  /** By Redis' clock: from here on it may not be begun, for its share may be somebody else's. */
  readonly until: number;
  /** It was begun, or may have been: no later than now. */
  readonly begun: () => void;
  /** It was not begun. */
  readonly giveBack: () => void;
}

/**
 * The orders per minute of the whole appliance, in shares that processes lease. Each counts its own
 * orders exactly, in memory; a share is only worth as many in any minute, and the shares together never
 * more than the limit, so neither are the orders. A share counts for a minute after it was given up
 * or its process died, as far as it may have been used.
 *
 * An order is counted when it is taken, and a minute longer once it was begun: what lies between may
 * be long where Redis is slow.
 *
 * A share is taken in parts, before it is needed; one that finds nothing left asks once more. While
 * others need room, a process keeps only what it has sent in the last minute.
 */
export class OrderShares {
  readonly #redis: RedisClient;
  readonly #key: string;
  readonly #elapsed: () => number;
  readonly #holder = randomUUID();
  /** When each order of the last minute was taken, or begun; oldest first, after those that left it. */
  #times: number[] = [];
  #left = 0;
  #share = 0;
  /** By `elapsed`: from here on the share may be somebody else's. */
  #endsAt = -Infinity;
  /** The same by Redis' clock. */
  #until = 0;
  #limit = 0;
  /** What nobody had at the last answer, and how many of a share were to be at hand then. */
  #free = 0;
  #atHand = 0;
  #asking: Promise<void> | undefined;
  /** How many questions were put, and the newest of them that was answered. */
  #begun = 0;
  #answered = 0;
  /** Those for whom there was no room at hand, one after another. */
  #line: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor({ redis, keys, elapsed = () => performance.now() }: OrderSharesDeps) {
    this.#redis = redis;
    this.#key = keys.orderShares;
    this.#elapsed = elapsed;
  }

  /** Has a part at hand from now on, where there is room. Throws `StoreError`. */
  async open(limit: number): Promise<void> {
    this.#limit = limit;
    await this.renew();
  }

  /** Counts an order, where the share at hand has room for it. */
  takeHeld(limit: number): Taken | undefined {
    this.#limit = limit;
    const at = this.#elapsed();
    const used = this.#usedBy(at);
    if (at >= this.#endsAt || used >= Math.min(this.#share, limit)) return undefined;
    this.#times.push(at);
    const isRoomy = 2 * (this.#free - this.#atHand) >= limit;
    if (isRoomy && this.#share - used - 1 < this.#atHand / 2) this.#askAhead();
    const begun = () => {
      this.#uncount(at);
      this.#times.push(this.#elapsed());
    };
    return { until: this.#until, begun, giveBack: () => this.#uncount(at) };
  }

  /** The same; where there is no room, the store is asked once more. Throws `StoreError`. */
  async take(limit: number): Promise<Taken | undefined> {
    const held = this.takeHeld(limit);
    if (held !== undefined) return held;
    const came = this.#begun;
    const taking = this.#line.then(() => this.#takeNext(limit, came));
    this.#line = taking.catch(() => undefined);
    return await taking;
  }

  /** Goes on with what was sent in the last minute, and with a part more where there is room. */
  async renew(): Promise<void> {
    await (this.#asking ?? this.#ask("no"));
  }

  /** Gives back what was not used. Throws `StoreError`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#asking?.catch(() => undefined);
    this.#endsAt = -Infinity;
    if (this.#limit > 0) await this.#lease(this.#usedBy(this.#elapsed()), "no", 0);
  }

  async #takeNext(limit: number, came: number): Promise<Taken | undefined> {
    while (this.#asking !== undefined) await this.#asking.catch(() => undefined);
    const held = this.takeHeld(limit);
    if (held !== undefined) return held;
    // The answer to a question that was put after this one came is an answer to it as well.
    if (this.#answered > came && this.#free === 0) return undefined;
    await this.#ask("now");
    return this.takeHeld(limit);
  }

  /** A process takes at most an eighth of the limit at a time: others and its successor find room. */
  get #part(): number {
    return Math.ceil(this.#limit / PARTS);
  }

  #usedBy(now: number): number {
    const isGone = (at: number | undefined) => at !== undefined && at <= now - MINUTE_MS;
    while (isGone(this.#times[this.#left])) this.#left += 1;
    // Not one by one: of a long array each takes as long as all.
    if (2 * this.#left > this.#times.length) {
      this.#times.splice(0, this.#left);
      this.#left = 0;
    }
    return this.#times.length - this.#left;
  }

  #uncount(at: number): void {
    const index = this.#times.lastIndexOf(at);
    if (index >= this.#left) this.#times.splice(index, 1);
  }

  #askAhead(): void {
    if (this.#asking !== undefined) return;
    // If it fails, it is asked for again when nothing is left.
    this.#ask("ahead").catch(() => undefined);
  }

  /** One question after another: only `#asking` undefined may ask. */
  async #ask(need: Need): Promise<void> {
    if (this.#isClosed) return;
    this.#timer ??= setInterval(() => {
      this.renew().catch(() => undefined);
    }, RENEW_EVERY_MS).unref();
    const asking = this.#askOnce(need).finally(() => (this.#asking = undefined));
    this.#asking = asking;
    await asking;
  }

  async #askOnce(need: Need): Promise<void> {
    this.#begun += 1;
    const question = this.#begun;
    const now = this.#elapsed();
    const used = this.#usedBy(now);
    // At once: what it may give up can be somebody else's before the answer is here.
    this.#share = Math.min(this.#share, need === "no" ? used : used + this.#part);
    const answer = await this.#lease(used, need, LEASE_MS);
    [this.#share, this.#free, this.#until, this.#atHand] = answer;
    this.#endsAt = now + LEASE_MS;
    this.#answered = question;
  }

  async #lease(
    used: number,
    need: Need,
    lastsMs: number,
  ): Promise<readonly [share: number, free: number, until: number, atHand: number]> {
    const part = lastsMs === 0 ? 0 : this.#part;
    const args = [this.#holder, used, part, need, this.#limit, lastsMs, MINUTE_MS];
    const reply = await runScript(this.#redis, leaseShare, [this.#key], args);
    return reply as readonly [number, number, number, number];
  }
}
