import type { AccountId, UserId } from "../domain/ids.ts";
import type { AccountDirectory } from "./connections/account-directory.ts";
import type { Caller } from "./people/caller.ts";

/**
 * Of what is shown: `overview` is everything that has no word of its own, `marks` what moves with prices.
 */
export const CHANGE_KINDS = ["positions", "orders", "alerts", "overview", "marks"] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Of what something has changed: one account, all that one user has, or nobody can say what. */
export type Changed = { readonly accountId: AccountId } | { readonly userId: UserId } | "unknown";

/** Where a process says that something it has written looks different now. Never fails. */
export interface PublishChange {
  (of: Exclude<Changed, "unknown">, ...what: readonly ChangeKind[]): void;
}

/** What every process of the gateway tells. */
export interface ChangeFeed {
  readonly publish: PublishChange;
  /** `unknown` where something may have been told that was not heard. Answers what ends it. */
  readonly listen: (
    onChange: (of: Changed, what: readonly ChangeKind[]) => void,
  ) => Promise<() => void>;
}

/**
 * Tells what of the caller's user looks different from now on, of one account or, without it, of
 * any. May tell more than has changed, never less. Answers what ends it.
 */
export type WatchChanges = (
  caller: Caller,
  hear: (account: AccountId | undefined, what: readonly ChangeKind[]) => void,
) => Promise<() => void>;

/** Lets a user hear of what is theirs, and of nothing else. */
export function createWatchChanges({
  changes,
  accounts,
}: {
  readonly changes: Pick<ChangeFeed, "listen">;
  readonly accounts: AccountDirectory;
}): WatchChanges {
  return async ({ userId }, onChange) => {
    let isOver = false;
    const stop = await changes.listen((of, what) => {
      if (of === "unknown") onChange(undefined, CHANGE_KINDS);
      else if ("userId" in of) {
        if (of.userId === userId) onChange(undefined, what);
      } else notifyOwner(of.accountId, what);
    });

    function notifyOwner(accountId: AccountId, what: readonly ChangeKind[]): void {
      const known = accounts.find(accountId);
      if (known !== undefined) {
        if (known.userId === userId) onChange(accountId, what);
        return;
      }
      // It was opened a moment ago, maybe by another process; a store that is away says so itself.
      accounts.load().then(
        () => {
          if (!isOver && accounts.find(accountId)?.userId === userId) onChange(accountId, what);
        },
        () => undefined,
      );
    }

    return () => {
      isOver = true;
      stop();
    };
  };
}
