import { isDeepStrictEqual } from "node:util";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import {
  asJoined,
  type CopyState,
  isCopied,
  copyStatesOf,
} from "../../domain/copying/copy-drift.ts";
import type { CopyGroup, Follower, FollowerTerms } from "../../domain/copying/copy-group.ts";
import type { CycleOf } from "../../domain/copying/copy-target.ts";
import type { Quantities } from "../../domain/holdings.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { CopyEntry, CopyNews } from "./ports.ts";
import { readHolds } from "./read-holds.ts";
import type { AccountViews } from "../reads/ports.ts";
import type { CopyGroupDirectory } from "./copy-group-directory.ts";

export interface JoinFollowersDeps {
  readonly views: Pick<AccountViews, "positions">;
  readonly news: Pick<CopyNews, "countRejects">;
  readonly cycleOf: CycleOf;
}

/**
 * The group with every follower that begins anew joining what its leader holds now. Without that it
 * would open, at today's price, what its leader opened long ago.
 */
export async function joinFollowers(
  { views, news, cycleOf }: JoinFollowersDeps,
  before: CopyGroup | undefined,
  after: CopyGroup,
): Promise<CopyGroup> {
  const joiners = joinersOf(before, after);
  if (joiners.size === 0) return after;
  const leaderHolds = await readHolds(views, after.leader);
  const followed = before?.paused === false ? before.followers.filter((one) => one.enabled) : [];
  const followers = await Promise.all(
    after.followers.map(async (follower) => {
      const { accountId } = follower;
      if (!joiners.has(accountId)) return follower;
      const holds = await readHolds(views, accountId);
      // What was refused before is no reason to stop it now.
      await news.countRejects(accountId, false);
      const standings = copyStatesOf(follower, leaderHolds, holds, cycleOf);
      const was = followed.find((one) => one.accountId === accountId);
      return {
        ...asJoined(follower),
        joining: joiningOf(follower, leaderHolds, holds, cycleOf),
        ...heldBeforeOf(standings, was, cycleOf),
      };
    }),
  );
  return { ...after, followers };
}

/** Who begins anew by a change: added, switched on, resumed, sized or mapped in another way. */
export function joinersOf(before: CopyGroup | undefined, after: CopyGroup): ReadonlySet<AccountId> {
  const isResumed = before?.paused === true && !after.paused;
  const former = new Map(before?.followers.map((follower) => [follower.accountId, follower]));
  const joiners = after.followers.filter((follower) => {
    const was = former.get(follower.accountId);
    return was === undefined || isResumed || beginsAnew(was, follower);
  });
  return new Set(joiners.map(({ accountId }) => accountId));
}

/** The follower's contracts in which it does not hold what its leader's position comes to. */
export function joiningOf(
  follower: Follower,
  leaderHolds: Quantities,
  followerHolds: Quantities,
  cycleOf: CycleOf,
): readonly ContractCode[] {
  return copyStatesOf(follower, leaderHolds, followerHolds, cycleOf)
    .filter(({ targetQty, heldQty }) => targetQty !== 0 && targetQty !== heldQty)
    .map(({ contract }) => contract);
}

/**
 * What of that no copy has brought there: all that is not its target. Of a follower that followed
 * until now, only what it holds of contracts that were not copied to it.
 */
export function heldBeforeOf(
  standings: readonly CopyState[],
  was: Follower | undefined,
  cycleOf: CycleOf,
): Pick<Follower, "heldBefore"> {
  const own = standings.flatMap(({ contract, heldQty, targetQty }) => {
    if (heldQty === targetQty) return [];
    const isNew = was === undefined || !isCopied(was, contract, cycleOf);
    const qty = isNew ? heldQty : (was.heldBefore?.[contract] ?? 0);
    return qty === 0 ? [] : [[contract, qty] as const];
  });
  return own.length === 0 ? {} : { heldBefore: Object.fromEntries(own) };
}

function beginsAnew(was: Follower, is: Follower): boolean {
  if (is.enabled && !was.enabled) return true;
  if (is.stopped === undefined && was.stopped !== undefined) return true;
  return !isDeepStrictEqual(whatIsCopied(was), whatIsCopied(is));
}

const whatIsCopied = ({ size, invert, symbolMap, allowedSymbols, maxQty }: FollowerTerms) => ({
  size,
  invert,
  symbolMap,
  allowed: allowedSymbols && new Set(allowedSymbols),
  maxQty,
});

/**
 * A follower has missed what its leader did: that is not made up for by the leader's next fill, and
 * least of all by an exit. It joins in that contract, unless its group repairs it anyway.
 */
export async function joinLate(
  groups: Pick<CopyGroupDirectory, "ledBy" | "changeFollower">,
  { groupId, leader, follower }: CopyEntry,
  contract: ContractCode,
): Promise<void> {
  const group = groups.ledBy(leader).find((one) => one.groupId === groupId);
  if (group === undefined || group.drift === "repair") return;
  await groups.changeFollower(groupId, follower, (one) =>
    one.joining.includes(contract) ? undefined : { ...one, joining: [...one.joining, contract] },
  );
}
