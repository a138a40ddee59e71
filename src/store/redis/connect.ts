import { Redis, type RedisOptions } from "ioredis";
import { StandaloneConnector } from "ioredis/built/connectors/index.js";
import { limitWaiting } from "./limit-waiting.ts";
import { noticeSilence } from "./notice-silence.ts";
import type { RedisTarget } from "./redis-target.ts";

/** `request` serves a caller who waits; `worker` goes on by itself when Redis is back. */
export type RedisRole = "request" | "worker";

const COMMAND_TIMEOUT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 2_000;
const LONGEST_RETRY_MS = 200;
const LOADING_RETRY_MS = 100;

/** Both roles come back quickly. No auto-pipelining: it was measured, and makes everything slower. */
const SHARED = {
  connectTimeout: CONNECT_TIMEOUT_MS,
  replyMapping: "legacy" as const,
  // A restarted Redis is usable about 100 ms after it is back.
  retryStrategy: (attempt: number) => Math.min(attempt * 50, LONGEST_RETRY_MS),
  maxLoadingRetryTime: LOADING_RETRY_MS,
  // A failure of ioredis' own resubscribing is unhandled and would end the process. `Channels` does it.
  autoResubscribe: false,
} satisfies RedisOptions;

/**
 * What ioredis 6.0 does with a command that is in flight when the connection drops, as tried:
 *
 * | maxRetriesPerRequest | autoResendUnfulfilledCommands | the command |
 * |---|---|---|
 * | 0 | either | fails at once with MaxRetriesPerRequestError, is not sent again |
 * | 1 | true | is sent again when the first reconnect succeeds: a late order |
 * | 1 | false | is forgotten: fails only at commandTimeout, and without one never |
 * | null | true | is sent again, whenever that may be |
 * | null | false | is forgotten: never settles |
 *
 * A failed command may have been carried out all the same: its outcome is unknown. So may one that
 * was not answered in time; that one can even be carried out later, by a Redis that was frozen.
 */
const ROLES = {
  request: {
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: false,
  },
  // Its commands wait, and can reach Redis twice: each must be one that may be repeated.
  worker: { maxRetriesPerRequest: null, autoResendUnfulfilledCommands: true },
} satisfies Record<RedisRole, RedisOptions>;

/** The server's INFO, read before the first command is sent to it. */
export type ServerInfo = Readonly<Record<string, string | undefined>>;

/**
 * A client that connects and reconnects by itself until `disconnect`. `onError` is called for the first
 * failure after each time it was connected; without a listener Node would end the process. A server
 * that `mayServe` refuses gets no command: the client tries again until it is accepted.
 */
export function connectRedis(
  target: RedisTarget,
  role: RedisRole,
  onError: (error: Error) => void = () => undefined,
  mayServe: (info: ServerInfo) => boolean = () => true,
): Redis {
  class CheckedConnector extends StandaloneConnector {
    constructor(given: unknown) {
      super(given as ConstructorParameters<typeof StandaloneConnector>[0]);
    }

    override check(info: ServerInfo): boolean {
      const { run_id: runId } = info;
      servers.set(redis, runId);
      return mayServe(info);
    }
  }
  const options = { ...SHARED, ...ROLES[role], Connector: CheckedConnector };
  const redis: Redis =
    "path" in target
      ? new Redis({ ...options, path: target.path })
      : new Redis(target.url, options);
  corkWrites(redis);
  if (role === "request") limitWaiting(redis, COMMAND_TIMEOUT_MS);
  noticeSilence(redis);

  let isReported = false;
  redis.on("ready", () => (isReported = false));
  redis.on("error", (error: Error) => {
    if (!isReported) onError(error);
    isReported = true;
  });
  return redis;
}

/** The run id of the server process that each client connected to last. */
const servers = new WeakMap<Redis, string | undefined>();

/** One connection of those that a client makes, and the server process at its other end. */
export interface RedisLink {
  readonly stream: Redis["stream"];
  readonly runId: string | undefined;
}

export const linkOf = (redis: Redis): RedisLink => ({
  stream: redis.stream,
  runId: servers.get(redis),
});

/**
 * Whether a read on one link shows the final effect of what was sent on another. On the same
 * connection it was carried out before the read; a server process that has ended carries out nothing more.
 */
export function isSettledBy(sentOn: RedisLink, readOn: RedisLink): boolean {
  if (sentOn.stream === readOn.stream) return true;
  return sentOn.runId !== undefined && readOn.runId !== undefined && sentOn.runId !== readOn.runId;
}

/** Resolves when commands can be sent; rejects with the last failure at the deadline. */
export async function untilRedisReady(redis: Redis, deadlineMs: number): Promise<void> {
  if (redis.status === "ready") return;
  let last: Error | undefined;
  const onError = (error: Error) => (last = error);
  redis.on("error", onError);
  try {
    await new Promise<void>((resolve, reject) => {
      const deadline = setTimeout(
        () => reject(last ?? new Error("Redis did not become ready in time")),
        deadlineMs,
      );
      redis.once("ready", () => {
        clearTimeout(deadline);
        resolve();
      });
    });
  } finally {
    redis.off("error", onError);
  }
}

/** The most commands per write, so that Redis can start while the rest is still being written. */
const MOST_TOGETHER = 8;

/**
 * Writes the commands of one turn of the event loop with few system calls. One call per command was a
 * sixth of the gateway's CPU time. Unlike auto-pipelining, it keeps the commands and their order.
 */
function corkWrites(redis: Redis): void {
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
