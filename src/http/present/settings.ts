import type { KillSwitch } from "../../domain/limits.ts";
import type { KillSwitchView } from "../../trading/gateway.ts";
import type { User, Webhook } from "../../domain/credential.ts";
import { presentTime, presentTimeOrNull } from "./figures.ts";

export function presentWebhook(webhook: Webhook) {
  return {
    id: webhook.id,
    accountId: webhook.accountId,
    name: webhook.name,
    paused: webhook.paused,
    createdAt: presentTime(webhook.createdAt),
    lastUsedAt: presentTimeOrNull(webhook.lastUsedAt),
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
