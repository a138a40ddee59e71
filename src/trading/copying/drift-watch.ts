import type { ContractCode } from "../../domain/contracts/contract.ts";
import {
  type CopyState,
  driftOf,
  lateIn,
  copyStatesOf,
  without,
} from "../../domain/copying/copy-drift.ts";
import type { CopyGroup, Follower } from "../../domain/copying/copy-group.ts";
import type { CycleOf } from "../../domain/copying/copy-target.ts";
import type { Quantities } from "../../domain/holdings.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { ConnectionBoard } from "../ports.ts";
import type { CopyGroupDirectory } from "./copy-group-directory.ts";
import type { CopyObserver, CopyOutcomes } from "./copy-outcomes.ts";
import type { FollowerState, FollowerStates } from "./follower-states.ts";
import { DriftEpisodes } from "./drift-episodes.ts";
import type { MendDrift } from "./mend-drift.ts";
import { readHolds } from "./read-holds.ts";
import type { AccountViews } from "../reads/ports.ts";

type SeenStates = Map<AccountId, { leader: AccountId; state: FollowerState }>;

export interface DriftWatchDeps {
  /** Where each look leaves what it has seen. */
  readonly states: FollowerStates;
  readonly groups: CopyGroupDirectory;
  readonly accounts: AccountDirectory;
  readonly board: ConnectionBoard;
  readonly views: Pick<AccountViews, "positions">;
  readonly outcomes: Pick<CopyOutcomes, "isBusy" | "sweep" | "forget">;
  /** Whether something is on its way into a contract of the follower. */
  readonly isOpen: (follower: AccountId, contract: ContractCode) => boolean;
  readonly mend: MendDrift;
  readonly observer: Pick<CopyObserver, "copyingFailed">;
  readonly cycleOf: CycleOf;
  /** Whether this process owns the leader's connection, and has read the leader in full. */
  readonly isHere: (leader: AccountId) => boolean;
  /** A steady clock, ms. */
  readonly elapsed: () => number;
}

export interface DriftFigures {
  /** Contracts by which followers are away from what they are to hold, for long enough to count. */
  readonly contracts: number;
  readonly followers: ReadonlyMap<FollowerState, number>;
}

/** A follower that holds nothing beside a leader that holds nothing is looked at so often. */
const REST_MS = 5_000;
const NOTHING: Quantities = new Map();

/** One follower that can be judged now. */
interface Judged {
  readonly group: CopyGroup;
  readonly follower: Follower;
  readonly standings: readonly CopyState[];
}

/**
 * Compares what followers hold with what they are to hold, for the leaders whose connection is owned
 * here. What is away for long enough, with nothing on its way, has drifted, and the group's policy is
 * carried out. Whoever cannot be seen is not judged.
 */
export class DriftWatch {
  readonly #deps: DriftWatchDeps;
  readonly #episodes: DriftEpisodes;
  /** Followers at rest, and until when they are not looked at, ms. */
  readonly #restsUntil = new Map<AccountId, number>();

  constructor(deps: DriftWatchDeps) {
    this.#deps = deps;
    this.#episodes = new DriftEpisodes(deps.elapsed);
  }

  /** One look at everybody; never fails. */
  async look(): Promise<void> {
    const { groups, isHere } = this.#deps;
    const states: SeenStates = new Map();
    const leaders = [...groups.leaders()].filter(isHere);
    await Promise.all(
      leaders.flatMap((leader) => groups.ledBy(leader).map((group) => this.#lookAt(group, states))),
    );
    for (const gone of this.#deps.states.replace(states)) this.#forget(gone);
  }

  figures(): DriftFigures {
    return { contracts: this.#episodes.contracts(), followers: this.#deps.states.counts() };
  }

  async #lookAt(group: CopyGroup, states: SeenStates): Promise<void> {
    const { observer } = this.#deps;
    const { leader } = group;
    try {
      const leaderHolds = await readHolds(this.#deps.views, leader);
      await Promise.all(
        group.followers.map(async (follower) => {
          const state = await this.#tryToJudge(group, follower, leaderHolds);
          states.set(follower.accountId, { leader, state });
        }),
      );
    } catch (error) {
      observer.copyingFailed(error, leader);
      for (const { accountId } of group.followers) {
        states.set(accountId, { leader, state: "offline" });
      }
    }
  }

  /** What cannot be read or done now is looked at again. */
  async #tryToJudge(
    group: CopyGroup,
    follower: Follower,
    leaderHolds: Quantities,
  ): Promise<FollowerState> {
    try {
      return await this.#judge(group, follower, leaderHolds);
    } catch (error) {
      this.#deps.observer.copyingFailed(error, follower.accountId);
      return "offline";
    }
  }

  async #judge(
    group: CopyGroup,
    follower: Follower,
    leaderHolds: Quantities,
  ): Promise<FollowerState> {
    const { outcomes, cycleOf, views } = this.#deps;
    const { accountId: account } = follower;
    const isResting = this.#isResting(follower, leaderHolds);
    if (!isResting) await outcomes.sweep(account);
    if (group.paused || !follower.enabled) {
      this.#episodes.forget(account);
      return "off";
    }
    if (follower.barred !== undefined) {
      this.#episodes.forget(account);
      return "stopped";
    }
    if (!this.#isUp(group.leader) || !this.#isUp(account)) {
      this.#episodes.forget(account);
      return "offline";
    }
    const holds = isResting ? NOTHING : await readHolds(views, account);
    const standings = copyStatesOf(follower, leaderHolds, holds, cycleOf);
    if (!isResting && leaderHolds.size === 0 && standings.length === 0) this.#rest(account);
    await this.#endJoining({ group, follower, standings });
    const hasDrifted = await this.#watch({ group, follower, standings });
    if (follower.stopped !== undefined) return "stopped";
    if (hasDrifted) return "drifted";
    return follower.joining.length > 0 ? "joining" : "following";
  }

  /** Answers whether anything of the follower has drifted. */
  async #watch({ group, follower, standings }: Judged): Promise<boolean> {
    const { isOpen, mend } = this.#deps;
    const { accountId: account } = follower;
    this.#episodes.keep(account, standings);
    let hasDrifted = false;
    for (const standing of standings) {
      const { contract } = standing;
      if (driftOf(standing) === 0) continue;
      if (isOpen(account, contract)) {
        this.#episodes.interrupt(account, contract);
        continue;
      }
      const episode = this.#episodes.of(account, contract, group.driftAfterSeconds * 1_000);
      if (!episode.isBelieved) continue;
      episode.contracts = Math.abs(driftOf(standing));
      hasDrifted = true;
      if (episode.isDue) await mend(group, follower, standing, episode);
    }
    return hasDrifted;
  }

  /** Who holds what it is to hold has joined. */
  async #endJoining({ group, follower, standings }: Judged): Promise<void> {
    const open = standings.filter(({ targetQty, heldQty }) => targetQty !== heldQty);
    const isOpen = (contract: ContractCode) => open.some((one) => one.contract === contract);
    const joined = lateIn(follower).filter((contract) => !isOpen(contract));
    if (joined.length === 0) return;
    await this.#deps.groups.changeFollower(group.groupId, follower.accountId, (one) =>
      without(one, joined),
    );
  }

  /**
   * It held nothing when it was last looked at, nor does its leader now: nothing is at stake. One that
   * has begun anew since may hold something of its own.
   */
  #isResting(follower: Follower, leaderHolds: Quantities): boolean {
    const { elapsed, outcomes } = this.#deps;
    const { accountId: account } = follower;
    const untilMs = this.#restsUntil.get(account) ?? 0;
    if (leaderHolds.size > 0 || lateIn(follower).length > 0) return false;
    return !outcomes.isBusy(account) && elapsed() < untilMs;
  }

  #rest(account: AccountId): void {
    this.#restsUntil.set(account, this.#deps.elapsed() + REST_MS);
  }

  #forget(follower: AccountId): void {
    this.#restsUntil.delete(follower);
    this.#episodes.forget(follower);
    this.#deps.outcomes.forget(follower);
  }

  #isUp(account: AccountId): boolean {
    const { accounts, board } = this.#deps;
    const stored = accounts.find(account);
    return stored?.active === true && board.status(stored.connectionId) === "CONNECTED";
  }
}
