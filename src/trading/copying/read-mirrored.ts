import {
  type AccountOrders,
  fillsApart,
  type FoundMirror,
  isActive,
  keptApart,
} from "../../domain/copying/copy-mirror.ts";
import type { CopyGroup, Follower } from "../../domain/copying/copy-group.ts";
import { levelOf } from "../../domain/copying/copy-exits.ts";
import { inTicksOf, isOnePrice } from "../../domain/copying/copy-prices.ts";
import { copiedContract, type CycleOf } from "../../domain/copying/copy-target.ts";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { IsOneMarket } from "../../domain/contracts/product.ts";
import type { AccountId, OrderId } from "../../domain/ids.ts";
import { isLiveLeg } from "../../domain/legs.ts";
import type { Fill, OrderReport } from "../../domain/order.ts";
import { type DescribeContract, listedTickSize } from "../orders/describe-contract.ts";
import { BrokerReadError } from "../ports.ts";
import { findMirrors, type FindMirrorsDeps } from "./find-mirrors.ts";
import { filledByOrder } from "./leader-moves.ts";
import type { Mirrored } from "./plan-copies.ts";
import type { CopyMirrors, LeaderNews } from "./ports.ts";
import { readOrders, type ReadOrdersDeps } from "./read-holds.ts";

export interface ReadMirroredDeps extends ReadOrdersDeps, FindMirrorsDeps {
  readonly mirrors: Pick<CopyMirrors, "list">;
  readonly cycleOf: CycleOf;
  readonly isOneMarket: IsOneMarket;
  readonly describe: DescribeContract;
}

/**
 * To be asked before the leader's news are read, and then, with the news, for what is mirrored.
 * Undefined where none of the groups mirrors orders.
 */
export type ReadMirrored = (
  leader: AccountId,
  groups: readonly CopyGroup[],
) => Promise<((news: LeaderNews) => Promise<Mirrored>) | undefined>;

/** Enough to find every fill of an order that still matters. */
const FILLS_LOOKED_AT = 1_000;

interface Own {
  readonly follower: Follower;
  readonly has: AccountOrders | undefined;
  readonly found: readonly FoundMirror[];
}

/**
 * What followers' own orders fill of what their leader fills, as it is now. Throws `BrokerReadError`
 * while the leader cannot be read: what works for it must not be taken for ended.
 */
export function createReadMirrored(deps: ReadMirroredDeps): ReadMirrored {
  const { mirrors, leaderOrders, views, cycleOf, describe } = deps;

  return async function readMirrored(leader, groups) {
    const followers = groups
      .filter(({ mode }) => mode === "orders")
      .flatMap((group) => group.followers);
    if (followers.length === 0) return undefined;
    // Before the news: what is recorded meanwhile is in them.
    const { items } = await views.fills(leader, { limit: FILLS_LOOKED_AT });
    return async (news) => await readWith(leader, followers, { news, earlier: items });
  };

  async function readWith(
    leader: AccountId,
    followers: readonly Follower[],
    { news, earlier }: { readonly news: LeaderNews; readonly earlier: readonly Fill[] },
  ): Promise<Mirrored> {
    const { now } = news;
    const isNews = new Set(news.fills.map(({ fill }) => fill.execId));
    const before = filledByOrder(earlier.filter(({ execId }) => !isNews.has(execId)));
    const after = filledByOrder(
      news.fills.map(({ fill }) => fill),
      before,
    );
    const leaderHas = await readOrders(deps, leader);
    const owns = await Promise.all(
      followers.map(async (follower): Promise<Own> => {
        const { accountId } = follower;
        const has = await tryToRead(accountId);
        const place = { leader, leaderHas, follower: accountId, followerHas: has, now };
        const noted = (await mirrors.list(accountId)).filter((one) => one.leader === leader);
        const found = await findMirrors(deps, place, noted);
        return { follower, has, found: found.map(asOfNews) };
      }),
    );
    const byAccount = new Map(owns.map((own) => [own.follower.accountId, own]));
    return {
      fills: (account, move) => {
        const own = byAccount.get(account);
        return own !== undefined && [...move.orders.keys()].every((id) => fills(own, id));
      },
      apart: (account, contract, targetQty) => apart(byAccount.get(account), contract, targetQty),
    };

    /** What the broker shows may be more than the news tell. */
    function asOfNews(found: FoundMirror): FoundMirror {
      return { ...found, leaderCumQty: after.get(found.mirror.leaderOrderId) ?? 0 };
    }

    function fills(own: Own, id: OrderId): boolean {
      const mirror = own.found.find((found) => found.mirror.leaderOrderId === id);
      // What had filled before it was mirrored, nothing of the follower's fills.
      if (mirror !== undefined) {
        return isActive(mirror) && (before.get(id) ?? 0) >= mirror.mirror.filledBefore;
      }
      const leg = leaderOrders.find(leader, id);
      return leg !== undefined && hasLegLike(leg, own);
    }
  }

  /** Whether an exit of its own closes the follower's position where the leader's did. */
  function hasLegLike(leg: OrderReport, { follower, has }: Own): boolean {
    const copied = copiedContract(follower, leg.contract, cycleOf);
    const price = levelOf(leg);
    if (copied.kind === "none" || price === undefined) return false;
    const { contract } = copied;
    if (!isOnePrice(deps, leg.contract, contract)) return false;
    const sizeOf = (one: ContractCode) => listedTickSize(describe, one);
    const due = inTicksOf(price, { from: sizeOf(leg.contract), to: sizeOf(contract) });
    const isLike = ({ role, ...own }: OrderReport) =>
      own.contract === contract && role === leg.role && own.side === leg.side;
    const working = has?.working ?? [];
    return working.some((own) => isLike(own) && isLiveLeg(own) && levelOf(own) === due);
  }

  function apart(own: Own | undefined, contract: ContractCode, targetQty: number): number {
    if (own?.has === undefined) return 0;
    const heldQty = own.has.holds.get(contract) ?? 0;
    return keptApart(fillsApart(own.follower, contract, own.found), heldQty - targetQty);
  }

  /** What cannot be read now is copied without it. */
  async function tryToRead(account: AccountId): Promise<AccountOrders | undefined> {
    try {
      return await readOrders(deps, account);
    } catch (error) {
      if (error instanceof BrokerReadError) return undefined;
      throw error;
    }
  }
}
