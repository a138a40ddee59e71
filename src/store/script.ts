import { createHash } from "node:crypto";
import type { Redis } from "ioredis";
import { translateStoreErrors } from "./store-error.ts";

/** One atomic step inside Redis. `now` is at hand in every script: the store's clock in Unix ms. */
export interface Script {
  readonly lua: string;
  readonly sha1: string;
}

const CLOCK = `
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
`;

export function defineScript(lua: string): Script {
  const whole = CLOCK + lua;
  return { lua: whole, sha1: createHash("sha1").update(whole).digest("hex") };
}

/**
 * Sends EVALSHA and nothing else, so that commands keep their order on the connection: every
 * script is loaded on it beforehand (`loadScripts`). Throws `StoreError`.
 */
export async function runScript(
  redis: Redis,
  script: Script,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  return await translateStoreErrors(redis.evalsha(script.sha1, keys.length, ...keys, ...args));
}

/**
 * Loads the scripts now and again each time the connection becomes ready: a restarted Redis has
 * forgotten them, and an EVALSHA that falls back to EVAL would be overtaken by the command after it.
 */
export async function loadScripts(redis: Redis, scripts: readonly Script[]): Promise<void> {
  const load = () => Promise.all(scripts.map(({ lua }) => redis.script("LOAD", lua)));
  redis.on("ready", () => {
    load().catch(() => undefined); // The connection broke again; the next one loads them.
  });
  await load();
}
