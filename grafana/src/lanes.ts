import { dashboard } from "./dashboard.ts";
import { lines } from "./panels.ts";
import { of, perMinute } from "./query.ts";

/** What waits, for how long, and what went wrong on the way. */
export const lanes = () =>
  dashboard({
    uid: "gateway-lanes",
    title: "Gateway: lanes",
    description: "What waits on the accounts' lanes, for how long, and what went wrong there.",
    sections: [
      { title: "Waiting", panels: waitingPanels() },
      { title: "In doubt", panels: doubtPanels() },
      { title: "Failures", panels: failurePanels() },
    ],
  });

const waitingPanels = () => [
  lines({
    title: "Open intents",
    description: "On all lanes: waiting for their turn, held behind an unknown one, being sent",
    unit: "short",
    queries: [{ expr: `max by (state) (${of("gateway_lane_intents")})`, legend: "{{state}}" }],
  }),
  lines({
    title: "Age of the oldest",
    description: "Of intents that have not ended, unknown ones aside",
    unit: "s",
    queries: [
      { expr: `max(${of("gateway_lane_oldest_intent_seconds")})`, legend: "oldest" },
      {
        expr: `max by (instance) (${of("gateway_worked_oldest_intent_seconds")})`,
        legend: "{{instance}}",
      },
    ],
  }),
  lines({
    title: "Lanes in hand",
    description: "Lanes that are being worked in this moment, by process",
    unit: "short",
    queries: [
      {
        expr: `sum by (instance) (${of("gateway_lane_active_intents")})`,
        legend: "{{instance}}",
      },
    ],
  }),
  lines({
    title: "Open intents by account",
    description: "Empty unless METRICS_PER_ACCOUNT is on; the ten with the most",
    unit: "short",
    queries: [
      {
        expr: `topk(10, max by (account_id, state) (${of("gateway_account_lane_intents")}))`,
        legend: "{{account_id}} {{state}}",
      },
    ],
  }),
];

const doubtPanels = () => [
  lines({
    title: "Unknown outcomes",
    description: "Intents of which nobody knows yet whether the broker has them",
    unit: "short",
    queries: [{ expr: `max(${of("gateway_unknown_outcomes")})`, legend: "unknown" }],
  }),
  lines({
    title: "Exits that go on",
    description: "Exits that are not done and are tried again, and exits that wait for the opening",
    unit: "short",
    queries: [
      { expr: `max(${of("gateway_unfinished_exits")})`, legend: "unfinished" },
      { expr: `max(${of("gateway_held_exits")})`, legend: "held" },
    ],
  }),
  lines({
    title: "Unprotected positions",
    description: "Positions whose bracket or protection was asked for and is missing",
    unit: "short",
    queries: [{ expr: `max(${of("gateway_unprotected_positions")})`, legend: "unprotected" }],
  }),
];

const failurePanels = () => [
  lines({
    title: "Store errors, per minute",
    description:
      "Redis failed: a connection to it, a caller's request, the work of a lane, or copying",
    unit: "short",
    queries: [{ expr: perMinute("gateway_store_errors_total", "kind"), legend: "{{kind}}" }],
  }),
  lines({
    title: "Dead letters, per minute",
    description: "Jobs that could not be read and were dropped",
    unit: "short",
    queries: [{ expr: perMinute("gateway_dead_letters_total"), legend: "dropped" }],
  }),
];
