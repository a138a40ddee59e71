import type { WebhookOptions } from "../../domain/alert.ts";
import type { KillSwitch } from "../../domain/limits.ts";
import type { KillSwitchView } from "../../trading/gateway.ts";
import type { User, Webhook } from "../../domain/people/credential.ts";
import { POSITION_SIDE_OF } from "../words.ts";
import { presentTime, presentTimeOrNull } from "./figures.ts";

export function presentWebhook(webhook: Webhook) {
  return {
    id: webhook.id,
    accountId: webhook.accountId,
    name: webhook.name,
    paused: webhook.paused,
    ...presentOptions(webhook.options),
    createdAt: presentTime(webhook.createdAt),
    lastUsedAt: presentTimeOrNull(webhook.lastUsedAt),
  };
}

/** Every option, null where nothing is set. */
function presentOptions({ allowedSide, ...options }: WebhookOptions) {
  return {
    profile: options.profile ?? null,
    sideSwap: options.sideSwap ?? null,
    allowedExtraFields: options.allowedExtraFields ?? null,
    defaultQty: options.defaultQty ?? null,
    multiplier: options.multiplier ?? null,
    symbolMap: options.symbolMap ?? null,
    allowedSymbols: options.allowedSymbols ?? null,
    allowedSide: allowedSide === undefined ? null : POSITION_SIDE_OF[allowedSide],
    allowedSenders: options.allowedSenders ?? null,
    entryMaxAgeSeconds: options.entryMaxAgeSeconds ?? null,
    exitMaxAgeSeconds: options.exitMaxAgeSeconds ?? null,
    duplicateWindowSeconds: options.duplicateWindowSeconds ?? null,
    rateLimitPerMinute: options.rateLimitPerMinute ?? null,
  };
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
