import { EnvironmentBadge, Mark } from "../../parts/mark.tsx";
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
  return (
    <div class="scroll">
      <table class="cards">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Account</th>
            <th scope="col">Profile</th>
            <th scope="col">State</th>
            <th scope="col">Last used</th>
            <th scope="col">
              <span class="unseen">What can be done</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {webhooks.map((webhook) => (
            <WebhookRow key={webhook.id} webhook={webhook} accounts={accounts} refresh={refresh} />
          ))}
        </tbody>
      </table>
    </div>
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
          {account?.name ?? webhook.accountId}
          {account !== undefined && <EnvironmentBadge environment={account.environment} />}
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
