import type { AccountId, UserId } from "../domain/ids.ts";
import type { Gateway } from "./gateway.ts";
import type { AccountDirectory } from "./connections/account-directory.ts";

/** Of what is shown: `overview` is everything that has no word of its own. */
export const CHANGE_KINDS = ["positions", "orders", "alerts", "overview"] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** Of what something has changed: one account, all that one user has, or nobody can say what. */
export type Changed = { readonly accountId: AccountId } | { readonly userId: UserId } | "unknown";

/** Where a process says that something it has written looks different now. Never fails. */
export interface TellChange {
  (of: Exclude<Changed, "unknown">, ...what: readonly ChangeKind[]): void;
}

/** What every process of the gateway tells. */
export interface ChangeNews {
  readonly tell: TellChange;
  /** `unknown` where something may have been told that was not heard. Answers what ends it. */
  readonly listen: (
    hear: (of: Changed, what: readonly ChangeKind[]) => void,
  ) => Promise<() => void>;
}

/** Lets a user hear of what is theirs, and of nothing else. */
export function createWatchChanges({
  changes,
  accounts,
}: {
  readonly changes: Pick<ChangeNews, "listen">;
  readonly accounts: AccountDirectory;
}): Gateway["watchChanges"] {
  return async ({ userId }, hear) => {
    let isOver = false;
    const stop = await changes.listen((of, what) => {
      if (of === "unknown") hear(undefined, CHANGE_KINDS);
      else if ("userId" in of) {
        if (of.userId === userId) hear(undefined, what);
      } else tellOf(of.accountId, what);
    });

    function tellOf(accountId: AccountId, what: readonly ChangeKind[]): void {
      const known = accounts.find(accountId);
      if (known !== undefined) {
        if (known.userId === userId) hear(accountId, what);
        return;
      }
      // It was opened a moment ago, maybe by another process; a store that is away says so itself.
      accounts.load().then(
        () => {
          if (!isOver && accounts.find(accountId)?.userId === userId) hear(accountId, what);
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
