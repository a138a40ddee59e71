import type { AccountId, IntentId } from "../src/domain/ids.ts";
import { inBatches } from "./in-batches.ts";
import { laneAccount, laneName } from "./lane.ts";
import type { RedisClient } from "./redis-client.ts";

/** What is open on one lane, or on all lanes together. */
export interface LaneFigures {
  /** Intents that wait for a worker. */
  readonly waiting: number;
  /** Entries that wait until an earlier outcome is known. */
  readonly held: number;
  /** Intents that may have been sent and have no answer yet. */
  readonly sending: number;
  /** Intents whose outcome at the broker is not known. */
  readonly unknown: number;
  /** Exits that are not done and are tried again, and exits that wait for their markets. */
  readonly unfinished: number;
  readonly heldExits: number;
  /** Positions whose requested exits were missing at the last check. */
  readonly unprotected: number;
  /** Age of the oldest intent that is neither settled, nor unknown, nor an exit that goes on; ms. */
  readonly oldestMs: number;
}

export interface AccountFigures extends LaneFigures {
  readonly accountId: AccountId;
}

export interface LaneFigureDeps {
  readonly redis: RedisClient;
  readonly prefix: string;
  readonly laneNamesKey: string;
  readonly keysOf: {
    /** Sorted set by acceptance: unsettled intents, unknown ones included. */
    readonly open: (account: AccountId) => string;
    readonly parked: (account: AccountId) => string;
    readonly sending: (account: AccountId) => string;
    readonly unknown: (account: AccountId) => string;
    readonly goingOn: (account: AccountId) => string;
    readonly unprotected: (account: AccountId) => string;
    readonly intent: (account: AccountId, intent: IntentId) => string;
  };
}

/**
 * Reads every requested lane that has something open; the others are left out. One short command per
 * lane, and a few more for lanes that are not idle.
 */
export async function readLaneFigures(
  deps: LaneFigureDeps,
  isAsked: (account: AccountId) => boolean = () => true,
): Promise<readonly AccountFigures[]> {
  const { redis, laneNamesKey, keysOf } = deps;
  const accounts = (await readNames(redis, laneNamesKey)).map(laneAccount).filter(isAsked);
  // Redis deletes a key once it is empty.
  const there = await inBatches(accounts, (account) =>
    redis.exists(keysOf.open(account), keysOf.unprotected(account)),
  );
  const busy = accounts.filter((_, index) => there[index] !== 0);
  const now = await redisNow(redis);
  return await inBatches(busy, async (accountId) => {
    const [unprotected, open] = await Promise.all([
      redis.hlen(keysOf.unprotected(accountId)),
      readOpen(deps, accountId, now),
    ]);
    return { accountId, unprotected, ...open };
  });
}

const NAMES_AT_ONCE = 500;

/** Every lane there ever was, in parts: Redis does nothing else while it answers one. */
async function readNames(redis: RedisClient, key: string): Promise<readonly string[]> {
  const names = new Set<string>();
  let cursor = "0";
  do {
    const [next, some] = await redis.sscan(key, cursor, "COUNT", NAMES_AT_ONCE);
    for (const name of some) names.add(name);
    cursor = next;
  } while (cursor !== "0");
  return [...names];
}

/** Sums the counts; takes the greatest age. */
export function totalFigures(accounts: readonly LaneFigures[]): LaneFigures {
  return accounts.reduce(
    (total, one) => ({
      waiting: total.waiting + one.waiting,
      held: total.held + one.held,
      sending: total.sending + one.sending,
      unknown: total.unknown + one.unknown,
      unfinished: total.unfinished + one.unfinished,
      heldExits: total.heldExits + one.heldExits,
      unprotected: total.unprotected + one.unprotected,
      oldestMs: Math.max(total.oldestMs, one.oldestMs),
    }),
    { ...AT_REST, unprotected: 0 },
  );
}

type OpenFigures = Omit<LaneFigures, "unprotected">;

const AT_REST: OpenFigures = {
  waiting: 0,
  held: 0,
  sending: 0,
  unknown: 0,
  unfinished: 0,
  heldExits: 0,
  oldestMs: 0,
};

async function readOpen(
  { redis, prefix, keysOf }: LaneFigureDeps,
  account: AccountId,
  now: number,
): Promise<OpenFigures> {
  const open = keysOf.open(account);
  const [waiting, held, sending, unknown, goingOn] = await Promise.all([
    redis.llen(`${prefix}:${laneName(account)}:wait`),
    redis.zcard(keysOf.parked(account)),
    redis.scard(keysOf.sending(account)),
    redis.smembers(keysOf.unknown(account)),
    redis.hgetall(keysOf.goingOn(account)),
  ]);
  // Among one more than there are others, at least one is none of these: no need to read them all.
  const others = new Set([...unknown, ...Object.keys(goingOn)]);
  const first = await redis.zrange(open, "0", String(others.size));
  const oldest = first.find((intent) => !others.has(intent)) as IntentId | undefined;
  const states = Object.values(goingOn);
  const heldExits = states.filter((state) => state === "HELD").length;
  const unfinished = states.length - heldExits;
  const figures = { waiting, held, sending, unknown: unknown.length, unfinished, heldExits };
  if (oldest === undefined) return { ...figures, oldestMs: 0 };
  const acceptedAt = await redis.hget(keysOf.intent(account, oldest), "acceptedAt");
  // It may have ended meanwhile.
  const oldestMs = acceptedAt === null ? 0 : Math.max(0, now - Number(acceptedAt));
  return { ...figures, oldestMs };
}

/** Redis' clock, Unix ms: the one that intents are accepted by. */
async function redisNow(redis: RedisClient): Promise<number> {
  const [seconds, micros] = await redis.time();
  return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
}
