import type { AveragePrice } from "../../domain/contracts/price.ts";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import { copyOutcome } from "../../trading/copying/copy-outcome.ts";
import type { CopyEntry, LoggedCopy } from "../../trading/copying/ports.ts";
import { ACTION_OF } from "../words.ts";
import { outcomeInWords } from "./alert-words.ts";
import { presentAverage, presentTime, presentTimeOrNull } from "./figures.ts";
import type { DescribeContract } from "../../trading/orders/describe-contract.ts";
import { driftOf, exitsOnlyIn } from "../../domain/copying/copy-drift.ts";
import { otherMarketNotice } from "../../domain/copying/copy-markets.ts";
import type { CopySize } from "../../domain/copying/copy-group.ts";
import type {
  CopyGroupView,
  FollowerPosition,
  FollowerView,
} from "../../trading/copying/copy-views.ts";

/** One line of the copy log. */
export function presentCopy(copy: LoggedCopy, describe: DescribeContract) {
  const { entry, intent, measure } = copy;
  return {
    id: entry.copyId,
    groupId: entry.groupId,
    accountId: entry.follower,
    leaderAccountId: entry.leader,
    cause: entry.cause,
    outcome: copyOutcome(copy),
    reason: reasonOf(copy, describe),
    symbol: symbolOf(entry.contract, describe),
    targetQty: entry.targetQty ?? null,
    leader: presentLeader(entry, describe),
    filledQty: measure?.filledQty ?? 0,
    averagePrice: priceOf(entry.contract, measure?.avgPx, describe),
    slippageTicks: measure?.slippageTicks ?? null,
    sentMs: measure?.sentMs ?? null,
    settledMs: measure?.settledMs ?? null,
    notedAt: presentTime(entry.notedAt),
    decisions: entry.decisions,
    intentId: intent?.intentId ?? null,
  };
}

/** A copy that is on its way because somebody asked for it. */
export function presentSync(entry: CopyEntry, describe: DescribeContract) {
  return {
    copyId: entry.copyId,
    accountId: entry.follower,
    symbol: symbolOf(entry.contract, describe),
    targetQty: entry.targetQty ?? null,
  };
}

function reasonOf({ skipped, intent }: LoggedCopy, describe: DescribeContract): string | null {
  if (skipped !== undefined) return skipped.reason;
  return intent?.outcome === undefined ? null : outcomeInWords(intent.outcome, describe);
}

/** What the leader did; null where the copy follows from something else. */
function presentLeader(entry: CopyEntry, describe: DescribeContract) {
  const { leaderContract, leaderSide, leaderQty, leaderPx, leaderOrderId } = entry;
  if (leaderContract === undefined || leaderSide === undefined || leaderQty === undefined) {
    return null;
  }
  return {
    symbol: describe(leaderContract).symbol,
    action: ACTION_OF[leaderSide],
    qty: leaderQty,
    averagePrice: priceOf(leaderContract, leaderPx, describe),
    at: presentTime(entry.leaderAt),
    orderId: leaderOrderId ?? null,
  };
}

const symbolOf = (contract: ContractCode | undefined, describe: DescribeContract) =>
  contract === undefined ? null : describe(contract).symbol;

function priceOf(
  contract: ContractCode | undefined,
  price: AveragePrice | undefined,
  describe: DescribeContract,
): number | null {
  return contract === undefined ? null : presentAverage(price, describe(contract));
}

export function presentCopyGroup(view: CopyGroupView, describe: DescribeContract) {
  const { group, leaderStatus, followers } = view;
  return {
    id: group.groupId,
    name: group.name,
    leaderAccountId: group.leader,
    mode: group.mode,
    driftPolicy: group.drift,
    driftAfterSeconds: group.driftAfterSeconds,
    maxAgeSeconds: group.maxAgeSeconds,
    stopAfterRejects: group.stopAfterRejects,
    paused: group.paused,
    createdAt: presentTime(group.createdAt),
    leader: { connectionStatus: leaderStatus },
    followers: followers.map((follower) => presentFollower(follower, view, describe)),
  };
}

function presentFollower(view: FollowerView, group: CopyGroupView, describe: DescribeContract) {
  const { follower, state, positions } = view;
  return {
    accountId: follower.accountId,
    ...presentSize(follower.size),
    invert: follower.invert,
    symbolMap: follower.symbolMap,
    allowedSymbols: follower.allowedSymbols ?? null,
    maxQty: follower.maxQty ?? null,
    enabled: follower.enabled,
    state,
    reason: followerReason(view, group, describe),
    // One of orders that trades another market is stopped, which its reason says.
    notices: group.group.mode === "fills" ? view.otherMarkets.map(otherMarketNotice) : [],
    stoppedAt: presentTimeOrNull(follower.stopped?.at),
    positions: positions.map((position) => ({
      symbol: describe(position.contract).symbol,
      leaderQty: position.leaderQty,
      targetQty: position.targetQty,
      heldQty: position.heldQty,
      driftQty: driftOf(position),
    })),
  };
}

function presentSize(size: CopySize) {
  switch (size.by) {
    case "multiplier":
      return { multiplier: size.multiplier, rounding: size.rounding, fixedQty: null };
    case "fixed":
      return { multiplier: null, rounding: null, fixedQty: size.qty };
  }
}

/** Why it stands as it does, where its state alone does not say so. */
function followerReason(
  { follower, state, connectionStatus, positions }: FollowerView,
  { leaderStatus }: CopyGroupView,
  describe: DescribeContract,
): string | null {
  switch (state) {
    case "stopped":
      return follower.barred ?? follower.stopped?.reason ?? null;
    case "drifting":
      return driftInWords(positions, describe);
    case "joining":
      return exitsOnlyIn({}, true) ?? null;
    case "offline":
      return connectionStatus === "CONNECTED"
        ? `The leader's connection is ${leaderStatus}`
        : `The follower's connection is ${connectionStatus}`;
    case "paused":
    case "off":
    case "following":
      return null;
  }
}

function driftInWords(positions: readonly FollowerPosition[], describe: DescribeContract): string {
  const away = positions.filter((position) => driftOf(position) !== 0);
  const words = away.map(
    ({ contract, heldQty, dueQty }) =>
      `${describe(contract).symbol}: it holds ${heldQty} and is to hold ${dueQty}`,
  );
  return words.join("; ");
}
