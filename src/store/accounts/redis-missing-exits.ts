import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { Missing, MissingExitsStore } from "../../trading/lane/legs/unprotected-positions.ts";
import type { Exit } from "../../trading/reads/protection.ts";
import type { MissingExits } from "../../trading/reads/read-holdings.ts";
import { askInParts } from "../../domain/ask-in-parts.ts";
import type { Keys } from "../keys.ts";
import { translateStoreErrors as run } from "../store-error.ts";
import type { RedisClient } from "../redis/redis-client.ts";

interface MissingExitsDeps {
  readonly redis: RedisClient;
  readonly keys: Keys;
}

/** One field a contract, which lists its exits. */
export function createRedisMissingExits(deps: MissingExitsDeps): MissingExitsStore {
  const { redis, keys } = deps;
  return {
    of: async (account) => await readMissing(account, deps),
    save: async (account, { contract, exits }) => {
      await run(redis.hset(keys.unprotected(account), contract, exits.join(" ")));
    },
    forget: async (account, contracts) => {
      await run(redis.hdel(keys.unprotected(account), ...contracts));
    },
  };
}

/** Reads what `UnprotectedPositions` remembers. */
export function createReadMissingExits(deps: MissingExitsDeps): MissingExits {
  return async (accounts) => {
    const all = await askInParts(accounts, async (account) => {
      const missing = await readMissing(account, deps);
      return [account, new Map(missing.map(({ contract, exits }) => [contract, exits]))] as const;
    });
    return new Map(all);
  };
}

async function readMissing(
  account: AccountId,
  { redis, keys }: MissingExitsDeps,
): Promise<readonly Missing[]> {
  const stored = Object.entries(await run(redis.hgetall(keys.unprotected(account))));
  return stored.map(([contract, exits]) => ({
    contract: contract as ContractCode,
    exits: exits.split(" ") as Exit[],
  }));
}
