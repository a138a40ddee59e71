import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { findRedisBinary, SERVER_NAME } from "../../src/store/server/redis-binary.ts";
import { freePort } from "./free-port.ts";
import { waitUntil } from "./wait.ts";

const HOST = "127.0.0.1";
/** What a replica logs in to its master with: taken from it, the two are parted and both go on. */
const REPLICA_USER = "replica";
const SLOTS = 16_384;
/** After so long without a word a server counts as gone. */
export const GONE_AFTER_MS = 1_500;

const SAFE = [
  ["appendonly", "yes"],
  ["appendfsync", "always"],
  ["save", ""],
  ["maxmemory-policy", "noeviction"],
  ["min-replicas-to-write", "1"],
  ["min-replicas-max-lag", "2"],
  ["repl-diskless-sync-delay", "0"],
  ["repl-timeout", "5"],
  ["masteruser", REPLICA_USER],
  ["masterauth", REPLICA_USER],
] as const;

/** One server process of several, as the tests kill, freeze and part it. */
export class FleetServer {
  readonly port: number;
  readonly #folder: string;
  readonly #start: () => ChildProcess;
  #process: ChildProcess;

  constructor(port: number, folder: string, start: () => ChildProcess) {
    this.port = port;
    this.#folder = folder;
    this.#start = start;
    this.#process = start();
  }

  get address(): string {
    return `${HOST}:${this.port}`;
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  get isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  async kill(): Promise<void> {
    if (!this.isRunning) return;
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await ended;
  }

  restart(): void {
    if (!this.isRunning) this.#process = this.#start();
  }

  /** To be called while it does not run: it comes back as the same node of its Cluster, and empty. */
  async loseData(): Promise<void> {
    await rm(path.join(this.#folder, "appendonlydir"), { recursive: true });
  }

  /** Asks it on a connection of its own. Throws when it does not answer. */
  async ask<Answer>(use: (redis: Redis) => Promise<Answer>): Promise<Answer> {
    const redis = new Redis({
      host: HOST,
      port: this.port,
      retryStrategy: () => null,
      // A busy machine takes seconds; one that is frozen does not answer at all.
      commandTimeout: 10_000,
      connectTimeout: 10_000,
    });
    redis.on("error", () => undefined);
    try {
      return await use(redis);
    } finally {
      redis.disconnect();
    }
  }

  async isMaster(): Promise<boolean> {
    return await this.ask(async (redis) =>
      (await redis.info("replication")).includes("role:master"),
    ).catch(() => false);
  }

  /** Its replicas hear nothing more of it, and everybody else does. */
  async part(): Promise<void> {
    await this.ask(async (redis) => {
      await redis.call("ACL", "SETUSER", REPLICA_USER, "off");
      await redis.call("CLIENT", "KILL", "TYPE", "replica");
    });
  }

  async join(): Promise<void> {
    await this.ask(async (redis) => await redis.call("ACL", "SETUSER", REPLICA_USER, "on"));
  }
}

/** Several Redis servers of this machine that fail over among each other. */
export interface RedisFleet {
  /** As REDIS_URL names it. */
  readonly url: string;
  /** All that hold data. */
  readonly servers: readonly FleetServer[];
  /** Of those that are masters now, the one that has the key. */
  readonly masterOf: (key: string) => Promise<FleetServer>;
  /** Moves something of the server to another one, as an operator does it; says what. */
  readonly handOver: (server: FleetServer) => Promise<string>;
  /** Lets a replica take the place of this master, before it is restarted. */
  readonly demote: (master: FleetServer) => Promise<void>;
  /** Whether every server answers, and every master has its replicas. */
  readonly isWhole: () => Promise<boolean>;
  readonly stop: () => Promise<void>;
}

/** A Cluster, with as many replicas for each master. */
export async function startRedisCluster(
  folder: string,
  { masters = 3, replicas = 1 } = {},
): Promise<RedisFleet> {
  const servers = await startServers(folder, masters * (1 + replicas), async (port) => [
    ["cluster-enabled", "yes"],
    ["cluster-config-file", "nodes.conf"],
    ["cluster-node-timeout", String(GONE_AFTER_MS)],
    ["cluster-port", String(await freePort())],
    ["port", String(port)],
  ]);
  const [first] = servers;
  if (first === undefined) throw new Error("A Cluster has servers");
  const ids = await Promise.all(
    servers.map(async (one) => await one.ask(async (redis) => String(await redis.cluster("MYID")))),
  );
  for (const [at, server] of servers.entries()) {
    await server.ask(async (redis) => {
      const bus = String(((await redis.config("GET", "cluster-port")) as string[])[1]);
      if (at < masters) {
        const from = Math.floor((SLOTS * at) / masters);
        const until = Math.floor((SLOTS * (at + 1)) / masters) - 1;
        await redis.call("CLUSTER", "ADDSLOTSRANGE", from, until);
      }
      await first.ask(async (one) => await one.call("CLUSTER", "MEET", HOST, server.port, bus));
    });
  }
  await untilEach(servers, "knows the others", async (redis) => {
    const known = String(await redis.cluster("NODES"))
      .trim()
      .split("\n");
    return known.length === servers.length && !known.some((line) => line.includes("handshake"));
  });
  for (const [at, server] of servers.entries()) {
    if (at < masters) continue;
    await server.ask(async (redis) => await redis.cluster("REPLICATE", ids[at % masters] ?? ""));
  }
  await untilEach(servers, "stands", async (redis) =>
    String(await redis.cluster("INFO")).includes("cluster_state:ok"),
  );
  await untilReplicated(servers.slice(0, masters), replicas);
  const masterOf = async (key: string): Promise<FleetServer> => {
    for (const server of servers) {
      const owns = await server
        .ask(async (redis) => {
          await redis.get(key);
          return await redis.info("replication");
        })
        .then(
          (info) => info.includes("role:master"),
          () => false,
        );
      if (owns) return server;
    }
    throw new Error(`No master answers for ${key}`);
  };
  const url = `redis://${servers
    .slice(0, masters)
    .map(({ address }) => address)
    .join(",")}`;
  const handOver = async (server: FleetServer): Promise<string> => {
    if (!(await server.isMaster())) {
      await server.ask(async (redis) => await redis.cluster("FAILOVER"));
      return "takes its master's place";
    }
    const key = await server.ask(async (redis) => await redis.randomkey());
    if (key === null) return "has nothing to hand over";
    await moveSlot({ servers, masterOf }, key);
    return "hands over a slot";
  };
  const demote = async (master: FleetServer): Promise<void> => {
    const port = `master_port:${master.port}\r`;
    for (const server of servers) {
      const follows = await server.ask(async (redis) =>
        (await redis.info("replication")).includes(port),
      );
      if (follows) return void (await server.ask(async (redis) => await redis.cluster("FAILOVER")));
    }
    throw new Error(`${master.address} has no replica`);
  };
  const isWhole = async () =>
    (await goodReplicasOf(servers)).join() === Array(masters).fill(replicas).join();
  const stop = async () => await stopAll(servers);
  return { url, servers, masterOf, handOver, demote, isWhole, stop };
}

/** A hand-over that has not come about by then is given up by the servers. */
const HANDED_OVER_MS = 5_000;

/** Lets a replica take the place of this master, and asks for it again where that came to nothing. */
export async function demoted(fleet: RedisFleet, master: FleetServer): Promise<void> {
  let askedAt = -Infinity;
  await waitUntil("another one took over", async () => {
    if (!(await master.isMaster())) return true;
    if (performance.now() - askedAt > HANDED_OVER_MS) {
      askedAt = performance.now();
      await fleet.demote(master).catch(() => undefined);
    }
    return false;
  });
}

/**
 * Moves one slot of a Cluster to another master, as `redis-cli --cluster reshard` does, but key by key
 * and with pauses, so that alerts come while each of the two has a part.
 */
export async function moveSlot(
  { servers, masterOf }: Pick<RedisFleet, "servers" | "masterOf">,
  key: string,
): Promise<void> {
  const from = await masterOf(key);
  const masters: FleetServer[] = [];
  for (const server of servers) {
    if (server !== from && (await server.isMaster())) masters.push(server);
  }
  const [to] = masters;
  if (to === undefined) throw new Error("There is one master only");
  const idOf = async (server: FleetServer) =>
    await server.ask(async (redis) => String(await redis.cluster("MYID")));
  const [fromId, toId] = [await idOf(from), await idOf(to)];
  await from.ask(async (source) => {
    const slot = Number(await source.cluster("KEYSLOT", key));
    await to.ask(async (target) => await target.cluster("SETSLOT", slot, "IMPORTING", fromId));
    await source.cluster("SETSLOT", slot, "MIGRATING", toId);
    for (;;) {
      const keys = (await source.cluster("GETKEYSINSLOT", slot, 1)) as string[];
      if (keys.length === 0) break;
      await source.call("MIGRATE", HOST, to.port, "", 0, 5_000, "KEYS", ...keys);
      await sleep(2);
    }
    await to.ask(async (target) => await target.cluster("SETSLOT", slot, "NODE", toId));
    await source.cluster("SETSLOT", slot, "NODE", toId);
  });
}

/** A master with one replica, which it counts as present for ten seconds after its last word. */
export async function startRedisWithReplica(folder: string) {
  const [master, replica] = await startServers(folder, 2, async (port) => [
    ["port", String(port)],
    ["min-replicas-max-lag", "10"],
    ["repl-timeout", "60"],
  ]);
  if (master === undefined || replica === undefined) throw new Error("Both were started");
  await replica.ask(async (redis) => await redis.replicaof(HOST, master.port));
  await untilReplicated([master]);
  return {
    url: `redis://${master.address}`,
    master,
    replica,
    stop: async () => await stopAll([master, replica]),
  };
}

/** A master with two replicas, and three Sentinels that watch them. */
export async function startRedisWithSentinels(folder: string): Promise<RedisFleet> {
  const servers = await startServers(folder, 3, async (port) => [["port", String(port)]]);
  const [master, ...replicas] = servers;
  if (master === undefined) throw new Error("There is a master");
  for (const replica of replicas) {
    await replica.ask(async (redis) => await redis.replicaof(HOST, master.port));
  }
  await untilReplicated([master], replicas.length);
  const sentinels = await startSentinels(folder, master.port);
  await untilEach(sentinels, "knows the others", async (redis) => {
    const others = (await redis.call("SENTINEL", "sentinels", MASTER_NAME)) as unknown[];
    const known = (await redis.call("SENTINEL", "replicas", MASTER_NAME)) as unknown[];
    return others.length === sentinels.length - 1 && known.length === replicas.length;
  });
  const masterOf = async (): Promise<FleetServer> => {
    for (const server of servers) if (await server.isMaster()) return server;
    throw new Error("No master answers");
  };
  const url = `redis+sentinel://${sentinels.map(({ address }) => address).join(",")}/${MASTER_NAME}`;
  // Sentinels promote a replica while its master still writes.
  const handOver = async (): Promise<string> => {
    const [sentinel] = sentinels;
    await sentinel?.ask(async (redis) => await redis.call("SENTINEL", "FAILOVER", MASTER_NAME));
    return "is told to change places";
  };
  const demote = async () => void (await handOver());
  const isWhole = async () => (await goodReplicasOf(servers)).join() === "2";
  const stop = async () => await stopAll([...sentinels, ...servers]);
  return { url, servers, masterOf, handOver, demote, isWhole, stop };
}

const MASTER_NAME = "gateway";
async function startServers(
  folder: string,
  count: number,
  more: (port: number) => Promise<readonly (readonly [string, string])[]>,
): Promise<FleetServer[]> {
  const servers: FleetServer[] = [];
  for (let at = 0; at < count; at += 1) {
    const port = await freePort();
    const place = path.join(folder, `server-${at}`);
    const lines = [...SAFE, ...(await more(port)), ["bind", HOST], ["dir", place]] as const;
    const users = [
      "user default on nopass ~* &* +@all",
      `user ${REPLICA_USER} on >${REPLICA_USER} +psync +replconf +ping`,
    ];
    servers.push(await startOne(place, port, [...lines.map(asLine), ...users]));
  }
  await untilEach(servers, "answers", async (redis) => (await redis.ping()) === "PONG");
  return servers;
}

async function startSentinels(folder: string, master: number): Promise<FleetServer[]> {
  const sentinels: FleetServer[] = [];
  for (let at = 0; at < 3; at += 1) {
    const port = await freePort();
    const place = path.join(folder, `sentinel-${at}`);
    const lines = [
      asLine(["port", String(port)]),
      asLine(["bind", HOST]),
      asLine(["dir", place]),
      `sentinel monitor ${MASTER_NAME} ${HOST} ${master} 2`,
      `sentinel down-after-milliseconds ${MASTER_NAME} ${GONE_AFTER_MS}`,
      `sentinel failover-timeout ${MASTER_NAME} 6000`,
    ];
    sentinels.push(await startOne(place, port, lines, ["--sentinel"]));
  }
  await untilEach(sentinels, "answers", async (redis) => (await redis.ping()) === "PONG");
  return sentinels;
}

const asLine = ([name, value]: readonly [string, string]) =>
  `${name} ${value === "" ? '""' : value}`;

async function startOne(
  place: string,
  port: number,
  lines: readonly string[],
  words: readonly string[] = [],
): Promise<FleetServer> {
  await mkdir(place, { recursive: true });
  const file = path.join(place, "redis.conf");
  await writeFile(file, `${lines.join("\n")}\n`);
  const { file: program } = await findRedisBinary(process.env["REDIS_SERVER_BIN"]);
  return new FleetServer(port, place, () =>
    spawn(program, [file, ...words], { argv0: SERVER_NAME, stdio: "ignore" }),
  );
}

async function untilEach(
  servers: readonly FleetServer[],
  what: string,
  isSo: (redis: Redis) => Promise<boolean>,
): Promise<void> {
  for (const server of servers) {
    const ask = async () => await server.ask(isSo).catch(() => false);
    await waitUntil(`${server.address} ${what}`, ask);
  }
}

async function untilReplicated(masters: readonly FleetServer[], replicas = 1): Promise<void> {
  await untilEach(masters, "has its replicas", async (redis) => {
    const info = await redis.info("replication");
    // One that has just come may still be writing down what it was given.
    return (
      info.includes(`min_slaves_good_slaves:${replicas}`) &&
      (await redis.wait(replicas, 500)) >= replicas
    );
  });
}

/** Of each master, how many of its replicas follow it; -1 in place of a server that does not answer. */
async function goodReplicasOf(servers: readonly FleetServer[]): Promise<readonly number[]> {
  const infos = await Promise.all(
    servers.map(
      async (one) =>
        await one.ask(async (redis) => await redis.info("replication")).catch(() => ""),
    ),
  );
  return infos.flatMap((info) => {
    if (info === "") return [-1];
    if (!info.includes("role:master")) return info.includes("master_link_status:up") ? [] : [-1];
    return [Number(/min_slaves_good_slaves:(\d+)/.exec(info)?.[1] ?? -1)];
  });
}

async function stopAll(servers: readonly FleetServer[]): Promise<void> {
  await Promise.all(servers.map((server) => server.kill()));
}
