import { statfs } from "node:fs/promises";
import type { Redis } from "ioredis";
import { isNewEnough } from "../server/redis-binary.ts";
import { translateStoreErrors } from "../store-error.ts";

/** Something that keeps a Redis from being a safe place for accepted orders. */
export interface Finding {
  readonly kind:
    | "version"
    | "mode"
    | "replica"
    | "promoted"
    | "replicas"
    | "hidden"
    | "diskLow"
    | "diskFull"
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

/**
 * Asks one Redis whether it is a safe place for accepted orders. All questions leave at once, on one
 * connection: the answers are those of one server. Throws `StoreError` when it cannot be asked.
 */
export async function examineServer(redis: Redis): Promise<ServerState> {
  const [server, replication, ...options] = await Promise.all([
    translateStoreErrors(redis.info("server")),
    translateStoreErrors(redis.info("replication")),
    ...DEMANDS.map(async ({ name }) => await readOption(redis, name)),
  ]);
  return {
    runId: fieldOf(server, "run_id") ?? "",
    findings: [...checkServer(server), ...checkReplication(replication), ...checkOptions(options)],
  };
}

function checkServer(info: string): Finding[] {
  // Valkey keeps redis_version at 7.2 for clients that compare it.
  const version = fieldOf(info, "redis_version") ?? "0";
  const mode = fieldOf(info, "redis_mode") ?? "unknown";
  return [
    ...(isNewEnough(version)
      ? []
      : [
          {
            kind: "version",
            text: `Redis ${version} is too old; use Redis 6.2 or newer, or Valkey`,
          } as const,
        ]),
    ...(mode === "standalone"
      ? []
      : [
          {
            kind: "mode",
            text: `This server runs as ${mode}, of which the gateway uses one node only; name a Redis that stands alone`,
          } as const,
        ]),
  ];
}

const NEVER_PROMOTED = /^0*$/;

/**
 * A replica has what its master answered a moment later, if at all. When it takes over, orders that
 * were answered are missing from it, and are placed a second time.
 */
function checkReplication(info: string): Finding[] {
  const role = fieldOf(info, "role") ?? "unknown";
  // Whoever names no port is only taking a copy, as a backup does, and can take nothing over.
  const copying = info.match(/^slave\d+:\S*\bport=0\b/gm)?.length ?? 0;
  const replicas = Number(fieldOf(info, "connected_slaves") ?? 0) - copying;
  const findings: Finding[] = [];
  if (role !== "master") {
    findings.push({
      kind: "replica",
      text: `Its role is ${role}: it takes no orders of its own. Name a Redis that stands alone`,
    });
  }
  if (replicas !== 0) {
    findings.push({
      kind: "replicas",
      text: `It has ${replicas} replica${replicas === 1 ? "" : "s"}: after a failover orders that were answered are missing, and are placed twice. Use a Redis without replicas, and back it up`,
    });
  }
  if (!NEVER_PROMOTED.test(fieldOf(info, "master_replid2") ?? "0")) {
    findings.push({
      kind: "promoted",
      text: "It was another one's replica: what that one answered last may be missing. Compare with the broker, then restart this Redis and the gateway",
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

/** Undefined when the server refuses to tell, as managed ones do. */
async function readOption(redis: Redis, name: string): Promise<string | undefined> {
  try {
    const reply = (await redis.config("GET", name)) as string[];
    return reply[1] ?? "";
  } catch (error) {
    if (error instanceof Error && error.name === "ReplyError") return undefined;
    return await translateStoreErrors(Promise.reject(error as Error));
  }
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
