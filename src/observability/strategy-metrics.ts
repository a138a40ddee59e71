import { Counter, Histogram, type Registry } from "prom-client";
import { DECISIONS } from "../domain/strategies/strategy-decision.ts";
import { TRIGGERS, UNDECIDED } from "../trading/strategies/ports.ts";
import { countedBy, countedByBoth } from "./register-metric.ts";

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What a decision was to do to the position: a turn is an entry. */
export const DECISION_KINDS = ["entry", "exit"] as const;

/** Everything that is counted and measured of strategies. */
export function strategyMetrics(registry: Registry) {
  const registers = [registry];
  const strategyEvaluated = countedByBoth(
    registry,
    ["trigger", TRIGGERS],
    ["verdict", [...DECISIONS, ...UNDECIDED]],
    {
      name: "gateway_strategy_evaluations_total",
      help: "Evaluations of strategies by what asked for them and what they came to",
    },
  );
  const missed = new Counter({
    name: "gateway_strategy_missed_slots_total",
    help: "Slots of schedules that nobody evaluated in time",
    registers,
  });
  const strategyUnsent = countedBy(registry, "decision", DECISION_KINDS, {
    name: "gateway_strategy_unsent_total",
    help: "Decisions of strategies that were not carried out, or not wholly: entries and exits",
  });
  const seconds = new Histogram({
    name: "gateway_strategy_decision_seconds",
    help: "Time from the beginning of an evaluation to its decision, bars included",
    buckets: SECONDS,
    registers,
  });
  return {
    strategyEvaluated,
    strategySlotsMissed: (count: number) => missed.inc(count),
    strategyUnsent,
    strategyDecisionSeconds: (value: number) => seconds.observe(value),
  };
}
