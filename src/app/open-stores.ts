import type { Config } from "../../config/index.ts";
import { encodeLaneJob, FOR_NOBODY } from "../../queues/lane.ts";
import type { User } from "../domain/people/credential.ts";
import { createRedisAccountGroups } from "../store/account-groups/redis-account-groups.ts";
import { createRedisAccountClocks } from "../store/accounts/redis-account-clocks.ts";
import { createRedisAccountViews } from "../store/accounts/redis-account-views.ts";
import { createRedisAlertLog } from "../store/alerts/redis-alert-log.ts";
import { createRedisConnectionLeases } from "../store/connections/redis-connection-leases.ts";
import {
  createRedisConnectionRecords,
  createRedisSealedMemories,
} from "../store/connections/redis-connection-records.ts";
import { createRedisConnectionSetups } from "../store/connections/redis-connection-setups.ts";
import { createRedisCopyGroups } from "../store/copying/redis-copy-groups.ts";
import { createRedisCopyLog } from "../store/copying/redis-copy-log.ts";
import { createRedisCopyMirrors } from "../store/copying/redis-copy-mirrors.ts";
import { createRedisCopyNews } from "../store/copying/redis-copy-news.ts";
import { createAcceptAndBegin } from "../store/intents/redis-accept-and-begin.ts";
import { OrderShares } from "../store/intents/order-shares.ts";
import { RecentAcceptances } from "../store/intents/recent-acceptances.ts";
import type { AcceptanceParts } from "../store/intents/send-acceptance.ts";
import { createRedisIntentStore } from "../store/intents/redis-intent-store.ts";
import { createRedisLaneStore } from "../store/intents/redis-lane-store.ts";
import { createRedisLimitStore } from "../store/intents/redis-limit-store.ts";
import { createRedisOrderNames } from "../store/intents/redis-order-names.ts";
import type { Keys } from "../store/keys.ts";
import { nameOf } from "../domain/calendar/account-day.ts";
import { createRedisSides } from "../store/guards/redis-sides.ts";
import { createRedisGuards } from "../store/guards/redis-guards.ts";
import { createRedisLedger } from "../store/ledger/redis-ledger.ts";
import { createRedisBalances, createRedisQuotes } from "../store/ledger/redis-quotes.ts";
import { createRedisAnswers } from "../store/notify/redis-answers.ts";
import { createRedisCalendars } from "../store/guards/redis-calendars.ts";
import { createRedisNamedPlans } from "../store/exits/redis-named-plans.ts";
import { createRedisDestinations, createRedisNotices } from "../store/notify/redis-destinations.ts";
import { createRedisOutbox, createRedisTeller } from "../store/notify/redis-outbox.ts";
import { createRedisAttempts } from "../store/people/redis-attempts.ts";
import { createRedisCredentialStore } from "../store/people/redis-credential-store.ts";
import { createRedisChallenges, createRedisPasskeys } from "../store/people/redis-passkeys.ts";
import { createRedisPeople } from "../store/people/redis-people.ts";
import { createRedisSessions } from "../store/people/redis-sessions.ts";
import {
  alertRetentionMs,
  EVALUATION_RETENTION_MS,
  retentionMs as recordRetentionMs,
} from "../store/retention.ts";
import { retryUntilDeadline } from "../store/retry-until-deadline.ts";
import { createRedisEvaluationLog } from "../store/strategies/redis-evaluation-log.ts";
import { createRedisStrategies } from "../store/strategies/redis-strategies.ts";
import { AccountDirectory } from "../trading/connections/account-directory.ts";
import { laneScripts } from "./lane-scripts.ts";
import type { OpenStore } from "./open-store.ts";
import type { RedisClient } from "../store/redis/redis-client.ts";

/** Everything that is kept, as it is asked over one connection to Redis. */
export type Stores = ReturnType<typeof createStores>;

export interface OpenStores {
  /** They serve callers who wait: they fail fast. */
  readonly stores: Stores;
  /** They serve who works: they wait while Redis is away. */
  readonly patient: Stores;
  /** They serve who reads lists and logs, on a connection on which no alert waits for them. */
  readonly reading: Stores;
  /** What this process may send of the orders per minute of all, on whichever way they are sent. */
  readonly shares: OrderShares;
  readonly accounts: AccountDirectory;
  /** What this process has accepted a moment ago, where a server may fail over to another one. */
  readonly recent: RecentAcceptances;
  /** The appliance's first user. */
  readonly user: User;
}

export async function openStores(
  { request, worker, reader, keys, guard }: OpenStore,
  config: Config,
  processId: string,
): Promise<OpenStores> {
  const shares = new OrderShares({ redis: worker, keys });
  const recent = new RecentAcceptances();
  const noteAccepted: AcceptanceParts["noteAccepted"] = (account, intent) => {
    if (guard.hasReplicas) recent.note(account, intent);
  };
  const accounts = new AccountDirectory({
    views: createRedisAccountViews({ redis: reader, keys }),
    now: Date.now,
  });
  const parts = {
    keys,
    config,
    processId,
    shares,
    noteAccepted,
    isTight: guard.room.isTight,
    patient: worker,
    accounts,
  };
  const stores = createStores(request, parts);
  const patient = createStores(worker, parts);
  const reading = createStores(reader, parts);
  const user = await patient.credentials.firstUser("owner");
  await retryUntilDeadline(() => accounts.load());
  return { stores, patient, reading, shares, accounts, recent, user };
}

interface StoreParts {
  readonly keys: Keys;
  readonly config: Config;
  readonly processId: string;
  readonly shares: OrderShares;
  readonly noteAccepted: AcceptanceParts["noteAccepted"];
  readonly isTight: AcceptanceParts["isTight"];
  /** The connection that waits while Redis is away. */
  readonly patient: RedisClient;
  readonly accounts: AccountDirectory;
}

function createStores(
  redis: RedisClient,
  { keys, config, processId, shares, noteAccepted, isTight, patient, accounts }: StoreParts,
) {
  const at = { redis, keys };
  const retentionMs = recordRetentionMs(config);
  const accepting = {
    ...at,
    shares,
    noteAccepted,
    isTight,
    alertRetentionMs: alertRetentionMs(config),
    laneScripts,
    jobData: encodeLaneJob({ replyTo: processId }),
  };
  return {
    intents: createRedisIntentStore({ ...accepting, retentionMs }),
    acceptAndBegin: createAcceptAndBegin({ ...accepting, processId, patient }),
    lanes: createRedisLaneStore({
      ...at,
      retentionMs,
      laneScripts,
      worker: processId,
      lostData: FOR_NOBODY,
    }),
    alerts: createRedisAlertLog({ ...at, retentionMs: alertRetentionMs(config) }),
    limits: createRedisLimitStore(at),
    orderNames: createRedisOrderNames(at),
    views: createRedisAccountViews(at),
    clocks: createRedisAccountClocks(at),
    ledger: createRedisLedger({
      ...at,
      dayOf: (account, instant) => nameOf(accounts.dayAt(account, instant)),
    }),
    guardStore: createRedisGuards(at),
    sides: createRedisSides(at),
    quotes: createRedisQuotes(at),
    balances: createRedisBalances(at),
    credentials: createRedisCredentialStore(at),
    people: createRedisPeople(at),
    sessions: createRedisSessions(at),
    passkeys: createRedisPasskeys(at),
    challenges: createRedisChallenges(at),
    attempts: createRedisAttempts(at),
    leases: createRedisConnectionLeases({ ...at, processId }),
    records: createRedisConnectionRecords(at),
    setups: createRedisConnectionSetups(at),
    memories: createRedisSealedMemories(at),
    copyGroups: createRedisCopyGroups(at),
    copyNews: createRedisCopyNews(at),
    copyMirrors: createRedisCopyMirrors(at),
    copyLog: createRedisCopyLog({ ...at, retentionMs }),
    strategies: createRedisStrategies(at),
    calendars: createRedisCalendars(at),
    accountGroups: createRedisAccountGroups(at),
    namedPlans: createRedisNamedPlans(at),
    outbox: createRedisOutbox(at),
    teller: createRedisTeller(at, processId),
    destinations: createRedisDestinations(at),
    notices: createRedisNotices(at),
    answers: createRedisAnswers(at, processId),
    evaluations: createRedisEvaluationLog({ ...at, retentionMs: EVALUATION_RETENTION_MS }),
  };
}
