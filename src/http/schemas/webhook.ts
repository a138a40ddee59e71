import { Type } from "@sinclair/typebox";
import { AccountIdText, Instant, nullable } from "./parts.ts";
import {
  WEBHOOK_OPTIONS_GIVEN,
  WEBHOOK_OPTIONS_CHANGE,
  WEBHOOK_OPTIONS_SHOWN,
} from "./webhook-options.ts";

const Name = Type.String({ minLength: 1, maxLength: 64 });

export const CreateWebhookBody = Type.Object(
  { accountId: AccountIdText, name: Type.Optional(Name), ...WEBHOOK_OPTIONS_GIVEN },
  { title: "CreateWebhook", additionalProperties: false },
);

export const ChangeWebhookBody = Type.Object(
  {
    accountId: Type.Optional(AccountIdText),
    name: Type.Optional(Name),
    paused: Type.Optional(Type.Boolean()),
    ...WEBHOOK_OPTIONS_CHANGE,
  },
  {
    title: "ChangeWebhook",
    description:
      "What is left out stays as it is; null puts an option back to what the gateway does by itself",
    additionalProperties: false,
    minProperties: 1,
  },
);

const WEBHOOK = {
  id: Type.String(),
  accountId: AccountIdText,
  name: Type.String(),
  paused: Type.Boolean(),
  ...WEBHOOK_OPTIONS_SHOWN,
  createdAt: Instant,
  lastUsedAt: nullable(Instant),
};

export const WebhookReply = Type.Object(WEBHOOK, { title: "Webhook" });

export const CreatedWebhookReply = Type.Object(
  {
    ...WEBHOOK,
    url: Type.String({ description: "Post alerts here. A secret, shown this once" }),
    message: Type.String({
      description: "What to paste into an alert on a strategy, in the words of the profile",
    }),
    warning: nullable(
      Type.String({
        description: "Why charting platforms cannot post to the URL as it is, and what to do",
      }),
    ),
  },
  { title: "CreatedWebhook" },
);

export const WebhooksReply = Type.Object(
  { webhooks: Type.Array(WebhookReply) },
  { title: "Webhooks" },
);
