import { ALERT_PROFILES, type AlertProfile } from "../domain/declared/webhook-options.ts";
import { credentialId } from "../domain/ids.ts";
import { messageFor } from "../http/alerts/alert-templates.ts";
import type { AccountLimits } from "../domain/limits.ts";
import { type Scope, SCOPES } from "../domain/people/credential.ts";
import { readKillSwitch, setKillSwitch } from "../trading/guards/manage-risk.ts";
import {
  chosenName,
  type Command,
  type CommandContext,
  required,
  table,
  toAccount,
  UsageError,
  when,
} from "./command-words.ts";
import { defaultLimits } from "../app/default-limits.ts";

export const STORE_COMMANDS: Readonly<Record<string, Command>> = {
  "keys create": createKey,
  "keys list": listKeys,
  "keys revoke": revokeKey,
  "webhooks create": createWebhook,
  "webhooks list": listWebhooks,
  "webhooks delete": deleteWebhook,
  "limits show": showLimits,
  "limits set": setLimits,
  "kill-switch show": showKillSwitch,
  "kill-switch on": async (context) => await switchKill(context, true),
  "kill-switch off": async (context) => await switchKill(context, false),
};

/** How long the kill switch waits for a running gateway to cancel resting entries. */
const CANCEL_WITHIN_MS = 5_000;

async function createKey({ store, options }: CommandContext): Promise<string> {
  const name = required(chosenName(options), "--name");
  const scopes = required(options["scopes"], "--scopes").split(",").map(toScope);
  const { key, secret } = await store.credentials.createKey({
    userId: store.user.userId,
    name,
    scopes: [...new Set(scopes)],
  });
  return `${key.id} (${key.scopes.join(", ")}), shown this once:\n${secret}`;
}

async function listKeys({ store }: CommandContext): Promise<string> {
  const keys = await store.credentials.keys(store.user.userId);
  const rows = keys.map(({ id, name, scopes, createdAt, lastUsedAt, revokedAt }) => [
    id,
    name,
    scopes.join(","),
    ...[createdAt, lastUsedAt, revokedAt].map(when),
  ]);
  return table(["id", "name", "scopes", "created", "last used", "revoked"], rows);
}

async function revokeKey({ store, positionals }: CommandContext): Promise<string> {
  const id = credentialId(required(positionals[0], "the key's id"));
  const revoked = await store.credentials.revokeKey(store.user.userId, id);
  if (!revoked) throw new UsageError(`There is no living key ${id}`);
  return `${id} is revoked`;
}

async function createWebhook({ store, options }: CommandContext): Promise<string> {
  const { userId } = store.user;
  const accountId = toAccount(required(options["account"], "--account"));
  await store.accounts.requireActive(userId, accountId);
  const { profile } = options;
  const { webhook, secret } = await store.credentials.createWebhook({
    userId,
    accountId,
    name: chosenName(options) ?? accountId,
    options: profile === undefined ? {} : { profile: toProfile(profile) },
  });
  const message = messageFor(webhook.options);
  return [
    `${webhook.id} for account ${accountId}, shown this once:`,
    `${store.url}/hooks/${secret}`,
    `Message for an alert on a strategy:\n${message}`,
  ].join("\n");
}

async function listWebhooks({ store }: CommandContext): Promise<string> {
  const webhooks = await store.credentials.webhooks(store.user.userId);
  const rows = webhooks.map(({ id, name, accountId, options, paused, createdAt, lastUsedAt }) => [
    id,
    name,
    accountId,
    options.profile ?? "native",
    paused ? "yes" : "no",
    ...[createdAt, lastUsedAt].map(when),
  ]);
  return table(["id", "name", "account", "profile", "paused", "created", "last used"], rows);
}

async function deleteWebhook({ store, positionals }: CommandContext): Promise<string> {
  const id = credentialId(required(positionals[0], "the webhook's id"));
  const deleted = await store.credentials.deleteWebhook(store.user.userId, id);
  if (!deleted) throw new UsageError(`There is no webhook ${id}`);
  return `${id} is deleted`;
}

async function showLimits({ store, config, positionals }: CommandContext): Promise<string> {
  const account = toAccount(required(positionals[0], "the account"));
  await store.accounts.require(store.user.userId, account);
  const limits = {
    entriesWithoutCancel: false,
    ...defaultLimits(config),
    ...(await store.limits.limits(account)),
  };
  return table(
    ["limit", "value"],
    Object.entries(limits).map(([name, value]) => [name, String(value)]),
  );
}

async function setLimits(context: CommandContext): Promise<string> {
  const { store, options, positionals } = context;
  const account = toAccount(required(positionals[0], "the account"));
  await store.accounts.require(store.user.userId, account);
  const change: { -readonly [Name in keyof AccountLimits]?: AccountLimits[Name] } = {};
  const [qty, position, orders] = [
    options["max-order-qty"],
    options["max-position-qty"],
    options["max-orders-per-minute"],
  ];
  if (qty !== undefined) change.maxOrderQty = toCount(qty, 10_000);
  if (position !== undefined) change.maxPositionQty = toCount(position, 100_000);
  if (orders !== undefined) change.maxOrdersPerMinute = toCount(orders, 10_000);
  const cancels = options["entries-without-cancel"];
  if (cancels !== undefined) change.entriesWithoutCancel = toYesOrNo(cancels);
  await store.limits.changeLimits(account, change);
  return await showLimits(context);
}

async function showKillSwitch({ store }: CommandContext): Promise<string> {
  const { active, reason, accounts } = await readKillSwitch(store, store.user.userId);
  const rows = accounts.map((account) => [account.accountId, "on", account.reason ?? "-"]);
  return table(
    ["of", "switch", "reason"],
    [["every account", active ? "on" : "off", reason ?? "-"], ...rows],
  );
}

async function switchKill(context: CommandContext, active: boolean): Promise<string> {
  const { store, options } = context;
  const { account, reason } = options;
  const { userId } = store.user;
  const accountId = account === undefined ? undefined : toAccount(account);
  if (accountId !== undefined) await store.accounts.require(userId, accountId);
  await setKillSwitch(store, {
    userId,
    active,
    requestId: "command-line",
    receivedAt: await store.intents.now(),
    // Without a gateway nobody answers: the entries are cancelled at its next start.
    waitMs: store.isRunning ? CANCEL_WITHIN_MS : 0,
    ...(accountId !== undefined && { accountId }),
    ...(reason !== undefined && { reason }),
  });
  return await showKillSwitch(context);
}

function toScope(text: string): Scope {
  const scope = SCOPES.find((one) => one === text);
  if (scope !== undefined) return scope;
  throw new UsageError(`"${text}" is no scope; scopes are ${SCOPES.join(", ")}`);
}

function toProfile(text: string): AlertProfile {
  const profile = ALERT_PROFILES.find((one) => one === text);
  if (profile !== undefined) return profile;
  throw new UsageError(`"${text}" is no profile; profiles are ${ALERT_PROFILES.join(", ")}`);
}

/** The bounds are those of `PUT /v1/accounts/{id}/limits`. */
function toCount(text: string, most: number): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= most) return count;
  throw new UsageError(`"${text}" is no whole number from 1 to ${most}`);
}

function toYesOrNo(text: string): boolean {
  if (text === "yes" || text === "no") return text === "yes";
  throw new UsageError(`"${text}" is neither yes nor no`);
}
