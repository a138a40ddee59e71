import type { RequestPurpose } from "./rate-budget.ts";
import { BudgetUsedUpError, type Requests } from "./requests.ts";

export interface QuestionsDeps {
  readonly read: Requests["read"];
  /** Takes the accounts that were answered. */
  readonly onAccounts: (list: unknown) => void;
  /** When the broker last said anything, and when any frame came, heartbeats too; by `elapsed`. */
  readonly heard: () => {
    readonly spokeAt?: number | undefined;
    readonly frameAt?: number | undefined;
  };
  readonly elapsed: () => number;
}

/** An answer that is younger, with everything that was pushed since, is the broker's word of now. */
const FRESH_MS = 5_000;
/** Without a question a silent broker would pass for connected. */
const AT_LEAST_EVERY_MS = 15_000;

/**
 * Asks the broker of one session what there is now. One socket keeps its order, so once any question is
 * answered, all that happened before is in the store. A heartbeat answers nothing.
 */
export class Questions {
  readonly #deps: QuestionsDeps;
  readonly #asking = new Map<RequestPurpose, Promise<void>>();
  #askedAt: number;

  constructor(deps: QuestionsDeps) {
    this.#deps = deps;
    this.#askedAt = deps.elapsed();
  }

  /** Whoever asks in the same turn is answered by the same question. Throws `BrokerReadError`. */
  ask(purpose: RequestPurpose): Promise<void> {
    const asking = this.#asking.get(purpose) ?? this.#ask(purpose);
    this.#asking.set(purpose, asking);
    return asking;
  }

  /** Asks where no one else has for a while: no answer ends the session. */
  sweep(): void {
    if (this.#deps.elapsed() - this.#askedAt < AT_LEAST_EVERY_MS) return;
    this.ask("read").catch(() => undefined);
  }

  async #ask(purpose: RequestPurpose): Promise<void> {
    await Promise.resolve();
    this.#asking.delete(purpose);
    const { read, onAccounts, heard, elapsed } = this.#deps;
    this.#askedAt = elapsed();
    try {
      onAccounts(await read("account/list", "", purpose));
    } catch (error) {
      if (!(error instanceof BudgetUsedUpError)) throw error;
      const { spokeAt, frameAt } = heard();
      if (this.#isFresh(spokeAt)) return;
      // One question for all who wait, from what is kept for exits: its answer counts for a while.
      if (purpose !== "protect") return await this.ask("protect");
      // The broker lets nothing be asked, so its socket is all there is to go by.
      if (!this.#isFresh(frameAt)) throw error;
    }
  }

  #isFresh(at: number | undefined): boolean {
    return at !== undefined && this.#deps.elapsed() - at <= FRESH_MS;
  }
}
