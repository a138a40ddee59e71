import type { Redis } from "ioredis";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { Exit } from "../../trading/reads/protection.ts";
import type { MissingExits } from "../../trading/reads/read-holdings.ts";
import { askInParts } from "../redis/ask-in-parts.ts";
import type { Keys } from "../keys.ts";
import { translateStoreErrors as run } from "../store-error.ts";

/** Reads what `UnprotectedPositions` remembers. */
export function createReadMissingExits({
  redis,
  keys,
}: {
  readonly redis: Redis;
  readonly keys: Keys;
}): MissingExits {
  return async (accounts) => {
    const all = await askInParts(accounts, async (account) => {
      const stored = Object.entries(await run(redis.hgetall(keys.unprotected(account))));
      const missing = stored.map(
        ([contract, exits]) => [contract as ContractCode, exits.split(" ") as Exit[]] as const,
      );
      return [account, new Map(missing)] as const;
    });
    return new Map(all);
  };
}
