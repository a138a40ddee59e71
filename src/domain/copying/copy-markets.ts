import type { IsOneMarket } from "../contracts/product.ts";
import type { AccountId } from "../ids.ts";
import type { CopyGroup, Follower } from "./copy-group.ts";

/** Roots of two markets of which a follower trades one in the place of the other. */
export interface OtherMarket {
  readonly from: string;
  readonly to: string;
}

interface MarketCrossing extends OtherMarket {
  readonly account: AccountId;
}

/** The other markets that a follower trades in the place of its leader's. */
export const otherMarketsOf = (
  { symbolMap }: Pick<Follower, "symbolMap">,
  isOneMarket: IsOneMarket,
): readonly OtherMarket[] =>
  Object.entries(symbolMap)
    .filter(([from, to]) => !isOneMarket(from, to))
    .map(([from, to]) => ({ from, to }));

/** Every place where a leader's prices would mean nothing to a follower that mirrors its orders. */
export function crossingsOf(
  { mode, followers }: Pick<CopyGroup, "mode" | "followers">,
  isOneMarket: IsOneMarket,
): readonly MarketCrossing[] {
  if (mode !== "orders") return [];
  return followers.flatMap((follower) =>
    otherMarketsOf(follower, isOneMarket).map((one) => ({ account: follower.accountId, ...one })),
  );
}

const otherMarketInWords = ({ from, to }: OtherMarket): string =>
  `it trades ${to} for ${from}, which is another market`;

export const crossingInWords = (crossing: OtherMarket): string =>
  `${otherMarketInWords(crossing)}, so no stop of its leader can be placed there`;

/** The notice of a follower of fills, which may trade another market. */
export const otherMarketNotice = (other: OtherMarket): string =>
  `${otherMarketInWords(other)}: it follows the quantities of ${other.from}, and its prices move otherwise`;

/**
 * The groups with each follower stopped that crosses markets. New groups cannot have one. A group of an
 * older version may, and its follower would open positions without the leader's stop.
 */
export function stopCrossing<Group extends CopyGroup>(
  groups: readonly Group[],
  isOneMarket: IsOneMarket,
): readonly Group[] {
  return groups.map((group) => {
    const crossing = new Map(crossingsOf(group, isOneMarket).map((one) => [one.account, one]));
    if (crossing.size === 0) return group;
    const followers = group.followers.map((follower) => {
      const found = crossing.get(follower.accountId);
      if (found === undefined || follower.stopped !== undefined) return follower;
      const reason = `${crossingInWords(found)}. Change its symbol map, or copy by fills`;
      return { ...follower, stopped: { reason } };
    });
    return { ...group, followers };
  });
}
