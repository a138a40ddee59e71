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

/** Answers whether anything is still held. */
export type ReleaseParked = (parked: ParkedIntents) => Promise<boolean>;

/**
 * Looks after the entries that wait behind an unknown outcome ("Rules for money" 4): once nothing is
 * unknown they are carried out in the order of their acceptance, and what has become too old before
 * that is looked at by itself. It expires, visibly, where it is an entry: what it closes still goes,
 * and so does a protection. Runs in the lane's turn, before anything that came after them.
 */
export function createReleaseParked({ runIntent }: ReleaseParkedDeps): ReleaseParked {
  return async function releaseParked({ parked, isUnsure, now }) {
    const waiting: ParkedIntent[] = [];
    for (const one of parked) {
      if (now < one.record.entryExpiresAt || !(await run(one))) waiting.push(one);
    }
    return isUnsure ? waiting.length > 0 : await sendAll(waiting);
  };

  /** The first one that cannot be ended now keeps the others behind it. */
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
