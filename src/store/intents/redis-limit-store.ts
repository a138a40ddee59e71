import type { AccountLimits, KillSwitch } from "../../domain/limits.ts";
import { askInParts } from "../../domain/ask-in-parts.ts";
import type { Keys } from "../keys.ts";
import { runScript } from "../redis/script.ts";
import { decodeKillSwitch } from "./kill-switch-record.ts";
import { tightenLimits } from "./tighten-limits.ts";
import { UserGuards, userGuardScripts } from "./user-guards.ts";
import { translateStoreErrors } from "../store-error.ts";
import type { KillTarget, LimitStore } from "../../trading/guards/ports.ts";
import type { RedisClient } from "../redis/redis-client.ts";

export const limitScripts = [tightenLimits, ...userGuardScripts];

/** Their fields in Redis; a flag is 1 or 0 there, so that a larger value is the looser one. */
export const LIMITS = [
  "maxOrderQty",
  "maxPositionQty",
  "maxOrdersPerMinute",
  "entriesWithoutCancel",
] as const satisfies readonly (keyof AccountLimits)[];

/** Limits and kill switches in Redis: they survive restarts, and every process sees them at once. */
export function createRedisLimitStore({
  redis,
  keys,
}: {
  redis: RedisClient;
  keys: Keys;
}): LimitStore {
  const guards = new UserGuards({ redis, keys });
  return {
    limits: async (account) =>
      decodeLimits(await translateStoreErrors(redis.hgetall(keys.limits(account)))),

    changeLimits: async (account, change) => {
      const fields = encodeLimits(change);
      if (fields.length === 0) return;
      await translateStoreErrors(redis.hset(keys.limits(account), ...fields.flat()));
    },

    tightenLimits: async (account, change, defaults) => {
      const standing = new Map(encodeLimits({ entriesWithoutCancel: false, ...defaults }));
      const args = encodeLimits(change).flatMap(([name, value]) => [
        name,
        value,
        standing.get(name) ?? "",
      ]);
      return (await runScript(redis, tightenLimits, [keys.limits(account)], args)) === 1;
    },

    killSwitch,
    killSwitches: async (accounts) =>
      await askInParts(accounts, async (accountId) => ({
        accountId,
        ...(await killSwitch({ accountId })),
      })),

    settledKillSwitch: async (user) => await guards.settledSwitch(user),

    setKillSwitch: async (target, active, reason) => {
      const key = keys.killSwitch(target);
      // First, and for good: a switch and a list are two things, and nobody keeps the two in step.
      if (active) await translateStoreErrors(redis.sadd(keys.usedKillSwitches, key));
      if ("userId" in target) return await guards.setSwitch(target.userId, active, reason);
      const fields = { active: active ? 1 : 0, reason: reason ?? "", changedAt: Date.now() };
      await translateStoreErrors(redis.hset(key, fields));
    },
  };

  async function killSwitch(target: KillTarget): Promise<KillSwitch> {
    return decodeKillSwitch(await translateStoreErrors(redis.hgetall(keys.killSwitch(target))));
  }
}

/**
 * The kill switches that are on, by their keys; `isAsked` says of which. A user's is on once all of
 * the user's accounts have it.
 */
export async function readActiveKillSwitches(
  redis: RedisClient,
  keys: Keys,
  isAsked: (key: string) => boolean = () => true,
): Promise<readonly string[]> {
  const used = await translateStoreErrors(redis.smembers(keys.usedKillSwitches));
  const asked = used.filter(isAsked);
  const fields = ["active", "version", "everywhere"] as const;
  const areOn = await askInParts(asked, async (key) => {
    const [active, version, everywhere] = await translateStoreErrors(redis.hmget(key, ...fields));
    return active === "1" && version === everywhere;
  });
  return asked.filter((_, at) => areOn[at]);
}

export function decodeLimits(hash: Readonly<Record<string, string>>): Partial<AccountLimits> {
  const known = LIMITS.filter((name) => hash[name] !== undefined);
  return Object.fromEntries(
    known.map((name) => {
      const value = Number(hash[name]);
      return [name, name === "entriesWithoutCancel" ? value === 1 : value];
    }),
  );
}

function encodeLimits(
  limits: Partial<AccountLimits>,
): readonly (readonly [keyof AccountLimits, number])[] {
  const fields = Object.entries(limits).filter(([, value]) => value !== undefined);
  return fields.map(([name, value]) => [name as keyof AccountLimits, Number(value)] as const);
}

/** All of them in the order of `LIMITS`, as the script that begins an intent compares them. */
export function limitsAsText(limits: Partial<AccountLimits>): string {
  const values = new Map(encodeLimits(limits));
  return LIMITS.map((name) => values.get(name) ?? "").join(" ");
}
