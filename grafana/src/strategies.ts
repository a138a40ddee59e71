import { dashboard } from "./dashboard.ts";
import { lines, stat } from "./panels.ts";
import { inRange, of, perMinute, quantile } from "./query.ts";

/** Whether strategies are evaluated when they are to be, and whether what they decide is done. */
export const strategies = () =>
  dashboard({
    uid: "gateway-strategies",
    title: "Gateway: strategies",
    description:
      "Whether strategies are evaluated when they are to be, and whether what they decide is done.",
    sections: [
      { title: "In the time shown", panels: strategyStats() },
      { title: "Evaluations", panels: evaluationPanels() },
      { title: "What went wrong", panels: troublePanels() },
      { title: "Time", panels: timePanels() },
    ],
  });

const EVALUATIONS = "gateway_strategy_evaluations_total";

/** Decisions that change a position, whether they are carried out or only logged. */
const ACTS = 'verdict=~"enterLong|enterShort|exit"';
/** There was a slot or a caller, and nothing could be decided. */
const UNDECIDED = 'verdict=~"notReady|stale|failed|missed|skipped"';

const evaluationsInRange = (condition: string) =>
  `sum(increase(${of(EVALUATIONS, condition)}[$__range]))`;

const evaluationsPerMinute = (label: string, condition: string) =>
  `60 * sum by (${label}) (rate(${of(EVALUATIONS, condition)}[$__rate_interval]))`;

const strategyStats = () => [
  stat({
    title: "Missed slots",
    description: "Slots of schedules that nobody evaluated in time; none is evaluated late",
    unit: "short",
    expr: inRange("gateway_strategy_missed_slots_total"),
    redFrom: 0.5,
  }),
  stat({
    title: "Decisions not carried out",
    description: "A position was to change and did not: refused, expired or never sent",
    unit: "short",
    expr: inRange("gateway_strategy_unsent_total"),
    redFrom: 0.5,
  }),
  stat({
    title: "Failed evaluations",
    description: "Bars could not be read, or a condition had no value",
    unit: "short",
    expr: evaluationsInRange('verdict="failed"'),
    redFrom: 0.5,
  }),
  stat({
    title: "Evaluations without fresh bars",
    description: "There were too few bars, or the newest was too old: the market may be closed",
    unit: "short",
    expr: evaluationsInRange('verdict=~"notReady|stale"'),
  }),
  stat({
    title: "Decisions that act",
    description: "Entries and exits that were decided; those that are only observed count too",
    unit: "short",
    expr: evaluationsInRange(ACTS),
  }),
  stat({
    title: "Evaluations",
    description: "Slots and requests, whatever they came to; slots missed together count as one",
    unit: "short",
    expr: inRange(EVALUATIONS),
  }),
];

const evaluationPanels = () => [
  lines({
    title: "Evaluations by verdict, per minute",
    description: "What evaluations came to: a decision, or why there is none",
    unit: "short",
    queries: [{ expr: perMinute(EVALUATIONS, "verdict"), legend: "{{verdict}}" }],
  }),
  lines({
    title: "Evaluations by trigger, per minute",
    description: "Whether a schedule or a caller asked for them",
    unit: "short",
    queries: [{ expr: perMinute(EVALUATIONS, "trigger"), legend: "{{trigger}}" }],
  }),
  lines({
    title: "Decisions that act, per minute",
    description: "Entries and exits that were decided; those that are only observed count too",
    unit: "short",
    queries: [{ expr: evaluationsPerMinute("verdict", ACTS), legend: "{{verdict}}" }],
  }),
  lines({
    title: "Evaluations without a decision, per minute",
    description: "Too few or too old bars, failed, missed, or changed before its turn came",
    unit: "short",
    queries: [
      {
        expr: evaluationsPerMinute("trigger, verdict", UNDECIDED),
        legend: "{{trigger}} {{verdict}}",
      },
    ],
  }),
];

const troublePanels = () => [
  lines({
    title: "Missed slots, per minute",
    description: "By the process that found them; the slots of a whole outage are found at once",
    unit: "short",
    queries: [
      {
        expr: perMinute("gateway_strategy_missed_slots_total", "instance"),
        legend: "{{instance}}",
      },
    ],
  }),
  lines({
    title: "Decisions not carried out, per minute",
    description: "The strategy's log says why; what is unknown is not among them",
    unit: "short",
    queries: [
      { expr: perMinute("gateway_strategy_unsent_total", "decision"), legend: "{{decision}}" },
    ],
  }),
];

const DECISION_SECONDS = "gateway_strategy_decision_seconds";

const timePanels = () => [
  lines({
    title: "From the beginning to the decision",
    description: "Bars and position included; what could read no bars is not measured",
    unit: "s",
    width: 24,
    queries: [
      { expr: quantile(0.5, DECISION_SECONDS), legend: "p50" },
      { expr: quantile(0.99, DECISION_SECONDS), legend: "p99" },
    ],
  }),
];
