import type { AccountGroup } from "../../domain/account-groups/account-group.ts";
import type { AccountGroupId, UserId } from "../../domain/ids.ts";

/** The account groups of users. Throws `StoreError`. */
export interface AccountGroups {
  /** Oldest first. */
  readonly read: (user: UserId) => Promise<readonly AccountGroup[]>;
  readonly find: (user: UserId, id: AccountGroupId) => Promise<AccountGroup | undefined>;
  /**
   * Writes it while it is still as it was read: `before` is absent of a new one. False where somebody
   * has changed it meanwhile, or where the user has as many others as there may be.
   */
  readonly save: (
    group: AccountGroup,
    before: AccountGroup | undefined,
    most: number,
  ) => Promise<boolean>;
  readonly remove: (group: AccountGroup) => Promise<boolean>;
}
