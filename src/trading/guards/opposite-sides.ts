import type { GuardSettings } from "../../domain/guards/rule.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { EntryOrder } from "./entry-guards.ts";
import type { EntryRefusal } from "./check-entry.ts";
import type { Snapshot } from "../lane/read-snapshot.ts";

/**
 * Claims the order's side of its group for the account, and answers why it may not have it: another
 * account of the user holds or claims the other side. Throws `StoreError`.
 */
export type ClaimSide = (
  account: AccountId,
  settings: GuardSettings,
  entry: { readonly order: EntryOrder; readonly snapshot: Snapshot },
) => Promise<EntryRefusal | undefined>;
