import type { ConnectionStatus } from "../../domain/connection-status.ts";
import { type CopyState, driftOf, copyStatesOf } from "../../domain/copying/copy-drift.ts";
import type { CopyGroup, Follower } from "../../domain/copying/copy-group.ts";
import { type OtherMarket, otherMarketsOf } from "../../domain/copying/copy-markets.ts";
import { type CycleOf, targetsOf } from "../../domain/copying/copy-target.ts";
import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";
import type { Quantities } from "../../domain/holdings.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { ConnectionBoard } from "../ports.ts";
import { readHolds } from "./read-holds.ts";
import type { AccountViews } from "../reads/ports.ts";

/** How a follower stands. Where several are true, the first of them is told. */
export const FOLLOWER_STATES = [
  "paused",
  "off",
  "offline",
  "stopped",
  "drifting",
  "joining",
  "following",
] as const;
export type FollowerState = (typeof FOLLOWER_STATES)[number];

/** One contract of a follower. Quantities are signed. */
export interface FollowerPosition extends CopyState {
  /** What the leader holds of what becomes this contract. */
  readonly leaderQty: number;
}

export interface FollowerView {
  readonly follower: Follower;
  readonly state: FollowerState;
  readonly connectionStatus: ConnectionStatus;
  readonly otherMarkets: readonly OtherMarket[];
  /** Contracts of which something is held or is to be. */
  readonly positions: readonly FollowerPosition[];
}

/** A group as it stands now. */
export interface CopyGroupView {
  readonly group: CopyGroup;
  readonly leaderStatus: ConnectionStatus;
  readonly followers: readonly FollowerView[];
}

export interface CopyViewDeps {
  readonly accounts: Pick<AccountDirectory, "find">;
  readonly board: Pick<ConnectionBoard, "status">;
  readonly views: Pick<AccountViews, "positions">;
  readonly cycleOf: CycleOf;
  readonly contracts: Pick<ContractDirectory, "isOneMarket">;
}

/** How a group stands by what its accounts hold in the read models. */
export async function viewCopyGroup(
  { accounts, board, views, cycleOf, contracts }: CopyViewDeps,
  group: CopyGroup,
): Promise<CopyGroupView> {
  const statusOf = (account: AccountId): ConnectionStatus => {
    const found = accounts.find(account);
    return found === undefined ? "DISCONNECTED" : board.status(found.connectionId);
  };
  const leaderStatus = statusOf(group.leader);
  const [leaderHolds, ...held] = await Promise.all([
    readHolds(views, group.leader),
    ...group.followers.map(async ({ accountId }) => await readHolds(views, accountId)),
  ]);
  const followers = group.followers.map((follower, n) => {
    const connectionStatus = statusOf(follower.accountId);
    const holds = held[n] ?? new Map<never, number>();
    const positions = positionsOf(follower, leaderHolds, holds, cycleOf);
    const isOnline = leaderStatus === "CONNECTED" && connectionStatus === "CONNECTED";
    const state = stateOf(group, follower, { isOnline, positions });
    const otherMarkets = otherMarketsOf(follower, contracts.isOneMarket);
    return { follower, state, connectionStatus, otherMarkets, positions };
  });
  return { group, leaderStatus, followers };
}

function stateOf(
  { paused }: Pick<CopyGroup, "paused">,
  { enabled, barred, stopped, joining }: Follower,
  now: { readonly isOnline: boolean; readonly positions: readonly CopyState[] },
): FollowerState {
  if (paused) return "paused";
  if (!enabled) return "off";
  if (barred !== undefined) return "stopped";
  if (!now.isOnline) return "offline";
  if (stopped !== undefined) return "stopped";
  if (now.positions.some((position) => driftOf(position) !== 0)) return "drifting";
  return joining.length > 0 ? "joining" : "following";
}

function positionsOf(
  follower: Follower,
  leaderHolds: Quantities,
  followerHolds: Quantities,
  cycleOf: CycleOf,
): readonly FollowerPosition[] {
  const leaderQtys = targetsOf(oneToOne(follower), leaderHolds, cycleOf);
  return copyStatesOf(follower, leaderHolds, followerHolds, cycleOf).map((standing) => ({
    ...standing,
    leaderQty: leaderQtys.get(standing.contract) ?? 0,
  }));
}

/** With these terms the targets are the leader's own quantities, in the follower's contracts. */
function oneToOne({ symbolMap, allowedSymbols }: Follower) {
  const size = { by: "multiplier", multiplier: "1", rounding: "down" } as const;
  const symbols = { symbolMap, ...(allowedSymbols !== undefined && { allowedSymbols }) };
  return { ...symbols, size, invert: false };
}
