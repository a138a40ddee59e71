import type { Redis } from "ioredis";
import type { Config } from "../../config/index.ts";
import type { Logger } from "../observability/logger.ts";
import { checkDurability } from "../store/durability.ts";

/** The gateway cannot start; the message says what to do. */
class StartError extends Error {
  override readonly name = "StartError";
}

/**
 * "Rules for money" 1: not durable is refused, unless the operator insists. Answers whether it is
 * durable.
 */
export async function refuseUnsafeRedis(
  redis: Redis,
  config: Config,
  log: Logger,
): Promise<boolean> {
  const problems = await checkDurability(redis);
  if (problems.length === 0) return true;
  if (!config.ALLOW_UNSAFE_REDIS) {
    const list = problems.map((problem) => `  ${problem}`).join("\n");
    throw new StartError(
      `This Redis is not a safe place for accepted orders:\n${list}\n` +
        "Set it right, or set ALLOW_UNSAFE_REDIS=true to start all the same.",
    );
  }
  for (const reason of problems) log.error("Running on a Redis that may lose orders", { reason });
  return false;
}
