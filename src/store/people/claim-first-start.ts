import type { Redis } from "ioredis";
import type { Keys } from "../keys.ts";

const CLAIM_MS = 10_000;

/** True for one process of those that start together; its claim ends by itself. */
export async function claimFirstStart(
  redis: Redis,
  keys: Keys,
  processId: string,
): Promise<boolean> {
  return (await redis.set(keys.firstStart, processId, "PX", CLAIM_MS, "NX")) !== null;
}
