import { equityIndex } from "../../config/contracts/equity-index.ts";
import { copyIdOf } from "../../src/app/new-ids.ts";
import type { ContractCode } from "../../src/domain/contracts/contract.ts";
import type { FollowerTerms } from "../../src/domain/copying/copy-group.ts";
import { targetsOf } from "../../src/domain/copying/copy-target.ts";
import { type CopyGroupId, intentIdOf } from "../../src/domain/ids.ts";
import { type Fill, sign } from "../../src/domain/order.ts";
import type { BrokerView } from "./broker-view.ts";
import { type FollowedLeader, MAX_AGE_SECONDS } from "./following.ts";
import type { History, ToldCopy } from "./history.ts";
import type { Finding, Violation } from "./verdict.ts";

/** So many copies of a follower tell its story. */
const TOLD = 5;

/** Of these runs: what left in time reaches the broker so much later at most, frozen on its way. */
const ON_ITS_WAY_MS = 15_000;

type Holds = Map<ContractCode, number>;

const cycleOf = (root: string) => equityIndex.find((product) => product.root === root)?.cycle;

/**
 * Every copy's id follows from a fill of its leader that the gateway knows, or is of a repair; the
 * copy log tells each one, and how it ended.
 */
export function copiesHaveTheirEvents({ intents, copying }: History): Finding {
  const copies = intents.filter(({ via }) => via === "copy");
  const told = new Map(copying.copies.map((copy) => [copy.copyId, copy]));
  const known = new Set(intents.map(({ intentId }) => intentId));
  const derived = derivedIds(copying);
  const violations = copies.flatMap(({ intentId, account }): Violation[] => {
    const what = findStrange(account, told.get(intentId), derived.get(account));
    return what === undefined ? [] : [{ account, intentIds: [intentId], what }];
  });
  for (const { copyId, follower: account, outcome } of copying.copies) {
    const fail = (what: string) => violations.push({ account, intentIds: [copyId], what });
    if (outcome === "pending") fail("a copy is told as pending at the end");
    else if (outcome !== "skipped" && !known.has(copyId)) fail(`told ${outcome}, and no intent`);
  }
  return { checked: copies.length + copying.copies.length, violations };
}

function findStrange(
  account: string,
  told: ToldCopy | undefined,
  derived: ReadonlySet<string> = new Set(),
): string | undefined {
  if (told === undefined) return "the copy log does not tell a copy";
  if (told.follower !== account) return `a copy is told of ${told.follower}`;
  const isStrange = told.cause === "fill" && !derived.has(told.copyId);
  return isStrange ? "a copy follows from no fill of its leader" : undefined;
}

/**
 * By follower: the id of each copy that a fill of its leader may have led to, or that repeats one of
 * which nothing was sent.
 */
function derivedIds({ groups, fills, copies }: History["copying"]) {
  const unsent = copies.filter(({ outcome }) => outcome === "notSent");
  const byFollower = new Map<string, ReadonlySet<string>>();
  for (const { groupId, leader, followers } of groups) {
    for (const { accountId: account } of followers) {
      const own = unsent.filter(({ follower }) => follower === account);
      const events = [...(fills[leader] ?? []), ...own.map(({ copyId }) => `again ${copyId}`)];
      const ids = events.map((event) => copyIdOf(groupId as CopyGroupId, account, event));
      byFollower.set(account, new Set(ids));
    }
  }
  return byFollower;
}

/**
 * At no moment: by the broker's own order of fills, each position of a follower is flat or what some
 * position of its leader's until then comes to, so it is never above its cap either.
 */
export function followersHoldNothingElse(history: History): Finding {
  const { checked, strange } = replay(history);
  return { checked, violations: strange };
}

/** At the end, by what all their fills at the broker add up to. */
export function followersOnTarget(history: History): Finding {
  const { held } = replay(history);
  const groups = withoutGuards(history);
  const violations = groups.flatMap(({ leader, followers }) =>
    followers.flatMap((terms): Violation[] => {
      const targets = targetsOf(terms, held.get(leader) ?? new Map(), cycleOf);
      const holds = held.get(terms.accountId) ?? new Map<ContractCode, number>();
      const away = [...new Set([...targets.keys(), ...holds.keys()])].filter(
        (contract) => (targets.get(contract) ?? 0) !== (holds.get(contract) ?? 0),
      );
      if (away.length === 0) return [];
      const what = away
        .map((one) => `${one} ${holds.get(one) ?? 0}, not ${targets.get(one) ?? 0}`)
        .join("; ");
      const intentIds = lastCopies(history, terms.accountId);
      return [{ account: terms.accountId, intentIds, what: `it holds ${what}` }];
    }),
  );
  return { checked: followersOf(groups).size, violations };
}

/** What may tell why a follower is where it is. */
function lastCopies({ intents }: History, follower: string): string[] {
  const own = intents.filter(({ account, via }) => account === follower && via === "copy");
  const inOrder = own.toSorted((one, other) => one.seq - other.seq);
  return inOrder.slice(-TOLD).map(({ intentId }) => intentId);
}

/** What the leader did longer ago than the group's limit only takes something off. */
export function oldOpensNothing({
  sent,
  copying,
}: Pick<History, "copying"> & Pick<BrokerView, "sent">): Finding {
  const filledAt = new Map(copying.copies.map(({ copyId, leaderAt }) => [copyId, leaderAt]));
  let checked = 0;
  const violations = sent.flatMap(({ account, intentId = "", reduces, entry }): Violation[] => {
    const leaderAt = filledAt.get(intentId);
    if (leaderAt === undefined || reduces) return [];
    checked += 1;
    const ageMs = entry.at - leaderAt;
    if (ageMs <= MAX_AGE_SECONDS * 1_000 + ON_ITS_WAY_MS) return [];
    const what = `an order that opens came ${ageMs} ms after the leader's fill`;
    return [{ account, intentIds: [intentId], what }];
  });
  return { checked, violations };
}

/** Nothing here refuses a copy, and what drifts is repaired in time. */
export function noFollowerStopped(history: History): Finding {
  const followers = followersOf(withoutGuards(history));
  const stopped = Object.entries(history.copying.stopped);
  const violations = stopped
    .filter(([account]) => followers.has(account))
    .map(([account, reason]) => {
      return { account, intentIds: [], what: `it was stopped: ${reason}` };
    });
  return { checked: followers.size, violations };
}

/** Followers with guards are refused copies, and lose what was copied: they may be elsewhere. */
const withoutGuards = ({ copying }: History): readonly FollowedLeader[] =>
  copying.groups.filter(({ isGuarded }) => isGuarded !== true);

interface Replayed {
  readonly held: ReadonlyMap<string, Holds>;
  /** Fills of followers. */
  readonly checked: number;
  readonly strange: readonly Violation[];
}

/** Goes through all fills in the broker's order. */
function replay({ log, copying: { groups } }: History): Replayed {
  const held = new Map<string, Holds>();
  const allowed = new Map<string, Map<ContractCode, Set<number>>>();
  const followers = followersOf(groups);
  const strange: Violation[] = [];
  let checked = 0;
  for (const { account = "", fill } of log) {
    if (fill === undefined) continue;
    const holds = book(held, account, fill);
    for (const { accountId: follower, ...terms } of followedBy(groups, account)) {
      const targets = targetsOf(terms, holds, cycleOf);
      for (const [contract, qty] of targets) allow(allowed, follower, { contract, qty });
    }
    const terms = followers.get(account);
    if (terms === undefined) continue;
    checked += 1;
    const what = findExcess(terms, fill, { holds, allowed: allowed.get(account) });
    if (what === undefined) continue;
    const intentId = fill.clOrdId && intentIdOf(fill.clOrdId);
    strange.push({ account, intentIds: intentId === undefined ? [] : [intentId], what });
  }
  return { held, checked, strange };
}

function book(held: Map<string, Holds>, account: string, fill: Fill): Holds {
  const { contract, side, lastQty } = fill;
  const holds = held.get(account) ?? new Map<ContractCode, number>();
  held.set(account, holds.set(contract, (holds.get(contract) ?? 0) + sign(side) * lastQty));
  return holds;
}

function allow(
  allowed: Map<string, Map<ContractCode, Set<number>>>,
  follower: string,
  { contract, qty }: { readonly contract: ContractCode; readonly qty: number },
): void {
  const own = allowed.get(follower) ?? new Map<ContractCode, Set<number>>();
  allowed.set(follower, own.set(contract, (own.get(contract) ?? new Set()).add(qty)));
}

interface Standing {
  readonly holds: Holds;
  readonly allowed: ReadonlyMap<ContractCode, ReadonlySet<number>> | undefined;
}

function findExcess(
  { maxQty = Infinity }: FollowerTerms,
  { contract }: Fill,
  { holds, allowed }: Standing,
): string | undefined {
  const netQty = holds.get(contract) ?? 0;
  if (Math.abs(netQty) > maxQty) return `it held ${netQty} ${contract}, above its ${maxQty}`;
  const isAllowed = netQty === 0 || allowed?.get(contract)?.has(netQty) === true;
  return isAllowed ? undefined : `it held ${netQty} ${contract}, which its leader never came to`;
}

const followedBy = (groups: readonly FollowedLeader[], account: string): readonly FollowerTerms[] =>
  groups.filter(({ leader }) => leader === account).flatMap(({ followers }) => followers);

const followersOf = (groups: readonly FollowedLeader[]): ReadonlyMap<string, FollowerTerms> =>
  new Map(groups.flatMap(({ followers }) => followers.map((terms) => [terms.accountId, terms])));
