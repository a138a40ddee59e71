import { AccountOf } from "../../parts/account-of.tsx";
import { Mark } from "../../parts/mark.tsx";
import { ACTS, CardTable, type Column } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { profileWord } from "./profiles.ts";
import type { Account, Webhook } from "./types.ts";
import { WebhookActions } from "./webhook-actions.tsx";

export function WebhookTable({
  webhooks,
  accounts,
  refresh,
}: {
  webhooks: readonly Webhook[];
  accounts: readonly Account[];
  refresh: () => void;
}) {
  if (webhooks.length === 0) {
    return <p class="empty">No webhooks yet: create one, and paste its URL into an alert.</p>;
  }
  const accountOf = ({ accountId }: Webhook) => accounts.find(({ id }) => id === accountId);
  const columns: readonly Column<Webhook>[] = [
    { head: "Name", cell: ({ id, name }) => <a href={`#/webhooks/${id}`}>{name}</a> },
    {
      head: "Account",
      cell: (webhook) => (
        <span class="row">
          <AccountOf id={webhook.accountId} account={accountOf(webhook)} />
        </span>
      ),
    },
    { head: "Profile", cell: ({ profile }) => profileWord(profile) },
    {
      head: "State",
      cell: (webhook) => <WebhookState webhook={webhook} account={accountOf(webhook)} />,
    },
    { head: "Last used", cell: ({ lastUsedAt }) => <Time at={lastUsedAt ?? undefined} /> },
    {
      head: ACTS,
      cell: (webhook) => <WebhookActions webhook={webhook} accounts={accounts} refresh={refresh} />,
    },
  ];
  return <CardTable rows={webhooks} keyOf={({ id }) => id} columns={columns} />;
}

/** Whether its alerts are carried out; one that points at an inactive account is not well. */
export function WebhookState({
  webhook,
  account,
}: {
  webhook: Webhook;
  account: Account | undefined;
}) {
  if (webhook.paused) return <Mark tone="quiet">Paused</Mark>;
  if (account?.active !== true) return <Mark tone="watch">Account inactive</Mark>;
  return <Mark tone="good">Takes alerts</Mark>;
}
