import type { DestinationId } from "../../domain/notify/destination.ts";
import type {
  DestinationStore,
  DueNotice,
  Failure,
  NoticeQueue,
  StoredDestination,
  WaitingNotice,
} from "../../trading/notify/destination-store.ts";
import type { Undelivered } from "../../trading/notify/destination-uses.ts";
import type { Keys } from "../keys.ts";
import type { RedisClient } from "../redis/redis-client.ts";
import { changeField } from "../redis/change-field.ts";
import { runScript } from "../redis/script.ts";
import { translateStoreErrors as run } from "../store-error.ts";
import { endNotices, NOT_KEPT } from "./end-notices.ts";
import { putNotices } from "./put-notices.ts";
import { replayNotices } from "./replay-notices.ts";
import { tryLater } from "./try-later.ts";

export const destinationScripts = [changeField, endNotices, putNotices, replayNotices, tryLater];

/** Beyond that, a new event is given up at once: its receiver takes nothing for long. */
const MOST_WAITING = { programs: 12_000, people: 1_000 };
const MOST_UNDELIVERED = 1_000;
const KEPT_MS = 7 * 24 * 60 * 60_000;
/** Longer than whoever put an event may take to learn that it did, and puts it again. */
const REMEMBERED_MS = 60 * 60_000;
/** No fold is longer. */
const FOLDS_MS = 10 * 60_000;
/** In one script, which blocks Redis for everyone else while it runs. */
const PUT_AT_ONCE = 64;

interface DestinationDeps {
  readonly redis: RedisClient;
  readonly keys: Keys;
}

export function createRedisDestinations({ redis, keys }: DestinationDeps): DestinationStore {
  const decode = (text: string) => JSON.parse(text) as StoredDestination;
  return {
    all: async () => {
      const all = Object.values(await run(redis.hgetall(keys.destinations))).map(decode);
      return all.sort((a, b) => a.destination.createdAt - b.destination.createdAt);
    },
    find: async (id) => {
      const found = await run(redis.hget(keys.destinations, id));
      return found === null ? undefined : decode(found);
    },
    add: async (stored) => {
      await run(redis.hset(keys.destinations, stored.destination.id, JSON.stringify(stored)));
    },
    change: async (id, change) => {
      for (;;) {
        const found = await run(redis.hget(keys.destinations, id));
        if (found === null) return undefined;
        const before = decode(found);
        const after = change(before);
        if (after === undefined) return before;
        const args = [id, found, JSON.stringify(after)];
        const isSaved = await runScript(redis, changeField, [keys.destinations], args);
        if (isSaved === 1) return after;
      }
    },
    remove: async (id) => {
      await run(redis.hdel(keys.destinations, id));
      await run(redis.del(...keysOf(keys, id)));
    },
  };
}

/** What is kept of what was and is told there. */
const keysOf = (keys: Keys, id: DestinationId) => [
  keys.waiting(id),
  keys.waitingFirst(id),
  keys.notices(id),
  keys.toldEvents(id),
  keys.undelivered(id),
  keys.undeliveredNotices(id),
  keys.folds(id),
  keys.destinationState(id),
];

export function createRedisNotices({ redis, keys }: DestinationDeps): NoticeQueue {
  return {
    put: async ({ id, kind, inOrder }, notices, now) => {
      const most = kind === "webhook" ? MOST_WAITING.programs : MOST_WAITING.people;
      const waiting = [keys.waiting(id), keys.waitingFirst(id)];
      const names = [...waiting, keys.notices(id), keys.toldEvents(id), keys.folds(id)];
      const left: string[] = [];
      for (let from = 0; from < notices.length; from += PUT_AT_ONCE) {
        const args = notices.slice(from, from + PUT_AT_ONCE).flatMap(({ dueAt, ...notice }) => {
          const isCritical = notice.event.severity === "critical";
          const isFirst = isCritical && inOrder !== true;
          const { foldKey = "", event } = notice;
          return [
            event.id,
            dueAt,
            JSON.stringify(notice),
            foldKey,
            ...[isCritical, isFirst].map(Number),
          ];
        });
        const answer = await runScript(redis, putNotices, names, [most, now, ...args]);
        left.push(...(answer as string[]));
      }
      return left;
    },

    due: async (id, { by, limit }) => {
      const first = await dueIn(id, keys.waitingFirst(id), { by, limit });
      if (first.length >= limit) return first;
      const others = await dueIn(id, keys.waiting(id), { by, limit: limit - first.length });
      return [...first, ...others];
    },

    nextDueAt: async (id) => {
      const scores = await Promise.all(
        [keys.waiting(id), keys.waitingFirst(id)].map(async (key) => {
          const [, score] = await run(redis.zrange(key, "0", "0", "WITHSCORES"));
          return score === undefined ? Infinity : Number(score);
        }),
      );
      const next = Math.min(...scores);
      return next === Infinity ? undefined : next;
    },

    told: async (id, notices, at, foldMs) => {
      const [{ foldKey } = {}] = notices;
      const fold = foldKey === undefined ? undefined : { key: foldKey, until: at + foldMs };
      await end(
        id,
        notices.map(({ event }) => [event.id, ""] as const),
        at,
        fold,
      );
    },

    failed: async (id, notices, { pausedUntil, isRefusal, ...failure }) => {
      const again = notices.flatMap(({ dueAt, ...notice }) => [
        notice.event.id,
        dueAt,
        JSON.stringify(notice),
      ]);
      const names = [keys.waiting(id), keys.waitingFirst(id), keys.notices(id)];
      if (again.length > 0) await runScript(redis, tryLater, names, again);
      await noteFailure(id, failure, pausedUntil);
      if (isRefusal === true) await run(redis.hincrby(keys.destinationState(id), "refusals", 1));
    },

    giveUp: async (id, notices, { isKept = true, ...failure }) => {
      const { at: givenUpAt, reason, status } = failure;
      const lost = notices.map(({ event, attempts }) => {
        const why: Undelivered = {
          event,
          attempts,
          reason,
          ...(status !== undefined && { status }),
          givenUpAt,
        };
        return [event.id, isKept ? JSON.stringify(why) : NOT_KEPT] as const;
      });
      await end(id, lost, givenUpAt);
    },

    state: async (id) => {
      const [of, waiting, undelivered] = await Promise.all([
        run(redis.hgetall(keys.destinationState(id))),
        run(redis.hlen(keys.notices(id))),
        run(redis.zcard(keys.undelivered(id))),
      ]);
      const number = (name: string) => (of[name] === undefined ? undefined : Number(of[name]));
      const [deliveredAt, pausedUntil] = [number("deliveredAt"), number("pausedUntil")];
      const failingSince = number("failingSince");
      const failure = of["failure"];
      return {
        waiting,
        undelivered,
        failures: number("failures") ?? 0,
        refusals: number("refusals") ?? 0,
        ...(deliveredAt !== undefined && { deliveredAt }),
        ...(failure !== undefined && { failure: JSON.parse(failure) as Failure }),
        ...(pausedUntil !== undefined && { pausedUntil }),
        ...(failingSince !== undefined && { failingSince }),
      };
    },

    forgetFailures,

    undelivered: async (id, { limit, after }) => {
      const key = keys.undelivered(id);
      const rank = after === undefined ? undefined : await run(redis.zrevrank(key, after));
      // What was after one that is gone by now, is begun anew.
      const from = rank === undefined || rank === null ? 0 : rank + 1;
      const ids = await run(redis.zrevrange(key, from, from + limit));
      const some = ids.slice(0, limit);
      const items = await read(id, some);
      const next = ids.length > limit ? some.at(-1) : undefined;
      return { items, ...(next !== undefined && { next }) };
    },

    replay: async (id, now, events) => {
      const chosen = events ?? (await run(redis.zrange(keys.undelivered(id), "0", "-1")));
      const again = (await read(id, chosen)).flatMap(({ event }) => {
        const notice: WaitingNotice = { event, isSilent: false, attempts: 0, firstDueAt: now };
        return [event.id, JSON.stringify(notice)];
      });
      const given = [keys.undelivered(id), keys.undeliveredNotices(id)];
      const names = [...given, keys.waiting(id), keys.notices(id)];
      return Number(await runScript(redis, replayNotices, names, [now, ...again]));
    },

    discard,
  };

  /** What waits there although nothing is known of it, waits no more. */
  async function dueIn(
    id: DestinationId,
    key: string,
    { by, limit }: { readonly by: number; readonly limit: number },
  ): Promise<readonly DueNotice[]> {
    const found = await run(redis.zrangebyscore(key, "-inf", by, "WITHSCORES", "LIMIT", 0, limit));
    if (found.length === 0) return [];
    const ids = found.filter((_, at) => at % 2 === 0);
    const texts = await run(redis.hmget(keys.notices(id), ...ids));
    const lost = ids.filter((_, at) => texts[at] === null);
    if (lost.length > 0) await run(redis.zrem(key, ...lost));
    return texts.flatMap((text, at) =>
      text === null
        ? []
        : [{ ...(JSON.parse(text) as WaitingNotice), dueAt: Number(found[2 * at + 1]) }],
    );
  }

  async function end(
    id: DestinationId,
    notices: readonly (readonly [event: string, lost: string])[],
    at: number,
    fold = { key: "", until: 0 },
  ): Promise<void> {
    const kept = [KEPT_MS, MOST_UNDELIVERED, REMEMBERED_MS];
    const args = [at, ...kept, fold.key, fold.until, FOLDS_MS, ...notices.flat()];
    await runScript(redis, endNotices, keysOf(keys, id), args);
  }

  async function noteFailure(id: DestinationId, failure: Failure, pausedUntil: number) {
    const key = keys.destinationState(id);
    await run(redis.hset(key, { failure: JSON.stringify(failure), pausedUntil }));
    await run(redis.hincrby(key, "failures", 1));
    await run(redis.hsetnx(key, "failingSince", failure.at));
  }

  async function forgetFailures(id: DestinationId): Promise<void> {
    const names = ["failures", "refusals", "failingSince", "pausedUntil", "failure"];
    await run(redis.hdel(keys.destinationState(id), ...names));
  }

  async function discard(id: DestinationId, events?: readonly string[]): Promise<number> {
    const chosen = events ?? (await run(redis.zrange(keys.undelivered(id), "0", "-1")));
    if (chosen.length === 0) return 0;
    const count = await run(redis.zrem(keys.undelivered(id), ...chosen));
    await run(redis.hdel(keys.undeliveredNotices(id), ...chosen));
    return count;
  }

  async function read(
    id: DestinationId,
    events: readonly string[],
  ): Promise<readonly Undelivered[]> {
    if (events.length === 0) return [];
    const texts = await run(redis.hmget(keys.undeliveredNotices(id), ...events));
    return texts.flatMap((text) => (text === null ? [] : [JSON.parse(text) as Undelivered]));
  }
}
