import type { RunIntent } from "./run-intent.ts";
import type { ParkedIntent } from "./ports.ts";

export interface ReleaseParkedDeps {
  readonly runIntent: RunIntent;
}

export interface ParkedIntents {
  /** In the order of acceptance. */
  readonly parked: readonly ParkedIntent[];
  /** Whether an earlier outcome is still unknown. */
  readonly isUnsure: boolean;
  /** The store's clock, Unix ms. */
  readonly now: number;
}

/** Returns whether anything is still parked. */
export type ReleaseParked = (parked: ParkedIntents) => Promise<boolean>;

/**
 * Carries out the entries that wait behind an unknown outcome ("Rules for money" 4), in the order of
 * their acceptance, once nothing is unknown. One that becomes too old before that is run by itself: an
 * entry expires visibly, but what it closes is still sent, and so is a protection. Runs in the lane's
 * turn, before anything that was accepted later.
 */
export function createReleaseParked({ runIntent }: ReleaseParkedDeps): ReleaseParked {
  return async function releaseParked({ parked, isUnsure, now }) {
    const waiting: ParkedIntent[] = [];
    for (const one of parked) {
      if (now < one.record.entryExpiresAt || !(await run(one))) waiting.push(one);
    }
    return isUnsure ? waiting.length > 0 : await sendAll(waiting);
  };

  /** The first one that cannot be ended now blocks the others behind it. */
  async function sendAll(waiting: readonly ParkedIntent[]): Promise<boolean> {
    for (const one of waiting) if (!(await run(one))) return true;
    return false;
  }

  async function run({ record, replyTo }: ParkedIntent): Promise<boolean> {
    const { kind, ending } = await runIntent(record.accountId, record.intentId, { replyTo });
    await ending;
    return kind === "done";
  }
}
