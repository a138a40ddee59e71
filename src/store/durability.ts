import type { Redis } from "ioredis";
import { isNewEnough } from "./redis-binary.ts";

interface Demand {
  readonly name: string;
  readonly value: string;
  /** What happens otherwise. */
  readonly danger: string;
}

const DEMANDS: readonly Demand[] = [
  { name: "appendonly", value: "yes", danger: "a restart of Redis loses accepted orders" },
  { name: "appendfsync", value: "always", danger: "a power cut loses orders accepted just before" },
  {
    name: "maxmemory-policy",
    value: "noeviction",
    danger: "Redis throws accepted orders away when its memory is full",
  },
];

/**
 * What keeps this Redis from being a safe place for accepted orders; empty when it is one. Each
 * problem says what to set. Throws only when Redis cannot be asked at all.
 */
export async function checkDurability(redis: Redis): Promise<readonly string[]> {
  const info = await redis.info("server");
  return [...checkVersion(info), ...(await checkOptions(redis))];
}

function checkVersion(info: string): string[] {
  // Valkey keeps redis_version at 7.2 for clients that compare it.
  const version = /^redis_version:(\S+)/m.exec(info)?.[1] ?? "0";
  if (isNewEnough(version)) return [];
  return [`Redis ${version} is too old; use Redis 6.2 or newer, or Valkey`];
}

async function checkOptions(redis: Redis): Promise<string[]> {
  const problems: string[] = [];
  for (const { name, value, danger } of DEMANDS) {
    const found = await readOption(redis, name);
    if (found === undefined) {
      return [
        "This Redis does not show its options (CONFIG GET is refused), so it cannot be checked. " +
          `Make sure of ${DEMANDS.map((demand) => `${demand.name} ${demand.value}`).join(", ")}, ` +
          "then set ALLOW_UNSAFE_REDIS=true",
      ];
    }
    if (found !== value) {
      problems.push(`${name} is ${found || "not set"}, so ${danger}; set it to ${value}`);
    }
  }
  return problems;
}

/** Undefined when the server refuses to tell, as managed ones do. */
async function readOption(redis: Redis, name: string): Promise<string | undefined> {
  try {
    const reply = (await redis.config("GET", name)) as string[];
    return reply[1] ?? "";
  } catch (error) {
    if (error instanceof Error && error.name === "ReplyError") return undefined;
    throw error;
  }
}
