import { driftOf, copyStatesOf } from "../../domain/copying/copy-drift.ts";
import { planExits } from "../../domain/copying/copy-exits.ts";
import type { CopyGroup, Follower } from "../../domain/copying/copy-group.ts";
import {
  type AccountOrders,
  explainedBy,
  fillsApart,
  type FoundMirror,
  type Mirror,
  type MirrorStep,
  type MirrorView,
} from "../../domain/copying/copy-mirror.ts";
import type { CycleOf } from "../../domain/copying/copy-target.ts";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { IsOneMarket } from "../../domain/contracts/product.ts";
import type { AccountId } from "../../domain/ids.ts";
import { planLeaving, planMirrors } from "../../domain/copying/plan-mirrors.ts";
import { type DescribeContract, listedTickSize } from "../orders/describe-contract.ts";
import { BrokerReadError } from "../ports.ts";
import type { CopyOutcomes } from "./copy-outcomes.ts";
import { findMirrors, type FindMirrorsDeps, withdrawUnsent } from "./find-mirrors.ts";
import type { MirrorStepOf } from "./mirror-copies.ts";
import type { CopyMirrors } from "./ports.ts";
import { readOrders, type ReadOrdersDeps } from "./read-holds.ts";
import type { IntentStore } from "../orders/ports.ts";

export interface PlanFollowerDeps extends ReadOrdersDeps, FindMirrorsDeps {
  readonly intents: Pick<IntentStore, "find" | "withdraw">;
  readonly mirrors: Pick<CopyMirrors, "list" | "forget">;
  readonly outcomes: Pick<CopyOutcomes, "isOpen">;
  readonly isActive: (account: AccountId) => boolean;
  readonly describe: DescribeContract;
  readonly cycleOf: CycleOf;
  readonly isOneMarket: IsOneMarket;
}

/** A leader as it was read for one pass. */
export interface LeaderNow {
  readonly leader: AccountId;
  readonly has: AccountOrders;
  /** The store's clock, Unix ms. */
  readonly now: number;
  /** The clock of the leader's broker, Unix ms. */
  readonly brokerNow: number;
}

/** One that follows, or followed and has something left of it. */
export interface Mirroring {
  readonly account: AccountId;
  /** Absent where its leader's orders are not mirrored to it any more. */
  readonly following?: { readonly group: CopyGroup; readonly follower: Follower };
}

export interface FollowerPlan {
  readonly of: MirrorStepOf;
  /** Absent where it follows no more. */
  readonly following?: Follower;
  readonly steps: readonly MirrorStep[];
  /** Contracts in which its orders and its leader's fill at different times now, and nothing else is. */
  readonly apart: ReadonlySet<ContractCode>;
}

/** Long after what the leader's order filled was copied, or was not. */
const FORGOTTEN_AFTER_MS = 60_000;
const MS_PER_SECOND = 1_000;
const LEFT = "The follower follows this leader's orders no more";
const ENDED = "The leader's order ended before this one was sent";

/** What is to be done for one follower; undefined where that cannot be told now, or is nothing. */
export async function planFollower(
  deps: PlanFollowerDeps,
  at: LeaderNow,
  { account, following }: Mirroring,
): Promise<FollowerPlan | undefined> {
  const { leader, has: leaderHas, now, brokerNow } = at;
  const noted = (await deps.mirrors.list(account)).filter((mirror) => mirror.leader === leader);
  const isAsked = following !== undefined && leaderHas.working.length > 0;
  if (noted.length === 0 && !isAsked) return undefined;
  const has = await tryToRead(deps, account);
  const place = { leader, leaderHas, follower: account, followerHas: has, now };
  noteLeaderOrders(deps, leaderHas, noted);
  const found = await findMirrors(deps, place, noted);
  const isStaying = ({ mirror }: FoundMirror) => mirror.groupId === following?.group.groupId;
  const rest = following && restOf(deps, following.group, following.follower);
  await withdrawUseless(deps, account, found, (one) => (isStaying(one) ? rest : LEFT));
  // What cannot be seen may work yet.
  if (has === undefined) return undefined;
  await forgetOver(deps, account, found);

  const staying = found.filter(isStaying);
  const left = planLeaving(found.filter((one) => !isStaying(one)));
  const group = following?.group ?? formerGroup(deps, account, leader, found);
  if (group === undefined) return undefined;
  const of = { group, follower: account, now, brokerNow };
  if (following === undefined) return { of, steps: left, apart: new Set() };
  const view = viewOf(deps, following, { at, has, found: staying, rest });
  const steps = [...left, ...planMirrors(view), ...planExits(view)];
  return { of, following: following.follower, steps, apart: apartIn(view) };
}

/** Since when which of the leader's orders work no more. */
function noteLeaderOrders(
  { memory }: PlanFollowerDeps,
  { working, opaque }: AccountOrders,
  noted: readonly Mirror[],
): void {
  const ids = new Set([...working, ...opaque].map(({ orderId }) => orderId));
  for (const { copyId, leaderOrderId } of noted) {
    memory.noteLeaderOrder(copyId, ids.has(leaderOrderId));
  }
}

/** Forgets what is long over, of a follower that was read. */
async function forgetOver(
  { mirrors, memory }: PlanFollowerDeps,
  account: AccountId,
  found: readonly FoundMirror[],
): Promise<void> {
  const over = found
    .filter(
      ({ own, isPending, endedForMs = 0 }) =>
        own === undefined && !isPending && endedForMs > FORGOTTEN_AFTER_MS,
    )
    .map(({ mirror }) => mirror);
  await mirrors.forget(account, over);
  for (const { copyId } of over) memory.forget(copyId);
}

/** Withdraws what was never sent and is for nothing any more. */
async function withdrawUseless(
  { intents }: PlanFollowerDeps,
  follower: AccountId,
  found: readonly FoundMirror[],
  whyNot: (found: FoundMirror) => string | undefined,
): Promise<void> {
  const withdrawn = found
    .filter(({ isPending }) => isPending)
    .map(async (one) => {
      const { copyId, filledBefore } = one.mirror;
      const isEnded = one.endedForMs !== undefined && one.leaderCumQty <= filledBefore;
      const reason = whyNot(one) ?? (isEnded ? ENDED : undefined);
      if (reason !== undefined) await withdrawUnsent({ intents }, { follower, copyId, reason });
    });
  await Promise.all(withdrawn);
}

/** What the log keeps with what is cancelled of a follower that has left. */
function formerGroup(
  { accounts }: PlanFollowerDeps,
  account: AccountId,
  leader: AccountId,
  [found]: readonly FoundMirror[],
): MirrorStepOf["group"] | undefined {
  const userId = accounts.find(account)?.userId;
  if (userId === undefined || found === undefined) return undefined;
  return { groupId: found.mirror.groupId, userId, leader, maxAgeSeconds: 0 };
}

function viewOf(
  deps: PlanFollowerDeps,
  { group, follower }: NonNullable<Mirroring["following"]>,
  {
    at,
    has,
    found,
    rest,
  }: {
    readonly at: LeaderNow;
    readonly has: AccountOrders;
    readonly found: readonly FoundMirror[];
    readonly rest: string | undefined;
  },
): MirrorView {
  const { outcomes, cycleOf, isOneMarket, describe } = deps;
  return {
    follower,
    ...(rest !== undefined && { rest }),
    maxAgeMs: group.maxAgeSeconds * MS_PER_SECOND,
    fillsForMs: group.driftAfterSeconds * MS_PER_SECOND,
    now: at.now,
    brokerNow: at.brokerNow,
    leader: at.has,
    own: has,
    mirrors: found,
    isBusy: (contract) => outcomes.isOpen(follower.accountId, contract),
    cycleOf,
    isOneMarket,
    tickSizeOf: (contract) => listedTickSize(describe, contract),
  };
}

function restOf(
  { isActive }: PlanFollowerDeps,
  { paused }: CopyGroup,
  { accountId, enabled, barred }: Follower,
): string | undefined {
  if (barred !== undefined) return barred;
  if (paused) return "The group is paused";
  if (!enabled) return "The follower is switched off";
  return isActive(accountId) ? undefined : "The follower's account is inactive";
}

function apartIn({ follower, leader, own, mirrors, cycleOf }: MirrorView): Set<ContractCode> {
  const standings = copyStatesOf(follower, leader.holds, own.holds, cycleOf);
  const apart = standings.filter((standing) => {
    const difference = driftOf(standing);
    const explained = explainedBy(fillsApart(follower, standing.contract, mirrors), difference);
    return difference !== 0 && explained === difference;
  });
  return new Set(apart.map(({ contract }) => contract));
}

async function tryToRead(
  deps: PlanFollowerDeps,
  account: AccountId,
): Promise<AccountOrders | undefined> {
  try {
    return await readOrders(deps, account);
  } catch (error) {
    if (error instanceof BrokerReadError) return undefined;
    throw error;
  }
}
