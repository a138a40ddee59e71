import type { Redis } from "ioredis";

/** The most commands per write, so that Redis can start while the rest is still being written. */
const MOST_TOGETHER = 8;

/**
 * Writes the commands of one turn of the event loop with few system calls. One call per command was a
 * sixth of the gateway's CPU time. Unlike auto-pipelining, it keeps the commands and their order.
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
