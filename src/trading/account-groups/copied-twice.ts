import type { IdentityOf } from "../../domain/account-identity.ts";
import type { CopyGroup } from "../../domain/copying/copy-group.ts";
import type { AccountId } from "../../domain/ids.ts";

/** One account that does what another one of the same group does already. */
export interface DoneTwice {
  readonly account: AccountId;
  readonly leader: AccountId;
}

/**
 * An account that follows another one of these by copying: what is asked of both would be done twice
 * there. Whether its group is paused now is no matter, since it may be resumed at any time.
 */
export function findCopiedTwice(
  accounts: readonly AccountId[],
  { leader, followers }: Pick<CopyGroup, "leader" | "followers">,
  identityOf: IdentityOf,
): DoneTwice | undefined {
  const members = new Map(accounts.map((account) => [identityOf(account), account]));
  if (!members.has(identityOf(leader))) return undefined;
  const follower = followers.find(({ accountId }) => members.has(identityOf(accountId)));
  return follower && { account: follower.accountId, leader };
}

/** An account that is there twice, by one login or by two. */
export function findNamedTwice(
  accounts: readonly AccountId[],
  identityOf: IdentityOf,
): DoneTwice | undefined {
  const seen = new Map<string, AccountId>();
  for (const account of accounts) {
    const leader = seen.get(identityOf(account));
    if (leader !== undefined) return { account, leader };
    seen.set(identityOf(account), account);
  }
  return undefined;
}
