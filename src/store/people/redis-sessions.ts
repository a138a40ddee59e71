import { credentialId, type CredentialId, userId, type UserId } from "../../domain/ids.ts";
import { type Session, SESSION_IDLE_MS, SESSION_MS } from "../../domain/people/session.ts";
import type { OpenedSession, SessionStore } from "../../trading/people/ports.ts";
import type { Keys } from "../keys.ts";
import { redisNow } from "../redis/redis-now.ts";
import { runScript } from "../redis/script.ts";
import { beginSession } from "./begin-session.ts";
import { removeField } from "./remove-field.ts";
import { replaceField } from "./replace-field.ts";
import { hashSecret, newId, newSecret } from "./secret.ts";
import { translateStoreErrors } from "../store-error.ts";
import type { RedisClient } from "../redis/redis-client.ts";

export const sessionScripts = [beginSession, removeField, replaceField];

/** What one person may have open at once; the one that was not used for longest makes room. */
const MOST_SESSIONS = 20;

interface Known {
  readonly id: CredentialId;
  readonly hash: string;
  /** Undefined when it is over. */
  readonly lastUsedAt: number | undefined;
}

/** The sessions of people in Redis, by the SHA-256 of their secrets. */
export function createRedisSessions({
  redis,
  keys,
}: {
  redis: RedisClient;
  keys: Keys;
}): SessionStore {
  const run = translateStoreErrors;
  const indexOf = (user: UserId) => keys.credentialsOf("session", user);
  const keyOf = (hash: string) => keys.credential("session", hash);

  async function write(
    { id, userId: user }: Pick<Session, "id" | "userId">,
    signedInAt?: number,
  ): Promise<OpenedSession & { readonly hash: string }> {
    const secret = newSecret("session");
    const hash = hashSecret("session", secret) ?? "";
    const args = [id, user, SESSION_MS, signedInAt ?? ""];
    const reply = await runScript(redis, beginSession, [keyOf(hash)], args);
    const [since, now] = reply as [number, number];
    const times = { signedInAt: since, confirmedAt: now, lastUsedAt: now };
    return { session: { id, userId: user, ...times, endsAt: since + SESSION_MS }, secret, hash };
  }

  async function known(user: UserId): Promise<readonly Known[]> {
    const entries = Object.entries(await run(redis.hgetall(indexOf(user))));
    return await Promise.all(
      entries.map(async ([id, hash]) => {
        const used = await run(redis.hget(keyOf(hash), "lastUsedAt"));
        const lastUsedAt = used === null ? undefined : Number(used);
        return { id: credentialId(id), hash, lastUsedAt };
      }),
    );
  }

  /** A renewal at the same time may have given it another secret: then that one ends, too. */
  async function end(user: UserId, { id, hash }: Pick<Known, "id" | "hash">): Promise<void> {
    const index = indexOf(user);
    let ending: string | null = hash;
    while (ending !== null) {
      await run(redis.del(keyOf(ending)));
      if ((await runScript(redis, removeField, [index], [id, ending])) === 1) return;
      ending = await run(redis.hget(index, id));
    }
  }

  const endEach = async (user: UserId, sessions: readonly Pick<Known, "id" | "hash">[]) =>
    await Promise.all(sessions.map((session) => end(user, session)));

  async function makeRoom(user: UserId): Promise<void> {
    const all = await known(user);
    const over = all.filter(({ lastUsedAt }) => lastUsedAt === undefined);
    const living = all.filter(({ lastUsedAt }) => lastUsedAt !== undefined).sort(byLastUse);
    await endEach(user, [...over, ...living.slice(MOST_SESSIONS)]);
  }

  return {
    begin: async (user) => {
      const id = credentialId(newId("sess"));
      const { session, secret, hash } = await write({ id, userId: user });
      await run(redis.hset(indexOf(user), id, hash));
      await makeRoom(user);
      return { session, secret };
    },

    renew: async (former) => {
      const index = indexOf(former.userId);
      const before = await run(redis.hget(index, former.id));
      // One that is over by its time is in the index until somebody looks.
      if (before === null || (await run(redis.exists(keyOf(before)))) === 0) return undefined;
      const { session, secret, hash } = await write(former, former.signedInAt);
      const replaced = await runScript(redis, replaceField, [index], [former.id, before, hash]);
      await run(redis.del(keyOf(replaced === 1 ? before : hash)));
      return replaced === 1 ? { session, secret } : undefined;
    },

    end: async ({ id, userId: user }) => {
      const hash = await run(redis.hget(indexOf(user), id));
      if (hash !== null) await end(user, { id, hash });
    },

    endAll: async (user, except) => {
      const entries = Object.entries(await run(redis.hgetall(indexOf(user))));
      const ending = entries.map(([id, hash]) => ({ id: credentialId(id), hash }));
      await endEach(
        user,
        ending.filter(({ id }) => id !== except),
      );
    },

    findEnded: async (sessions) => {
      if (sessions.length === 0) return [];
      const oldest = (await redisNow(redis)) - SESSION_IDLE_MS;
      const ended = await Promise.all(
        sessions.map(async ({ id, userId: user }) => {
          const hash = await run(redis.hget(indexOf(user), id));
          const used = hash === null ? null : await run(redis.hget(keyOf(hash), "lastUsedAt"));
          return used === null || Number(used) <= oldest ? [id] : [];
        }),
      );
      return ended.flat();
    },
  };
}

const byLastUse = ({ lastUsedAt: a = 0 }: Known, { lastUsedAt: b = 0 }: Known) => b - a;

export function decodeSession(fields: Readonly<Record<string, string>>): Session {
  const time = (name: string) => Number(fields[name]);
  return {
    id: credentialId(fields["id"] ?? ""),
    userId: userId(fields["userId"] ?? ""),
    signedInAt: time("signedInAt"),
    confirmedAt: time("confirmedAt"),
    lastUsedAt: time("lastUsedAt"),
    endsAt: time("endsAt"),
  };
}
