import {
  type CopyState,
  exitsOnlyIn,
  keptOf,
  copyStatesOf,
} from "../../domain/copying/copy-drift.ts";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { CopyGroup, Follower } from "../../domain/copying/copy-group.ts";
import type { CycleOf } from "../../domain/copying/copy-target.ts";
import type { Alarms } from "../alarms/alarm.ts";
import type { CopyGroupDirectory } from "./copy-group-directory.ts";
import type { DriftEpisode } from "./drift-episodes.ts";
import { type CopyId, positionAim } from "./plan-copies.ts";
import { holdsAtBroker, type HoldsAtBrokerDeps } from "./read-holds.ts";
import type { CopyEntry, CopyLog, CopyNews } from "./ports.ts";
import type { SendCopies, SentCopy } from "./send-copies.ts";
import type { IntentStore } from "../orders/ports.ts";

export interface MendDriftDeps extends HoldsAtBrokerDeps {
  readonly groups: CopyGroupDirectory;
  readonly cycleOf: CycleOf;
  readonly intents: Pick<IntentStore, "now">;
  readonly news: Pick<CopyNews, "nextSeq">;
  readonly log: Pick<CopyLog, "note">;
  readonly send: SendCopies;
  readonly copyId: CopyId;
  readonly alarms: Pick<Alarms, "raise">;
}

/** Carries out a group's policy for one contract of a follower that has drifted. */
export type MendDrift = (
  group: CopyGroup,
  follower: Follower,
  state: CopyState,
  episode: DriftEpisode,
) => Promise<void>;

/** A follower that still is away after so many attempts needs a person. */
const ATTEMPTS = 3;

/**
 * Before anything is done, the brokers are asked once more: what is kept here may be old. An alarm
 * is raised once; a repair or a flatten is tried again while it does not help, and then the follower
 * is stopped.
 */
export function createMendDrift(deps: MendDriftDeps): MendDrift {
  const { groups, cycleOf, intents, news, log, send, copyId, alarms } = deps;

  return async function mendDrift(group, follower, state, episode) {
    if (group.drift === "alarm" && episode.attempts > 0) return;
    if (episode.attempts > ATTEMPTS) {
      // A person has resumed it since, or its stop could not be stored.
      if (follower.stopped === undefined) episode.beginAnew();
      return;
    }
    // First: what the leader does from here on has a later number, and stands.
    const seq = await news.nextSeq(group.leader);
    const shown = await statesNow(group, follower);
    if (!isStillSo(state, shown)) return;
    episode.acted();
    const entry = await entryOf(group, follower, { state, seq });
    const { heldQty, dueQty } = state;
    alarms.raise({ kind: "followerDrifted", entry, heldQty, dueQty });

    if (group.drift === "alarm") {
      return await log.note(entry, { reason: `${wordsOf(state)}; the group only tells it` });
    }
    if (episode.attempts === ATTEMPTS) {
      const reason = `${wordsOf(state)}, and ${ATTEMPTS} attempts to put it right did not help`;
      await log.note(entry, { reason });
      return await stop(entry, reason);
    }
    if (group.drift === "repair") return await repair(group, follower, { state, seq, entry });
    // First: one that is stopped holds what it is to hold, and would not be flattened again.
    await send(shown.flatMap((one) => flattened(follower, one, { state, seq, entry })));
    await stop(entry, `${wordsOf(state)}, so it was flattened`);
  };

  /** Of one contract: only those that are copied are the group's affair, and what is the leader's. */
  function flattened(
    follower: Follower,
    one: CopyState,
    { state, seq, entry: { groupId, ...entry } }: Mending,
  ): readonly SentCopy[] {
    const { contract, heldQty } = one;
    const kept = keptOf(follower, one);
    if (heldQty === kept && contract !== state.contract) return [];
    const why = `${wordsOf(state)}: all that is copied is flattened, and it is stopped`;
    const id = copyId(groupId, follower.accountId, eventOf(contract, seq));
    const closing = { ...entry, groupId, copyId: id, contract, targetQty: kept, decisions: [why] };
    const copy = { kind: "send", entry: closing, seq, entryMaxAgeMs: 0, isExit: true } as const;
    if (kept !== 0) return [{ ...copy, intent: positionAim(contract, kept), exitsOnly: why }];
    return [{ ...copy, intent: { kind: "FLATTEN", contract, cancelResting: true } }];
  }

  async function repair(
    { maxAgeSeconds }: CopyGroup,
    follower: Follower,
    { state, seq, entry }: Mending,
  ): Promise<void> {
    const { contract, dueQty } = state;
    const decisions = [`${wordsOf(state)}: it is brought there at the market`];
    const exitsOnly = exitsOnlyIn(follower, follower.joining.includes(contract));
    await send([
      {
        kind: "send",
        entry: { ...entry, decisions },
        intent: positionAim(contract, dueQty),
        seq,
        entryMaxAgeMs: maxAgeSeconds * 1_000,
        isExit: dueQty === 0,
        ...(exitsOnly !== undefined && { exitsOnly }),
      },
    ]);
  }

  async function stop(entry: CopyEntry, reason: string): Promise<void> {
    const { groupId, follower, notedAt: at } = entry;
    const isStopped = await groups.changeFollower(groupId, follower, (one) =>
      one.stopped === undefined ? { ...one, stopped: { reason, at } } : undefined,
    );
    if (isStopped) alarms.raise({ kind: "followerStopped", entry, reason });
  }

  async function statesNow(
    { leader }: CopyGroup,
    follower: Follower,
  ): Promise<readonly CopyState[]> {
    const [leaderHolds, holds] = await Promise.all([
      holdsAtBroker(deps, leader),
      holdsAtBroker(deps, follower.accountId),
    ]);
    return copyStatesOf(follower, leaderHolds, holds, cycleOf);
  }

  async function entryOf(
    { groupId, userId, leader }: CopyGroup,
    { accountId: follower }: Follower,
    { state: { contract, dueQty }, seq }: Pick<Mending, "state" | "seq">,
  ): Promise<CopyEntry> {
    const now = await intents.now();
    return {
      copyId: copyId(groupId, follower, eventOf(contract, seq)),
      groupId,
      userId,
      leader,
      follower,
      cause: "drift",
      leaderAt: now,
      notedAt: now,
      contract,
      targetQty: dueQty,
      decisions: [],
    };
  }
}

const eventOf = (contract: ContractCode, seq: number): string => `drift ${contract} ${seq}`;

function isStillSo({ contract, heldQty, dueQty }: CopyState, shown: readonly CopyState[]): boolean {
  const now = shown.find((one) => one.contract === contract);
  return now?.heldQty === heldQty && now.dueQty === dueQty;
}

/** What is being done about a drift. */
interface Mending {
  readonly state: CopyState;
  readonly seq: number;
  readonly entry: CopyEntry;
}

const wordsOf = ({ heldQty, dueQty }: CopyState): string =>
  `It holds ${positionText(heldQty)} and is to hold ${positionText(dueQty)}`;

const positionText = (netQty: number): string => {
  if (netQty === 0) return "nothing";
  return `${Math.abs(netQty)} ${netQty > 0 ? "long" : "short"}`;
};
