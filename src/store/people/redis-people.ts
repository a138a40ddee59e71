import type { User } from "../../domain/people/credential.ts";
import { userId, type UserId } from "../../domain/ids.ts";
import { nameKeyOf } from "../../domain/people/person.ts";
import type { PeopleStore, SignInRecord } from "../../trading/people/ports.ts";
import type { Keys } from "../keys.ts";
import { runScript } from "../redis/script.ts";
import { replaceField } from "./replace-field.ts";
import { removePerson } from "./remove-person.ts";
import { setUpPerson } from "./set-up-person.ts";
import { hashSecret, newId, newSecret } from "./secret.ts";
import { translateStoreErrors } from "../store-error.ts";
import type { RedisClient } from "../redis/redis-client.ts";

export const peopleScripts = [setUpPerson, removePerson, replaceField];

const LINK_MS = 24 * 3_600_000;

/** Nobody has this id; it is looked up so that an unknown name takes the same steps as a known one. */
const NOBODY = userId("nobody");

/** Users, and what they sign in with, in Redis. */
export function createRedisPeople({
  redis,
  keys,
  now = Date.now,
}: {
  redis: RedisClient;
  keys: Keys;
  now?: () => number;
}): PeopleStore {
  const run = translateStoreErrors;

  /** The first user has a field of its own, so an entry is found by what it says. */
  async function entries(): Promise<readonly (readonly [string, User])[]> {
    const all = Object.entries(await run(redis.hgetall(keys.users)));
    return all.map(([field, text]) => [field, JSON.parse(text) as User] as const);
  }

  async function find(user: UserId): Promise<SignInRecord | undefined> {
    const { name, passwordHash } = await run(redis.hgetall(keys.person(user)));
    if (name === undefined || passwordHash === undefined) return undefined;
    return { userId: user, name, passwordHash };
  }

  /** How often the user has set up: links of before are used up, whichever of them it was. */
  const setUpsOf = async (user: UserId) =>
    (await run(redis.hget(keys.person(user), "setUps"))) ?? "0";

  /** What lists show follows what is signed in with; set up again, it is written again. */
  async function rename(user: UserId, name: string): Promise<void> {
    for (const [field, one] of await entries()) {
      if (one.userId !== user) continue;
      await run(redis.hset(keys.users, field, JSON.stringify({ ...one, name })));
    }
  }

  return {
    users: async () => (await entries()).map(([, user]) => user),
    user: async (id) => (await entries()).find(([, user]) => user.userId === id)?.[1],

    addUser: async (name) => {
      const user: User = { userId: userId(newId("user")), name, createdAt: now() };
      await run(redis.hset(keys.users, user.userId, JSON.stringify(user)));
      return user;
    },

    removeUser: async (id) => {
      const names = [keys.signInNames, keys.person(id), keys.passkeys(id)];
      await runScript(redis, removePerson, names, [LINK_MS]);
      await run(redis.hdel(keys.users, id));
    },

    find,
    findByName: async (name) => {
      const holder = await run(redis.hget(keys.signInNames, nameKeyOf(name)));
      return await find(holder === null ? NOBODY : userId(holder));
    },
    anybody: async () => (await run(redis.hlen(keys.signInNames))) > 0,

    createLink: async (user) => {
      const secret = newSecret("setUp");
      const hash = hashSecret("setUp", secret) ?? "";
      const link = `${await setUpsOf(user)} ${user}`;
      await run(redis.set(keys.setUpLink(hash), link, "PX", LINK_MS));
      return secret;
    },

    readLink: async (secret) => {
      const hash = hashSecret("setUp", secret);
      if (hash === undefined) return undefined;
      const link = await run(redis.get(keys.setUpLink(hash)));
      const [setUps, user = ""] = link?.split(" ") ?? [];
      return setUps === (await setUpsOf(userId(user))) ? userId(user) : undefined;
    },

    setUp: async (link, { userId: user, name, passwordHash }) => {
      const hash = hashSecret("setUp", link);
      if (hash === undefined) return "linkGone";
      const touched = [keys.setUpLink(hash), keys.signInNames, keys.person(user)];
      const args = [user, nameKeyOf(name), name, passwordHash];
      const done = (await runScript(redis, setUpPerson, touched, args)) as
        | "done"
        | "linkGone"
        | "nameTaken";
      if (done === "done") await rename(user, name);
      return done;
    },

    changePassword: async ({ userId: user, passwordHash: former }, passwordHash) => {
      const args = ["passwordHash", former, passwordHash];
      return (await runScript(redis, replaceField, [keys.person(user)], args)) === 1;
    },
  };
}

const CLAIM_MS = 10_000;

/** True for one process of those that start together; its claim ends by itself. */
export async function claimFirstStart(
  redis: RedisClient,
  keys: Keys,
  processId: string,
): Promise<boolean> {
  return (await redis.set(keys.firstStart, processId, "PX", CLAIM_MS, "NX")) !== null;
}
