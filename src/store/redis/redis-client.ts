import { Cluster, type Command, type Redis } from "ioredis";

/** One server, or all of a Cluster: a command goes where its key lies. */
export type RedisClient = Redis | Cluster;

/** A connection for each server that takes writes, as far as they are known. */
export const mastersOf = (redis: RedisClient): readonly Redis[] =>
  redis instanceof Cluster ? redis.nodes("master") : [redis];

/** Calls `use` for each server that is connected to, now or later, before its first command. */
export function onEachNode(redis: RedisClient, use: (node: Redis) => void): void {
  if (!(redis instanceof Cluster)) return use(redis);
  for (const node of redis.nodes()) use(node);
  redis.on("+node", use);
}

/** One connection of those that a client makes, and the server process at its other end. */
export interface RedisLink {
  readonly stream: Redis["stream"];
  readonly runId: string | undefined;
}

/** Where a followed command was written last; undefined where that is not known. */
export type Carrier = RedisLink | "never written" | undefined;

const carriers = new WeakMap<Command, Carrier>();

/** Sends a command, and remembers which connection it is written to. */
export function sendFollowed(redis: RedisClient, command: Command): unknown {
  carriers.set(command, undefined);
  return redis.sendCommand(command);
}

export const carrierOf = (command: Command): Carrier => carriers.get(command);

/** Called where a command comes in, and where it is about to be written. */
export function noteCarrier(command: Command, carrier: () => Carrier): void {
  if (carriers.has(command)) carriers.set(command, carrier());
}

/**
 * Whether a read on one link shows the final effect of what was sent on another. On the same
 * connection it was carried out before the read; a server process that has ended carries out nothing
 * more, and one that lost its place as master carries out nothing that its successor would have.
 */
export function isSettledBy(sentOn: Carrier, readOn: Carrier): boolean {
  if (sentOn === undefined || readOn === undefined) return false;
  if (sentOn === "never written") return true;
  if (readOn === "never written") return false;
  if (sentOn.stream === readOn.stream) return true;
  return sentOn.runId !== undefined && readOn.runId !== undefined && sentOn.runId !== readOn.runId;
}
