import type { Gateway } from "../../trading/gateway.ts";
import { whyUnreachable } from "../../domain/reachable.ts";
import type { Webhook } from "../../domain/people/credential.ts";
import { ALERT_TEMPLATES, messageFor } from "../alerts/alert-templates.ts";
import type { Changed } from "../answer.ts";
import { presentWebhook } from "../present/settings.ts";
import { type ApiRoute, apiRoute } from "../route.ts";
import {
  ChangeWebhookBody,
  CreatedWebhookReply,
  CreateWebhookBody,
  WEBHOOK_OPTIONS_CHANGE,
  WEBHOOK_OPTIONS_GIVEN,
  WebhookReply,
  WebhooksReply,
} from "../schemas/webhook.ts";
import { CredentialIdText } from "../schemas/parts.ts";
import { WEBHOOK } from "../schemas/examples.ts";
import { accountGroupOf, accountOf, webhookOf } from "../requests/path-ids.ts";
import { type Static, Type } from "@sinclair/typebox";
import type { WebhookOptions, WebhookOptionsChange } from "../../domain/alert.ts";
import { type OptionName, webhookOption } from "../../domain/declared/webhook-options.ts";
import { errors } from "../../errors.ts";
import { maySaySomething } from "../alerts/meant-words.ts";
import { type PositionSide, SIDE_OF_POSITION } from "../words.ts";

export interface WebhookRouteDeps {
  readonly gateway: Gateway;
  /** What a webhook's URL starts with, as charting platforms reach this gateway. */
  readonly publicUrl: () => string;
}

export function webhookRoutes(deps: WebhookRouteDeps): ApiRoute[] {
  return [...collection(deps), ...single(deps.gateway)];
}

function collection({ gateway, publicUrl }: WebhookRouteDeps): ApiRoute[] {
  const shared = { path: "/v1/webhooks", tag: "Webhooks" } as const;
  return [
    apiRoute({
      ...shared,
      method: "POST",
      id: "createWebhook",
      effect: "change",
      audit: { message: "Webhook created", level: "info" },
      summary: "Create a webhook for one account, or for the accounts of a group",
      description: "The URL is the secret: it is shown in this answer and never again.",
      scope: "trade",
      asksProof: true,
      body: CreateWebhookBody,
      bodyExamples: {
        one: { accountId: "paper-1", name: "Breakout on ES" },
        microsOnly: {
          accountId: "paper-1",
          symbolMap: { ES: "MES" },
          allowedSymbols: ["MES"],
          allowedSenders: ["tradingview"],
        },
      },
      replies: [
        {
          status: 201,
          description: "The webhook with its URL",
          schema: CreatedWebhookReply,
          example: {
            ...WEBHOOK,
            url: "https://gateway.example/hooks/<token>",
            message: ALERT_TEMPLATES.native,
            warning: null,
          },
        },
      ],
      errors: ["SIGN_IN_AGAIN", "NOT_FOUND", "TOO_MANY_WEBHOOKS"],
      async handle({ caller, body: { accountId, groupId, name, ...options } }) {
        const request = {
          ...targetOf({ accountId, groupId }),
          ...(name !== undefined && { name }),
          options: readOptions(options),
        };
        const { webhook, secret } = await gateway.createWebhook(caller, request);
        const url = `${publicUrl().replace(/\/+$/, "")}/hooks/${secret}`;
        const message = messageFor(webhook.options);
        const warning = whyUnreachable(publicUrl()) ?? null;
        const body = { ...presentWebhook(webhook), url, message, warning };
        return { status: 201, body, changed: changedIn(webhook) };
      },
    }),
    apiRoute({
      ...shared,
      method: "GET",
      id: "listWebhooks",
      summary: "List webhooks",
      effect: "read",
      scope: "read",
      replies: [
        {
          status: 200,
          description: "Every webhook, without its URL",
          schema: WebhooksReply,
          example: { webhooks: [WEBHOOK] },
        },
      ],
      errors: [],
      async handle({ caller }) {
        const webhooks = await gateway.listWebhooks(caller);
        return { status: 200, body: { webhooks: webhooks.map(presentWebhook) } };
      },
    }),
  ];
}

function single(gateway: Gateway): ApiRoute[] {
  const shared = {
    path: "/v1/webhooks/{id}",
    tag: "Webhooks",
    params: { id: CredentialIdText },
    errors: ["NOT_FOUND"],
  } as const;
  const replies = [
    { status: 200, description: "The webhook", schema: WebhookReply, example: WEBHOOK },
  ];
  return [
    apiRoute({
      ...shared,
      replies,
      method: "GET",
      id: "readWebhook",
      summary: "Read a webhook",
      effect: "read",
      scope: "read",
      handle: async ({ caller, params }) => ({
        status: 200,
        body: presentWebhook(await gateway.findWebhook(caller, webhookOf(params))),
      }),
    }),
    apiRoute({
      ...shared,
      replies,
      method: "PATCH",
      id: "changeWebhook",
      effect: "change",
      audit: { message: "Webhook changed", level: "info" },
      summary: "Change a webhook: its name, account and options, or pause it",
      scope: "trade",
      body: ChangeWebhookBody,
      bodyExamples: {
        pause: { paused: true },
        longOnly: { allowedSide: "long", multiplier: null },
      },
      async handle({ caller, params, body: { accountId, groupId, name, paused, ...options } }) {
        const change = {
          ...targetOf({ accountId, groupId }),
          ...(name !== undefined && { name }),
          ...(paused !== undefined && { paused }),
          options: readChangedOptions(options),
        };
        const webhook = await gateway.changeWebhook(caller, webhookOf(params), change);
        return { status: 200, body: presentWebhook(webhook), changed: changedIn(webhook) };
      },
    }),
    apiRoute({
      ...shared,
      method: "DELETE",
      id: "deleteWebhook",
      effect: "change",
      audit: { message: "Webhook deleted", level: "info" },
      summary: "Delete a webhook",
      description: "Its URL stops working at once.",
      scope: "trade",
      replies: [{ status: 204, description: "Deleted" }],
      async handle({ caller, params }) {
        const webhookId = webhookOf(params);
        await gateway.deleteWebhook(caller, webhookId);
        return { status: 204, changed: { webhookId } };
      },
    }),
  ];
}

/** Where its alerts are to go, as far as that is said. */
function targetOf({ accountId, groupId }: Target) {
  return {
    ...(accountId !== undefined && { accountId: accountOf(accountId) }),
    ...(groupId !== undefined && { groupId: accountGroupOf({ groupId }) }),
  };
}

interface Target {
  readonly accountId: string | undefined;
  readonly groupId: string | undefined;
}

const changedIn = ({ id, accountId, groupId }: Webhook): Changed => ({
  webhookId: id,
  accountId,
  ...(groupId !== undefined && { groupId }),
});

const Given = Type.Object(WEBHOOK_OPTIONS_GIVEN);
const Changed = Type.Object(WEBHOOK_OPTIONS_CHANGE);

/** A webhook's options from the body that creates it, in the domain's words. */
export function readOptions(given: Static<typeof Given>): WebhookOptions {
  return readChangedOptions(given) as WebhookOptions;
}

/** What changes of them; null stays null, which clears one. */
export function readChangedOptions(changed: Static<typeof Changed>): WebhookOptionsChange {
  checkExtraFields(changed.allowedExtraFields);
  const read = Object.entries(changed).map(([name, value]) => [
    name,
    value === null ? null : inDomain(name as OptionName, value),
  ]);
  return Object.fromEntries(read) as WebhookOptionsChange;
}

function inDomain(name: OptionName, value: unknown): unknown {
  switch (webhookOption(name).kind) {
    case "side":
      return SIDE_OF_POSITION[value as PositionSide];
    case "decimal":
      return String(value);
    case "choice":
    case "whole":
    case "name":
    case "list":
    case "map":
      return value;
  }
}

/** What may protect, limit or change an order is never let through unread. */
function checkExtraFields(names: readonly string[] | null | undefined): void {
  const message = "may say something about the order, and cannot be allowed unread";
  const problems = (names ?? []).flatMap((name, n) =>
    maySaySomething(name) ? [{ path: `allowedExtraFields.${n}`, message }] : [],
  );
  if (problems.length > 0) throw errors.validationFailed(problems);
}
