import type { ContractCode } from "../../../domain/contracts/contract.ts";
import type { PositionGap } from "../../../domain/holdings.ts";
import type { AccountId } from "../../../domain/ids.ts";

/**
 * Two readings at least this far apart must show the same gap before it counts: a fill reaches the
 * broker's surfaces, and us, at different moments.
 */
export const CONFIRM_AFTER_MS = 2_000;

interface Suspicion {
  /** Found − expected: what fills that come in meanwhile do not change. */
  readonly qty: number;
  /** The end of the reading that showed it first. */
  readonly sinceAt: number;
  readonly epoch: number;
}

/** One reading of an account; its instants are of a steady clock, ms. */
export interface ReadingTime {
  /** In which epoch the connection is owned: what was seen before it was another's counts no more. */
  readonly epoch: number;
  readonly beganAt: number;
  readonly endedAt: number;
}

export interface JudgedGaps {
  /** Seen twice: real. */
  readonly confirmed: readonly PositionGap[];
  /** Whether something was seen only once so far. */
  readonly isSuspected: boolean;
}

/** Remembers gaps between positions and fills until a later reading confirms them or they close. */
export class PositionSuspicions {
  readonly #suspicions = new Map<AccountId, ReadonlyMap<ContractCode, Suspicion>>();

  /** Judges every gap of an account as one reading has shown them. */
  judge(
    account: AccountId,
    gaps: readonly PositionGap[],
    { epoch, beganAt, endedAt }: ReadingTime,
  ): JudgedGaps {
    const known = this.#suspicions.get(account);
    const suspected = new Map<ContractCode, Suspicion>();
    const confirmed = gaps.filter((gap) => {
      const qty = gap.foundQty - gap.expectedQty;
      const before = known?.get(gap.contract);
      const isKnown = before?.qty === qty && before.epoch === epoch;
      if (isKnown && beganAt - before.sinceAt >= CONFIRM_AFTER_MS) return true;
      suspected.set(gap.contract, isKnown ? before : { qty, epoch, sinceAt: endedAt });
      return false;
    });
    if (suspected.size > 0) this.#suspicions.set(account, suspected);
    else this.#suspicions.delete(account);
    return { confirmed, isSuspected: suspected.size > 0 };
  }
}
