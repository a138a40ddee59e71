import { ALERT_OUTCOMES } from "../trading/alerts/alert-outcome.ts";
import { Counter, Gauge, Registry } from "prom-client";
import { OUTCOME_KINDS } from "../domain/intent.ts";
import { CONNECTION_STATUSES, type ConnectionStatus } from "../domain/connection-status.ts";
import {
  AUTH_FAILURES,
  DIFFERENCES,
  INTENT_KINDS,
  LEG_ACTIONS,
  LIMITED_CREDENTIALS,
  SIGN_INS,
  STORE_FAILURES,
} from "./label-values.ts";
import { strategyMetrics } from "./strategy-metrics.ts";
import { copyMetrics, type CopyReading, registerCopyReading } from "./copy-metrics.ts";
import {
  type ConnectionReading,
  registerConnectionFigures,
  registerSharing,
  type SharingReading,
} from "./connection-metrics.ts";
import { guardMetrics, registerGuardAlarms } from "./guard-metrics.ts";
import { type LaneReaders, registerLaneMetrics } from "./lane-metrics.ts";
import { type MoneyReading, registerMoneyMetrics } from "./money-metrics.ts";
import { registerPlanAlarms } from "./plan-metrics.ts";
import { notifyMetrics, type NotifyReading, registerNotifyReading } from "./notify-metrics.ts";
import { exemplarRegistry, openMetricsText } from "./open-metrics.ts";
import { countedBy, countedByBoth, latencyHistogram, readOnScrape } from "./register-metric.ts";
import type { GuardAlarm } from "../trading/alarms/guard-alarms.ts";
import type { PlanAlarm } from "../trading/alarms/plan-alarms.ts";
import { registerProcessMetrics } from "./process-metrics.ts";

/** The parts of an intent's way, from its acceptance to the broker's answer. */
export type IntentStage = "accepted_to_sent" | "sent_to_settled" | "accepted_to_settled";

/** What is read when Prometheus asks. One that fails is left out of the answer. */
export interface MetricReaders extends LaneReaders {
  readonly activeKillSwitches: () => number | Promise<number>;
  /** Whether every accepted order is kept, as it was last seen. */
  readonly redisIsDurable: () => boolean;
  /** Whether the store is the one that was there at the start. */
  readonly storeIsKnown: () => boolean;
  /** What the disk of our own Redis can still take; undefined where Redis is another's. */
  readonly storeDiskFreeBytes: () => number | undefined;
  /** The part of `maxmemory` that is used; undefined where Redis has none. */
  readonly storeMemoryShare: () => number | undefined;
  readonly storeSlowestSeconds: () => number;
  /** Of the account that waits longest of those with something at stake, in seconds. */
  readonly oldestReconciliationSeconds: () => number;
  /** Accounts whose position is not what its fills add up to, until a second look. */
  readonly suspectedPositions: () => number;
  /** Accounts of a connection that stands, which could not be read in full since it does. */
  readonly accountsOutOfStep: () => number;
  readonly copying: () => CopyReading;
  readonly money: () => MoneyReading;
  /** What guards have brought accounts into, as this process has raised it. */
  readonly guardAlarms: () => readonly GuardAlarm[];
  /** Exit plans that cannot go on, as this process has raised it. */
  readonly planAlarms: () => readonly PlanAlarm[];
  readonly sharing: () => SharingReading;
  readonly notifying: () => Promise<NotifyReading>;
  readonly connections: () => Iterable<ConnectionReading & { readonly status: ConnectionStatus }>;
}

const MS_PER_SECOND = 1_000;
const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const STAGE_BUCKETS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30,
];

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Every metric the gateway exports, in a registry of its own. Labels have a closed set of values:
 * routes are templates, and no account, key or token is ever a label.
 */
export function createMetrics(version: string, { isTraced = false } = {}) {
  const registry = new Registry();
  const exemplified = isTraced ? exemplarRegistry() : undefined;
  const endProcessMetrics = registerProcessMetrics(registry);
  registerBuildInfo(registry, version);
  return {
    /** The answer to a scrape: Prometheus' own text, or OpenMetrics. */
    text: async (format?: "openMetrics") =>
      format === undefined
        ? await registry.metrics()
        : await openMetricsText(registry, exemplified),
    close: endProcessMetrics,
    /** Registers what is read on each scrape, beside what is counted. Called once. */
    read: (readers: MetricReaders) => {
      registerReaders(registry, readers);
      registerLaneMetrics(registry, readers);
      registerConnections(registry, readers.connections);
      registerConnectionFigures(registry, readers.connections);
      registerSharing(registry, readers.sharing);
      registerCopyReading(registry, readers.copying);
      registerMoneyMetrics(registry, readers.money);
      registerGuardAlarms(registry, readers.guardAlarms);
      registerPlanAlarms(registry, readers.planAlarms);
      registerNotifyReading(registry, readers.notifying);
    },
    ...httpMetrics(registry, exemplified),
    ...streamMetrics(registry),
    ...intentMetrics(registry, exemplified),
    ...copyMetrics(registry),
    ...strategyMetrics(registry),
    ...guardMetrics(registry),
    ...notifyMetrics(registry),
  };
}

function httpMetrics(registry: Registry, exemplified: Registry | undefined) {
  const registers = [registry];
  return {
    httpRequests: new Counter({
      name: "gateway_http_requests_total",
      help: "HTTP requests answered, by route template and status",
      labelNames: ["method", "route", "status"] as const,
      registers,
    }),
    requestSeconds: latencyHistogram(registry, exemplified, {
      name: "gateway_http_request_duration_seconds",
      help: "Time from a request's headers to the end of its answer",
      labelNames: ["method", "route"] as const,
      buckets: REQUEST_BUCKETS,
    }),
    authFailures: countedBy(registry, "kind", AUTH_FAILURES, {
      name: "gateway_auth_failures_total",
      help: "Requests that were not let in, by what was wrong with their key, token or session",
    }),
    signIns: countedBy(registry, "result", SIGN_INS, {
      name: "gateway_sign_ins_total",
      help: "Attempts of people to sign in or to confirm who they are, by what became of them",
    }),
    rateLimited: countedBy(registry, "kind", LIMITED_CREDENTIALS, {
      name: "gateway_rate_limited_total",
      help: "Requests refused because their key, token or session sent too many",
    }),
  };
}

function streamMetrics(registry: Registry) {
  const registers = [registry];
  const clients = new Gauge({
    name: "gateway_sse_clients",
    help: "Connection-health streams that are open",
    registers,
  });
  const dropped = new Counter({
    name: "gateway_sse_dropped_total",
    help: "Connection-health streams that were given up because their client did not read",
    registers,
  });
  return {
    streamsOpen: (count: number) => clients.set(count),
    streamDropped: () => dropped.inc(),
  };
}

function intentMetrics(registry: Registry, exemplified: Registry | undefined) {
  const registers = [registry];
  const observeStage = latencyHistogram(registry, exemplified, {
    name: "gateway_intent_stage_seconds",
    help: "Time an intent spent in each part of its way to the broker",
    labelNames: ["stage"] as const,
    buckets: STAGE_BUCKETS,
  });
  const reconciledAt = new Gauge({
    name: "gateway_reconciliation_last_success_timestamp_seconds",
    help: "When an account was last compared with its broker in full, in Unix time; 0 before that",
    registers,
  });
  const deadLetters = new Counter({
    name: "gateway_dead_letters_total",
    help: "Jobs on a lane that could not be read and were dropped",
    registers,
  });
  const answersMissing = new Counter({
    name: "gateway_answers_missing_total",
    help: "Requests that were accepted and that a failover of Redis has lost",
    registers,
  });
  const adopted = new Counter({
    name: "gateway_reconciliation_adopted_fills_total",
    help: "Fills that the broker had not reported and that reconciliation found",
    registers,
  });
  return {
    adoptedFills: (count: number) => adopted.inc(count),
    /** An account was compared with its broker in full. Unix ms. */
    reconciledAt: (now: number) => reconciledAt.set(now / MS_PER_SECOND),
    deadLetter: () => deadLetters.inc(),
    answerMissing: () => answersMissing.inc(),
    storeErrors: countedBy(registry, "kind", STORE_FAILURES, {
      name: "gateway_store_errors_total",
      help: "Redis failed: a connection to it, a caller's request, the work of a lane, or copying",
    }),
    reconciliationDifferences: countedBy(registry, "kind", DIFFERENCES, {
      name: "gateway_reconciliation_differences_total",
      help: "What the broker showed and our own records did not explain: a person must look",
    }),
    reconciliations: countedBy(registry, "result", ["done", "failed"], {
      name: "gateway_reconciliations_total",
      help: "Comparisons of an account with its broker, by whether the broker could be read",
    }),
    alerts: countedBy(registry, "outcome", ALERT_OUTCOMES, {
      name: "gateway_alerts_total",
      help: "Alerts received, by how they were answered",
    }),
    legsKept: countedBy(registry, "action", LEG_ACTIONS, {
      name: "gateway_legs_kept_total",
      help: "Legs that could have opened a position and were cancelled or made smaller",
    }),
    intentSettled: countedByBoth(registry, ["kind", INTENT_KINDS], ["outcome", OUTCOME_KINDS], {
      name: "gateway_intents_total",
      help: "Intents by what they wanted and how they ended; unknown ones count again when settled",
    }),
    stageSeconds: (stage: IntentStage, seconds: number, traceId?: string) =>
      observeStage({ stage }, seconds, traceId),
  };
}

function registerReaders(registry: Registry, readers: MetricReaders): void {
  readOnScrape(registry, readers.activeKillSwitches, {
    name: "gateway_active_kill_switches",
    help: "Kill switches that are on",
  });
  readOnScrape(registry, () => (readers.redisIsDurable() ? 1 : 0), {
    name: "gateway_redis_durable",
    help: "1 while Redis keeps every accepted order through a crash, 0 when it was found not to",
  });
  readOnScrape(registry, () => (readers.storeIsKnown() ? 1 : 0), {
    name: "gateway_store_known",
    help: "1 while the store is the one of the start, 0 while it is refused and nothing is sent",
  });
  readOnScrape(registry, readers.storeDiskFreeBytes, {
    name: "gateway_store_disk_free_bytes",
    help: "What the disk of the gateway's own Redis can still take; absent where Redis is another's",
  });
  readOnScrape(registry, readers.storeMemoryShare, {
    name: "gateway_store_memory_ratio",
    help: "The part of its maxmemory that Redis uses, of the fullest server; absent without a limit",
  });
  readOnScrape(registry, readers.storeSlowestSeconds, {
    name: "gateway_store_slowest_answer_seconds",
    help: "The longest that Redis took, in the last ten looks at it, to answer or to sync a write",
  });
  readOnScrape(registry, readers.oldestReconciliationSeconds, {
    name: "gateway_oldest_reconciliation_seconds",
    help: "Time since the comparison with its broker of the account that waits longest for one",
  });
  readOnScrape(registry, readers.suspectedPositions, {
    name: "gateway_suspected_positions",
    help: "Accounts whose position is not what its fills add up to, until a second look",
  });
  readOnScrape(registry, readers.accountsOutOfStep, {
    name: "gateway_accounts_out_of_step",
    help: "Accounts of connected brokers that could not be read in full yet: their lanes wait",
  });
}

function registerConnections(registry: Registry, connections: MetricReaders["connections"]): void {
  new Gauge({
    name: "gateway_connection_state",
    help: "1 for the state that a broker connection is in, 0 for the others",
    labelNames: ["connection_id", "state"] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const { connectionId, status } of connections()) {
        for (const state of CONNECTION_STATUSES) {
          this.set({ connection_id: connectionId, state }, state === status ? 1 : 0);
        }
      }
    },
  });
}

function registerBuildInfo(registry: Registry, version: string): void {
  new Gauge({
    name: "gateway_build_info",
    help: "1, with the versions that are running",
    labelNames: ["version", "node_version"] as const,
    registers: [registry],
  }).set({ version, node_version: process.version }, 1);
}
