import type { Config } from "../../config/index.ts";
import { openChangeFeed } from "../../queues/change-feed.ts";
import { openChannels } from "../../queues/channels.ts";
import { openOwnerDesk } from "../../queues/owner-desk.ts";
import { createReplyChannel } from "../../queues/reply-channel.ts";
import type { ContractDirectory } from "../domain/contracts/contract-directory.ts";
import { createStrategyEngine } from "../evaluation/strategy-engine.ts";
import { createTurns } from "../evaluation/take-turns.ts";
import type { Logger } from "../observability/logger.ts";
import { createRedisConnectionLeases } from "../store/connections/redis-connection-leases.ts";
import { createRedisConnectionRecords } from "../store/connections/redis-connection-records.ts";
import { createRedisConnectionSetups } from "../store/connections/redis-connection-setups.ts";
import { createRedisCopyGroups } from "../store/copying/redis-copy-groups.ts";
import { createRedisCopyLog } from "../store/copying/redis-copy-log.ts";
import { createRedisCopyMirrors } from "../store/copying/redis-copy-mirrors.ts";
import { createRedisCopyNews } from "../store/copying/redis-copy-news.ts";
import { createRedisEvaluationLog } from "../store/strategies/redis-evaluation-log.ts";
import { createRedisOrderNames } from "../store/intents/redis-order-names.ts";
import { createRedisStrategies } from "../store/strategies/redis-strategies.ts";
import { createRedisSealedMemories } from "../store/connections/redis-sealed-memories.ts";
import { createCronScheduler } from "../schedule/cron-scheduler.ts";
import type { AlarmBoard } from "../trading/alarms/alarm-board.ts";
import { createDescribeContract } from "../trading/orders/describe-contract.ts";
import { createBrokerCatalog } from "../brokers/broker-catalog.ts";
import { toProblems } from "../http/requests/problems.ts";
import type { BrokerKinds } from "../brokers/broker-kind.ts";
import type { OpenStore } from "./open-store.ts";
import { openStores } from "./open-stores.ts";
import { EVALUATION_RETENTION_MS, retentionMs } from "../store/retention.ts";
import { createSecretBox } from "../data-folder/sealing-key.ts";
import { waitFor } from "./wait-for.ts";

interface FoundationParts {
  readonly config: Config;
  readonly log: Logger;
  readonly alarms: AlarmBoard;
  readonly store: OpenStore;
  readonly contracts: ContractDirectory;
  readonly processId: string;
  readonly kinds: BrokerKinds;
}

/** What every role needs. */
export async function openFoundation({
  config,
  log,
  alarms,
  store,
  contracts,
  processId,
  kinds,
}: FoundationParts) {
  const catalog = createBrokerCatalog(kinds, config, toProblems);
  const stores = await openStores(store, config);
  const channels = openChannels(store.subscriber());
  const { request: redis, worker, keys } = store;
  const onError = (error: unknown) => log.error("A message was lost between processes", { error });
  const outcomes = await createReplyChannel({
    processId,
    intents: stores.intents,
    redis,
    channels,
    channelOf: keys.replies,
    waitFor,
    onError,
  });
  const desk = await openOwnerDesk({
    redis,
    channels,
    processId,
    questionsOf: keys.questions,
    answersOf: keys.answers,
    waitFor,
    onError,
  });
  return {
    ...stores,
    config,
    log,
    alarms,
    store,
    keys,
    processId,
    contracts,
    channels,
    outcomes,
    desk,
    changes: openChangeFeed({ redis, channels, channel: keys.changes }),
    describe: createDescribeContract(contracts),
    cycleOf: (root: string) => contracts.product(root)?.cycle,
    leases: createRedisConnectionLeases({ redis: worker, keys, processId }),
    records: createRedisConnectionRecords({ redis, keys }),
    setups: createRedisConnectionSetups({ redis, keys }),
    memories: createRedisSealedMemories({ redis, keys }),
    orderNames: createRedisOrderNames({ redis, keys }),
    copyGroups: createRedisCopyGroups({ redis, keys }),
    copyNews: createRedisCopyNews({ redis, keys }),
    copyMirrors: createRedisCopyMirrors({ redis, keys }),
    copyLog: createRedisCopyLog({ redis, keys, retentionMs: retentionMs(config) }),
    strategies: createRedisStrategies({ redis, keys }),
    evaluations: createRedisEvaluationLog({ redis, keys, retentionMs: EVALUATION_RETENTION_MS }),
    engine: createStrategyEngine(),
    turn: createTurns(),
    scheduler: createCronScheduler(),
    catalog,
    secrets: createSecretBox(config),
    now: Date.now,
  };
}

export type Foundation = Awaited<ReturnType<typeof openFoundation>>;
