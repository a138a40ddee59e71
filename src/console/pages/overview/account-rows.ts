import type { AccountMoney } from "../../parts/money.ts";

/** As many stand in sight at most: what needs a person, and the kill switch, come below. */
const MOST_SHOWN = 10;
/** So few accounts are shown whatever is the matter with them. */
const FEW = 8;

export interface AccountRows {
  readonly shown: readonly AccountMoney[];
  /** Those that stand folded, in the same order. */
  readonly folded: readonly AccountMoney[];
  /** How many of the folded ones hold something, or have traded. */
  readonly foldedBusy: number;
}

/** Which accounts stand in sight: those that hold something, then those that have traded today. */
export function splitAccounts(accounts: readonly AccountMoney[]): AccountRows {
  const held = accounts.filter(isHolding);
  const traded = accounts.filter((one) => !isHolding(one) && hasTraded(one));
  const quiet = accounts.filter((one) => !isHolding(one) && !hasTraded(one));
  const busy = held.length + traded.length;
  const ordered = [...held, ...traded, ...quiet];
  const count = ordered.length <= FEW ? ordered.length : Math.min(busy, MOST_SHOWN);
  return {
    shown: ordered.slice(0, count),
    folded: ordered.slice(count),
    foldedBusy: Math.max(0, busy - count),
  };
}

export const isHolding = ({ marks }: AccountMoney): boolean => marks.length > 0;

/** By the ledger, or by the broker where the ledger does not know of it. */
const hasTraded = ({ currencies }: AccountMoney): boolean =>
  currencies.some(({ broker, gateway }) => gateway !== null || (broker?.realizedPnl ?? 0) !== 0);

/** What the folded ones are, with their count. */
export function foldedText({ folded, foldedBusy }: AccountRows): string {
  const quiet = folded.length - foldedBusy;
  const more = `${folded.length} more ${folded.length === 1 ? "account" : "accounts"}`;
  if (foldedBusy === 0) return `${more} without positions or trades today`;
  if (quiet === 0) return `${more} with positions or trades today`;
  return `${more}: ${foldedBusy} with positions or trades today, ${quiet} without`;
}
