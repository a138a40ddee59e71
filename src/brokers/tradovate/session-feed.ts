import { setTimeout as sleep } from "node:timers/promises";
import type { EntityStore } from "./entity-store.ts";
import { FeedCheck, type FeedCheckDeps } from "./feed-check.ts";
import { UnfedReads, type UnfedReadsDeps } from "./unfed-reads.ts";

/** How often in a row snapshots were not what the broker lists, over the sessions of a connection. */
export class FeedTrust {
  #apart = 0;

  /** Another snapshot would not be either. */
  get isLost(): boolean {
    return this.#apart >= MOST_APART;
  }

  noteApart(): void {
    this.#apart += 1;
  }

  noteAgreement(): void {
    this.#apart = 0;
  }
}

/** Sessions that end over it: after so many nothing is gained by one more. */
const MOST_APART = 2;
/** Then another one is tried all the same. */
const DOUBTED_FOR_MS = 5 * 60_000;

const NO_FEED =
  "Tradovate does not tell what happens to positions and orders, so they are only asked for";
const BEHIND = "Tradovate's snapshot was behind what it lists";
const NO_TRUST =
  "Tradovate's snapshots are not what it lists, time and again, so everything is asked for";

const STRAYS = {
  position: "a position that cannot be read",
  order: "an order that cannot be read",
} as const;

export interface SessionFeedDeps extends Omit<FeedCheckDeps, "onAgreement">, UnfedReadsDeps {
  readonly store: EntityStore;
  readonly trust: FeedTrust;
  /** What the broker tells by itself is not what it says when it is asked. */
  readonly onFeedTrouble: (reason: string) => void;
  readonly end: (cause: Error) => void;
}

/** How far what the broker tells by itself is believed, and what is done where it is not. */
export class SessionFeed {
  readonly #deps: SessionFeedDeps;
  readonly #check: FeedCheck;
  /** There where everything is asked for. */
  #unfed: { readonly reads: UnfedReads; readonly reason: string } | undefined;

  constructor(deps: SessionFeedDeps) {
    this.#deps = deps;
    this.#check = new FeedCheck({ ...deps, onAgreement: () => deps.trust.noteAgreement() });
  }

  /** Why nothing may be opened now, in words; exits go on. */
  get held(): string | undefined {
    return this.#unfed?.reason ?? this.#check.held ?? this.#strayWords();
  }

  /** False where nothing is told, or what is told is not believed. */
  get isBelieved(): boolean {
    return this.#unfed === undefined;
  }

  /**
   * Called with the snapshot loaded. Throws where other positions are listed than were told: by
   * neither may anything be closed, or be called flat, and the next snapshot may have them.
   */
  async begin(isFed: boolean): Promise<void> {
    if (!isFed) {
      this.#askForAll(NO_FEED);
      return;
    }
    const { trust } = this.#deps;
    await this.#check.begin();
    if (!this.#check.isApart) return;
    if (!trust.isLost) {
      if (await this.#check.arePositionsTold()) return;
      trust.noteApart();
      throw new Error(BEHIND);
    }
    this.#check.believeLists();
    this.#askForAll(NO_TRUST);
  }

  /** Compares what is told with what is listed, for as long as the session lasts. */
  async watch(): Promise<void> {
    const { trust, onFeedTrouble, onTrouble, signal, end } = this.#deps;
    if (this.#unfed !== undefined) {
      onFeedTrouble(this.#unfed.reason);
      return;
    }
    try {
      const { isNew } = await this.#check.untilApart();
      if (!isNew) {
        this.giveUp("Tradovate lists other positions or orders than it has told");
        return;
      }
      if (trust.isLost) {
        // No session begins otherwise: exits go on in this one.
        onFeedTrouble(BEHIND);
        await sleep(DOUBTED_FOR_MS, undefined, { signal });
      }
      trust.noteApart();
      end(new Error(BEHIND));
    } catch (error) {
      if (!signal.aborted) onTrouble(error);
    }
  }

  giveUp(reason: string): void {
    // Where nothing is told at all, that has been said already.
    if (this.#unfed !== undefined || this.#deps.signal.aborted) return;
    this.#deps.onFeedTrouble(reason);
    this.#deps.end(new Error(reason));
  }

  /** Asks for everything, as far as it is not known already. */
  async pull(): Promise<void> {
    await this.#unfed?.reads.pull();
  }

  /** Asks for everything from now on. */
  async pullAnew(): Promise<void> {
    await this.#unfed?.reads.pullAnew();
  }

  /** A command was sent or answered. */
  noteCommand(): void {
    this.#unfed?.reads.noteCommand();
  }

  /** Asks again for who waits, and ends the session when another one is to be tried. */
  sweep(isAwaited: boolean): void {
    const { reads, reason } = this.#unfed ?? {};
    if (reads?.sweep(isAwaited) === true) this.#deps.end(new Error(reason));
  }

  #askForAll(reason: string): void {
    this.#unfed = { reads: new UnfedReads(this.#deps), reason };
  }

  #strayWords(): string | undefined {
    const { stray } = this.#deps.store;
    return stray && `Tradovate tells ${STRAYS[stray]}, and of which not even the account is known`;
  }
}
