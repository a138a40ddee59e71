import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import { accountId } from "../../src/domain/ids.ts";
import { createKeys } from "../../src/store/keys.ts";
import { usedMemory, withRedis } from "./ask-about-redis.ts";
import type { Programs } from "./build.ts";
import { gatewayContender } from "./gateway-contender.ts";
import { AlertPoster, isError, postAll } from "./open-loop.ts";
import { temporaryPlace } from "./temporary-place.ts";
import type { Running } from "./contender.ts";

export interface MemoryOptions {
  readonly programs: Programs;
  readonly alerts: number;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** What finished alerts leave behind in Redis. */
export interface MemoryFigures {
  readonly alerts: number;
  readonly errors: number;
  /** Bytes an alert, right after the last one. */
  readonly atOnce: number;
  /** Bytes an alert, when what counts the last minute is gone. */
  readonly later: number;
  /** All that were posted, those before the measurement included. */
  readonly posted: number;
  /** What Redis holds then of all of them, the largest first. */
  readonly patterns: readonly PatternFigures[];
}

export interface PatternFigures {
  readonly pattern: string;
  readonly keys: number;
  /** All of them together, by a sample. */
  readonly bytes: number;
}

const WARM_UP = 1_000;
const TOGETHER = 32;
const SAMPLE = 200;
const MINUTE_GONE_MS = 90_000;

export async function measureMemory(options: MemoryOptions): Promise<MemoryFigures> {
  return await temporaryPlace(options, async (place) => {
    const running = await gatewayContender("gateway", {}).start(place);
    try {
      return await withRedis(running.redisSocket, (redis) => measure(redis, running, options));
    } finally {
      await running.stop();
    }
  });
}

async function measure(
  redis: Redis,
  { url, hooks }: Running,
  { alerts, signal, say }: MemoryOptions,
): Promise<MemoryFigures> {
  const poster = new AlertPoster(url);
  try {
    await postAll(poster, hooks, { count: WARM_UP, together: TOGETHER, signal });
    await untilMinuteGone(redis, signal);
    const before = await usedMemory(redis);
    const answers = await postAll(poster, hooks, { count: alerts, together: TOGETHER, signal });
    const atOnce = await usedMemory(redis);
    say(`${alerts} alerts are done; waiting a minute for what counts it`);
    await untilMinuteGone(redis, signal);
    const later = await usedMemory(redis);
    return {
      alerts,
      posted: WARM_UP + alerts,
      errors: answers.filter(isError).length,
      atOnce: (atOnce - before) / alerts,
      later: (later - before) / alerts,
      patterns: await patternsOf(redis),
    };
  } finally {
    poster.close();
  }
}

/** An account's orders of the last minute are counted in a key that is gone a minute after the last. */
async function untilMinuteGone(redis: Redis, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + MINUTE_GONE_MS;
  while ((await redis.keys(createKeys().sent(accountId("*")))).length > 0) {
    if (performance.now() > deadline) throw new Error("The last minute's orders are still counted");
    await sleep(500, undefined, { signal });
  }
}

async function patternsOf(redis: Redis): Promise<PatternFigures[]> {
  const found = new Map<string, string[]>();
  let cursor = "0";
  do {
    const [next, keys] = await redis.scan(cursor, "COUNT", 1_000);
    for (const key of keys) {
      const pattern = patternOf(key);
      const alike = found.get(pattern);
      if (alike === undefined) found.set(pattern, [key]);
      else alike.push(key);
    }
    cursor = next;
  } while (cursor !== "0");

  const figures: PatternFigures[] = [];
  for (const [pattern, keys] of found) {
    const sample = keys.slice(0, SAMPLE);
    const sizes = await Promise.all(sample.map((key) => redis.memory("USAGE", key, "SAMPLES", 0)));
    const bytes = sizes.reduce<number>((total, size) => total + (size ?? 0), 0);
    figures.push({ pattern, keys: keys.length, bytes: (bytes / sample.length) * keys.length });
  }
  return figures.toSorted((a, b) => b.bytes - a.bytes);
}

/** A key without whose it is: hash tags and the ids of intents are left out. */
const patternOf = (key: string): string =>
  key.replaceAll(/\{[^}]*\}/g, "{*}").replace(/:intent:.*$/, ":intent:*");
