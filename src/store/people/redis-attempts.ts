import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import { RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { nameKeyOf } from "../../domain/people/person.ts";
import type { Attempt, AttemptStore } from "../../trading/people/ports.ts";
import type { Keys } from "../keys.ts";
import { translateStoreErrors } from "../store-error.ts";
import type { RedisClient } from "../redis/redis-client.ts";

const WINDOW_SECONDS = 15 * 60;

/** Failures within the window: of a name from one address, of the address, of the name. */
const MOST = { pair: 5, address: 30, name: 20, challenge: 100 } as const;

interface Counter {
  readonly limiter: RateLimiterRedis;
  readonly key: string;
}

/** Counts attempts to sign in. Names and addresses are kept as hashes: neither has a bounded shape. */
export function createRedisAttempts({
  redis,
  keys,
}: {
  redis: RedisClient;
  keys: Keys;
}): AttemptStore {
  const counterOf = (kind: keyof typeof MOST) => {
    const limits = { points: MOST[kind], duration: WINDOW_SECONDS, keyPrefix: "" };
    const limiter = new RateLimiterRedis({ ...limits, storeClient: redis });
    return (text: string): Counter => ({ limiter, key: keys.attempts(kind, hashOf(text)) });
  };
  const ofPair = counterOf("pair");
  const ofAddress = counterOf("address");
  const ofName = counterOf("name");
  const ofChallenges = counterOf("challenge");

  /**
   * The narrowest comes first, and what it refuses reaches no other: so one address shuts nobody else
   * out by going on.
   */
  function countersOf({ address: said, name }: Attempt): readonly Counter[] {
    const address = networkOf(said);
    if (name === undefined) return [ofAddress(address)];
    const key = nameKeyOf(name);
    return [ofPair(`${address} ${key}`), ofAddress(address), ofName(key)];
  }

  return {
    begin: async (attempt) => {
      const counted: Counter[] = [];
      for (const counter of countersOf(attempt)) {
        const waitMs = await count(counter);
        if (waitMs > 0) {
          await Promise.all(counted.map(takeBack));
          return waitMs;
        }
        counted.push(counter);
      }
      return 0;
    },

    succeed: async (attempt) => {
      const [narrowest, ...others] = countersOf(attempt);
      if (narrowest === undefined) return;
      const forgets = attempt.name !== undefined;
      const first = forgets ? forget(narrowest) : takeBack(narrowest);
      await Promise.all([first, ...others.map(takeBack)]);
    },

    withdraw: async (attempt) => {
      await Promise.all(countersOf(attempt).map(takeBack));
    },

    beginChallenge: async (address) => await count(ofChallenges(networkOf(address))),
  };
}

/** Answers 0, or the ms until the count begins anew. */
async function count({ limiter, key }: Counter): Promise<number> {
  try {
    await limiter.consume(key);
    return 0;
  } catch (error) {
    if (error instanceof RateLimiterRes) return Math.max(error.msBeforeNext, 1);
    return await translateStoreErrors(Promise.reject(error as Error));
  }
}

async function takeBack({ limiter, key }: Counter): Promise<void> {
  await translateStoreErrors(limiter.reward(key));
}

async function forget({ limiter, key }: Counter): Promise<void> {
  await translateStoreErrors(limiter.delete(key));
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Whoever has one IPv6 address has the 2^64 of its network. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [before = "", after] = address.split("::");
  const head = before === "" ? [] : before.split(":");
  const tail = after === undefined || after === "" ? [] : after.split(":");
  const zeros = after === undefined ? 0 : 8 - head.length - tail.length;
  const groups = [...head, ...Array<string>(zeros).fill("0"), ...tail];
  return groups.slice(0, 4).join(":");
}
