import type { IdentityOf } from "../account-identity.ts";
import type { CopyGroup, Follower } from "./copy-group.ts";
import type { AccountId, CopyGroupId } from "../ids.ts";

type Shape = Pick<CopyGroup, "groupId" | "leader" | "followers">;

/** Why a group cannot be as it is wanted, beside the groups that there are already. */
export interface CopyConflict {
  readonly account: AccountId;
  readonly kind: "leaderFollows" | "followerLeads" | "followsAnother" | "followsItself" | "twice";
  /** The group that stands in the way. */
  readonly groupId?: CopyGroupId;
}

/** Who leads and who follows, by what they are at their brokers. */
class Ties {
  readonly leads = new Map<string, CopyGroupId>();
  readonly follows = new Map<string, CopyGroupId>();

  add({ groupId, leader, followers }: Shape, identityOf: IdentityOf): void {
    this.leads.set(identityOf(leader), groupId);
    for (const { accountId } of followers) this.follows.set(identityOf(accountId), groupId);
  }
}

/**
 * A follower follows one leader in one group, and a leader follows nobody: so there are no loops, and
 * nothing is copied twice. An account may lead several groups.
 */
export function findConflict(
  wanted: Shape,
  groups: readonly Shape[],
  identityOf: IdentityOf,
): CopyConflict | undefined {
  const ties = new Ties();
  for (const group of groups) if (group.groupId !== wanted.groupId) ties.add(group, identityOf);
  const above = leaderConflict(wanted, ties, identityOf);
  if (above !== undefined) return above;
  const [first] = followerConflicts(wanted, ties, identityOf);
  if (first === undefined) return undefined;
  const { follower: _, ...conflict } = first;
  return conflict;
}

/**
 * The groups with every follower barred that must not be copied to as accounts are known now: what two
 * accounts are may be told after they were put in groups. Of two groups the earlier one stands.
 */
export function barLoops<Group extends Shape>(
  groups: readonly Group[],
  identityOf: IdentityOf,
): readonly Group[] {
  const ties = new Ties();
  return groups.map((group) => {
    const above = leaderConflict(group, ties, identityOf);
    const wrong = new Map(
      followerConflicts(group, ties, identityOf).map((one) => [one.follower, one.kind]),
    );
    const kindOf = (follower: Follower) => above?.kind ?? wrong.get(follower);
    const sound = group.followers.filter((follower) => kindOf(follower) === undefined);
    ties.add({ ...group, followers: sound }, identityOf);
    if (sound.length === group.followers.length) return group;
    const followers = group.followers.map((follower) => {
      const kind = kindOf(follower);
      return kind === undefined ? follower : { ...follower, barred: BARRED[kind] };
    });
    return { ...group, followers };
  });
}

const BARRED: Readonly<Record<CopyConflict["kind"], string>> = {
  leaderFollows:
    "Nothing is copied: its leader is an account that follows in another group, by another login",
  followerLeads: "Nothing is copied: it is an account that leads another group, by another login",
  followsAnother: "Nothing is copied: it is an account that follows already, by another login",
  followsItself: "Nothing is copied: it is its leader's own account, by another login",
  twice: "Nothing is copied: it is an account that follows in this group already, by another login",
};

function leaderConflict(
  { leader }: Shape,
  { follows }: Ties,
  identityOf: IdentityOf,
): CopyConflict | undefined {
  const above = follows.get(identityOf(leader));
  return above && { account: leader, kind: "leaderFollows", groupId: above };
}

function followerConflicts(
  { leader, followers }: Shape,
  { leads, follows }: Ties,
  identityOf: IdentityOf,
): readonly (CopyConflict & { readonly follower: Follower })[] {
  const own = identityOf(leader);
  const seen = new Set<string>();
  const conflicts: (CopyConflict & { readonly follower: Follower })[] = [];
  for (const follower of followers) {
    const account = follower.accountId;
    const identity = identityOf(account);
    const [led, other] = [leads.get(identity), follows.get(identity)];
    if (identity === own) conflicts.push({ follower, account, kind: "followsItself" });
    else if (seen.has(identity)) conflicts.push({ follower, account, kind: "twice" });
    else if (led) conflicts.push({ follower, account, kind: "followerLeads", groupId: led });
    else if (other) conflicts.push({ follower, account, kind: "followsAnother", groupId: other });
    seen.add(identity);
  }
  return conflicts;
}
