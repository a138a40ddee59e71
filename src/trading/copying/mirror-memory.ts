import type { AccountId, IntentId, OrderId } from "../../domain/ids.ts";

/** A reading that is seen again so much later is believed. */
const BELIEVED_AFTER_MS = 300;
/** A cancel that has not ended its order after so long is sent again; then after twice as long. */
const CANCEL_AGAIN_AFTER_MS = 5_000;
const MOST_KEPT = 20_000;

/** What this process did for mirrored orders, and since when it sees what. The store needs none of it. */
export class MirrorMemory {
  readonly #elapsed: () => number;
  readonly #sent = new Set<IntentId>();
  readonly #skipped = new Set<IntentId>();
  readonly #cancels = new Map<IntentId, { attempt: number; atMs: number }>();
  readonly #ended = new Map<string, number>();
  #seen = new Map<AccountId, ReadonlyMap<IntentId, number>>();

  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  wasSent(copy: IntentId): boolean {
    return this.#sent.has(copy);
  }

  noteSent(copy: IntentId): void {
    keep(this.#sent, copy);
  }

  wasSkipped(copy: IntentId): boolean {
    return this.#skipped.has(copy);
  }

  noteSkipped(copy: IntentId): void {
    keep(this.#skipped, copy);
  }

  /** The number of the next cancel of a mirror; undefined while the last one may still do. */
  nextCancel(mirror: IntentId): number | undefined {
    const last = this.#cancels.get(mirror);
    if (last === undefined) return 1;
    const waitMs = CANCEL_AGAIN_AFTER_MS * last.attempt;
    return this.#elapsed() - last.atMs < waitMs ? undefined : last.attempt + 1;
  }

  noteCancel(mirror: IntentId, attempt: number): void {
    this.#cancels.set(mirror, { attempt, atMs: this.#elapsed() });
  }

  /** How long it is known here that a leader's order works no more, ms. */
  endedFor(leader: AccountId, order: OrderId): number {
    const key = `${leader} ${order}`;
    const now = this.#elapsed();
    const since = this.#ended.get(key) ?? now;
    this.#ended.set(key, since);
    return now - since;
  }

  /** Which of a follower's unsure steps were seen long enough; what is not seen now begins anew. */
  believed(follower: AccountId, unsure: readonly IntentId[]): ReadonlySet<IntentId> {
    const now = this.#elapsed();
    const before = this.#seen.get(follower);
    const seen = new Map(unsure.map((copy) => [copy, before?.get(copy) ?? now]));
    this.#seen.set(follower, seen);
    return new Set(unsure.filter((copy) => now - (seen.get(copy) ?? now) >= BELIEVED_AFTER_MS));
  }

  /** A mirror that is over. */
  forget(mirror: IntentId, leader: AccountId, order: OrderId): void {
    this.#cancels.delete(mirror);
    this.#ended.delete(`${leader} ${order}`);
  }
}

/** The oldest make room. */
function keep(copies: Set<IntentId>, copy: IntentId): void {
  copies.add(copy);
  for (const oldest of copies) {
    if (copies.size <= MOST_KEPT) break;
    copies.delete(oldest);
  }
}
