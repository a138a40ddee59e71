import {
  type AccountGroupId,
  accountGroupId,
  type AccountId,
  accountId,
  credentialId,
  userId,
} from "../../domain/ids.ts";
import type { WebhookOptions, WebhookOptionsChange } from "../../domain/alert.ts";
import {
  OPTION_NAMES,
  type OptionName,
  webhookOption,
} from "../../domain/declared/webhook-options.ts";
import type { ApiKey, Scope, Webhook } from "../../domain/people/credential.ts";

type Hash = Readonly<Record<string, string>>;

/** Fields of an API key as they are stored; the secret is in none of them. */
export function encodeApiKey(key: ApiKey): Record<string, string | number> {
  const { id, name, scopes, createdAt } = key;
  return { id, userId: key.userId, name, scopes: scopes.join(" "), createdAt };
}

export function decodeApiKey(hash: Hash): ApiKey {
  return {
    ...decodeCommon(hash),
    scopes: (hash["scopes"] ?? "").split(" ") as Scope[],
    ...(hash["revokedAt"] !== undefined && { revokedAt: Number(hash["revokedAt"]) }),
  };
}

export function encodeWebhook(webhook: Webhook): Record<string, string | number> {
  const { id, createdAt } = webhook;
  return { id, userId: webhook.userId, createdAt, ...encodeChange(webhook).set };
}

/** What may change of a webhook. */
export interface WebhookChange {
  readonly accountId?: AccountId;
  /** Null: its alerts go to its account alone. */
  readonly groupId?: AccountGroupId | null;
  readonly name?: string;
  readonly paused?: boolean;
  readonly options?: WebhookOptionsChange;
}

/** Every part of a webhook has a field of its own, so that changes of different parts never meet. */
export function encodeChange({
  accountId: account,
  groupId,
  name,
  paused,
  options = {},
}: WebhookChange): {
  readonly set: Readonly<Record<string, string | number>>;
  readonly cleared: readonly string[];
} {
  const changed = OPTION_NAMES.filter((option) => options[option] !== undefined);
  const isCleared = (option: OptionName) => options[option] === null;
  const kept = changed.filter((option) => !isCleared(option));
  return {
    set: {
      ...(account !== undefined && { accountId: account }),
      ...(typeof groupId === "string" && { groupId }),
      ...(name !== undefined && { name }),
      ...(paused !== undefined && { paused: paused ? 1 : 0 }),
      ...Object.fromEntries(
        kept.map((option) => [fieldOf(option), JSON.stringify(options[option])]),
      ),
    },
    cleared: [
      ...(groupId === null ? ["groupId"] : []),
      ...changed.filter(isCleared).map((option) => fieldOf(option)),
    ],
  };
}

export function decodeWebhook(hash: Hash): Webhook {
  return {
    ...decodeCommon(hash),
    accountId: accountId(hash["accountId"] ?? ""),
    ...(hash["groupId"] !== undefined && { groupId: accountGroupId(hash["groupId"]) }),
    paused: hash["paused"] === "1",
    options: decodeOptions(hash),
  };
}

/** Where an option is stored, as JSON. */
const fieldOf = (option: OptionName): string => webhookOption(option).storedAs ?? option;

function decodeOptions(hash: Hash): WebhookOptions {
  const stored = OPTION_NAMES.flatMap((option) => {
    const text = hash[fieldOf(option)];
    return text === undefined ? [] : [[option, JSON.parse(text) as unknown]];
  });
  return Object.fromEntries(stored) as WebhookOptions;
}

function decodeCommon(hash: Hash) {
  return {
    id: credentialId(hash["id"] ?? ""),
    userId: userId(hash["userId"] ?? ""),
    name: hash["name"] ?? "",
    createdAt: Number(hash["createdAt"]),
    ...(hash["lastUsedAt"] !== undefined && { lastUsedAt: Number(hash["lastUsedAt"]) }),
  };
}
