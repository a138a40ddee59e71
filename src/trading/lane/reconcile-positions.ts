import type { ContractCode } from "../../domain/contract.ts";
import type { PositionGap } from "../../domain/holdings.ts";
import type { AccountId } from "../../domain/ids.ts";

/**
 * Two readings at least this far apart must show the same gap before it counts: a fill reaches the
 * broker's surfaces, and us, at different moments.
 */
export const CONFIRM_AFTER_MS = 2_000;

interface Suspicion {
  /** Found − expected: what fills that come in meanwhile do not change. */
  readonly qty: number;
  readonly sinceAt: number;
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

  /**
   * Judges every gap of an account as one reading has shown them. `readAt` is when the reading
   * began.
   */
  judge(account: AccountId, gaps: readonly PositionGap[], readAt: number): JudgedGaps {
    const known = this.#suspicions.get(account);
    const suspected = new Map<ContractCode, Suspicion>();
    const confirmed = gaps.filter((gap) => {
      const qty = gap.foundQty - gap.expectedQty;
      const before = known?.get(gap.contract);
      const sinceAt = before?.qty === qty ? before.sinceAt : readAt;
      if (readAt - sinceAt >= CONFIRM_AFTER_MS) return true;
      suspected.set(gap.contract, { qty, sinceAt });
      return false;
    });
    if (suspected.size > 0) this.#suspicions.set(account, suspected);
    else this.#suspicions.delete(account);
    return { confirmed, isSuspected: suspected.size > 0 };
  }
}
