import { accountId, credentialId, userId } from "../domain/ids.ts";
import type { ApiKey, Scope, Webhook } from "../domain/credential.ts";

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
  const { id, name, createdAt, paused } = webhook;
  const owner = { userId: webhook.userId, accountId: webhook.accountId };
  return { id, name, createdAt, paused: paused ? 1 : 0, ...owner };
}

export function decodeWebhook(hash: Hash): Webhook {
  return {
    ...decodeCommon(hash),
    accountId: accountId(hash["accountId"] ?? ""),
    paused: hash["paused"] === "1",
  };
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
