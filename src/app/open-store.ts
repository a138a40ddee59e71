import { Cluster, type Redis } from "ioredis";
import path from "node:path";
import { closures } from "../../config/holidays.ts";
import { createBusinessCalendar } from "../domain/calendar/business-days.ts";
import type { Config } from "../../config/index.ts";
import { laneScripts } from "./lane-scripts.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Logger } from "../observability/logger.ts";
import type { RedisPlace } from "./open-redis.ts";
import {
  connectListener,
  connectRedis,
  type RedisRole,
  untilRedisReady,
  WrongServerError,
} from "../store/redis/connect.ts";
import { createKeys, type Keys } from "../store/keys.ts";
import type { Finding } from "../store/trust/durability.ts";
import { leaseScripts } from "../store/connections/redis-connection-leases.ts";
import { ledgerScripts } from "../store/ledger/redis-ledger.ts";
import { accountClockScripts } from "../store/accounts/redis-account-clocks.ts";
import { accountViewScripts } from "../store/accounts/redis-account-views.ts";
import { admissionScripts } from "../store/people/redis-admissions.ts";
import { sideScripts } from "../store/guards/redis-sides.ts";
import { guardScripts } from "../store/guards/redis-guards.ts";
import { limitScripts } from "../store/intents/redis-limit-store.ts";
import { brokerStateScripts } from "../store/accounts/redis-broker-state.ts";
import { credentialScripts } from "../store/people/redis-credential-store.ts";
import { alertLogScripts } from "../store/alerts/redis-alert-log.ts";
import { copyGroupScripts } from "../store/copying/redis-copy-groups.ts";
import { copyLogScripts } from "../store/copying/redis-copy-log.ts";
import { copyNewsScripts } from "../store/copying/redis-copy-news.ts";
import { evaluationScripts } from "../store/strategies/redis-evaluation-log.ts";
import { strategyScripts } from "../store/strategies/redis-strategies.ts";
import { connectionSetupScripts } from "../store/connections/redis-connection-setups.ts";
import { overviewScripts } from "../store/accounts/redis-overview.ts";
import { answerScripts } from "../store/notify/redis-answers.ts";
import { accountGroupScripts } from "../store/account-groups/redis-account-groups.ts";
import { calendarScripts } from "../store/guards/redis-calendars.ts";
import { namedPlanScripts } from "../store/exits/redis-named-plans.ts";
import { destinationScripts } from "../store/notify/redis-destinations.ts";
import { outboxScripts } from "../store/notify/redis-outbox.ts";
import { peopleScripts } from "../store/people/redis-people.ts";
import { sessionScripts } from "../store/people/redis-sessions.ts";
import { intentScripts } from "../store/intents/redis-intent-store.ts";
import { keepScripts, loadScripts } from "../store/redis/script.ts";
import { isFreeToUpgrade, isUpToDate, upgradeStore } from "../store/trust/upgrade-store.ts";
import { STORE_FORMAT } from "../store/trust/store-identity.ts";
import { StoreGuard, StoreRefusedError } from "../store/trust/store-guard.ts";
import type { Alarms } from "../trading/alarms/alarm.ts";
import { retryUntilDeadline } from "../store/retry-until-deadline.ts";
import { readRememberedStore, rememberStore, storeFile } from "../data-folder/remembered-store.ts";
import { whoIsMaster } from "../store/trust/who-is-master.ts";
import { StartError } from "../store/trust/refuse-unsafe.ts";
import type { RedisClient } from "../store/redis/redis-client.ts";

export interface OpenStore {
  readonly keys: Keys;
  /** Serves callers who wait: it fails fast. */
  readonly request: RedisClient;
  /** Serves the lanes: it waits while Redis is away. */
  readonly worker: RedisClient;
  /** As `request`, for whoever only reads: lists and logs stand in nobody's way here. */
  readonly reader: RedisClient;
  /** One more connection: one that listens can do nothing else. */
  readonly subscriber: () => Redis;
  /** Whether this process alone uses this Redis, because it started it. */
  readonly isOwn: boolean;
  /** Keeps every connection above from any other store, and from one that got less safe. */
  readonly guard: StoreGuard;
}

const READY_WITHIN_MS = 10_000;

export interface OpenStoreParts {
  readonly place: RedisPlace;
  readonly config: Config;
  readonly lifecycle: Lifecycle;
  readonly log: Logger;
  readonly alarms: Alarms;
  /**
   * Of a gateway, not of a command. Throws where a store that may lose orders is not to be used;
   * nothing is written before it.
   */
  readonly judge?: ((findings: readonly Finding[]) => void) | undefined;
  /** Gives the start up. */
  readonly signal?: AbortSignal | undefined;
}

/** Opens the connections that everything else shares. */
export async function openStore(parts: OpenStoreParts): Promise<OpenStore> {
  const { place, lifecycle, log } = parts;
  const keys = createKeys();
  const guard = await openGuard(parts, keys);
  const { mayServe, replicasOf: replicas } = guard;
  const opened = <Client extends RedisClient>(redis: Client, name: string): Client => {
    guard.guard(redis);
    lifecycle.started(`a connection to Redis (${name})`, () => redis.disconnect());
    return redis;
  };
  const open = (role: RedisRole, name: string = role): RedisClient => {
    const onError = failed(log, name);
    return opened(connectRedis(place.target, role, { onError, mayServe, replicas }), name);
  };
  const request = open("request");
  const worker = open("worker");
  const reader = open("request", "reader");
  const all = [request, worker, reader];
  await Promise.all(all.map((redis) => untilRedisReady(redis, READY_WITHIN_MS)));
  const scripts = [
    ...intentScripts,
    ...Object.values(laneScripts),
    ...alertLogScripts,
    ...evaluationScripts,
    ...strategyScripts,
    ...overviewScripts,
    ...accountViewScripts,
    ...accountClockScripts,
    ...ledgerScripts,
    ...admissionScripts,
    ...limitScripts,
    ...guardScripts,
    ...sideScripts,
    ...brokerStateScripts,
    ...credentialScripts,
    ...leaseScripts,
    ...connectionSetupScripts,
    ...copyGroupScripts,
    ...copyLogScripts,
    ...copyNewsScripts,
    ...calendarScripts,
    ...accountGroupScripts,
    ...namedPlanScripts,
    ...destinationScripts,
    ...outboxScripts,
    ...answerScripts,
    ...peopleScripts,
    ...sessionScripts,
  ];
  // Redis has them for every connection; this one waits where that takes its time.
  await loadScripts(worker, scripts);
  keepScripts(request, scripts);
  await bringUpToDate(worker, keys, parts);
  return {
    keys,
    request,
    worker,
    reader,
    subscriber: () => {
      const onError = failed(log, "subscriber");
      return opened(
        connectListener(place.target, { onError, mayServe, known: request }),
        "subscriber",
      );
    },
    isOwn: place.isOwn,
    guard,
  };
}

/** A command changes nothing beside a gateway of the earlier version, which may be running. */
async function bringUpToDate(
  redis: RedisClient,
  keys: Keys,
  { judge, log }: Pick<OpenStoreParts, "judge" | "log">,
): Promise<void> {
  if (await isUpToDate(redis, keys)) return;
  if (redis instanceof Cluster) {
    throw new StartError(
      "The store was written by an earlier version. Bring it up to date on a single server, by " +
        "starting the gateway of this version there once, and then move it into the Cluster.",
    );
  }
  if (judge === undefined) {
    throw new StartError(
      "The store was written by an earlier version. Start the gateway of this version once: it " +
        "brings the store up to date. Nothing was changed.",
    );
  }
  if (!(await isFreeToUpgrade(redis, keys))) {
    throw new StartError(
      "The store was written by an earlier version, which still works with it, and cannot beside " +
        "this one. Stop every process of that version first. Nothing was changed.",
    );
  }
  log.info("The store was written by an earlier version, and is brought up to date");
  await upgradeStore(redis, keys, createBusinessCalendar(closures.CME));
}

/** Settles which store it is before anything else talks to it. */
async function openGuard(
  { place, config, lifecycle, log, alarms, judge, signal }: OpenStoreParts,
  keys: Keys,
): Promise<StoreGuard> {
  const redis = connectRedis(place.target, "request", { onError: failed(log, "guard") });
  lifecycle.started("the watch over Redis", () => redis.disconnect());
  await untilThere(redis, { place, judge, log, signal });
  const standing = whoIsMaster(redis, place.target);
  const guard = new StoreGuard({ redis, keys, alarms, standing, folder: place.folder });
  lifecycle.started("the looks at Redis", () => guard.close());
  judge?.(await retryUntilDeadline(() => guard.findFirst()));
  const named = config.STORE_ID && { id: config.STORE_ID, format: STORE_FORMAT };
  const remembered = named || (await readRememberedStore(config));
  try {
    const identity = await retryUntilDeadline(() => guard.open(remembered));
    const isNews = judge !== undefined && typeof remembered !== "object";
    if (isNews) await rememberStore(config, identity, log);
    if (guard.isNew && !place.isOwn) log.warn(FIRST_USE, { storeId: identity.id });
  } catch (error) {
    if (error instanceof StoreRefusedError) throw refusal(error, config);
    throw error;
  }
  return guard;
}

const FIRST_USE =
  "The store was empty, and is used from now on. Where DATA_DIR does not last, set STORE_ID to this id: an emptied store is refused then";

/** An operator's Redis is waited for as long as it takes: until then callers are asked to come again. */
async function untilThere(
  redis: RedisClient,
  { place, judge, log, signal }: Pick<OpenStoreParts, "place" | "judge" | "log" | "signal">,
): Promise<void> {
  for (;;) {
    try {
      return await untilRedisReady(redis, READY_WITHIN_MS, signal);
    } catch (error) {
      if (error instanceof WrongServerError) throw new StartError(`${error.message}.`);
      signal?.throwIfAborted();
      // A command has somebody who waits for it.
      if (place.isOwn || judge === undefined) throw error;
      log.warn("Redis is not there yet, and is waited for", { error });
    }
  }
}

function refusal({ message }: StoreRefusedError, config: Config): StartError {
  return new StartError(
    `${message}.\n` +
      'Nothing was written. Put the data back (docs/operations.md, "Backup and restore"), or name the right ' +
      "Redis in REDIS_URL.\n" +
      `To begin anew on purpose, without the accounts, keys and orders there were, move what is in ` +
      `${path.dirname(storeFile(config))} away.`,
  );
}

const failed = (log: Logger, kind: string) => (error: Error) =>
  log.error("The connection to Redis failed; it is tried again", { kind, error });
