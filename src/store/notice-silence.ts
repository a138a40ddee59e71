import type { Redis } from "ioredis";

const ASK_MS = 1_000;
/** Longer than Redis stands still in daily life; shorter than anyone would wait for a person. */
const SILENT_MS = 3_000;

/**
 * Gives a connection up on which Redis has not answered for a while, so that a new one is made. A
 * link that lost its state somewhere on the way tells neither end: without this a process would be
 * without its store until the system gives up, a quarter of an hour later.
 */
export function noticeSilence(redis: Redis): void {
  let timer: NodeJS.Timeout | undefined;
  let heardAt = 0;
  const heard = () => {
    heardAt = performance.now();
  };

  function ask(): void {
    // Not ended in order: the other end would have to agree.
    if (performance.now() - heardAt > SILENT_MS) redis.stream.destroy();
    else redis.ping().then(heard, () => undefined);
  }

  redis.on("ready", () => {
    clearInterval(timer);
    heard();
    timer = setInterval(ask, ASK_MS);
    timer.unref();
  });
  redis.on("close", () => clearInterval(timer));
}
