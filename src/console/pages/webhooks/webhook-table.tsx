import { AccountOf } from "../../parts/account-of.tsx";
import { Mark } from "../../parts/mark.tsx";
import { ACTS, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { profileWord } from "./profiles.ts";
import type { Account, Webhook } from "./types.ts";
import { WebhookActions } from "./webhook-actions.tsx";

const COLUMNS = ["Name", "Account", "Profile", "State", "Last used", ACTS];

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
  return (
    <Table look="cards" columns={COLUMNS}>
      {webhooks.map((webhook) => (
        <WebhookRow key={webhook.id} webhook={webhook} accounts={accounts} refresh={refresh} />
      ))}
    </Table>
  );
}

function WebhookRow({
  webhook,
  accounts,
  refresh,
}: {
  webhook: Webhook;
  accounts: readonly Account[];
  refresh: () => void;
}) {
  const account = accounts.find(({ id }) => id === webhook.accountId);
  return (
    <tr>
      <th scope="row" data-name="Name">
        <a href={`#/webhooks/${webhook.id}`}>{webhook.name}</a>
      </th>
      <td data-name="Account">
        <span class="row">
          <AccountOf id={webhook.accountId} account={account} />
        </span>
      </td>
      <td data-name="Profile">{profileWord(webhook.profile)}</td>
      <td data-name="State">
        <WebhookState webhook={webhook} account={account} />
      </td>
      <td data-name="Last used">
        <Time at={webhook.lastUsedAt ?? undefined} />
      </td>
      <td>
        <WebhookActions webhook={webhook} accounts={accounts} refresh={refresh} />
      </td>
    </tr>
  );
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
