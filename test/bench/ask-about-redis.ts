import { Redis } from "ioredis";

/** Lends a connection of the benchmark's own. */
export async function withRedis<Value>(
  socket: string,
  use: (redis: Redis) => Promise<Value>,
): Promise<Value> {
  const redis = new Redis({ path: socket });
  try {
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}

/** How many connections there are beside the one that asks. */
export async function countConnections(redis: Redis): Promise<number> {
  const list = (await redis.client("LIST")) as string;
  return list.split("\n").filter((line) => line !== "").length - 1;
}

/** What Redis holds in memory for its data and itself, in bytes. */
export async function usedMemory(redis: Redis): Promise<number> {
  return Number(/^used_memory:(\d+)/m.exec(await redis.info("memory"))?.[1]);
}

/** How often it has written to a client so far. */
export async function writesToClients(redis: Redis): Promise<number> {
  return Number(/^total_writes_processed:(\d+)/m.exec(await redis.info("stats"))?.[1]);
}
