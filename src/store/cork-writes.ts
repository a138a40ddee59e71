import type { Redis } from "ioredis";

/**
 * Hands everything that is sent within one turn of the event loop to the system at once: without
 * this, each command costs a system call of its own, which was a sixth of the gateway's whole work.
 * Order and content of the commands stay as they are, unlike with auto-pipelining.
 */
export function corkWrites(redis: Redis): void {
  redis.on("connect", () => {
    const { stream } = redis;
    const write = stream.write.bind(stream) as typeof stream.write;
    const uncork = () => stream.uncork();
    stream.write = ((...args: Parameters<typeof stream.write>) => {
      if (stream.writableCorked === 0) {
        stream.cork();
        process.nextTick(uncork);
      }
      return write(...args);
    }) as typeof stream.write;
  });
}
