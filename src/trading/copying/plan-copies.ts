import type { ContractCode } from "../../domain/contracts/contract.ts";
import { exitsOnlyIn, hasTurned } from "../../domain/copying/copy-drift.ts";
import type { CopyGroup, Follower } from "../../domain/copying/copy-group.ts";
import { targetBeside } from "../../domain/copying/copy-mirror.ts";
import {
  copiedContract,
  type CycleOf,
  isReduction,
  targetsOf,
} from "../../domain/copying/copy-target.ts";
import type { Quantities } from "../../domain/holdings.ts";
import type { AccountId, CopyGroupId, IntentId } from "../../domain/ids.ts";
import { holdsAlong, type LeaderMove, movesOf } from "./leader-moves.ts";
import type { LeaderNews, CopyEntry } from "./ports.ts";
import type { Intent } from "../../domain/intent.ts";

/** Ages of what a leader did are counted by its broker's clock. */
export type BrokerNow = (leader: AccountId, storeNow: number) => number;

export interface PlanDeps {
  readonly cycleOf: CycleOf;
  readonly copyId: CopyId;
  /** What the clock of the leader's broker shows when the store's shows that, Unix ms. */
  readonly brokerNow: BrokerNow;
  /** Whether the account can be traded. */
  readonly isActive: (account: AccountId) => boolean;
  /** What followers' own orders do; absent where none have any. */
  readonly mirrored?: Mirrored;
}

/** What followers' orders that stand for orders of their leaders do, as it was read for one plan. */
export interface Mirrored {
  /** Whether they fill what the leader's move filled. */
  readonly fills: (follower: AccountId, move: LeaderMove) => boolean;
  /**
   * What the follower holds beyond its target of before, or is short of it, because they fill at
   * other times than the leader's: signed.
   */
  readonly apart: (follower: AccountId, contract: ContractCode, targetQty: number) => number;
}

/**
 * What a leader's fills ask of every follower of its groups. Of what several of the leader's
 * contracts ask of one of a follower's, the newest move stands for all. Exits come first: they are
 * what must not wait for a broker's limits.
 */
export function planCopies(
  deps: PlanDeps,
  groups: readonly CopyGroup[],
  news: LeaderNews,
): readonly PlannedCopy[] {
  const moves = movesOf(news);
  const held = { along: holdsAlong(news), now: news.now };
  const copies = groups.flatMap((group) =>
    group.followers.flatMap((follower) =>
      newestByContract(follower, moves, deps).map((move) =>
        planCopy(deps, { group, follower, move, held }),
      ),
    ),
  );
  return copies.toSorted((one, other) => Number(other.isExit) - Number(one.isExit));
}

/**
 * The moves that a follower's copies are for; one whose contract it has not, stands for itself. What
 * its own orders fill does not stand for what they do not.
 */
function newestByContract(
  follower: Follower,
  moves: readonly LeaderMove[],
  { cycleOf, mirrored }: PlanDeps,
): readonly LeaderMove[] {
  const newest = new Map<ContractCode, LeaderMove>();
  const rank = (move: LeaderMove) => Number(mirrored?.fills(follower.accountId, move) !== true);
  for (const move of moves.toSorted((one, other) => rank(one) - rank(other))) {
    const copied = copiedContract(follower, move.contract, cycleOf);
    newest.set(copied.kind === "contract" ? copied.contract : move.contract, move);
  }
  return [...newest.values()];
}

interface Planning {
  readonly group: CopyGroup;
  readonly follower: Follower;
  readonly move: LeaderMove;
  readonly held: {
    /** Before the news, and after each fill of it. */
    readonly along: readonly Quantities[];
    readonly now: number;
  };
}

function planCopy(deps: PlanDeps, planning: Planning): PlannedCopy {
  const { cycleOf, copyId, isActive, mirrored } = deps;
  const { group, follower, move, held } = planning;
  const entry = {
    copyId: copyId(group.groupId, follower.accountId, move.newest.execId),
    groupId: group.groupId,
    userId: group.userId,
    leader: group.leader,
    follower: follower.accountId,
    cause: "fill",
    leaderAt: move.newest.transactTimeAt,
    notedAt: held.now,
    leaderContract: move.contract,
    leaderSide: move.side,
    leaderQty: move.qty,
    leaderPx: move.px,
    leaderOrderId: move.newest.orderId,
    decisions: [],
  } as const;
  const skip = (reason: string) => ({ kind: "skip", entry, reason, isExit: false }) as const;

  if (follower.barred !== undefined) return skip(follower.barred);
  if (group.paused) return skip("The group is paused");
  if (!follower.enabled) return skip("The follower is switched off");
  const copied = copiedContract(follower, move.contract, cycleOf);
  if (copied.kind === "none") return skip(copied.reason);

  if (mirrored?.fills(follower.accountId, move) === true) return skip(ITS_OWN);
  const { contract } = copied;
  const targets = held.along.map((one) => targetsOf(follower, one, cycleOf).get(contract) ?? 0);
  const [before = 0] = targets;
  const after = targets.at(-1) ?? 0;
  // On the way back to where it was, a copy may be under way that a crash has kept from being noted.
  if (targets.every((one) => one === after)) return skip(sameTarget(after));
  if (!isActive(follower.accountId)) {
    const skipped = skip("The follower's account is inactive");
    return after === 0 ? skipped : { ...skipped, missed: contract };
  }
  const apart = mirrored?.apart(follower.accountId, contract, before) ?? 0;
  const targetQty = targetBeside(after, apart);
  const leftMs =
    group.maxAgeSeconds * 1_000 - (deps.brokerNow(group.leader, held.now) - move.beganAt);
  const isJoining = !hasTurned(targets) && follower.joining.includes(contract);
  const exitsOnly = exitsOnlyIn(follower, isJoining) ?? tooOld(leftMs, group);
  const decisions = exitsOnly === undefined ? [] : [exitsOnly];
  return {
    kind: "send",
    entry: { ...entry, contract, targetQty, decisions },
    intent: positionAim(contract, targetQty),
    seq: move.seq,
    entryMaxAgeMs: Math.max(0, Math.min(leftMs, group.maxAgeSeconds * 1_000)),
    isExit: targetQty === 0 || isReduction(before, targetQty),
    ...(exitsOnly !== undefined && { exitsOnly }),
  };
}

const ITS_OWN = "An order of its own is there to fill";

/** An order at the market for whatever is missing to the target, decided on the lane. */
export const positionAim = (contract: ContractCode, netQty: number) =>
  ({
    kind: "ADJUST",
    contract,
    aim: { to: "position", netQty },
    terms: { ordType: "MARKET", timeInForce: "DAY" },
  }) as const;

function sameTarget(targetQty: number): string {
  const what = targetQty === 0 ? "nothing" : String(targetQty);
  return `It changes nothing: by its size and cap the follower is to hold ${what}, as before`;
}

function tooOld(leftMs: number, { maxAgeSeconds }: CopyGroup): string | undefined {
  if (leftMs > 0) return undefined;
  const seconds = maxAgeSeconds + Math.floor(-leftMs / 1_000);
  return `It happened ${seconds} s before it could be copied, and entries are copied for ${maxAgeSeconds} s: only exits pass`;
}

/**
 * The id of a copy: the same for the same group, follower and event, whoever asks and how often. Of
 * the form of every intent's id.
 */
export type CopyId = (group: CopyGroupId, follower: AccountId, event: string) => IntentId;

/** What is to be done for one follower. */
export type PlannedCopy =
  | {
      readonly kind: "skip";
      readonly entry: CopyEntry;
      /** In words. */
      readonly reason: string;
      readonly isExit: false;
      /** The follower should have been copied to in this contract, and could not be. */
      readonly missed?: ContractCode;
    }
  | {
      readonly kind: "send";
      readonly entry: CopyEntry;
      readonly intent: Intent;
      /**
       * Its number among the leader's: of two for one contract, the later one stands. Absent where
       * both stand, as of a leader's orders.
       */
      readonly seq?: number;
      /** How old it may become unsent, if it opens or grows a position, ms. */
      readonly entryMaxAgeMs: number;
      /** The same of what only reduces one; absent: as every other copy. */
      readonly exitMaxAgeMs?: number;
      /** It only takes something off, as far as that can be told from the leader. */
      readonly isExit: boolean;
      /** Nothing of it may open or grow a position; why, in words. */
      readonly exitsOnly?: string;
      /**
       * The store's clock before that was seen which it follows, Unix ms: it is accepted within
       * `ACCEPT_WITHIN_MS` of it or never. Absent: of when it is sent.
       */
      readonly seenAt?: number;
    };
