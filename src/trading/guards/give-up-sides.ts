import type { AccountId } from "../../domain/ids.ts";
import { isBehind, type Kept } from "./kept-account.ts";
import { type SidesByRoot, sidesOf } from "./opposite-sides.ts";

export interface SideDeps {
  /** Gives up all sides but these that the account has claimed. */
  readonly keepSides: (account: AccountId, sides: SidesByRoot) => Promise<void>;
}

/** Sides of what is neither held nor worked any more are free for other accounts. Throws `StoreError`. */
export async function giveUpSides(
  id: AccountId,
  kept: Kept,
  { keepSides }: SideDeps,
): Promise<void> {
  const { account, book, working } = kept;
  const hasSides = account.stored.settings.rules.some(({ kind }) => kind === "opposite");
  if (!hasSides || isBehind(kept) || book === undefined || working === undefined) return;
  await keepSides(id, sidesOf(book, working));
}
