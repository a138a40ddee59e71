import type { SizeTicket } from "../order-handling.ts";
import type { AccountGroupId, AccountId, UserId } from "../ids.ts";

/** How large a member's orders are, beside what is asked of the group. */
export type MemberSize =
  /** So many contracts for one that is asked for: a decimal as text, above 0. */
  | { readonly by: "multiplier"; readonly multiplier: string }
  /** So many whenever something is opened or grown. */
  | { readonly by: "fixed"; readonly qty: number }
  /** By what may be lost at the stop-loss; worked out on the member's lane. */
  | { readonly by: "risk"; readonly size: SizeTicket };

/** One account of a group, and what its user has set of it there. */
export interface GroupMember {
  readonly accountId: AccountId;
  /** Off: nothing that is asked of the group goes to it, exits neither. */
  readonly enabled: boolean;
  readonly size: MemberSize;
  /** Roots by the roots that are traded instead: NQ by MNQ. */
  readonly symbolMap: Readonly<Record<string, string>>;
}

/** Accounts of one user that one alert or call goes to. Instants are Unix ms by Redis' clock. */
export interface AccountGroup {
  readonly groupId: AccountGroupId;
  readonly userId: UserId;
  readonly name: string;
  /** In the order in which they are asked; none waits for another one. */
  readonly members: readonly GroupMember[];
  readonly createdAt: number;
}

/** How many accounts one group may have, and how many groups one user. */
export const MAX_GROUP_MEMBERS = 100;
export const MAX_ACCOUNT_GROUPS = 50;

export const enabledMembers = ({ members }: AccountGroup): readonly GroupMember[] =>
  members.filter(({ enabled }) => enabled);
