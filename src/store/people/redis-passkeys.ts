import { passkeyId, type PasskeyId, type UserId } from "../../domain/ids.ts";
import type { ProvenPasskey } from "../../domain/people/credential.ts";
import type { Challenge, ChallengeStore, PasskeyStore } from "../../trading/people/ports.ts";
import type { Keys } from "../keys.ts";
import { runScript } from "../redis/script.ts";
import { replaceField } from "./replace-field.ts";
import { newId } from "./secret.ts";
import { translateStoreErrors } from "../store-error.ts";
import type { RedisClient } from "../redis/redis-client.ts";

const CHALLENGE_MS = 5 * 60_000;

interface PasskeysDeps {
  readonly redis: RedisClient;
  readonly keys: Keys;
  readonly now?: () => number;
}

/** People's passkeys in Redis. Nothing of them is secret. */
export function createRedisPasskeys({ redis, keys, now = Date.now }: PasskeysDeps): PasskeyStore {
  const run = translateStoreErrors;
  const read = async (user: UserId, id: PasskeyId) =>
    await run(redis.hget(keys.passkeys(user), id));

  return {
    list: async (user) => {
      const all = await run(redis.hvals(keys.passkeys(user)));
      return all
        .map((text) => JSON.parse(text) as ProvenPasskey)
        .sort((a, b) => a.createdAt - b.createdAt);
    },

    add: async (made) => {
      const passkey = { ...made, id: passkeyId(newId("pass")), createdAt: now() };
      await run(redis.hset(keys.passkeys(made.userId), passkey.id, JSON.stringify(passkey)));
      return passkey;
    },

    noteUse: async ({ userId: user, id }, counter) => {
      const text = await read(user, id);
      if (text === null) return;
      const used = { ...(JSON.parse(text) as ProvenPasskey), counter, lastUsedAt: now() };
      const args = [id, text, JSON.stringify(used)];
      await runScript(redis, replaceField, [keys.passkeys(user)], args);
    },

    remove: async (user, id) => (await run(redis.hdel(keys.passkeys(user), id))) === 1,

    removeAll: async (user) => {
      await run(redis.del(keys.passkeys(user)));
    },
  };
}

export function createRedisChallenges({ redis, keys }: PasskeysDeps): ChallengeStore {
  return {
    keep: async (challenge) => {
      const id = newId("chal");
      const text = JSON.stringify(challenge);
      await translateStoreErrors(redis.set(keys.challenge(id), text, "PX", CHALLENGE_MS));
      return id;
    },

    take: async (id) => {
      const text = await translateStoreErrors(redis.getdel(keys.challenge(id)));
      return text === null ? undefined : (JSON.parse(text) as Challenge);
    },
  };
}
