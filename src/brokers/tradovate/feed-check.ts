import { setTimeout as sleep } from "node:timers/promises";
import type { EntityStore } from "./entity-store.ts";
import { isRecord } from "./frames.ts";
import { hasEnded } from "./order-status.ts";

type Row = Readonly<Record<string, unknown>>;

/** Longer than the lists of any version of the service are said to be behind. */
const AFTER_MS = 5_000;
/** What is listed may be told an instant later. */
const AGAIN_MS = 1_000;

/**
 * A snapshot may be behind what had happened by then, and where nothing more happens no event says
 * so. Made right after the snapshot is loaded; what events have changed since is the events' matter,
 * for lists may be behind them as well.
 */
export class SnapshotCheck {
  readonly #store: EntityStore;
  readonly #positions: ReadonlyMap<number, number>;
  readonly #orders: ReadonlyMap<number, string>;

  constructor(store: EntityStore) {
    this.#store = store;
    this.#positions = new Map(store.all("position").map(({ id, netPos }) => [id, netPos]));
    this.#orders = new Map(store.all("order").map(({ id, ordStatus }) => [id, ordStatus]));
  }

  /**
   * Reads positions and orders again a while later; answers whether the broker listed, twice in a
   * row, what the session has not heard of. Rejects when a list cannot be had, or the signal ends it.
   */
  async isBehind(list: (path: string) => Promise<unknown>, signal: AbortSignal): Promise<boolean> {
    await sleep(AFTER_MS, undefined, { signal });
    if (!(await this.#isBehind(list))) return false;
    await sleep(AGAIN_MS, undefined, { signal });
    return await this.#isBehind(list);
  }

  async #isBehind(list: (path: string) => Promise<unknown>): Promise<boolean> {
    const positions = rowsOf(await list("position/list"));
    if (positions.some((row) => this.#missesPosition(row))) return true;
    return rowsOf(await list("order/list")).some((row) => this.#missesOrder(row));
  }

  #missesPosition({ id, netPos }: Row): boolean {
    const known = this.#store.get("position", Number(id))?.netPos;
    return known === this.#positions.get(Number(id)) && (known ?? 0) !== netPos;
  }

  #missesOrder({ id, ordStatus }: Row): boolean {
    const known = this.#store.get("order", Number(id))?.ordStatus;
    // One that is over may have been forgotten.
    if (known === undefined) return !hasEnded(String(ordStatus));
    return known === this.#orders.get(Number(id)) && known !== ordStatus;
  }
}

function rowsOf(list: unknown): readonly Row[] {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}
