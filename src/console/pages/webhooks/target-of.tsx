import { AccountOf, EnvironmentBadges } from "../../parts/account-of.tsx";
import { countText } from "../../parts/figure-text.ts";
import type { Account, AccountGroup, Targets, Webhook } from "./types.ts";

type Aimed = Pick<Webhook, "accountId" | "groupId">;

/** Where a webhook's alerts go, and whose money that is. */
export function TargetOf({ webhook, targets }: { webhook: Aimed; targets: Targets }) {
  const { accountId, groupId } = webhook;
  const { accounts, groups } = targets;
  if (groupId === null) return <AccountOf id={accountId} accounts={accounts} />;
  const group = groups.find(({ id }) => id === groupId);
  return (
    <>
      <a href={`#/account-groups/${groupId}`}>{group?.name ?? groupId}</a>
      {group !== undefined && <GroupBadges group={group} accounts={accounts} />}
    </>
  );
}

export function targetName({ accountId, groupId }: Aimed, { accounts, groups }: Targets): string {
  if (groupId === null) return accounts.find(({ id }) => id === accountId)?.name ?? accountId;
  return `the group ${groups.find(({ id }) => id === groupId)?.name ?? groupId}`;
}

/** How many accounts of a group get what is asked of it, and whose money that is. */
export function GroupBadges({
  group,
  accounts,
}: {
  group: AccountGroup;
  accounts: readonly Account[];
}) {
  const members = membersOn(group, accounts);
  return (
    <span class="row">
      <span class="quiet">{countText(members.length, "account")}</span>
      <EnvironmentBadges accounts={members} />
    </span>
  );
}

const membersOn = ({ members }: AccountGroup, accounts: readonly Account[]): readonly Account[] =>
  members.flatMap(({ accountId, enabled }) => {
    const account = accounts.find(({ id }) => id === accountId);
    return enabled && account !== undefined ? [account] : [];
  });

/** Whether all of a webhook's alerts would be taken where they go. */
export function areActive({ accountId, groupId }: Aimed, { accounts, groups }: Targets): boolean {
  if (groupId === null) return accounts.find(({ id }) => id === accountId)?.active === true;
  const group = groups.find(({ id }) => id === groupId);
  if (group === undefined) return false;
  const on = membersOn(group, accounts);
  return on.length > 0 && on.every(({ active }) => active);
}
