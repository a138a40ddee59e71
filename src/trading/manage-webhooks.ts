import { errors } from "../errors.ts";
import type { AccountDirectory } from "./account-directory.ts";
import type { Gateway } from "./gateway.ts";
import type { CredentialStore } from "./store-ports.ts";

export interface ManageWebhooksDeps {
  readonly accounts: AccountDirectory;
  readonly credentials: CredentialStore;
}

type WebhookUses = Pick<
  Gateway,
  "createWebhook" | "listWebhooks" | "findWebhook" | "changeWebhook" | "deleteWebhook"
>;

/** Webhook tokens of one user. A token is bound to exactly one account (specification 2.1). */
export function createWebhookUses({ accounts, credentials }: ManageWebhooksDeps): WebhookUses {
  return {
    createWebhook: async ({ userId }, { accountId, name }) => {
      await accounts.requireActive(userId, accountId);
      return await credentials.createWebhook({ userId, accountId, name: name ?? accountId });
    },

    listWebhooks: async ({ userId }) => await credentials.webhooks(userId),

    findWebhook: async ({ userId }, id) => {
      const webhook = await credentials.webhook(userId, id);
      if (webhook === undefined) throw errors.notFound("webhook");
      return webhook;
    },

    changeWebhook: async ({ userId }, id, change) => {
      if (change.accountId !== undefined) await accounts.requireActive(userId, change.accountId);
      const changed = await credentials.changeWebhook(userId, id, change);
      if (changed === undefined) throw errors.notFound("webhook");
      return changed;
    },

    deleteWebhook: async ({ userId }, id) => {
      if (!(await credentials.deleteWebhook(userId, id))) throw errors.notFound("webhook");
    },
  };
}
