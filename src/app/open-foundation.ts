import type { Config } from "../../config/index.ts";
import { openChangeFeed } from "../../queues/change-feed.ts";
import { openChannels } from "../../queues/channels.ts";
import { openOwnerDesk } from "../../queues/owner-desk.ts";
import { createReplyChannel } from "../../queues/reply-channel.ts";
import type { ContractDirectory } from "../domain/contracts/contract-directory.ts";
import { EvaluationThread } from "../evaluation/evaluation-thread.ts";
import { createStrategyEngine } from "../evaluation/strategy-engine.ts";
import { createTurns } from "../evaluation/take-turns.ts";
import type { AlarmBoard } from "../trading/alarms/alarm-board.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { Logger } from "../observability/logger.ts";
import type { Traces } from "../observability/traces.ts";
import { createExpectedFee } from "../trading/money/expected-fee.ts";
import { createCronScheduler } from "../schedule/cron-scheduler.ts";
import { createDescribeContract } from "../trading/orders/describe-contract.ts";
import type { AnswerTimes } from "../trading/orders/answer-times.ts";
import { createBrokerCatalog } from "../brokers/broker-catalog.ts";
import { toProblems } from "../http/requests/problems.ts";
import type { BrokerKinds } from "../brokers/broker-kind.ts";
import { decodeTold } from "../store/intents/intent-record.ts";
import type { OpenStore } from "./open-store.ts";
import { openStores } from "./open-stores.ts";
import { createSecretBox } from "../data-folder/sealing-key.ts";
import type { ScheduleLookups } from "./schedule-lookups.ts";
import { waitFor } from "./wait-for.ts";

interface FoundationParts {
  readonly config: Config;
  readonly log: Logger;
  readonly alarms: AlarmBoard;
  readonly metrics: Metrics;
  /** Undefined where nothing is traced. */
  readonly traces: Traces | undefined;
  readonly version: string;
  readonly store: OpenStore;
  readonly contracts: ContractDirectory;
  readonly scheduleLookups: ScheduleLookups;
  readonly processId: string;
  readonly kinds: BrokerKinds;
  /** What the thread that evaluates runs, where that is not beside its source. */
  readonly evaluationProgram: URL | undefined;
  readonly answerTimes: AnswerTimes | undefined;
}

/** What every role needs. */
export async function openFoundation({
  config,
  log,
  alarms,
  metrics,
  traces,
  version,
  store,
  contracts,
  processId,
  kinds,
  evaluationProgram,
  scheduleLookups,
  answerTimes,
}: FoundationParts) {
  const catalog = createBrokerCatalog(kinds, config, toProblems);
  const opened = await openStores(store, config, processId);
  const channels = openChannels(store.subscriber());
  const { request: redis, keys } = store;
  const onError = (error: unknown) => log.error("A message was lost between processes", { error });
  const outcomes = await createReplyChannel({
    processId,
    intents: opened.stores.intents,
    decodeTold,
    redis,
    channels,
    channelOf: keys.replies,
    waitFor,
    // Held back until its replicas have it, as every answer is; without replicas there is nothing to ask.
    confirm: async (account) =>
      store.guard.hasReplicas && (await redis.exists(keys.account(account))),
    onError,
  });
  const desk = await openOwnerDesk({
    redis,
    channels,
    processId,
    questionsOf: keys.questions,
    answersOf: keys.answers,
    waitFor,
    isOwned: async (connection) => (await opened.stores.leases.read(connection)) !== undefined,
    onError,
  });
  store.guard.onNewServer(() => {
    opened.recent.missing(store.worker, keys).then(
      (missing) => {
        for (const { account: accountId, intent: intentId } of missing) {
          alarms.raise({ kind: "answerMissing", accountId, intentId });
        }
      },
      (error: unknown) => log.error("What was accepted is not compared", { error }),
    );
  });
  const evaluationThread = new EvaluationThread({
    program: evaluationProgram,
    onLost: (error) => log.error("The thread that evaluates strategies is started anew", { error }),
  });
  return {
    ...opened,
    config,
    log,
    alarms,
    metrics,
    traces,
    version,
    store,
    keys,
    processId,
    contracts,
    channels,
    outcomes,
    desk,
    changes: openChangeFeed({ redis, channels, channel: keys.changes }),
    scheduleLookups,
    answerTimes,
    expectedFee: createExpectedFee(config.EXPECTED_FEES, contracts),
    describe: createDescribeContract(contracts),
    cycleOf: (root: string) => contracts.product(root)?.cycle,
    isOneMarket: contracts.isOneMarket,
    evaluationThread,
    engine: { ...createStrategyEngine(), ...evaluationThread.calls },
    turn: createTurns(),
    scheduler: createCronScheduler(),
    catalog,
    secrets: createSecretBox(config),
    now: Date.now,
  };
}

export type Foundation = Awaited<ReturnType<typeof openFoundation>>;
