import type { TradovatePosition } from "./wire.ts";

/** Where something may be held: a contract on an account. */
export type Holding = Pick<TradovatePosition, "accountId" | "contractId">;

/** How much is held there: above zero long, below zero short. */
export function netPosOf(
  positions: readonly TradovatePosition[],
  { accountId, contractId }: Holding,
): number {
  return positions
    .filter((one) => one.accountId === accountId && one.contractId === contractId)
    .reduce((sum, { netPos }) => sum + netPos, 0);
}
