import type { AccountId } from "../../domain/ids.ts";
import type { Alarms } from "../alarms/alarm.ts";

export interface LookRoundDeps {
  readonly alarms: Alarms;
  readonly onError: (account: AccountId, error: unknown) => void;
  /** Runs it once all that waits in this process has had its turn. */
  readonly soon: (work: () => void) => void;
  /** A steady clock, ms. */
  readonly elapsed: () => number;
}

/** What cannot be judged for so long needs a person: no entry passes. */
const UNJUDGED_AFTER_MS = 10_000;
/** So few that what else this process has to do has its turn. */
const LOOKS_AT_ONCE = 16;

/**
 * The looks at many accounts, each by itself: one that is not answered keeps nobody from the others, and
 * is called unjudged as one that fails is.
 */
export class LookRound {
  readonly #deps: LookRoundDeps;
  /** When each look began that has not ended. */
  readonly #began = new Map<AccountId, number>();
  readonly #failingSince = new Map<AccountId, number>();

  constructor(deps: LookRoundDeps) {
    this.#deps = deps;
  }

  /** Begins a look at each that has none under way. */
  async begin(
    accounts: readonly AccountId[],
    lookAt: (account: AccountId) => Promise<void>,
  ): Promise<void> {
    const { soon, elapsed } = this.#deps;
    for (const [id, since] of this.#began) this.#late(id, since, "It is not answered");
    const free = accounts.filter((id) => !this.#began.has(id));
    for (let from = 0; from < free.length; from += LOOKS_AT_ONCE) {
      for (const id of free.slice(from, from + LOOKS_AT_ONCE)) {
        this.#began.set(id, elapsed());
        void this.#look(id, lookAt);
      }
      await new Promise<void>((resolve) => soon(resolve));
    }
  }

  /** It is another process' to judge now, or nobody's. */
  forget(id: AccountId): void {
    this.#began.delete(id);
    this.#failingSince.delete(id);
    this.#deps.alarms.clear({ kind: "guardsUnjudged", accountId: id }, "unseen");
  }

  async #look(id: AccountId, lookAt: (account: AccountId) => Promise<void>): Promise<void> {
    const { alarms, elapsed, onError } = this.#deps;
    const began = this.#began.get(id);
    try {
      await lookAt(id);
      this.#failingSince.delete(id);
      if (this.#began.get(id) === began) alarms.clear({ kind: "guardsUnjudged", accountId: id });
    } catch (error) {
      onError(id, error);
      if (this.#began.get(id) !== began) return;
      const since = this.#failingSince.get(id) ?? elapsed();
      this.#failingSince.set(id, since);
      this.#late(id, since, error instanceof Error ? error.message : String(error));
    } finally {
      if (this.#began.get(id) === began) this.#began.delete(id);
    }
  }

  #late(id: AccountId, since: number, reason: string): void {
    const { alarms, elapsed } = this.#deps;
    if (elapsed() - since < UNJUDGED_AFTER_MS) return;
    alarms.raise({ kind: "guardsUnjudged", accountId: id, reason });
  }
}
