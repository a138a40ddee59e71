import {
  type AccountGroup,
  type GroupMember,
  MAX_ACCOUNT_GROUPS,
  MAX_GROUP_MEMBERS,
} from "../../domain/account-groups/account-group.ts";
import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";
import type { AccountGroupId } from "../../domain/ids.ts";
import { errors, type Problem } from "../../errors.ts";
import { type AccountDirectory, identities } from "../connections/account-directory.ts";
import type { CopyGroups } from "../copying/ports.ts";
import type { Caller } from "../people/caller.ts";
import type { CredentialStore } from "../people/ports.ts";
import type { AccountGroupUses, MemberRequest } from "./account-group-uses.ts";
import { readMember, requireOnceEach } from "./check-account-group.ts";
import type { AccountGroups } from "./ports.ts";

export interface ManageAccountGroupsDeps {
  readonly accountGroups: AccountGroups;
  readonly copyGroups: Pick<CopyGroups, "read">;
  readonly credentials: Pick<CredentialStore, "webhooks" | "rememberAlertAccounts">;
  readonly accounts: Pick<AccountDirectory, "find" | "load" | "require">;
  readonly contracts: ContractDirectory;
  readonly newGroupId: () => AccountGroupId;
}

/** How often a change is tried that others changed the group under. */
const ATTEMPTS = 5;

type Managing = Omit<AccountGroupUses, "placeGroupOrder" | "flattenGroup">;

/** The account groups of one user. Whoever sends something to one reads it as it then is. */
export function createAccountGroupUses(deps: ManageAccountGroupsDeps): Managing {
  const { accountGroups } = deps;

  return {
    listAccountGroups: async ({ userId }) => await accountGroups.read(userId),

    findAccountGroup: async (caller, id) => await findAccountGroup(deps, caller, id),

    createAccountGroup: async (caller, { name, members: asked }) => {
      const { userId, receivedAt: createdAt } = caller;
      const members = await readMembers(deps, caller, asked);
      const group: AccountGroup = { groupId: deps.newGroupId(), userId, name, members, createdAt };
      const isSaved = await accountGroups.save(group, undefined, MAX_ACCOUNT_GROUPS);
      if (!isSaved) throw errors.tooMany("TOO_MANY_ACCOUNT_GROUPS", MAX_ACCOUNT_GROUPS);
      return group;
    },

    changeAccountGroup: async (caller, id, { name, members: asked }) => {
      const members = asked && (await readMembers(deps, caller, asked));
      for (let attempt = 1; ; attempt += 1) {
        const before = await findAccountGroup(deps, caller, id);
        const after = {
          ...before,
          ...(name !== undefined && { name }),
          ...(members !== undefined && { members }),
        };
        if (await accountGroups.save(after, before, MAX_ACCOUNT_GROUPS)) return after;
        if (attempt === ATTEMPTS) throw errors.changedMeanwhile(before.name);
      }
    },

    deleteAccountGroup: async (caller, id) => {
      const webhooks = await deps.credentials.webhooks(caller.userId);
      const pointing = webhooks.filter(({ groupId }) => groupId === id);
      if (pointing.length > 0) throw errors.accountGroupInUse(pointing.map(({ name }) => name));
      for (let attempt = 1; ; attempt += 1) {
        const group = await findAccountGroup(deps, caller, id);
        if (await accountGroups.remove(group)) return;
        if (attempt === ATTEMPTS) throw errors.changedMeanwhile(group.name);
      }
    },
  };
}

/** The user's group, or NOT_FOUND: the same answer for another's and for none. */
export async function findAccountGroup(
  { accountGroups }: { readonly accountGroups: Pick<AccountGroups, "find"> },
  { userId }: Pick<Caller, "userId">,
  id: AccountGroupId,
): Promise<AccountGroup> {
  const found = await accountGroups.find(userId, id);
  if (found === undefined) throw errors.notFound("account group");
  return found;
}

async function readMembers(
  { accounts, contracts, copyGroups, credentials }: ManageAccountGroupsDeps,
  { userId, receivedAt: nowMs }: Caller,
  asked: readonly MemberRequest[],
): Promise<readonly GroupMember[]> {
  const named = asked.map(({ accountId }) => accountId);
  await Promise.all(named.map(async (account) => await accounts.require(userId, account)));
  const problems: Problem[] = [];
  const members = asked.map((member, n) =>
    readMember(member, { contracts, nowMs, problems, at: `members.${n}.` }),
  );
  if (named.length > MAX_GROUP_MEMBERS) {
    problems.push({ path: "members", message: `must be at most ${MAX_GROUP_MEMBERS} accounts` });
  }
  if (problems.length > 0) throw errors.validationFailed(problems);
  // Which accounts are one may have been told since by another login.
  await accounts.load();
  requireOnceEach(named, (await copyGroups.read()).groups, identities(accounts));
  // Before an alert can come there: an account too many is harmless, a missing one hides alerts.
  await credentials.rememberAlertAccounts(userId, named);
  return members;
}
