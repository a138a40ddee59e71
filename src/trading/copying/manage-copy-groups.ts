import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";
import type { CopyGroup, Follower } from "../../domain/copying/copy-group.ts";
import type { AccountId, CopyGroupId } from "../../domain/ids.ts";
import { errors, type Problem } from "../../errors.ts";
import { findCopiedTwice } from "../account-groups/copied-twice.ts";
import type { AccountGroups } from "../account-groups/ports.ts";
import { type AccountDirectory, identities } from "../connections/account-directory.ts";
import type { OptionReading } from "../alerts/check-webhook-options.ts";
import { asFound } from "./copy-group-directory.ts";
import { DEFAULT_GROUP, readTerms, requireOneMarket, requireSound } from "./check-copy-group.ts";
import { type CopyGroupView, type CopyViewDeps, viewCopyGroup } from "./copy-views.ts";
import { endWaiting, type EndWaitingDeps } from "./end-waiting.ts";
import { findFollower, findGroup } from "./find-copy-group.ts";
import { joinFollowers, type JoinFollowersDeps } from "./join-followers.ts";
import type { CopyGroups } from "./ports.ts";
import type { Caller } from "../people/caller.ts";
import type { CopyUses } from "./copy-uses.ts";

export interface ManageCopyGroupsDeps extends CopyViewDeps, JoinFollowersDeps, EndWaitingDeps {
  readonly news: JoinFollowersDeps["news"] & EndWaitingDeps["news"];
  readonly groups: CopyGroups;
  readonly accounts: Pick<AccountDirectory, "find" | "load" | "require">;
  readonly contracts: ContractDirectory;
  /** Of their accounts none may follow another one. */
  readonly accountGroups: Pick<AccountGroups, "read">;
  readonly newGroupId: () => CopyGroupId;
}

type CopyGroupUses = Omit<CopyUses, "syncCopyGroup" | "listCopies">;

/** How often a change is tried that others changed groups under. */
const ATTEMPTS = 5;

/** Who follows whom, of one user. What runs hears of each change and follows it. */
export function createCopyGroupUses(deps: ManageCopyGroupsDeps): CopyGroupUses {
  const { groups, accounts } = deps;
  const { isOneMarket } = deps.contracts;
  const facts = { identityOf: identities(accounts), isOneMarket };
  const readBarred = async () => asFound((await groups.read()).groups, facts);
  const change = async (
    caller: Caller,
    id: CopyGroupId,
    changed: (group: CopyGroup) => CopyGroup,
  ): Promise<CopyGroupView> =>
    await save(deps, (known) => {
      const before = findGroup(known, caller, id);
      return { before, after: changed(before) };
    });

  return {
    listCopyGroups: async ({ userId }) => {
      const own = (await readBarred()).filter((group) => group.userId === userId);
      const oldestFirst = own.toSorted((a, b) => a.createdAt - b.createdAt);
      return await Promise.all(oldestFirst.map(async (group) => await viewCopyGroup(deps, group)));
    },

    findCopyGroup: async (caller, id) => {
      return await viewCopyGroup(deps, findGroup(await readBarred(), caller, id));
    },

    createCopyGroup: async (caller, { followers: given, leader, ...terms }) => {
      await requireOwn(deps, caller, [leader, ...given.map(({ accountId }) => accountId)]);
      const followers = read(deps, caller, (reading) =>
        given.map(({ accountId, ...request }, n) => ({
          ...readTerms(accountId, request, { ...reading, at: `followers.${n}.` }),
          joining: [],
        })),
      );
      const facts = { groupId: deps.newGroupId(), userId: caller.userId, leader };
      const createdAt = caller.receivedAt;
      const after = { name: leader, ...DEFAULT_GROUP, ...terms, ...facts, followers, createdAt };
      return await save(deps, () => ({ before: undefined, after }));
    },

    changeCopyGroup: async (caller, id, terms) =>
      await change(caller, id, (group) => ({ ...group, ...terms })),

    deleteCopyGroup: async (caller, id) => {
      for (let attempt = 1; ; attempt += 1) {
        const known = await groups.read();
        const group = findGroup(known.groups, caller, id);
        if (await groups.remove(id, known.version)) return await endWaiting(deps, group, undefined);
        if (attempt === ATTEMPTS) throw errors.changedMeanwhile(group.name);
      }
    },

    putFollower: async (caller, id, account, request) => {
      await requireOwn(deps, caller, [account]);
      return await change(caller, id, (group) => {
        const before = group.followers.find(({ accountId }) => accountId === account);
        const terms = read(deps, caller, (reading) => readTerms(account, request, reading));
        return withFollower(group, { ...terms, ...standingOf(before) });
      });
    },

    changeFollower: async (caller, id, account, { resume, ...request }) =>
      await change(caller, id, (group) => {
        const before = findFollower(group, account);
        const terms = read(deps, caller, (reading) => readTerms(account, request, reading, before));
        const { stopped, ...standing } = standingOf(before);
        const stop = resume !== true && stopped !== undefined && { stopped };
        return withFollower(group, { ...terms, ...standing, ...stop });
      }),

    removeFollower: async (caller, id, account) =>
      await change(caller, id, (group) => {
        const leaving = findFollower(group, account);
        return { ...group, followers: group.followers.filter((one) => one !== leaving) };
      }),
  };
}

interface Change {
  /** Absent for a new group. */
  readonly before: CopyGroup | undefined;
  readonly after: CopyGroup;
}

/** Saves what `change` makes of the groups as they stand, again where others changed them meanwhile. */
async function save(
  deps: ManageCopyGroupsDeps,
  change: (known: readonly CopyGroup[]) => Change,
): Promise<CopyGroupView> {
  // An account may have been told since by another login.
  await deps.accounts.load();
  for (let attempt = 1; ; attempt += 1) {
    const known = await deps.groups.read();
    const { before, after } = change(known.groups);
    requireSound(after, known.groups, identities(deps.accounts));
    requireOneMarket(before, after, deps.contracts.isOneMarket);
    await requireApart(deps, before, after);
    const joined = await joinFollowers(deps, before, after);
    if (await deps.groups.save(joined, known.version)) {
      if (before !== undefined) await endWaiting(deps, before, joined);
      return await viewCopyGroup(deps, joined);
    }
    if (attempt === ATTEMPTS) throw errors.changedMeanwhile(after.name);
  }
}

/**
 * What goes to a leader and its follower by an account group would be done twice. One that follows
 * already is not asked: the two may have been made at once, and it must be possible to pause them.
 */
async function requireApart(
  { accountGroups, accounts }: ManageCopyGroupsDeps,
  before: CopyGroup | undefined,
  after: CopyGroup,
): Promise<void> {
  const known = new Set(before?.followers.map(({ accountId }) => accountId));
  const followers = after.followers.filter(({ accountId }) => !known.has(accountId));
  if (followers.length === 0) return;
  const wanted = { leader: after.leader, followers };
  for (const { name, members } of await accountGroups.read(after.userId)) {
    const named = members.map(({ accountId }) => accountId);
    const copied = findCopiedTwice(named, wanted, identities(accounts));
    if (copied === undefined) continue;
    throw errors.copiedTwice(
      `${copied.account} and ${copied.leader} are both in the account group "${name}": what goes to it would be done twice. Take one of them out of it first`,
    );
  }
}

/** Reads what a caller has set; throws VALIDATION_FAILED that names all that is wrong with it. */
function read<Value>(
  { contracts }: ManageCopyGroupsDeps,
  { receivedAt: nowMs }: Caller,
  reader: (reading: OptionReading) => Value,
): Value {
  const problems: Problem[] = [];
  const value = reader({ contracts, nowMs, problems });
  if (problems.length > 0) throw errors.validationFailed(problems);
  return value;
}

async function requireOwn(
  { accounts }: ManageCopyGroupsDeps,
  { userId }: Caller,
  asked: readonly AccountId[],
): Promise<void> {
  await Promise.all(asked.map(async (account) => await accounts.require(userId, account)));
}

/** What a follower keeps whatever its terms are: only a person's `resume` ends a stop. */
function standingOf(
  before: Follower | undefined,
): Pick<Follower, "joining" | "heldBefore" | "stopped"> {
  const { joining = [], heldBefore, stopped } = before ?? {};
  return {
    joining,
    ...(heldBefore !== undefined && { heldBefore }),
    ...(stopped !== undefined && { stopped }),
  };
}

/** In its place where the account follows already, else as the last one. */
function withFollower(group: CopyGroup, follower: Follower): CopyGroup {
  const { followers } = group;
  const at = followers.findIndex(({ accountId }) => accountId === follower.accountId);
  const changed = at === -1 ? [...followers, follower] : followers.with(at, follower);
  return { ...group, followers: changed };
}
