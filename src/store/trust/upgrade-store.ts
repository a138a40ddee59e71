import { setTimeout as sleep } from "node:timers/promises";
import type { BusinessCalendar } from "../../domain/calendar/business-days.ts";
import { addDays, isoDate, parseIsoDate } from "../../domain/calendar/civil-day.ts";
import type { GuardState } from "../../domain/guards/guard-state.ts";
import { type AccountId, credentialId, type UserId } from "../../domain/ids.ts";
import type { User } from "../../domain/people/credential.ts";
import type { Keys } from "../keys.ts";
import { WebhookRecords } from "../people/webhook-records.ts";
import { REMEMBER_REVOKED_MS } from "../intents/user-guards.ts";
import { createRedisConnectionLeases, LEASE_MS } from "../connections/redis-connection-leases.ts";
import { openLedger } from "../ledger/open-ledger.ts";
import { saveBook } from "../ledger/save-book.ts";
import { changeField } from "../redis/change-field.ts";
import { runScript } from "../redis/script.ts";
import { askInParts } from "../../domain/ask-in-parts.ts";
import { redisNow } from "../redis/redis-now.ts";
import { translateStoreErrors as run } from "../store-error.ts";
import { readStoreFacts, STORE_FORMAT, type StoreIdentity } from "./store-identity.ts";
import type { RedisClient } from "../redis/redis-client.ts";

/** Dates that CME trades on: guards counted by them until form 5. */
export type TradeDates = Pick<BusinessCalendar, "before">;

/** Until a gateway of an earlier version has seen that the form was raised. */
const STANDS_STILL_WITHIN_MS = 10_000;

/** Whether all of the store lies in today's form. Throws `StoreError`. */
export async function isUpToDate(redis: RedisClient, keys: Keys): Promise<boolean> {
  const { identity } = await readStoreFacts(redis, keys);
  if (identity === undefined) return true;
  return identity.format >= STORE_FORMAT && identity.isUpgrading === undefined;
}

/** Longer than a lease that nobody renews. */
const LEASES_END_WITHIN_MS = 2 * LEASE_MS;
const LOOK_MS = 200;

/**
 * Whether no gateway owns a connection in a store of an earlier form; waits until the leases of those
 * that died have ended. Throws `StoreError`.
 */
export async function isFreeToUpgrade(
  redis: RedisClient,
  keys: Keys,
  withinMs = LEASES_END_WITHIN_MS,
): Promise<boolean> {
  const { identity } = await readStoreFacts(redis, keys);
  // Who raised the form has asked.
  if (identity === undefined || identity.format >= STORE_FORMAT) return true;
  const leases = createRedisConnectionLeases({ redis, keys, processId: "upgrade" });
  const until = performance.now() + withinMs;
  for (;;) {
    const known = await leases.known();
    const owned = await Promise.all(known.map((connection) => leases.read(connection)));
    if (owned.every((one) => one === undefined)) return true;
    if (performance.now() >= until) return false;
    await sleep(LOOK_MS);
  }
}

/**
 * Brings a store of an earlier form into today's. Each process does it before it admits anything.
 * Several may do it at once, and one that dies in it leaves what the next start goes on with. The
 * form is raised before anything is moved, so that a gateway of an earlier version that still runs
 * stands still. Throws `StoreError`.
 */
export async function upgradeStore(
  redis: RedisClient,
  keys: Keys,
  tradeDates: TradeDates,
): Promise<void> {
  const { identity } = await readStoreFacts(redis, keys);
  if (identity === undefined) return;
  if (identity.format < 2) await noteFormerEndings(redis, keys);
  const upgraded: StoreIdentity = { id: identity.id, format: STORE_FORMAT };
  await write({ ...upgraded, isUpgrading: true });
  await moveWebhooks(redis, keys);
  await indexRevocations(redis, keys);
  await countSent(redis, keys);
  await openLedgers(redis, keys);
  await countDaysByTime(redis, keys, tradeDates);
  await write(upgraded);

  async function write(changed: StoreIdentity): Promise<void> {
    await run(redis.set(keys.storeIdentity, JSON.stringify(changed)));
  }
}

/**
 * To form 2: alerts were in no sets of endings. Their records said all facts, and are read as they
 * are. Noted before the form is raised, since nobody knows afterwards that it was the first one; and
 * noted anew where a start died in between and an earlier gateway went on: too late is only slower.
 */
async function noteFormerEndings(redis: RedisClient, keys: Keys): Promise<void> {
  await run(redis.set(keys.endingsSince, (await redisNow(redis)) + STANDS_STILL_WITHIN_MS));
}

/** To form 3: webhooks lay under their own hashes, not under their accounts. */
async function moveWebhooks(redis: RedisClient, keys: Keys): Promise<void> {
  const webhooks = new WebhookRecords({ redis, keys });
  for (const user of await usersOf(redis, keys)) {
    const hashes = await run(redis.hvals(keys.credentialsOf("webhook", user)));
    await askInParts(hashes, (hash) => webhooks.adopt(hash));
  }
}

/**
 * To form 3: the dead were known by their own keys alone. Whose they were is not known of all, so
 * that every user has them; the copy of each account is written at its fence.
 */
async function indexRevocations(redis: RedisClient, keys: Keys): Promise<void> {
  const [users, now] = await Promise.all([usersOf(redis, keys), redisNow(redis)]);
  const pattern = keys.revoked(credentialId("*"));
  let cursor = "0";
  do {
    const [next, dead] = await run(redis.scan(cursor, "MATCH", pattern, "COUNT", 1_000));
    await askInParts(dead, async (key) => {
      const id = key.slice(pattern.length - 1);
      const until = now + Math.max(0, await run(redis.pttl(key)));
      await Promise.all(users.map((user) => run(redis.zadd(keys.revokedOf(user), until, id))));
    });
    cursor = next;
  } while (cursor !== "0");
  await askInParts(users, async (user) => {
    await run(redis.pexpire(keys.revokedOf(user), REMEMBER_REVOKED_MS));
  });
}

/** To form 3: what was sent in the last minute counts as the share of somebody who has gone. */
async function countSent(redis: RedisClient, keys: Keys): Promise<void> {
  const now = await redisNow(redis);
  const sent = await run(redis.zcount(keys.formerSentByAll, now - 60_000, "+inf"));
  const share = `${sent} ${now + 60_000}`;
  if (sent > 0) await run(redis.hset(keys.orderShares, keys.formerSentByAll, share));
}

/** To form 4: there was no ledger. What was held by then is where it begins. */
async function openLedgers(redis: RedisClient, keys: Keys): Promise<void> {
  const ids = (await run(redis.hkeys(keys.accounts))) as AccountId[];
  await askInParts(ids, async (id) => {
    await runScript(redis, openLedger, [keys.account(id)], []);
  });
}

/**
 * To form 5: days of guards and ledgers were trade dates of exchanges. The memory of guards goes on from the
 * first day by time that its trade date has. A ledger is added up anew, unless lines have left it: then its
 * sum is where corrections go on from.
 */
async function countDaysByTime(
  redis: RedisClient,
  keys: Keys,
  tradeDates: TradeDates,
): Promise<void> {
  const startedAt = await redisNow(redis);
  const ids = (await run(redis.hkeys(keys.accounts))) as AccountId[];
  await askInParts(ids, async (id) => {
    const text = await run(redis.hget(keys.guards(id), "state"));
    const state = text === null ? undefined : (JSON.parse(text) as GuardState);
    if (text !== null && state !== undefined && state.judgedAt < startedAt) {
      const renamed = { ...state, tradingDay: firstDayOf(state.tradingDay, tradeDates) };
      const args = ["state", text, JSON.stringify(renamed)];
      await runScript(redis, changeField, [keys.guards(id)], args);
    }
    if (await isWhole(redis, keys.ledger(id))) await run(redis.del(keys.ledgerBook(id)));
    else await keepAsBase(redis, keys, id);
  });
}

/** Nothing else knows the lines that have left. */
async function keepAsBase(redis: RedisClient, keys: Keys, id: AccountId): Promise<void> {
  const [upTo, book] = await run(redis.hmget(keys.ledgerBook(id), "upTo", "book"));
  if (!upTo || !book) return;
  const base = `{"book":${book},"settled":[]}`;
  await runScript(redis, saveBook, [keys.account(id)], [upTo, base, "baseUpTo", "base"]);
}

/** No line has ever left it. A server that does not count the lines of all time has none that is whole. */
async function isWhole(redis: RedisClient, ledger: string): Promise<boolean> {
  if ((await run(redis.xlen(ledger))) === 0) return false;
  const facts = (await run(redis.xinfo("STREAM", ledger))) as readonly unknown[];
  const fact = (name: string) => facts[facts.indexOf(name) + 1];
  return facts.includes("entries-added") && fact("entries-added") === fact("length");
}

/** A trade date has the days without a session before it, which are days of their own since. */
function firstDayOf(tradeDate: string, tradeDates: TradeDates): string {
  const date = parseIsoDate(tradeDate);
  return date === undefined ? tradeDate : isoDate(addDays(tradeDates.before(date, 1), 1));
}

async function usersOf(redis: RedisClient, keys: Keys): Promise<readonly UserId[]> {
  const users = await run(redis.hvals(keys.users));
  return users.map((text) => (JSON.parse(text) as User).userId);
}
