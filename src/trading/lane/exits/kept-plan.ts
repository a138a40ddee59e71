import type { Ticks } from "../../../domain/contracts/price.ts";
import type { PlanBase } from "../../../domain/exits/plan-levels.ts";
import { isStop, type PlanSight, targetQtyOf } from "../../../domain/exits/plan-steps.ts";
import { followPrice, isBetter, needsPrices, nextStopPx } from "../../../domain/exits/plan-stop.ts";
import { baseOf, type RunningPlan } from "../../../domain/exits/running-plan.ts";
import type { ClOrdId, IntentId } from "../../../domain/ids.ts";
import type { IntentRecord } from "../../../domain/intent.ts";
import { type OrderReport, sign } from "../../../domain/order.ts";
import { closingPrice, type Quote } from "../../../domain/quote.ts";
import { TakeOver } from "./take-over.ts";

/** Brokers count changes of orders, too: so often a plan's stop is moved at most, ms. */
const MOVES_EVERY_MS = 1_000;
/** After something was refused: the first pause, which doubles each time, and the longest. */
const RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;
/** Some brokers place exits a moment after the fill. */
const NAKED_FOR_MS = 3_000;
/** Two looks so far apart are believed. */
const LEAST_NAKED_MS = 1_000;
/** A broker may report a position so long after its first fill. */
const YOUNG_FOR_MS = 30_000;
/** An order that was answered and is not shown for so long is not there any more. */
const GONE_FOR_MS = 60_000;
/** So many refusals in a row need a person. */
export const ALARM_AFTER = 3;

/** A stored plan, its best price by itself. */
interface Stored {
  readonly text: string;
  readonly bestPx: Ticks | undefined;
}

function toStored({ bestPx, ...rest }: RunningPlan): Stored {
  return { text: JSON.stringify(rest), bestPx };
}

/** A plan as its process keeps it, beside what is stored of it. */
export class KeptPlan {
  #running: RunningPlan;
  #saved: Stored;
  /** Counts what was reported: as much of it as the last whole reading may have shown. */
  news = 1;
  newsRead = 0;
  readonly ended = new Map<ClOrdId, OrderReport>();
  readonly settled = new Map<IntentId, IntentRecord>();
  /** Its intents that are being submitted. */
  readonly submitting: Set<IntentId>;
  readonly takeOver: TakeOver;
  /** By a steady clock: since when it is seen as over, or some of it has no stop. */
  overSince: number | undefined;
  nakedSince: number | undefined;
  /** What it held when it was seen last. */
  openQty = 0;
  failures = 0;
  /** Of its pairs, for which a pause was made. */
  refusedPairs = 0;
  /** Why it could not go on the last time. */
  trouble: string | undefined;
  closedAt = Number.NEGATIVE_INFINITY;
  /** How often the rest of its entry was to be cancelled, for it is to be closed. */
  entryCancels = 0;
  #goneSince: number | undefined;
  #followsFrom: number;
  #base: PlanBase | undefined;
  #stopPx: Ticks | undefined;
  #movedAt = Number.NEGATIVE_INFINITY;
  #retryAt = Number.NEGATIVE_INFINITY;

  /** What another one of the same plan has on its way goes on. */
  constructor(running: RunningPlan, before?: KeptPlan) {
    this.#running = running;
    this.submitting = before?.submitting ?? new Set();
    this.takeOver = before?.takeOver ?? new TakeOver();
    this.#followsFrom = running.openedAt ?? 0;
    this.#saved = toStored(running);
  }

  /** Something was reported since it was read last. */
  get hasNews(): boolean {
    return this.news !== this.newsRead;
  }

  get running(): RunningPlan {
    return this.#running;
  }

  /** Takes over what was found out; what prices did meanwhile stays. */
  take(running: RunningPlan): void {
    const { bestPx, breakevenReached } = this.#running;
    const isMissed =
      bestPx !== undefined &&
      (running.bestPx === undefined || isBetter(bestPx, running.bestPx, running));
    this.#running = {
      ...running,
      ...(isMissed && { bestPx }),
      ...(breakevenReached === true && { breakevenReached }),
    };
  }

  /** Newer exits that were asked for were not placed: their intent is not asked for again. */
  noteNotReplaced(): void {
    const { replacedBy, ...running } = this.#running;
    if (replacedBy !== undefined) this.#running = running;
  }

  /** Called while some of it has no stop: in how many ms that is sure, 0 and less once it is. */
  nakedFor(elapsed: number, now: number): number {
    const { isUnseen, filledAt = now } = this.#running;
    // Exits that were never seen were missing before that was noticed. The broker's clock may be another one.
    const before = isUnseen === true ? Math.max(0, now - filledAt) : 0;
    this.nakedSince ??= elapsed - Math.min(NAKED_FOR_MS - LEAST_NAKED_MS, before);
    return this.nakedSince + NAKED_FOR_MS - elapsed;
  }

  /** The first target comes with its stop, or the adapter places it: it would not once the stop is smaller. */
  awaitsTarget({ firstLegs, firstFilledQty }: PlanSight, now: number): boolean {
    const { plan, pairs, scope, openedAt = now } = this.#running;
    const isAsked = scope === "entry" && plan.targets[0]?.at !== undefined && pairs.length === 0;
    if (!isAsked || firstFilledQty > 0 || targetQtyOf(firstLegs) > 0) return false;
    return now < openedAt + NAKED_FOR_MS;
  }

  isYoung(now: number): boolean {
    return now < (this.#running.openedAt ?? now) + YOUNG_FOR_MS;
  }

  /** A newer request has placed exits for all that the order has filled by now. */
  noteElsewhere(unaskedQty: number): void {
    const { replacedBy: _, elsewhereQty = 0, ...running } = this.#running;
    this.#running = { ...running, elsewhereQty: elsewhereQty + Math.max(0, unaskedQty) };
  }

  /** Whether the order behind exits that were not seen is not shown for so long that it is not there. */
  isGoneFor(isGone: boolean, elapsed: number): boolean {
    if (!isGone || this.#running.untilSeen !== true) this.#goneSince = undefined;
    else this.#goneSince ??= elapsed;
    return this.#goneSince !== undefined && elapsed - this.#goneSince >= GONE_FOR_MS;
  }

  /** Whether something is to be stored before anything is done. A best price by itself can wait. */
  needsSaving(willMove: boolean): boolean {
    const { text, bestPx } = toStored(this.#running);
    if (text !== this.#saved.text) return true;
    if (bestPx === this.#saved.bestPx) return false;
    return willMove || this.#saved.bestPx === undefined;
  }

  saved(running: RunningPlan): void {
    this.#saved = toStored(running);
  }

  noteSight({ base, firstLegs, pairLegs, openQty }: PlanSight): void {
    this.#base = base;
    this.openQty = openQty;
    this.#stopPx = [...firstLegs, ...pairLegs]
      .filter(isStop)
      .map(({ stopPx }) => stopPx)
      .filter((px) => px !== undefined)
      .reduce<Ticks | undefined>(
        (worst, px) => (worst === undefined || isBetter(worst, px, base) ? px : worst),
        undefined,
      );
  }

  /** Prices that were heard before that are of no position: it opened only then, Unix ms. */
  followFrom(at: number): void {
    this.#followsFrom = at;
  }

  /** Follows fresh prices. Answers whether the stop is to be moved for them. */
  follow(quote: Quote): boolean {
    const base = this.#base ?? baseOf(this.#running);
    if (base.entry === undefined || !needsPrices(this.#running)) return false;
    const price = closingPrice(quote, sign(this.#running.side));
    if (price === undefined || price.heardAt < this.#followsFrom) return false;
    this.#running = followPrice(this.#running, base, price.px);
    if (this.openQty === 0 || this.#stopPx === undefined) return false;
    return nextStopPx(this.#running, base, { stopPx: this.#stopPx, quote }) !== undefined;
  }

  /** How long until its stop may be moved. */
  moveDueIn(elapsed: number): number {
    return Math.max(0, this.#movedAt + MOVES_EVERY_MS - elapsed, this.retryIn(elapsed));
  }

  noteMove(elapsed: number): void {
    this.#movedAt = elapsed;
  }

  retryIn(elapsed: number): number {
    return Math.max(0, this.#retryAt - elapsed);
  }

  /** Answers whether a person is to be told. */
  noteFailure(elapsed: number, reason: string): boolean {
    this.failures += 1;
    this.trouble = reason;
    const pause = RETRY_MS * 2 ** Math.min(this.failures - 1, 10);
    this.#retryAt = elapsed + Math.min(LONGEST_RETRY_MS, pause);
    return this.failures >= ALARM_AFTER;
  }

  noteSuccess(): void {
    this.failures = 0;
    this.trouble = undefined;
  }

  /** The entry has filled more than was thought to be all: what was kept of it is out of date. */
  reopen(clOrdId: ClOrdId): void {
    this.ended.delete(clOrdId);
    const { filled: _, ...rest } = this.#running;
    this.#running = rest;
  }
}
