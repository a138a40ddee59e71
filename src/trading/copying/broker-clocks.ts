import type { ConnectionId } from "../../domain/ids.ts";
import { type BrokerReport, isUnderstood } from "../../domain/order.ts";

/** What a report says of its broker's clock. */
export interface ReportStamp {
  /** Unix ms, by the broker's clock. */
  readonly stampedAt: number;
  /** It was told as it happened; what a new session finds may be of any age. */
  readonly isLive: boolean;
}

/** The best word of ten seconds. */
interface Heard {
  readonly slot: number;
  /** By how much the broker's clock is ahead of our steady one, at least. */
  readonly aheadMs: number;
  readonly isLive: boolean;
}

const SLOT_MS = 10_000;
/** Counted back from the newest word: whoever trades once a day begins where he ended. */
const SLOTS_KEPT = 360;
/** More than an answer of the store is late. */
const SLEPT_MS = 5_000;
/** What is heard without delay agrees as far as that. */
const AGREES_WITHIN_MS = 2_000;
/**
 * By how much an estimate makes what a leader did younger at most: a broker that tells everything
 * late cannot be told from one whose clock is behind.
 */
const MOST_YOUNGER_MS = 60_000;

/**
 * What brokers' clocks show, by connection: a stamp says that its broker's clock was there when it was
 * heard, or beyond. The newest one, with what has gone by since on a clock that nobody sets, is at
 * most as far behind as that report took.
 */
export class BrokerClocks {
  readonly #elapsed: () => number;
  readonly #heard = new Map<ConnectionId, readonly Heard[]>();
  /** The store's clock less our steady one, when it was last read. */
  #storeAheadMs: number | undefined;

  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  record(connection: ConnectionId, { stampedAt, isLive }: ReportStamp): void {
    const elapsed = this.#elapsed();
    const slot = Math.floor(elapsed / SLOT_MS);
    const told: Heard = { slot, aheadMs: stampedAt - elapsed, isLive };
    const heard = this.#heard.get(connection) ?? [];
    // Nearly every report ends here, so it walks through nothing.
    const newest = heard.at(-1);
    if (newest?.slot === slot && newest.aheadMs >= told.aheadMs) return;
    const kept = heard.filter((one) => one.slot > slot - SLOTS_KEPT && one.slot !== slot);
    this.#heard.set(connection, [...kept, told]);
  }

  /**
   * What the broker's clock shows, Unix ms. While that is not known it counts as the store's, or as
   * what is proven beyond it: what a leader did is rather too old to be entered.
   */
  now(connection: ConnectionId, storeNow: number): number {
    // It may have been read a while ago.
    const isNewer = storeNow - this.#elapsed() > (this.#storeAheadMs ?? -Infinity);
    if (isNewer) this.noteStoreNow(storeNow);
    const aheadMs = this.#aheadMs(connection);
    if (aheadMs === undefined) return storeNow;
    const mostMs = this.#isKnown(connection, aheadMs) ? MOST_YOUNGER_MS : 0;
    return Math.max(this.#elapsed() + aheadMs, storeNow - mostMs);
  }

  /** What was just read. A steady clock stands still while its machine sleeps: what was heard before says nothing then. */
  noteStoreNow(storeNow: number): void {
    const aheadMs = storeNow - this.#elapsed();
    if (aheadMs - (this.#storeAheadMs ?? aheadMs) > SLEPT_MS) this.#heard.clear();
    this.#storeAheadMs = aheadMs;
  }

  /** By how much the store's clock is ahead of the broker's; undefined while that is not known. */
  offsetMs(connection: ConnectionId): number | undefined {
    const aheadMs = this.#aheadMs(connection);
    if (aheadMs === undefined || this.#storeAheadMs === undefined) return undefined;
    const offsetMs = this.#storeAheadMs - aheadMs;
    // That it is behind, one stamp proves.
    return offsetMs < 0 || this.#isKnown(connection, aheadMs) ? offsetMs : undefined;
  }

  #aheadMs(connection: ConnectionId): number | undefined {
    const heard = this.#heard.get(connection);
    return heard && Math.max(...heard.map(({ aheadMs }) => aheadMs));
  }

  /** Something that agrees was heard at two times: one word alone may have come late. */
  #isKnown(connection: ConnectionId, aheadMs: number): boolean {
    const slots = (this.#heard.get(connection) ?? [])
      .filter((one) => one.isLive && one.aheadMs >= aheadMs - AGREES_WITHIN_MS)
      .map(({ slot }) => slot);
    return Math.max(...slots) - Math.min(...slots) > 1;
  }
}

/** The newest instant that a report names; undefined where it names none. */
export function stampOf(report: BrokerReport): number | undefined {
  const stamps = [
    ...(isUnderstood(report) ? [report.order.transactTimeAt] : []),
    ...(report.fill === undefined ? [] : [report.fill.transactTimeAt]),
  ].filter((at) => at > 0);
  return stamps.length === 0 ? undefined : Math.max(...stamps);
}
