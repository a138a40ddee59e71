import type { ContractCode } from "../../domain/contracts/contract.ts";
import { type CopyState, driftOf } from "../../domain/copying/copy-drift.ts";
import type { AccountId } from "../../domain/ids.ts";

/** A follower is away from what it is to hold in one contract, without a pause. */
export interface DriftEpisode {
  /** It lasts long enough to count. */
  readonly isBelieved: boolean;
  /** Something is to be done now: for the first time, or again after as long once more. */
  readonly isDue: boolean;
  /** How often something was done about it. */
  readonly attempts: number;
  /** How far it is away, as it was last seen: contracts. */
  contracts: number;
  /** Something was done about it. */
  readonly acted: () => void;
  /** What was done before does not count any more. */
  readonly beginAnew: () => void;
}

interface Kept {
  readonly sinceMs: number;
  actedMs: number | undefined;
  attempts: number;
  contracts: number;
}

/** Remembers since when followers are away from their targets. */
export class DriftEpisodes {
  readonly #elapsed: () => number;
  readonly #kept = new Map<AccountId, Map<ContractCode, Kept>>();

  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  /** Ends what is over: the follower holds what it is to hold. */
  keep(account: AccountId, standings: readonly CopyState[]): void {
    const away = standings.filter((standing) => driftOf(standing) !== 0);
    const kept = this.#kept.get(account);
    for (const contract of kept?.keys() ?? []) {
      if (!away.some((standing) => standing.contract === contract)) kept?.delete(contract);
    }
  }

  of(account: AccountId, contract: ContractCode, afterMs: number): DriftEpisode {
    const now = this.#elapsed();
    const all = this.#kept.get(account) ?? new Map<ContractCode, Kept>();
    this.#kept.set(account, all);
    const kept = all.get(contract) ?? {
      sinceMs: now,
      actedMs: undefined,
      attempts: 0,
      contracts: 0,
    };
    all.set(contract, kept);
    return {
      isBelieved: now - kept.sinceMs >= afterMs,
      isDue: now - (kept.actedMs ?? kept.sinceMs) >= afterMs,
      attempts: kept.attempts,
      set contracts(qty: number) {
        kept.contracts = qty;
      },
      get contracts() {
        return kept.contracts;
      },
      acted: () => {
        kept.actedMs = now;
        kept.attempts += 1;
      },
      beginAnew: () => {
        kept.attempts = 0;
      },
    };
  }

  /** Something is on its way: only what lasts without a pause counts, unless it was acted on. */
  interrupt(account: AccountId, contract: ContractCode): void {
    const kept = this.#kept.get(account);
    if (kept?.get(contract)?.attempts === 0) kept.delete(contract);
  }

  forget(account: AccountId): void {
    this.#kept.delete(account);
  }

  /** Of all followers, what counts. */
  contracts(): number {
    const all = [...this.#kept.values()].flatMap((kept) => [...kept.values()]);
    return all.reduce((sum, one) => sum + one.contracts, 0);
  }
}
