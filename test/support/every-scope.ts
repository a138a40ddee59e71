import path from "node:path";
import { SCOPES } from "../../src/domain/people/credential.ts";
import { connectRedis } from "../../src/store/redis/connect.ts";
import type { RedisClient } from "../../src/store/redis/redis-client.ts";
import { redisTarget } from "../../src/store/redis/redis-target.ts";
import { createKeys } from "../../src/store/keys.ts";
import { createRedisCredentialStore } from "../../src/store/people/redis-credential-store.ts";
import { hashSecret } from "../../src/store/people/secret.ts";

/** Where a gateway's Redis is: its own one in the data folder, or that of the setting. */
export interface RedisPlace {
  readonly REDIS_URL?: string | undefined;
  readonly DATA_DIR: string;
}

/** Lets the key of a first start do everything: what it may not do is for tests of its own. */
export async function giveEveryScope(place: RedisPlace, secret: string): Promise<void> {
  const client = connect(place);
  const key = createKeys().credential("key", hashSecret("key", secret) ?? "");
  await client.hset(key, "scopes", SCOPES.join(" "));
  client.disconnect();
}

/** Whether no key was ever handed out there. */
export async function hasNoKey(place: RedisPlace): Promise<boolean> {
  const redis = connect(place);
  const credentials = createRedisCredentialStore({ redis, keys: createKeys() });
  const users = await credentials.users();
  const keys = await Promise.all(users.map(async ({ userId }) => await credentials.keys(userId)));
  redis.disconnect();
  return keys.flat().length === 0;
}

function connect(place: RedisPlace): RedisClient {
  const own = path.join(place.DATA_DIR, "redis/redis.sock");
  const target = redisTarget(place.REDIS_URL ?? own);
  return connectRedis(target, "worker");
}
