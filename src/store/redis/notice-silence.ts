import { TLSSocket } from "node:tls";
import type { Redis } from "ioredis";

const LOOK_MS = 1_000;
/** Longer than Redis stands still in daily life; shorter than anyone would wait for a person. */
const MOST_UNANSWERED = 3;

/**
 * Gives a connection up on which nothing has come from Redis for three to four seconds, so that a
 * new one is made; its "error" is emitted then. A link that lost its state somewhere on the way
 * tells neither end: without this a process would be without its store until the system gives up, a
 * quarter of an hour later. One whose handshake is not answered is given up as well; a server that
 * reads its data says so each time it is asked, and is waited for.
 *
 * It counts looks, not time: a process that stood still itself has looked once, however long it was.
 */
export function noticeSilence(redis: Redis): void {
  redis.on("connect", () => {
    const { stream } = redis;
    let unanswered = 1; // The handshake.
    stream.on("data", () => (unanswered = 0));

    function look(): void {
      if (stream.destroyed) return;
      if (unanswered >= MOST_UNANSWERED) {
        redis.emit("error", new Error("Redis does not answer; the connection is given up"));
        giveUp(stream);
        return;
      }
      unanswered += 1;
      // Before that, ioredis asks again and again by itself.
      if (redis.status === "ready") redis.ping().catch(() => undefined);
    }

    // Timers run before what lies in the sockets is read, immediates after it.
    const timer = setInterval(() => setImmediate(look), LOOK_MS);
    timer.unref();
    stream.once("close", () => clearInterval(timer));
  });
}

/**
 * Ends a connection without a goodbye: the other end would have to agree. By RST on TCP, so that
 * what the system has not sent yet never arrives: it is sent again on the next connection. A Unix
 * socket and TLS know no such thing. Nor does Node 20 for one that was ended a moment ago: it fails
 * with EINVAL, and would leave it open for ever.
 */
export function giveUp(stream: Redis["stream"]): void {
  const isPlainTcp = !(stream instanceof TLSSocket) && stream.localPort !== undefined;
  if (isPlainTcp && !stream.writableEnded) stream.resetAndDestroy();
  else stream.destroy();
}
