import type { Redis } from "ioredis";
import { SentinelConnector, StandaloneConnector } from "ioredis/built/connectors/index.js";
import type { RedisAddress } from "./redis-target.ts";

/** The server's INFO, read before the first command is sent to it. */
export type ServerInfo = Readonly<Record<string, string | undefined>>;
/** A server that is refused gets no command: the client tries again until one is accepted. */
export type MayServe = (info: ServerInfo) => boolean;

/** The server process that each client connected to last, by the client's options. */
const servers = new WeakMap<object, ServerInfo>();
/** The options of clients that were ended for good. */
const ended = new WeakSet<object>();

const infoOf = (redis: Redis, field: string) => servers.get(redis.options)?.[field];

export const runIdOf = (redis: Redis): string | undefined => infoOf(redis, "run_id");

/** From Redis 7.2 on; Valkey says that it is one. */
export function waitCountsOwnWrites(redis: Redis): boolean {
  const [major = 0, minor = 0] = (infoOf(redis, "redis_version") ?? "").split(".").map(Number);
  return major > 7 || (major === 7 && minor >= 2);
}

/** Valkey names it otherwise from version 8 on. */
export const modeOf = (info: ServerInfo): string | undefined =>
  info["redis_mode"] ?? info["server_mode"];

/** Remembers when the client is ended for good: until then its connectors go on. */
export function noteEnd(redis: Redis): Redis {
  const disconnect = redis.disconnect.bind(redis);
  redis.disconnect = (reconnect = false) => {
    if (!reconnect) ended.add(redis.options);
    disconnect(reconnect);
  };
  return redis;
}

/**
 * What ioredis 6.0 does with a connection that is given up while it is being made, as tried: the client
 * ends, for good. A failover gives it up, which Sentinels tell while their next master is being asked
 * for, and so does the watch over the store. Made anew here, unless the client was ended.
 */
async function untilMade<Stream>(options: object, make: () => Promise<Stream>): Promise<Stream> {
  for (;;) {
    try {
      return await make();
    } catch (error) {
      const isGivenUp = error instanceof Error && error.message === "Connection is closed.";
      if (!isGivenUp || ended.has(options)) throw error;
    }
  }
}

/** ioredis' connectors, with a look at the server before the first command. */
export function connectorsFor(mayServe: MayServe) {
  const judge = (options: object, info: ServerInfo): boolean => {
    servers.set(options, info);
    return mayServe(info);
  };

  /** Of a node of a Cluster, which makes another client where one ends. */
  class Checked extends StandaloneConnector {
    constructor(given: unknown) {
      super(given as ConstructorParameters<typeof StandaloneConnector>[0]);
    }
    override check(info: ServerInfo): boolean {
      return judge(this.options, info);
    }
  }

  class GoingOn extends Checked {
    override async connect(...given: Parameters<StandaloneConnector["connect"]>) {
      return await untilMade(this.options, async () => await super.connect(...given));
    }
  }

  class BySentinel extends SentinelConnector {
    constructor(given: unknown) {
      super(given as ConstructorParameters<typeof SentinelConnector>[0]);
    }
    override check(info: ServerInfo): boolean {
      return super.check(info) && judge(this.options, info);
    }
    override async connect(...given: Parameters<SentinelConnector["connect"]>) {
      return await untilMade(this.options, async () => await super.connect(...given));
    }
  }

  /** To whichever of the nodes that there are then takes the connection. */
  function inTurn(nodes: () => readonly RedisAddress[]) {
    let turn = Math.floor(Math.random() * nodes().length);
    return class InTurn extends GoingOn {
      override async connect(...given: Parameters<StandaloneConnector["connect"]>) {
        turn += 1;
        const known = nodes();
        Object.assign(this.options, known[turn % known.length]);
        return await super.connect(...given);
      }
    };
  }

  return { Checked, GoingOn, BySentinel, inTurn };
}
