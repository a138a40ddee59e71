import type { Redis } from "ioredis";

/** So many commands leave together at most: Redis is to begin while the others are still written. */
const MOST_TOGETHER = 8;

/**
 * Hands what is sent within one turn of the event loop to the system in few parts: without this,
 * each command costs a system call of its own, which was a sixth of the gateway's whole work. Order
 * and content of the commands stay as they are, unlike with auto-pipelining.
 */
export function corkWrites(redis: Redis): void {
  redis.on("connect", () => {
    const { stream } = redis;
    const write = stream.write.bind(stream) as typeof stream.write;
    let count = 0;
    const uncork = () => {
      if (count > 0) stream.uncork();
      count = 0;
    };
    stream.write = ((...args: Parameters<typeof stream.write>) => {
      if (count === 0) {
        stream.cork();
        process.nextTick(uncork);
      }
      count += 1;
      const isTaken = write(...args);
      if (count >= MOST_TOGETHER) uncork();
      return isTaken;
    }) as typeof stream.write;
  });
}
