import { setTimeout as sleep } from "node:timers/promises";
import type { EntityStore } from "./entity-store.ts";
import { isRecord } from "./frames.ts";
import { hasEnded } from "./order-status.ts";
import { parseEntity } from "./parse.ts";
import type { RequestPurpose } from "./rate-budget.ts";

type Row = Readonly<Record<string, unknown>>;

/** What the broker lists, which is another word of it than what its feed tells. */
interface Listed {
  readonly positions: readonly Row[];
  readonly orders: readonly Row[];
}

export interface FeedCheckDeps {
  readonly store: EntityStore;
  /** A list by HTTP. Throws where it cannot be had. */
  readonly list: (path: string, purpose: RequestPurpose) => Promise<readonly unknown[]>;
  readonly onTrouble: (error: unknown) => void;
  /** Feed and lists have agreed, long enough after the session began. */
  readonly onAgreement: () => void;
  readonly signal: AbortSignal;
}

/** Longer than the lists of any version of the service are said to be behind. */
const AFTER_MS = 5_000;
/** What is listed may be told an instant later. */
const AGAIN_MS = 1_000;
/** Two requests each time: a thousandth of what may be asked. */
const NOW_AND_THEN_MS = 5 * 60_000;
const MOST_BETWEEN_MS = 30_000;

const NOT_COMPARED = "Tradovate's positions and orders have not been compared with its lists yet";
const NOT_ALIKE = "Tradovate lists other positions or orders than its feed has told";

/**
 * A feed may be behind, or leave something out, and where nothing more happens no event says so.
 * What it has told is compared with what the broker lists: before a session counts, and now and then.
 * Until both agree nothing may be opened. What events have changed meanwhile is the events' matter,
 * for lists may be behind as well.
 */
export class FeedCheck {
  readonly #deps: FeedCheckDeps;
  #held: string | undefined = NOT_COMPARED;
  #arePositionsApart = false;
  #first: Baseline | undefined;
  #listed: Listed = { positions: [], orders: [] };

  constructor(deps: FeedCheckDeps) {
    this.#deps = deps;
  }

  /** Why nothing may be opened, in words; undefined once feed and lists have agreed. */
  get held(): string | undefined {
    return this.#held;
  }

  /** Whether the broker was seen to list what it has not told. */
  get isApart(): boolean {
    return this.#held === NOT_ALIKE;
  }

  /**
   * Resolves once the positions that are listed were told, with false where they were not in time:
   * until then nobody knows what is held.
   */
  async arePositionsTold(): Promise<boolean> {
    const { onTrouble, signal } = this.#deps;
    const first = this.#first;
    for (let waited = 0; this.#arePositionsApart && first !== undefined; waited += AGAIN_MS) {
      if (waited > AFTER_MS) return false;
      await sleep(AGAIN_MS, undefined, { signal });
      await this.#look(first, "protect").catch(onTrouble);
    }
    return true;
  }

  /** Takes what `begin` was listed in place of what was told. */
  believeLists(): void {
    const { store } = this.#deps;
    store.replace("position", this.#listed.positions);
    store.merge("order", this.#listed.orders);
  }

  /** Called with the snapshot loaded: what it lacks, and is listed, is taken from there. */
  async begin(): Promise<void> {
    const { store, onTrouble, signal } = this.#deps;
    try {
      this.#listed = await this.#list("protect");
      const { positions, orders } = this.#listed;
      const missed = {
        position: positions.filter(({ id }) => store.get("position", Number(id)) === undefined),
        order: orders.filter(({ id }) => store.get("order", Number(id)) === undefined),
      };
      for (const type of ["position", "order"] as const) store.begin(type, missed[type]);
      this.#first = new Baseline(store);
      this.#compare(this.#first, { positions, orders });
    } catch (error) {
      if (!signal.aborted) onTrouble(error);
    }
  }

  /**
   * Goes on until the signal ends it. Resolves when the broker has listed, twice in a row, what the
   * feed has not told; `isNew` where that was so from the beginning.
   */
  async untilApart(): Promise<{ readonly isNew: boolean }> {
    const { store, onTrouble, signal } = this.#deps;
    let failures = 0;
    for (let round = 0; ; round += 1) {
      const baseline = (round === 0 ? this.#first : undefined) ?? new Baseline(store);
      try {
        if (await this.#isApart(baseline, round === 0 ? "protect" : "read")) {
          return { isNew: round === 0 };
        }
        this.#deps.onAgreement();
        failures = 0;
      } catch (error) {
        signal.throwIfAborted();
        onTrouble(error);
        failures += 1;
      }
      const soon = Math.min(MOST_BETWEEN_MS, AGAIN_MS * 2 ** failures);
      await sleep(this.#held === undefined ? NOW_AND_THEN_MS : soon, undefined, { signal });
    }
  }

  async #isApart(baseline: Baseline, purpose: RequestPurpose): Promise<boolean> {
    const { signal } = this.#deps;
    for (let waited = 0; waited < AFTER_MS; waited += AGAIN_MS) {
      await sleep(AGAIN_MS, undefined, { signal });
      // Who waits to open something is not to wait for longer than it takes.
      if (this.#held !== undefined) await this.#look(baseline, purpose);
    }
    if (!(await this.#look(baseline, purpose))) return false;
    await sleep(AGAIN_MS, undefined, { signal });
    return await this.#look(baseline, purpose);
  }

  async #look(baseline: Baseline, purpose: RequestPurpose): Promise<boolean> {
    const listed = await this.#list(purpose);
    this.#noteUnreadable(listed);
    return this.#compare(baseline, listed);
  }

  /** Whether the broker lists what was neither told by then nor since. */
  #compare(baseline: Baseline, { positions, orders }: Listed): boolean {
    this.#arePositionsApart = positions.some((row) => baseline.missesPosition(row));
    const differs = this.#arePositionsApart || orders.some((row) => baseline.missesOrder(row));
    this.#held = differs ? NOT_ALIKE : undefined;
    return differs;
  }

  /** What nobody can read is told of as that: no other session could, so it is no difference. */
  #noteUnreadable({ positions, orders }: Listed): void {
    const { store } = this.#deps;
    store.merge(
      "position",
      positions.filter((row) => isUnreadable(store, "position", row)),
    );
    store.merge(
      "order",
      orders.filter((row) => isUnreadable(store, "order", row)),
    );
  }

  async #list(purpose: RequestPurpose): Promise<Listed> {
    const { list } = this.#deps;
    const positions = await list("position/list", purpose);
    const orders = await list("order/list", purpose);
    return { positions: positions.filter(isRecord), orders: orders.filter(isRecord) };
  }
}

/** How everything stood at one time, by what had been told until then. */
class Baseline {
  readonly #store: EntityStore;
  readonly #positions: ReadonlyMap<number, number>;
  readonly #orders: ReadonlyMap<number, string>;

  constructor(store: EntityStore) {
    this.#store = store;
    this.#positions = new Map(store.all("position").map(({ id, netPos }) => [id, netPos]));
    this.#orders = new Map(store.all("order").map(({ id, ordStatus }) => [id, ordStatus]));
  }

  missesPosition(row: Row): boolean {
    const { id, netPos } = row;
    if (typeof netPos !== "number" || isUnreadable(this.#store, "position", row)) return false;
    const known = this.#store.get("position", Number(id))?.netPos;
    return known === this.#positions.get(Number(id)) && (known ?? 0) !== netPos;
  }

  missesOrder(row: Row): boolean {
    if (isUnreadable(this.#store, "order", row)) return false;
    const { id, ordStatus } = row;
    const told = typeof ordStatus === "string" ? ordStatus : "";
    const known = this.#store.get("order", Number(id))?.ordStatus;
    // One that is over may have been forgotten.
    if (known === undefined) return !hasEnded(told);
    return known === this.#orders.get(Number(id)) && known !== told;
  }
}

/** A row of something that is not known otherwise either. */
const isUnreadable = (store: EntityStore, type: "position" | "order", row: Row): boolean =>
  store.get(type, Number(row["id"])) === undefined && parseEntity(type, row) === undefined;
