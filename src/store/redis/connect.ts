import { Cluster, type ClusterOptions, type Command, Redis, type RedisOptions } from "ioredis";
import {
  connectorsFor,
  type MayServe,
  modeOf,
  noteEnd,
  runIdOf,
  waitCountsOwnWrites,
} from "./connectors.ts";
import { corkWrites } from "./cork-writes.ts";
import { holdUntilReplicated } from "./hold-until-replicated.ts";
import { limitWaiting } from "./limit-waiting.ts";
import { noticeSilence } from "./notice-silence.ts";
import { passFull } from "./past-full.ts";
import { noteCarrier, onEachNode, type RedisClient, type RedisLink } from "./redis-client.ts";
import type { ClusterTarget, RedisAddress, RedisTarget, SentinelTarget } from "./redis-target.ts";

/** `request` serves a caller who waits; `worker` goes on by itself when Redis is back. */
export type RedisRole = "request" | "worker";

const COMMAND_TIMEOUT_MS = 1_000;
const CONNECT_TIMEOUT_MS = 2_000;
const LONGEST_RETRY_MS = 200;
const LOADING_RETRY_MS = 100;
const SLOTS_REFRESH_MS = 1_000;

const SHARED_BY_NODES = {
  connectTimeout: CONNECT_TIMEOUT_MS,
  replyMapping: "legacy" as const,
  maxLoadingRetryTime: LOADING_RETRY_MS,
} satisfies RedisOptions;

/** Both roles come back quickly. No auto-pipelining: it was measured, and makes everything slower. */
const SHARED = {
  ...SHARED_BY_NODES,
  // A restarted Redis is usable about 100 ms after it is back.
  retryStrategy: (attempt: number) => Math.min(attempt * 50, LONGEST_RETRY_MS),
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

/**
 * What ioredis 6.0 does with a command of a Cluster whose node goes away, as tried: with a delay on
 * failover it is sent again to whoever has its slot by then, whether or not it was carried out;
 * without one it fails. What a node refuses because the slot is moving was not carried out, and is
 * sent again in any case.
 */
const CLUSTER_ROLES = {
  request: {
    enableOfflineQueue: false,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    retryDelayOnTryAgain: 25,
    // Its caller waits a second.
    maxRedirections: 40,
  },
  worker: {
    enableOfflineQueue: true,
    retryDelayOnFailover: 100,
    retryDelayOnClusterDown: 100,
    retryDelayOnTryAgain: 50,
    maxRedirections: Infinity,
  },
} satisfies Record<RedisRole, ClusterOptions>;

export interface ConnectOptions {
  /** Called for the first failure after each time it was connected. */
  readonly onError?: (error: Error) => void;
  /** A server that is refused gets no command: the client tries again until one is accepted. */
  readonly mayServe?: MayServe;
  /** How many replicas must have what is answered by the server process of this run id. */
  readonly replicas?: (runId: string | undefined) => number;
  /** How long a command of a caller who waits may take, in place of the usual time. */
  readonly commandTimeoutMs?: number;
}

/** A client that connects and reconnects by itself until `disconnect`. */
export function connectRedis(
  target: { readonly path: string },
  role: RedisRole,
  options?: ConnectOptions,
): Redis;
export function connectRedis(
  target: RedisTarget,
  role: RedisRole,
  options?: ConnectOptions,
): RedisClient;
export function connectRedis(
  target: RedisTarget,
  role: RedisRole,
  {
    onError = () => undefined,
    mayServe = () => true,
    replicas = () => 0,
    commandTimeoutMs = COMMAND_TIMEOUT_MS,
  }: ConnectOptions = {},
): RedisClient {
  const redis =
    "nodes" in target ? openCluster(target, role, mayServe) : openServer(target, role, mayServe);
  const otherwise = role === "request" ? "fail" : (command: Command) => redis.sendCommand(command);
  onEachNode(redis, (node) => {
    corkWrites(node);
    noticeSilence(node);
    watchCommands(node);
    holdUntilReplicated(node, {
      needed: () => replicas(runIdOf(node)),
      otherwise,
      countsOwnWrites: () => waitCountsOwnWrites(node),
      isOfCluster: redis instanceof Cluster,
    });
    passFull(node);
  });
  if (redis instanceof Cluster) noteComing(redis);
  if (role === "request") limitWaiting(redis, commandTimeoutMs);
  reportOnce(redis, onError);
  return redis;
}

/**
 * A connection that listens. Of a Cluster any node will do, since each hears what is published at any
 * other: a replica too, and one that `known` has found though the target does not name it.
 */
export function connectListener(
  target: RedisTarget,
  {
    onError = () => undefined,
    mayServe = () => true,
    known,
  }: Omit<ConnectOptions, "replicas" | "commandTimeoutMs"> & { readonly known?: RedisClient } = {},
): Redis {
  const mayTell: MayServe = (info) => modeOf(info) === "cluster" || mayServe(info);
  const redis = openServer(target, "worker", mayTell, known);
  corkWrites(redis);
  noticeSilence(redis);
  reportOnce(redis, onError);
  return redis;
}

function openServer(
  target: RedisTarget,
  role: RedisRole,
  mayServe: MayServe,
  known?: RedisClient,
): Redis {
  const { GoingOn, BySentinel, inTurn } = connectorsFor(mayServe);
  const options = { ...SHARED, ...ROLES[role] };
  const open = (): Redis => {
    if ("path" in target) return new Redis({ ...options, Connector: GoingOn, path: target.path });
    if ("sentinels" in target) {
      return new Redis({ ...options, ...bySentinel(target), Connector: BySentinel });
    }
    if ("nodes" in target) {
      const nodes = () => [...addressesOf(known), ...target.nodes];
      return new Redis({ ...options, ...accessOf(target), Connector: inTurn(nodes) });
    }
    return new Redis(target.url, { ...options, Connector: GoingOn });
  };
  return noteEnd(open());
}

const addressesOf = (known: RedisClient | undefined): readonly RedisAddress[] =>
  known instanceof Cluster
    ? known.nodes().flatMap(({ options: { host, port } }) => (host && port ? [{ host, port }] : []))
    : [];

function openCluster(target: ClusterTarget, role: RedisRole, mayServe: MayServe): Cluster {
  const { Checked } = connectorsFor(mayServe);
  return new Cluster([...target.nodes], {
    ...CLUSTER_ROLES[role],
    clusterRetryStrategy: SHARED.retryStrategy,
    // A slot that has moved is told by its former node; one whose node is gone, by the others.
    slotsRefreshInterval: SLOTS_REFRESH_MS,
    slotsRefreshTimeout: COMMAND_TIMEOUT_MS,
    // A certificate names a host, not its address.
    ...(target.tls && { dnsLookup: (host, done) => done(null, host) }),
    redisOptions: { ...SHARED_BY_NODES, ...accessOf(target), Connector: Checked },
  });
}

const accessOf = ({ username, password, tls }: ClusterTarget | SentinelTarget) => ({
  ...(username !== undefined && { username }),
  ...(password !== undefined && { password }),
  ...(tls && { tls: {} }),
});

function bySentinel(target: SentinelTarget) {
  const { sentinels, name, tls, sentinelUsername, sentinelPassword } = target;
  return {
    ...accessOf(target),
    sentinels: [...sentinels],
    name,
    role: "master" as const,
    // A master that was cut off may go on for who is cut off with it: the Sentinels say who is it now.
    failoverDetector: true,
    sentinelRetryStrategy: SHARED.retryStrategy,
    sentinelCommandTimeout: COMMAND_TIMEOUT_MS,
    ...(tls && { enableTLSForSentinelMode: true, sentinelTLS: {} }),
    ...(sentinelUsername !== undefined && { sentinelUsername }),
    ...(sentinelPassword !== undefined && { sentinelPassword }),
  };
}

/** Notes where commands go, and writes none whose caller was told that it failed. */
function watchCommands(redis: Redis): void {
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream) => {
    if (command.isSettled) return command.promise;
    // Until it is ready it only keeps them.
    noteCarrier(command, () => (redis.status === "ready" ? linkOf(redis) : "never written"));
    return send(command, stream);
  };
}

/** A Cluster may refuse a command before any node has it. */
function noteComing(redis: Cluster): void {
  const send = redis.sendCommand.bind(redis);
  redis.sendCommand = (command, stream, node: unknown) => {
    noteCarrier(command, () => "never written");
    return send(command, stream, node);
  };
}

const linkOf = (redis: Redis): RedisLink => ({
  stream: redis.stream,
  runId: runIdOf(redis),
});

function reportOnce(redis: RedisClient, onError: (error: Error) => void): void {
  let isReported = false;
  const report = (error: Error) => {
    if (!isReported) onError(error);
    isReported = true;
  };
  redis.on("error", report);
  redis.on("node error", report);
  onEachNode(redis, (node) => node.on("ready", () => (isReported = false)));
}

/** What answers at an address of REDIS_URL is something else than it says. */
export class WrongServerError extends Error {
  override readonly name = "WrongServerError";
}

/** What servers answer that are asked for what they are not. */
const WRONG_SERVERS = [
  [
    /cluster support disabled/,
    "a Cluster, and a server there is none. Name it as redis://HOST:PORT",
  ],
  [
    /unknown command 'sentinel'/i,
    "Sentinels, and a server there is none. Their port is 26379 as a rule",
  ],
] as const;

/**
 * Resolves when commands can be sent; rejects with the last failure at the deadline, and at once with
 * `WrongServerError` or where the signal gives it up.
 */
export async function untilRedisReady(
  redis: RedisClient,
  deadlineMs: number,
  signal?: AbortSignal,
): Promise<void> {
  if (redis.status === "ready") return;
  await new Promise<void>((resolve, reject) => {
    let last: Error | undefined;
    const end = (settle: () => void) => {
      clearTimeout(deadline);
      signal?.removeEventListener("abort", onAbort);
      redis.off("error", onError);
      redis.off("ready", onReady);
      settle();
    };
    const late = () => {
      const why = last === undefined ? "it does not answer" : last.message.replace(/\.$/, "");
      reject(new Error(`Redis is not ready: ${why}`, { cause: last }));
    };
    const deadline = setTimeout(() => end(late), deadlineMs);
    const onAbort = () => end(late);
    const onReady = () => end(resolve);
    const onError = (error: Error & { readonly lastNodeError?: Error }) => {
      last = error.lastNodeError ?? error;
      const { message } = last;
      const [, what] = WRONG_SERVERS.find(([answer]) => answer.test(message)) ?? [];
      if (what !== undefined) end(() => reject(new WrongServerError(`REDIS_URL names ${what}`)));
    };
    redis.on("error", onError);
    redis.once("ready", onReady);
    signal?.addEventListener("abort", onAbort);
  });
}
