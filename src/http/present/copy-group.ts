import { driftOf, exitsOnlyIn } from "../../domain/copying/copy-drift.ts";
import type { CopySize } from "../../domain/copying/copy-group.ts";
import type {
  CopyGroupView,
  FollowerPosition,
  FollowerView,
} from "../../trading/copying/copy-views.ts";
import { presentTime, presentTimeOrNull } from "./figures.ts";
import type { DescribeContract } from "../../trading/orders/describe-contract.ts";

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
    reason: reasonOf(view, group, describe),
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
function reasonOf(
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
