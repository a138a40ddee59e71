import type { Follower, FollowerPosition } from "./world.ts";

/** One contract of a follower, and where a sync brings it. Quantities are signed. */
interface SyncStep {
  readonly symbol: string;
  readonly heldQty: number;
  readonly dueQty: number;
}

/** What a sync would send to it now, by what the page knows; empty where nothing. */
export function stepsOf({ positions, stoppedAt }: Follower): readonly SyncStep[] {
  return positions
    .map((position) => ({
      symbol: position.symbol,
      heldQty: position.heldQty,
      dueQty: dueOf(position, stoppedAt !== null),
    }))
    .filter(({ heldQty, dueQty }) => heldQty !== dueQty);
}

/** One that is stopped is only brought down; one that is joining goes to its target by this. */
const dueOf = ({ targetQty, heldQty, driftQty }: FollowerPosition, isStopped: boolean): number =>
  isStopped ? heldQty - driftQty : targetQty;

/** "buys 2", "sells 1". */
export function tradeText({ heldQty, dueQty }: SyncStep): string {
  const qty = dueQty - heldQty;
  return `${qty > 0 ? "buys" : "sells"} ${Math.abs(qty)}`;
}

/** How many contracts are traded by all of these. */
export const tradedQty = (steps: readonly SyncStep[]): number =>
  steps.reduce((sum, { heldQty, dueQty }) => sum + Math.abs(dueQty - heldQty), 0);
