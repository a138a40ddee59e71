import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";
import { errors } from "../../errors.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import { checkOptions } from "./check-webhook-options.ts";
import type { CredentialStore } from "../people/ports.ts";
import type { WebhookUses } from "./webhook-uses.ts";

export interface ManageWebhooksDeps {
  readonly accounts: AccountDirectory;
  readonly credentials: CredentialStore;
  readonly contracts: ContractDirectory;
}

/** Webhook tokens of one user. A token is bound to exactly one account (specification 2.1). */
export function createWebhookUses({
  accounts,
  credentials,
  contracts,
}: ManageWebhooksDeps): WebhookUses {
  return {
    createWebhook: async (
      { userId, receivedAt },
      { accountId, name = accountId, options = {} },
    ) => {
      await accounts.requireActive(userId, accountId);
      const checked = checkOptions(options, contracts, receivedAt);
      return await credentials.createWebhook({ userId, accountId, name, options: checked });
    },

    listWebhooks: async ({ userId }) => await credentials.webhooks(userId),

    findWebhook: async ({ userId }, id) => {
      const webhook = await credentials.webhook(userId, id);
      if (webhook === undefined) throw errors.notFound("webhook");
      return webhook;
    },

    changeWebhook: async ({ userId, receivedAt }, id, { options = {}, ...change }) => {
      if (change.accountId !== undefined) await accounts.requireActive(userId, change.accountId);
      const checked = checkOptions(options, contracts, receivedAt);
      const changed = await credentials.changeWebhook(userId, id, { ...change, options: checked });
      if (changed === undefined) throw errors.notFound("webhook");
      return changed;
    },

    deleteWebhook: async ({ userId }, id) => {
      if (!(await credentials.deleteWebhook(userId, id))) throw errors.notFound("webhook");
    },
  };
}
