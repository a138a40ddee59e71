import type { RunningPlan } from "../../domain/exits/running-plan.ts";
import type { ExitPlanStore } from "../../trading/lane/exits/ports.ts";
import type { Keys } from "../keys.ts";
import { translateStoreErrors as run } from "../store-error.ts";
import type { RedisClient } from "../redis/redis-client.ts";

/** One field a plan. What cannot be read is an error: a plan is never forgotten for it. */
export function createRedisRunningPlans({
  redis,
  keys,
}: {
  readonly redis: RedisClient;
  readonly keys: Keys;
}): ExitPlanStore {
  return {
    of: async (account) => {
      const stored = await run(redis.hvals(keys.runningPlans(account)));
      return stored.map((text) => JSON.parse(text) as RunningPlan);
    },
    save: async (account, plan) => {
      await run(redis.hset(keys.runningPlans(account), plan.planId, JSON.stringify(plan)));
    },
    forget: async (account, plans) => {
      if (plans.length > 0) await run(redis.hdel(keys.runningPlans(account), ...plans));
    },
  };
}
