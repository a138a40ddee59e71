import type { AccountGroup, GroupMember } from "../../domain/account-groups/account-group.ts";
import type { AlertRequest, NamedAccount } from "../../domain/alert.ts";
import { errors, type GatewayError, type Problem } from "../../errors.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";

/** An account of a group that an alert is for, and what is asked of it alone. */
export interface Chosen {
  readonly member: GroupMember;
  readonly request?: AlertRequest;
}

export interface Selection {
  /** Each once, in the order in which they were named. */
  readonly chosen: readonly Chosen[];
  /** What cannot be told of the others that were named. */
  readonly refusal?: GatewayError;
}

/** The accounts of a group that an alert names: by their id, or the broker's name or number of them. */
export function selectMembers(
  group: AccountGroup,
  named: readonly NamedAccount[],
  accounts: Pick<AccountDirectory, "find">,
): Selection {
  const chosen = new Map<GroupMember, Chosen>();
  const problems: Problem[] = [];
  for (const { at, name, request, problem } of named) {
    const found = group.members.filter((member) => isCalled(name, member, group, accounts));
    const [member] = found;
    const why = problem ?? whyNot(found) ?? (member && chosen.has(member) ? TWICE : undefined);
    if (why !== undefined) problems.push({ path: at, message: `${quoted(name)} ${why}` });
    else if (member !== undefined) chosen.set(member, { member, ...(request && { request }) });
  }
  return {
    chosen: [...chosen.values()],
    ...(problems.length > 0 && { refusal: errors.validationFailed(problems) }),
  };
}

const TWICE = "is named twice";

function whyNot(found: readonly GroupMember[]): string | undefined {
  const [member, ...others] = found;
  if (member === undefined) return "is no account of the webhook's group";
  if (others.length > 0) return "may be several accounts of the group: write its accountId";
  return member.enabled ? undefined : "is off in the webhook's group";
}

function isCalled(
  name: string,
  { accountId }: GroupMember,
  { userId }: AccountGroup,
  accounts: Pick<AccountDirectory, "find">,
): boolean {
  const account = accounts.find(accountId);
  // What an id stands for by now may be another user's.
  const told = account?.userId === userId ? [account.name, account.number] : [];
  return [accountId, ...told].some((one) => one?.toLowerCase() === name.toLowerCase());
}

const quoted = (name: string): string => `"${name.slice(0, 64)}"`;
