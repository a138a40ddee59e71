import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { ConnectionStatus } from "../domain/connection-status.ts";
import type { AuthFailure, LimitedCredential } from "../http/observer.ts";
import type { IntentKind, Outcome } from "../domain/intent.ts";
import type { Difference } from "../trading/lane/reconcile/reconcile-account.ts";
import { registerProcessMetrics } from "./process-metrics.ts";

/** The parts of an intent's way, from the gateway's promise to the broker's word. */
export type IntentStage = "accepted_to_sent" | "sent_to_settled" | "accepted_to_settled";

/** How an alert was answered; `refused` is one that could not be read, or may not be placed. */
export type AlertOutcome = Outcome["kind"] | "pending" | "refused";

/** What was done to a leg that protected more than was held. */
export type LegAction = "cancel" | "resize";

/** What is read when Prometheus asks. One that fails is left out of the answer. */
export interface MetricReaders {
  readonly laneWaitingIntents: () => number | Promise<number>;
  readonly laneActiveIntents: () => number | Promise<number>;
  readonly unknownOutcomes: () => number | Promise<number>;
  readonly activeKillSwitches: () => number | Promise<number>;
  /** Of the account that waits longest of those with something at stake, in seconds. */
  readonly oldestReconciliationSeconds: () => number;
  /** Accounts whose position is not what its fills add up to, until a second look. */
  readonly suspectedPositions: () => number;
  readonly connections: () => Iterable<{
    readonly connectionId: string;
    readonly status: ConnectionStatus;
  }>;
}

interface MetricsOptions {
  readonly version: string;
  readonly readers: MetricReaders;
}

const STATUSES: readonly ConnectionStatus[] = [
  "CONNECTING",
  "CONNECTED",
  "RECONNECTING",
  "DISCONNECTED",
  "AUTH_EXPIRED",
  "FATAL_ERROR",
];

const REQUEST_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const STAGE_BUCKETS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30,
];

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Every metric the gateway exports, in a registry of its own. Labels have a closed set of values:
 * routes are templates, and no account, key or token is ever a label.
 */
export function createMetrics({ version, readers }: MetricsOptions) {
  const registry = new Registry();
  const endProcessMetrics = registerProcessMetrics(registry);
  registerReaders(registry, readers);
  registerConnections(registry, readers.connections);
  registerBuildInfo(registry, version);
  return {
    /** The answer to a scrape, and its content type. */
    contentType: registry.contentType,
    text: () => registry.metrics(),
    close: endProcessMetrics,
    ...httpMetrics(registry),
    ...intentMetrics(registry),
  };
}

function httpMetrics(registry: Registry) {
  const registers = [registry];
  return {
    httpRequests: new Counter({
      name: "gateway_http_requests_total",
      help: "HTTP requests answered, by route template and status",
      labelNames: ["method", "route", "status"] as const,
      registers,
    }),
    httpRequestSeconds: new Histogram({
      name: "gateway_http_request_duration_seconds",
      help: "Time from a request's headers to the end of its answer",
      labelNames: ["method", "route"] as const,
      buckets: REQUEST_BUCKETS,
      registers,
    }),
    authFailures: countedBy<"kind", AuthFailure>(registry, "kind", {
      name: "gateway_auth_failures_total",
      help: "Requests that were not let in, by what was wrong with their key or token",
    }),
    rateLimited: countedBy<"kind", LimitedCredential>(registry, "kind", {
      name: "gateway_rate_limited_total",
      help: "Requests refused because their key or token sent too many",
    }),
  };
}

function intentMetrics(registry: Registry) {
  const registers = [registry];
  const intents = new Counter({
    name: "gateway_intents_total",
    help: "Intents by what they wanted and how they ended; unknown ones count again when settled",
    labelNames: ["kind", "outcome"] as const,
    registers,
  });
  const stages = new Histogram({
    name: "gateway_intent_stage_seconds",
    help: "Time an intent spent in each part of its way to the broker",
    labelNames: ["stage"] as const,
    buckets: STAGE_BUCKETS,
    registers,
  });
  const durable = new Gauge({
    name: "gateway_redis_durable",
    help: "1 when Redis keeps every accepted order through a crash, 0 when it was found not to",
    registers,
  });
  const adopted = new Counter({
    name: "gateway_reconciliation_adopted_fills_total",
    help: "Fills that the broker had not reported and that reconciliation found",
    registers,
  });
  return {
    adoptedFills: (count: number) => adopted.inc(count),
    reconciliationDifferences: countedBy<"kind", Difference["kind"]>(registry, "kind", {
      name: "gateway_reconciliation_differences_total",
      help: "What the broker showed and our own records did not explain: a person must look",
    }),
    reconciliations: countedBy<"result", "done" | "failed">(registry, "result", {
      name: "gateway_reconciliations_total",
      help: "Comparisons of an account with its broker, by whether the broker could be read",
    }),
    alerts: countedBy<"outcome", AlertOutcome>(registry, "outcome", {
      name: "gateway_alerts_total",
      help: "Alerts received, by how they were answered",
    }),
    legsKept: countedBy<"action", LegAction>(registry, "action", {
      name: "gateway_legs_kept_total",
      help: "Legs that could have opened a position and were cancelled or made smaller",
    }),
    intentSettled: (kind: IntentKind, outcome: Outcome["kind"]) => intents.inc({ kind, outcome }),
    stageSeconds: (stage: IntentStage, seconds: number) => stages.observe({ stage }, seconds),
    redisDurable: (isDurable: boolean) => durable.set(isDurable ? 1 : 0),
  };
}

/** A counter with one label, as a function of its value. */
function countedBy<Label extends string, Value extends string>(
  registry: Registry,
  label: Label,
  { name, help }: { readonly name: string; readonly help: string },
): (value: Value) => void {
  const counter = new Counter({ name, help, labelNames: [label], registers: [registry] });
  return (value) => counter.labels(value).inc();
}

function registerReaders(registry: Registry, readers: MetricReaders): void {
  readOnScrape(registry, readers.laneWaitingIntents, {
    name: "gateway_lane_waiting_intents",
    help: "Intents that wait on their account's lane",
  });
  readOnScrape(registry, readers.laneActiveIntents, {
    name: "gateway_lane_active_intents",
    help: "Intents that are being worked",
  });
  readOnScrape(registry, readers.unknownOutcomes, {
    name: "gateway_unknown_outcomes",
    help: "Intents whose outcome at the broker is not known",
  });
  readOnScrape(registry, readers.activeKillSwitches, {
    name: "gateway_active_kill_switches",
    help: "Kill switches that are on",
  });
  readOnScrape(registry, readers.oldestReconciliationSeconds, {
    name: "gateway_oldest_reconciliation_seconds",
    help: "Time since the comparison with its broker of the account that waits longest for one",
  });
  readOnScrape(registry, readers.suspectedPositions, {
    name: "gateway_suspected_positions",
    help: "Accounts whose position is not what its fills add up to, until a second look",
  });
}

function readOnScrape(
  registry: Registry,
  read: () => number | Promise<number>,
  { name, help }: { readonly name: string; readonly help: string },
): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      // An old number would hide that nobody can tell; no number is an alarm of its own.
      this.remove();
      try {
        this.set(await read());
      } catch {
        return;
      }
    },
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
        for (const state of STATUSES) {
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
