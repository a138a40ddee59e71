import type { AccountId } from "../../domain/ids.ts";

/** How a keeper has an account looked at. */
export interface LookDeps {
  /** Asks for `keep` in the account's turn, in about so many ms; now and then it is asked in vain. */
  readonly settleSoon: (account: AccountId, inMs: number) => void;
  /** A steady clock, ms. */
  readonly elapsed: () => number;
}

/**
 * Node's timers end up to 2 ms sooner than a steady clock says. A look that began before its time would
 * find itself still to come, take that for the next one, and be the last.
 */
const EARLY_MS = 5;

/** The next look at one account: it serves every later one that is asked for until its time. */
export class NextLook {
  #dueAt = 0;

  ask(account: AccountId, inMs: number, { settleSoon, elapsed }: LookDeps): void {
    const now = elapsed();
    // One that is overdue may have been asked for in vain.
    if (this.#dueAt > now && this.#dueAt <= now + inMs) return;
    this.#dueAt = now + inMs;
    settleSoon(account, inMs + EARLY_MS);
  }
}
