import type { AccountId } from "../../domain/ids.ts";

export interface LooksDeps {
  /** Calls it once in about so many ms. */
  readonly after: (ms: number, then: () => void) => void;
  /** Has the account looked at in its turn; now and then it is asked in vain. */
  readonly look: (account: AccountId) => void;
  /** A steady clock, ms. */
  readonly elapsed: () => number;
}

/**
 * Node's timers end up to 2 ms sooner than a steady clock says. A look that began before its time would
 * find itself still to come, take that for the next one, and be the last.
 */
const EARLY_MS = 5;

/**
 * The next look at each account. All keepers look in one turn, and ask again for what is due later: so a look
 * serves every later one that is asked for until its time, by any keeper.
 */
export class Looks {
  readonly #deps: LooksDeps;
  readonly #dueAt = new Map<AccountId, number>();

  constructor(deps: LooksDeps) {
    this.#deps = deps;
  }

  ask(account: AccountId, inMs: number): void {
    const now = this.#deps.elapsed();
    const dueAt = this.#dueAt.get(account) ?? 0;
    // One that is overdue may have been asked for in vain.
    if (dueAt > now && dueAt <= now + inMs) return;
    this.#dueAt.set(account, now + inMs);
    this.#deps.after(inMs + EARLY_MS, () => this.#deps.look(account));
  }
}
