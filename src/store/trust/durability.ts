import { statfs } from "node:fs/promises";
import { isNewEnough } from "../server/redis-binary.ts";
import { redisNow } from "../redis/redis-now.ts";
import { translateStoreErrors } from "../store-error.ts";
import type { Redis } from "ioredis";

/** Something that keeps a Redis from being a safe place for accepted orders. */
export interface Finding {
  readonly kind:
    | "version"
    | "mode"
    | "replica"
    | "promoted"
    | "replicas"
    | "hidden"
    | "wait"
    | "clocks"
    | "diskLow"
    | "diskFull"
    | "memoryLow"
    | "memoryTight"
    | "memoryFull"
    | "slow"
    | Option;
  /** What is wrong, what follows from it, and what to set. */
  readonly text: string;
}

/** One server process as it answered, at one moment. */
export interface ServerState {
  /** Changes with each start of the server. */
  readonly runId: string;
  /** Empty where accepted orders are safe. */
  readonly findings: readonly Finding[];
  readonly replicas: {
    /** How many it demands before it writes; undefined where it does not show that. */
    readonly demanded: number | undefined;
    /** How many have just said that they follow it. */
    readonly present: number;
  };
  /** By how many ms its clock is ahead of `performance.now()`: between the two. */
  readonly clockMs: readonly [least: number, most: number];
  /** The bytes that count towards its `maxmemory`; undefined where it has no such limit, or hides it. */
  readonly memory: { readonly usedBytes: number; readonly maxBytes: number } | undefined;
  /** Its latest slow sync to disk, if it was a moment ago and the server notes such. */
  readonly slowSync: SlowSync | undefined;
}

export interface SlowSync {
  /** By the server's clock, in seconds. */
  readonly at: number;
  readonly tookMs: number;
}

type Option = (typeof DEMANDS)[number]["name"];

const DEMANDS = [
  { name: "appendonly", value: "yes", danger: "a restart of Redis loses accepted orders" },
  { name: "appendfsync", value: "always", danger: "a power cut loses orders accepted just before" },
  {
    name: "maxmemory-policy",
    value: "noeviction",
    danger: "Redis throws accepted orders away when its memory is full",
  },
] as const;

/** How long a server goes on by itself, at most, after its replicas have fallen away. */
const MOST_LAG_SECONDS = 10;
const WITH_REPLICAS = ["min-replicas-to-write", "min-replicas-max-lag"] as const;

/**
 * Asks one Redis whether it is a safe place for accepted orders. All questions leave at once, on one
 * connection: the answers are those of one server. Throws `StoreError` when it cannot be asked.
 */
export async function examineServer(
  redis: Redis,
  mode: "standalone" | "cluster" = "standalone",
): Promise<ServerState> {
  const askedAt = performance.now();
  const [clockMs, server, replication, memory, latency, ...rest] = await Promise.all([
    redisNow(redis).then((now) => [now - performance.now(), now - askedAt] as const),
    translateStoreErrors(redis.info("server")),
    translateStoreErrors(redis.info("replication")),
    unlessRefused(redis.info("memory")),
    unlessRefused(redis.call("LATENCY", "LATEST")),
    Promise.all(DEMANDS.map(async ({ name }) => await readOption(redis, name))),
    Promise.all(WITH_REPLICAS.map(async (name) => await readOption(redis, name))),
    unlessRefused(redis.wait(0, 1)),
  ]);
  const [options, demanded, copies] = rest;
  const saysWhoHasIt = copies !== undefined;
  return {
    runId: fieldOf(server, "run_id") ?? "",
    replicas: { demanded: demandedBy(demanded), present: presentReplicas(replication) },
    clockMs,
    memory: memoryOf(memory ?? ""),
    slowSync: slowSync(latency, performance.now() + clockMs[1]),
    findings: [
      ...checkServer(server, mode),
      ...checkReplication(replication, demanded),
      ...(saysWhoHasIt || connectedReplicas(replication) === 0 ? [] : [NO_WAIT]),
      ...checkOptions(options),
    ],
  };
}

function checkServer(info: string, expected: string): Finding[] {
  // Valkey keeps redis_version at 7.2 for clients that compare it.
  const version = fieldOf(info, "redis_version") ?? "0";
  const mode = fieldOf(info, "redis_mode") ?? fieldOf(info, "server_mode") ?? "unknown";
  return [
    ...(isNewEnough(version)
      ? []
      : [
          {
            kind: "version",
            text: `Redis ${version} is too old; use Redis 6.2 or newer, or Valkey`,
          } as const,
        ]),
    ...(mode === expected
      ? []
      : [
          {
            kind: "mode",
            text: `This server runs as ${mode}. Name ${HOW_TO_NAME[mode] ?? "a Redis"} in REDIS_URL`,
          } as const,
        ]),
  ];
}

/** What REDIS_URL has to say, by how a server runs. */
const HOW_TO_NAME: Readonly<Record<string, string>> = {
  standalone: "it alone, as redis://HOST:PORT,",
  cluster: "its Cluster, as redis://HOST:PORT,HOST:PORT or redis+cluster://HOST:PORT,",
  sentinel: "its Sentinels and their master, as redis+sentinel://HOST:PORT,HOST:PORT/NAME,",
};

/** Whoever names no port is only taking a copy, as a backup does, and can take nothing over. */
function connectedReplicas(info: string): number {
  const copying = info.match(/^slave\d+:\S*\bport=0\b/gm)?.length ?? 0;
  return Number(fieldOf(info, "connected_slaves") ?? 0) - copying;
}

type Demanded = readonly (string | undefined)[];

const demandedBy = ([needed]: Demanded): number | undefined =>
  needed === undefined ? undefined : Number(needed) || 0;

/** A replica says every second how far it has come. */
const SAID_WITHIN_S = 2;

export function presentReplicas(info: string): number {
  const lines = info.match(/^slave\d+:\S*\bstate=online\b\S*/gm) ?? [];
  const isPresent = (line: string) =>
    !/\bport=0\b/.test(line) && Number(/\blag=(\d+)/.exec(line)?.[1]) <= SAID_WITHIN_S;
  return lines.filter(isPresent).length;
}

const NEVER_PROMOTED = /^0*$/;

/**
 * A replica has what its master answered a moment later, if at all, and is missing it when it takes
 * over: orders that were answered are placed a second time. Unless the master writes nothing without
 * its replicas, and the gateway answers nothing that they do not have.
 */
function checkReplication(info: string, [needed, lag]: Demanded): Finding[] {
  const role = fieldOf(info, "role") ?? "unknown";
  const replicas = connectedReplicas(info);
  const isPromoted = !NEVER_PROMOTED.test(fieldOf(info, "master_replid2") ?? "0");
  const lagSeconds = Number(lag);
  const isSafe = Number(needed) >= 1 && lagSeconds >= 1 && lagSeconds <= MOST_LAG_SECONDS;
  const findings: Finding[] = [];
  if (role !== "master") {
    findings.push({
      kind: "replica",
      text: `Its role is ${role}: it takes no orders of its own. Name its master, or the Sentinels that know it`,
    });
  }
  if (isSafe) return findings;
  const set = `Set min-replicas-to-write 1 and min-replicas-max-lag ${MOST_LAG_SECONDS / 2} on every server of it`;
  if (replicas !== 0) {
    findings.push({
      kind: "replicas",
      text: `It has ${replicas} replica${replicas === 1 ? "" : "s"}, and writes without them: after a failover orders that were answered may be missing, and are placed twice. ${set}`,
    });
  }
  if (isPromoted) {
    findings.push({
      kind: "promoted",
      text: `It was another one's replica: what that one answered last may be missing. Compare with the broker. ${set}, or restart it alone, then restart the gateway`,
    });
  }
  return findings;
}

function checkOptions(found: readonly (string | undefined)[]): Finding[] {
  if (found.includes(undefined)) {
    return [
      {
        kind: "hidden",
        text:
          "This Redis does not show its options (CONFIG GET is refused), so it cannot be checked. " +
          `Make sure of ${DEMANDS.map((demand) => `${demand.name} ${demand.value}`).join(", ")}, ` +
          "then set ALLOW_UNSAFE_REDIS=true",
      },
    ];
  }
  return DEMANDS.flatMap(({ name, value, danger }, index) => {
    const is = found[index];
    if (is === value) return [];
    return [
      { kind: name, text: `${name} is ${is || "not set"}, so ${danger}; set it to ${value}` },
    ];
  });
}

const NO_WAIT: Finding = {
  kind: "wait",
  text: "It has replicas and refuses WAIT: nobody knows what they have, and nothing could be answered. Allow WAIT to the gateway's user",
};

/** Undefined when the server refuses to tell, as managed ones do. */
async function readOption(redis: Redis, name: string): Promise<string | undefined> {
  const reply = (await unlessRefused(redis.config("GET", name))) as string[] | undefined;
  return reply && (reply[1] ?? "");
}

/** Answers undefined where the server refuses the command. */
async function unlessRefused<Value>(command: Promise<Value>): Promise<Value | undefined> {
  try {
    return await command;
  } catch (error) {
    if (error instanceof Error && error.name === "ReplyError") return undefined;
    return await translateStoreErrors(Promise.reject(error as Error));
  }
}

/** As Redis counts it: what it holds for replicas and its log does not count. */
function memoryOf(info: string): ServerState["memory"] {
  const bytes = (name: string) => Number(fieldOf(info, name) ?? 0);
  const maxBytes = bytes("maxmemory");
  if (!(maxBytes > 0)) return undefined;
  return { usedBytes: bytes("used_memory") - bytes("mem_not_counted_for_evict"), maxBytes };
}

/** So long ago is still a moment ago. */
const SYNCED_WITHIN_MS = 10_000;

/** Each line of `LATENCY LATEST` has the event, its second, how many ms it took, and the longest ever. */
function slowSync(latest: unknown, now: number): SlowSync | undefined {
  const events = Array.isArray(latest) ? (latest as readonly unknown[]) : [];
  const syncs = events.flatMap((one) => {
    const [event, at, tookMs] = one as readonly [string, number, number];
    const isOfDisk = event === "aof-fsync-always" || event.startsWith("aof-write");
    return isOfDisk && at * 1_000 > now - SYNCED_WITHIN_MS ? [{ at, tookMs }] : [];
  });
  return syncs.toSorted((one, other) => other.tookMs - one.tookMs)[0];
}

const fieldOf = (info: string, name: string): string | undefined =>
  new RegExp(`^${name}:(\\S*)`, "m").exec(info)?.[1];

/** Enough for some hours of a busy gateway, and for one rewrite of a small log. */
const LOW_BYTES = 512 * 1024 * 1024;
/** With so little left Redis cannot write a single order. */
const FULL_BYTES = 1024 * 1024;

/** How many bytes are free on a folder's disk. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** What the operator must know about the disk that Redis writes to. */
export function judgeDisk(folder: string, freeBytes: number): readonly Finding[] {
  if (freeBytes >= LOW_BYTES) return [];
  if (freeBytes < FULL_BYTES) {
    const text = `The disk of ${folder} is full: nothing is accepted or sent until there is room. Delete what is not needed there, or make it larger; the gateway goes on by itself`;
    return [{ kind: "diskFull", text }];
  }
  const left = `${Math.floor(freeBytes / 1024 / 1024)} MB`;
  const text = `The disk of ${folder} has ${left} left: once it is full, alerts and orders are refused. Make room now`;
  return [{ kind: "diskLow", text }];
}

/** Clocks of one Cluster that differ by more age an alert by more than a sender does. */
const MOST_APART_MS = 250;

/** Leases, ages and limits are counted by the clock of whichever server has them. */
export function judgeClocks(servers: readonly ServerState[]): readonly Finding[] {
  const clocks = servers.map(({ clockMs }) => clockMs);
  const latest = Math.max(...clocks.map(([least]) => least));
  const earliest = Math.min(...clocks.map(([, most]) => most));
  const apart = Math.round(latest - earliest);
  if (apart <= MOST_APART_MS) return [];
  const text = `The clocks of its servers are at least ${apart} ms apart: alerts and leases age by them. Set them by NTP`;
  return [{ kind: "clocks", text }];
}
