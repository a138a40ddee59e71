import { setTimeout as sleep } from "node:timers/promises";
import type { Redis } from "ioredis";
import type { Keys } from "./keys.ts";
import { defineScript, runScript } from "./script.ts";
import { translateStoreErrors } from "./store-error.ts";

const LEASE_MS = 5_000;
const RENEW_MS = 1_000;

/** KEYS owner. ARGV name, lease in ms. Answers the holder's name: ours when we hold it. */
const holdLease = defineScript(`
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return holder end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return ARGV[1]
`);

/** KEYS owner. ARGV name. Drops the lease only when it is ours. */
const dropLease = defineScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1
`);

export const leaseScripts = [holdLease, dropLease];

export interface OwnerLeaseDeps {
  readonly redis: Redis;
  readonly keys: Keys;
  /** This process' name; no two processes share one. */
  readonly owner: string;
  /** Another process holds the lease now: this one must stop working the lanes. */
  readonly onLost: () => void;
}

/** The right to work the lanes: one process at a time on one Redis. */
export interface OwnerLease {
  /** False from the moment another process holds it. */
  readonly isHeld: () => boolean;
  readonly release: () => Promise<void>;
}

/**
 * Takes the lease, waiting out a holder that died. Answers undefined when a living one keeps it.
 * `force` takes it at once, where the holder is known to be dead.
 */
export async function takeOwnerLease(
  deps: OwnerLeaseDeps,
  force: boolean,
): Promise<OwnerLease | undefined> {
  const { redis, keys, owner, onLost } = deps;
  if (force) await translateStoreErrors(redis.del(keys.owner));
  if (!(await held(deps, performance.now() + LEASE_MS + RENEW_MS))) return undefined;

  let isHeld = true;
  let timer: NodeJS.Timeout | undefined;
  const renewLater = () => {
    timer = setTimeout(() => void renew(), RENEW_MS);
  };
  async function renew(): Promise<void> {
    // Redis away means that the lanes are too: the lease is renewed once it is back.
    const holder = await hold(deps).catch(() => owner);
    if (holder === owner) return renewLater();
    isHeld = false;
    onLost();
  }
  renewLater();
  return {
    isHeld: () => isHeld,
    release: async () => {
      clearTimeout(timer);
      await runScript(redis, dropLease, [keys.owner], [owner]);
    },
  };
}

async function held(deps: OwnerLeaseDeps, deadline: number): Promise<boolean> {
  if ((await hold(deps)) === deps.owner) return true;
  if (performance.now() > deadline) return false;
  await sleep(RENEW_MS / 4);
  return await held(deps, deadline);
}

async function hold({ redis, keys, owner }: OwnerLeaseDeps): Promise<unknown> {
  return await runScript(redis, holdLease, [keys.owner], [owner, LEASE_MS]);
}
