import type { NamedExitPlan } from "../../domain/exits/named-plan.ts";
import type { NamedPlanStore } from "../../trading/exits/named-plan-store.ts";
import type { Keys } from "../keys.ts";
import type { RedisClient } from "../redis/redis-client.ts";
import { runScript } from "../redis/script.ts";
import { translateStoreErrors as run } from "../store-error.ts";
import { changeNamedPlan } from "./change-named-plan.ts";

export const namedPlanScripts = [changeNamedPlan];

/** Exit plans in Redis: a hash of each user, by name. */
export function createRedisNamedPlans({
  redis,
  keys,
}: {
  readonly redis: RedisClient;
  readonly keys: Keys;
}): NamedPlanStore {
  const decode = (text: string) => JSON.parse(text) as NamedExitPlan;

  return {
    all: async (user) => {
      const plans = await run(redis.hgetall(keys.namedPlans(user)));
      return Object.values(plans).map(decode);
    },
    find: async (user, name) => {
      const found = await run(redis.hget(keys.namedPlans(user), name));
      return found === null ? undefined : decode(found);
    },
    save: async (user, plan, { most, onlyNew }) => {
      const args = [plan.name, JSON.stringify(plan), most, onlyNew ? "1" : "0"];
      const answer = await runScript(redis, changeNamedPlan, [keys.namedPlans(user)], args);
      return answer === "exists" || answer === "full" ? answer : "saved";
    },
    remove: async (user, name) => {
      const args = [name, "", 0, "0"];
      return (await runScript(redis, changeNamedPlan, [keys.namedPlans(user)], args)) === "removed";
    },
  };
}
