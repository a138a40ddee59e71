import type { AccountId } from "../../domain/ids.ts";
import type { SideClaims } from "../../trading/guards/opposite-sides.ts";
import type { Keys } from "../keys.ts";
import type { RedisClient } from "../redis/redis-client.ts";
import { runScript } from "../redis/script.ts";
import { claimSide } from "./claim-side.ts";
import { keepSides } from "./keep-sides.ts";

export const sideScripts = [claimSide, keepSides];

/** One field for each account, root and side, in the slot of the user: a claim and its refusal are one step. */
export function createRedisSides({
  redis,
  keys,
}: {
  readonly redis: RedisClient;
  readonly keys: Keys;
}): SideClaims {
  return {
    claim: async (user, { account, itself, root, side, against, now, until }) => {
      const args = [account, root, side, now, until, against.length, ...against, ...itself];
      const other = String(await runScript(redis, claimSide, [keys.sides(user)], args));
      return other === "" ? undefined : (other as AccountId);
    },

    keep: async (user, account, { sides, endingBefore, renewBefore, until }) => {
      const kept = [...sides].flatMap(([root, of]) => [...of].map((side) => `${root} ${side}`));
      const args = [account, endingBefore, renewBefore, until, ...kept];
      await runScript(redis, keepSides, [keys.sides(user)], args);
    },
  };
}
