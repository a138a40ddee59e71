import type { Redis } from "ioredis";
import type { CredentialId } from "../../domain/ids.ts";
import type { Keys } from "../keys.ts";
import { translateStoreErrors } from "../store-error.ts";

/** Answers which of these keys are revoked, in one command however many they are. */
export function createFindRevokedKeys({ redis, keys }: { redis: Redis; keys: Keys }) {
  return async (ids: readonly CredentialId[]): Promise<readonly CredentialId[]> => {
    if (ids.length === 0) return [];
    const marks = await translateStoreErrors(redis.mget(ids.map(keys.revoked)));
    return ids.filter((_, index) => marks[index] !== null);
  };
}
