import {
  accountId,
  type AccountId,
  credentialId,
  type CredentialId,
  userId,
  type UserId,
} from "../../domain/ids.ts";
import type { ApiKey, User, Webhook } from "../../domain/people/credential.ts";
import { decodeApiKey, decodeWebhook, encodeApiKey, encodeWebhook } from "./credential-record.ts";
import type { CredentialKind, Keys } from "../keys.ts";
import { REMEMBER_REVOKED_MS, UserGuards, userGuardScripts } from "../intents/user-guards.ts";
import { hashSecret, newId, newSecret } from "./secret.ts";
import { translateStoreErrors } from "../store-error.ts";
import type { CredentialStore } from "../../trading/people/ports.ts";
import { WebhookRecords, webhookScripts } from "./webhook-records.ts";
import type { RedisClient } from "../redis/redis-client.ts";

export const credentialScripts = [...webhookScripts, ...userGuardScripts];

/** Users, API keys and webhook tokens in Redis. Secrets are stored as SHA-256 only. */
export function createRedisCredentialStore({
  redis,
  keys,
  now = Date.now,
}: {
  redis: RedisClient;
  keys: Keys;
  now?: () => number;
}): CredentialStore {
  const run = translateStoreErrors;

  const hooks = new WebhookRecords({ redis, keys });
  const guards = new UserGuards({ redis, keys });

  /** Writes the credential before its index entry: an entry without a credential would be a lie. */
  async function create(
    kind: "key" | "webhook",
    { id, userId: owner }: { readonly id: CredentialId; readonly userId: UserId },
    write: (hash: string) => Promise<unknown>,
  ): Promise<string> {
    const secret = newSecret(kind);
    const hash = hashSecret(kind, secret) ?? "";
    await write(hash);
    await run(redis.hset(keys.credentialsOf(kind, owner), id, hash));
    return secret;
  }

  const hashesOf = async (kind: CredentialKind, owner: UserId) =>
    await run(redis.hvals(keys.credentialsOf(kind, owner)));

  async function listKeys(owner: UserId): Promise<readonly ApiKey[]> {
    const hashes = await hashesOf("key", owner);
    const all = await Promise.all(
      hashes.map((hash) => run(redis.hgetall(keys.credential("key", hash)))),
    );
    return all.filter((fields) => fields["id"] !== undefined).map(decodeApiKey);
  }

  async function listWebhooks(owner: UserId): Promise<readonly Webhook[]> {
    const hashes = await hashesOf("webhook", owner);
    const all = await Promise.all(hashes.map((hash) => hooks.find(hash)));
    return all.filter((fields) => fields !== undefined).map(decodeWebhook);
  }

  const hashOf = async (kind: CredentialKind, owner: UserId, id: CredentialId) =>
    await run(redis.hget(keys.credentialsOf(kind, owner), id));

  /** Before a webhook points there: an account too many is harmless, a missing one hides alerts. */
  async function rememberAccount(owner: UserId, ...accounts: AccountId[]): Promise<void> {
    if (accounts.length > 0) await run(redis.sadd(keys.alertAccounts(owner), ...accounts));
  }

  async function forget(owner: UserId, id: CredentialId): Promise<void> {
    await run(redis.set(keys.revoked(id), "1", "PX", REMEMBER_REVOKED_MS));
    await guards.revoke(owner, id);
  }

  return {
    firstUser: async (name) => {
      const user: User = { userId: userId(newId("user")), name, createdAt: now() };
      // Of two processes that start together, both find the same one.
      await run(redis.hsetnx(keys.users, FIRST_USER, JSON.stringify(user)));
      const first = await run(redis.hget(keys.users, FIRST_USER));
      return first === null ? user : (JSON.parse(first) as User);
    },

    users: async () => {
      const users = await run(redis.hvals(keys.users));
      return users.map((user) => JSON.parse(user) as User);
    },

    createKey: async ({ userId: owner, name, scopes }) => {
      const id = credentialId(newId("key"));
      const key: ApiKey = { id, userId: owner, name, scopes, createdAt: now() };
      const write = (hash: string) =>
        run(redis.hset(keys.credential("key", hash), encodeApiKey(key)));
      return { key, secret: await create("key", key, write) };
    },

    keys: async (owner) => [...(await listKeys(owner))].sort(byCreation),

    revokeKey: async (owner, id) => {
      const hash = await hashOf("key", owner, id);
      if (hash === null) return false;
      const changed = await run(redis.hsetnx(keys.credential("key", hash), "revokedAt", now()));
      await forget(owner, id);
      return changed === 1;
    },

    createWebhook: async ({ userId: owner, accountId: account, groupId, name, options = {} }) => {
      const id = credentialId(newId("hook"));
      const target = { accountId: account, ...(groupId !== undefined && { groupId }) };
      const terms = { ...target, name, paused: false, options };
      const webhook: Webhook = { id, userId: owner, createdAt: now(), ...terms };
      await rememberAccount(owner, account);
      const write = (hash: string) => hooks.create(hash, account, encodeWebhook(webhook));
      return { webhook, secret: await create("webhook", webhook, write) };
    },

    webhooks: async (owner) => [...(await listWebhooks(owner))].sort(byCreation),

    webhook: async (owner, id) => {
      const hash = await hashOf("webhook", owner, id);
      if (hash === null) return undefined;
      const fields = await hooks.find(hash);
      return fields && decodeWebhook(fields);
    },

    changeWebhook: async (owner, id, change) => {
      const hash = await hashOf("webhook", owner, id);
      if (hash === null) return undefined;
      if (change.accountId !== undefined) await rememberAccount(owner, change.accountId);
      const fields = await hooks.change(hash, change);
      return fields && decodeWebhook(fields);
    },

    rememberAlertAccounts: async (owner, accounts) => await rememberAccount(owner, ...accounts),

    alertAccounts: async (owner) => {
      const [noted, webhooks] = await Promise.all([
        run(redis.smembers(keys.alertAccounts(owner))),
        listWebhooks(owner),
      ]);
      // Webhooks may be older than the note of their accounts.
      const present = webhooks.map((webhook) => webhook.accountId);
      return [...new Set([...noted, ...present])].sort().map(accountId);
    },

    deleteWebhook: async (owner, id) => {
      const hash = await hashOf("webhook", owner, id);
      if (hash === null) return false;
      await forget(owner, id);
      await hooks.remove(hash);
      return (await run(redis.hdel(keys.credentialsOf("webhook", owner), id))) === 1;
    },
  };
}

const FIRST_USER = "first";

const byCreation = (a: { createdAt: number }, b: { createdAt: number }) =>
  a.createdAt - b.createdAt;

/** Answers which of these keys are revoked, in one command however many they are. */
export function createFindRevokedKeys({ redis, keys }: { redis: RedisClient; keys: Keys }) {
  return async (ids: readonly CredentialId[]): Promise<readonly CredentialId[]> => {
    if (ids.length === 0) return [];
    const marks = await translateStoreErrors(redis.mget(ids.map(keys.revoked)));
    return ids.filter((_, index) => marks[index] !== null);
  };
}
