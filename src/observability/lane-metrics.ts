import { Gauge, type Registry } from "prom-client";
import { readOnScrape } from "./register-metric.ts";

/** Where an open intent stands. */
const STATES = ["waiting", "held", "sending"] as const;

export type OpenIntents = Readonly<Record<(typeof STATES)[number], number>>;

/** What of the lanes is read when Prometheus asks; one that fails is left out of the answer. */
export interface LaneReaders {
  readonly laneIntents: () => Promise<OpenIntents>;
  /** In this process. */
  readonly laneActiveIntents: () => number;
  readonly oldestIntentSeconds: () => Promise<number>;
  /** Of lanes that this process works and whose broker is connected. */
  readonly oldestWorkedSeconds: () => Promise<number>;
  readonly unknownOutcomes: () => Promise<number>;
  readonly unfinishedExits: () => Promise<number>;
  readonly heldExits: () => Promise<number>;
  readonly unprotectedPositions: () => Promise<number>;
  /** Undefined unless the operator wants a label for each account. */
  readonly laneIntentsByAccount:
    | (() => Promise<Iterable<OpenIntents & { readonly accountId: string }>>)
    | undefined;
}

/**
 * What Redis shows is of the whole appliance: several processes export the same number, so a query
 * takes the greatest and not the sum.
 */
export function registerLaneMetrics(registry: Registry, readers: LaneReaders): void {
  registerStates(registry, readers.laneIntents);
  registerByAccount(registry, readers.laneIntentsByAccount);
  readOnScrape(registry, readers.laneActiveIntents, {
    name: "gateway_lane_active_intents",
    help: "Lanes that this process works in this moment",
  });
  readOnScrape(registry, readers.oldestIntentSeconds, {
    name: "gateway_lane_oldest_intent_seconds",
    help: "Age of the oldest intent that has not ended, unknown ones aside; 0 without any",
  });
  readOnScrape(registry, readers.oldestWorkedSeconds, {
    name: "gateway_worked_oldest_intent_seconds",
    help: "As gateway_lane_oldest_intent_seconds, of lanes that this process works on a connected broker",
  });
  readOnScrape(registry, readers.unknownOutcomes, {
    name: "gateway_unknown_outcomes",
    help: "Intents whose outcome at the broker is not known",
  });
  readOnScrape(registry, readers.unfinishedExits, {
    name: "gateway_unfinished_exits",
    help: "Exits that are not done, and are tried again by themselves",
  });
  readOnScrape(registry, readers.heldExits, {
    name: "gateway_held_exits",
    help: "Exits that wait for the opening of their market",
  });
  readOnScrape(registry, readers.unprotectedPositions, {
    name: "gateway_unprotected_positions",
    help:
      "Positions whose bracket or protection was asked for and is missing, until the broker shows " +
      "it or shows them flat; positions for which nobody asked for one are not counted",
  });
}

function registerStates(registry: Registry, read: LaneReaders["laneIntents"]): void {
  new Gauge({
    name: "gateway_lane_intents",
    help: "Intents on all lanes: waiting for their turn, held behind an unknown one, being sent",
    labelNames: ["state"] as const,
    registers: [registry],
    async collect() {
      this.reset();
      const intents = await read().catch(() => undefined);
      if (intents === undefined) return;
      for (const state of STATES) this.set({ state }, intents[state]);
    },
  });
}

function registerByAccount(registry: Registry, read: LaneReaders["laneIntentsByAccount"]): void {
  if (read === undefined) return;
  new Gauge({
    name: "gateway_account_lane_intents",
    help: "As gateway_lane_intents, for each account that has any; shown by METRICS_PER_ACCOUNT",
    labelNames: ["account_id", "state"] as const,
    registers: [registry],
    async collect() {
      this.reset();
      for (const account of await read().catch(() => [])) {
        const { accountId } = account;
        for (const state of STATES) this.set({ account_id: accountId, state }, account[state]);
      }
    },
  });
}
