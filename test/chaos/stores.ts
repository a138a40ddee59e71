import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connectRedis } from "../../src/store/redis/connect.ts";
import type { RedisClient } from "../../src/store/redis/redis-client.ts";
import { redisTarget } from "../../src/store/redis/redis-target.ts";
import { startRedisServer } from "../../src/store/server/redis-server.ts";
import { startFaultProxy } from "../faults/proxy.ts";
import {
  type RedisFleet,
  startRedisCluster,
  startRedisWithSentinels,
} from "../support/redis-fleet.ts";
import { waitUntil } from "../support/wait.ts";
import type { Struck } from "./faults-done.ts";
import { pullLink } from "./links.ts";
import type { StoreFault } from "./schedule.ts";

/** What keeps everything, and how it fails. */
export interface ChaosStore {
  /** Around every fault where there is a way around it, and waiting while it is away. */
  readonly redis: RedisClient;
  /** As a process of the gateway names it; two of them reach it over a wire that fails. */
  readonly url: (isProxied: boolean) => string;
  readonly strike: (fault: StoreFault) => Promise<Struck>;
  readonly heal: () => Promise<void>;
}

type StartStore = (folder: string, ending: (() => unknown)[]) => Promise<ChaosStore>;

export const STORES = {
  one: startOne,
  cluster: async (folder, ending) => await startFleet(await startRedisCluster(folder), ending),
  sentinel: async (folder, ending) =>
    await startFleet(await startRedisWithSentinels(folder), ending),
} satisfies Record<string, StartStore>;

export type StoreName = keyof typeof STORES;
export const STORE_NAMES = Object.keys(STORES) as StoreName[];

/** One server, which is started again by itself, and a proxy before it. */
async function startOne(folder: string, ending: (() => unknown)[]): Promise<ChaosStore> {
  const server = await startRedisServer({
    dataDir: folder,
    binary: process.env["REDIS_SERVER_BIN"],
    log: () => undefined,
  });
  ending.push(() => server.stop());
  const redis = connectRedis({ path: server.path }, "worker");
  ending.push(() => redis.disconnect());
  const proxy = await startFaultProxy({
    target: { path: server.path },
    listen: { path: path.join(folder, "proxied.sock") },
  });
  ending.push(proxy.stop);
  let isFrozen = false;

  function signal(name: NodeJS.Signals): Struck {
    if (server.pid === undefined) return { note: "it was not running", isHit: false, kills: 0 };
    process.kill(server.pid, name);
    if (name === "SIGKILL") return { note: "killed", isHit: true, kills: 1 };
    return { note: "frozen", isHit: true, kills: 0 };
  }

  return {
    redis,
    url: (isProxied) => (isProxied ? proxy.url("redis") : `unix:${server.path}`),
    strike: async (fault) => {
      if (fault.kind === "killRedis") return signal("SIGKILL");
      if (fault.kind === "redisLink") {
        return { ...(await pullLink(proxy, fault)), note: fault.link };
      }
      if (isFrozen) return { note: "it was frozen", isHit: false, kills: 0 };
      isFrozen = true;
      const struck = signal("SIGSTOP");
      await sleep(fault.ms);
      signal("SIGCONT");
      isFrozen = false;
      return struck;
    },
    heal: async () => {
      proxy.clear();
      await Promise.resolve();
    },
  };
}

/** Long enough that another server takes its place. */
const DEAD_MS = 3_000;
const WHOLE_WITHIN_MS = 30_000;

/** Several servers that fail over; one of them fails at a time, and the next one once all are whole. */
async function startFleet(fleet: RedisFleet, ending: (() => unknown)[]): Promise<ChaosStore> {
  ending.push(() => fleet.stop());
  const redis = connectRedis(redisTarget(fleet.url), "worker");
  ending.push(() => redis.disconnect());
  let isStruck = false;
  let turn = 0;

  /** A replica every third time, and the masters in turn. */
  async function next() {
    turn += 1;
    const role = turn % 3 === 0 ? "replica" : "master";
    const areMasters = await Promise.all(fleet.servers.map(async (one) => await one.isMaster()));
    const pool = fleet.servers.filter((_, at) => areMasters[at] === (role === "master"));
    const server = pool[turn % pool.length];
    if (server === undefined) throw new Error(`There is no ${role}`);
    return { server, role };
  }

  async function hurt(fault: StoreFault): Promise<Struck> {
    const { server, role } = await next();
    const struck = (note: string, kills = 0) => ({ note: `${role} ${note}`, isHit: true, kills });
    if (fault.kind === "killRedis") {
      await server.kill();
      await sleep(DEAD_MS);
      server.restart();
      return struck("killed", 1);
    }
    if (fault.kind === "freezeRedis") {
      // Half of them for longer than it takes to fail over.
      server.signal("SIGSTOP");
      await sleep(2 * fault.ms);
      server.signal("SIGCONT");
      return struck("frozen");
    }
    if (role === "master" && fault.link === "cut") {
      await server.part();
      await sleep(fault.ms);
      await server.join();
      return struck("parted from its replicas");
    }
    return struck(await fleet.handOver(server));
  }

  return {
    redis,
    url: () => fleet.url,
    strike: async (fault) => {
      if (isStruck) return { note: "another one was failing", isHit: false, kills: 0 };
      isStruck = true;
      try {
        return await hurt(fault);
      } finally {
        await waitUntil("the servers are whole", fleet.isWhole, WHOLE_WITHIN_MS);
        isStruck = false;
      }
    },
    heal: async () => await waitUntil("the servers are whole", fleet.isWhole, WHOLE_WITHIN_MS),
  };
}
