import { Counter, Histogram, type Registry } from "prom-client";
import { DECISIONS } from "../domain/strategies/strategy-decision.ts";
import { type Trigger, TRIGGERS, UNDECIDED, type Verdict } from "../trading/strategies/ports.ts";

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What a decision was to do to the position: a turn is an entry. */
export const DECISION_KINDS = ["entry", "exit"] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];

/** Everything that is counted and measured of strategies. */
export function strategyMetrics(registry: Registry) {
  const registers = [registry];
  const evaluations = new Counter({
    name: "gateway_strategy_evaluations_total",
    help: "Evaluations of strategies by what asked for them and what they came to",
    labelNames: ["trigger", "verdict"] as const,
    registers,
  });
  for (const trigger of TRIGGERS) {
    for (const verdict of [...DECISIONS, ...UNDECIDED]) evaluations.inc({ trigger, verdict }, 0);
  }
  const missed = new Counter({
    name: "gateway_strategy_missed_slots_total",
    help: "Slots of schedules that nobody evaluated in time",
    registers,
  });
  const unsent = new Counter({
    name: "gateway_strategy_unsent_total",
    help: "Decisions of strategies that were not carried out, or not wholly: entries and exits",
    labelNames: ["decision"] as const,
    registers,
  });
  for (const decision of DECISION_KINDS) unsent.inc({ decision }, 0);
  const seconds = new Histogram({
    name: "gateway_strategy_decision_seconds",
    help: "Time from the beginning of an evaluation to its decision, bars included",
    buckets: SECONDS,
    registers,
  });
  return {
    strategyEvaluated: (trigger: Trigger, verdict: Verdict) =>
      evaluations.inc({ trigger, verdict }),
    strategySlotsMissed: (count: number) => missed.inc(count),
    strategyUnsent: (decision: DecisionKind) => unsent.inc({ decision }),
    strategyDecisionSeconds: (value: number) => seconds.observe(value),
  };
}
