import type { AccountId } from "../../domain/ids.ts";

/**
 * Lets one work on a leader after another. What reads the leader's fills and copies them, and what
 * notes from which fill on an order of a follower's own stands for them, must not mix: a fill would be
 * done twice, or not at all.
 */
export class LeaderTurns {
  readonly #last = new Map<AccountId, Promise<void>>();

  readonly inTurn = async <Result>(
    leader: AccountId,
    work: () => Promise<Result>,
  ): Promise<Result> => {
    const before = this.#last.get(leader) ?? Promise.resolve();
    const working = before.then(work);
    const ended = working.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(leader, ended);
    try {
      return await working;
    } finally {
      if (this.#last.get(leader) === ended) this.#last.delete(leader);
    }
  };
}
