import { TLSSocket } from "node:tls";
import type { Redis } from "ioredis";

const LOOK_MS = 1_000;
/** Longer than the usual pauses of Redis; shorter than it takes a person to react. */
const MOST_UNANSWERED = 3;

/**
 * Closes a connection on which Redis has sent nothing for three to four seconds, and emits "error";
 * ioredis then opens a new one. When a firewall or router drops a connection silently, neither end
 * notices: the process would have no store until the system's timeout, a quarter of an hour later. A
 * connection without an answer to its handshake is closed as well. A server that is loading its data
 * answers each request with that, and is waited for.
 *
 * It counts looks, not time: after a blocked process continues, that is one look, however long it took.
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
