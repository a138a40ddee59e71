import type { WebhookOptions } from "../../domain/alert.ts";
import {
  OPTION_NAMES,
  type OptionName,
  webhookOption,
} from "../../domain/declared/webhook-options.ts";
import type { Side } from "../../domain/order.ts";
import type { KillSwitch } from "../../domain/limits.ts";
import type { User, Webhook } from "../../domain/people/credential.ts";
import { POSITION_SIDE_OF } from "../words.ts";
import { presentTime, presentTimeOrNull } from "./figures.ts";
import type { KillSwitchView } from "../../trading/guards/risk-uses.ts";

export function presentWebhook(webhook: Webhook) {
  return {
    id: webhook.id,
    accountId: webhook.accountId,
    groupId: webhook.groupId ?? null,
    name: webhook.name,
    paused: webhook.paused,
    ...presentOptions(webhook.options),
    createdAt: presentTime(webhook.createdAt),
    lastUsedAt: presentTimeOrNull(webhook.lastUsedAt),
  };
}

/** Every option, null where nothing is set. */
function presentOptions(options: WebhookOptions) {
  return Object.fromEntries(OPTION_NAMES.map((name) => [name, presentOption(name, options[name])]));
}

function presentOption(name: OptionName, value: WebhookOptions[OptionName]) {
  if (value === undefined) return null;
  return webhookOption(name).kind === "side" ? POSITION_SIDE_OF[value as Side] : value;
}

export function presentUser({ userId, name, createdAt }: User) {
  return { id: userId, name, createdAt: presentTime(createdAt) };
}

export function presentKillSwitch({ accounts, ...all }: KillSwitchView) {
  return {
    ...presentSwitch(all),
    accounts: accounts.map(({ accountId, ...one }) => ({ accountId, ...presentSwitch(one) })),
  };
}

function presentSwitch({ active, reason, changedAt }: KillSwitch) {
  return { active, reason: reason ?? null, changedAt: presentTimeOrNull(changedAt) };
}
