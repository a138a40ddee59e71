import { dashboard } from "./dashboard.ts";
import { guardPanels } from "./guards.ts";
import { lines, stat, states, stats } from "./panels.ts";
import { inRange, of, perMinute, quantiles } from "./query.ts";

/** Everything on the first rows is green, or a person is needed. */
export const overview = () =>
  dashboard({
    uid: "gateway-overview",
    title: "Gateway: overview",
    description: "What needs a person now. Red is explained in grafana/README.md.",
    sections: [
      {
        title: "What needs a person now",
        panels: [...moneyPanels(), ...recordPanels(), copyPanel(), strategyPanel()],
      },
      { title: "Prices and money", panels: pricePanels() },
      { title: "Guards", panels: guardPanels() },
      { title: "Notifications", panels: notifyPanels() },
      { title: "What is going on", panels: trafficPanels() },
    ],
  });

const moneyPanels = () => [
  stat({
    title: "Connections down",
    description: "Broker connections that are not CONNECTED",
    unit: "short",
    expr: `sum(${of("gateway_connection_state", 'state!="CONNECTED"')})`,
    redFrom: 1,
  }),
  stat({
    title: "Unknown outcomes",
    description: "Orders of which nobody knows yet whether the broker has them",
    unit: "short",
    expr: `max(${of("gateway_unknown_outcomes")})`,
    redFrom: 1,
  }),
  stat({
    title: "Unprotected positions",
    description: "Positions whose bracket or protection was asked for and is missing",
    unit: "short",
    expr: `max(${of("gateway_unprotected_positions")})`,
    redFrom: 1,
  }),
  stat({
    title: "Oldest open intent",
    description: "How long the oldest intent has waited for its end; unknown ones aside",
    unit: "s",
    expr: `max(${of("gateway_lane_oldest_intent_seconds")})`,
    redFrom: 5,
  }),
  stat({
    title: "Redis keeps what was accepted",
    description:
      "Whether Redis writes every accepted order to disk at once, and no failover can lose one",
    unit: "short",
    expr: `min(${of("gateway_redis_durable")})`,
    redBelow: 1,
    words: { 0: "NO", 1: "yes" },
  }),
  stat({
    title: "The store is ours",
    description: "Whether the store is the one of the start; while it is not, nothing is sent",
    unit: "short",
    expr: `min(${of("gateway_store_known")})`,
    redBelow: 1,
    words: { 0: "NO", 1: "yes" },
  }),
  stat({
    title: "Kill switches on",
    description: "Accounts, or all of them, that may only reduce what they hold",
    unit: "short",
    expr: `max(${of("gateway_active_kill_switches")})`,
    redFrom: 1,
  }),
];

const recordPanels = () => [
  stat({
    title: "Accounts out of step",
    description: "Accounts that could not be read from their broker: their lanes wait",
    unit: "short",
    expr: `sum(${of("gateway_accounts_out_of_step")})`,
    redFrom: 1,
  }),
  stat({
    title: "Oldest reconciliation",
    description: "Since the account that waits longest was compared with its broker",
    unit: "s",
    expr: `max(${of("gateway_oldest_reconciliation_seconds")})`,
    redFrom: 120,
  }),
  stat({
    title: "Differences found",
    description: "What brokers showed and our records did not explain, in the time shown",
    unit: "short",
    expr: inRange("gateway_reconciliation_differences_total"),
    redFrom: 0.5,
  }),
  stat({
    title: "Dead letters",
    description: "Jobs that could not be read and were dropped, in the time shown",
    unit: "short",
    expr: inRange("gateway_dead_letters_total"),
    redFrom: 0.5,
  }),
  stat({
    title: "Store errors",
    description: "Times that Redis failed somebody, in the time shown",
    unit: "short",
    expr: inRange("gateway_store_errors_total"),
    redFrom: 0.5,
  }),
  stat({
    title: "Processes up",
    description: "Gateway processes that answer Prometheus",
    unit: "short",
    expr: `sum(${of("up")})`,
    redBelow: 1,
  }),
];

const copyPanel = () =>
  stats({
    title: "Copy trading",
    description:
      "Contracts that followers hold more or fewer of than they are to, and followers that a guard has stopped",
    unit: "short",
    queries: [
      { expr: `sum(${of("gateway_copy_drift_contracts")})`, legend: "drifted contracts" },
      {
        expr: `sum(${of("gateway_copy_followers", 'state="stopped"')})`,
        legend: "stopped followers",
      },
    ],
    redFrom: 1,
    width: 10,
  });

const strategyPanel = () =>
  stats({
    title: "Strategies",
    description:
      "Slots that nobody evaluated in time, and decisions that were not carried out, in the time shown",
    unit: "short",
    queries: [
      { expr: inRange("gateway_strategy_missed_slots_total"), legend: "missed slots" },
      { expr: inRange("gateway_strategy_unsent_total"), legend: "decisions not carried out" },
    ],
    redFrom: 0.5,
    width: 10,
  });

const pricePanels = () => [
  stat({
    title: "Quotes watched",
    description: "Contracts whose prices are followed, each once for a connection",
    unit: "short",
    expr: `sum(${of("gateway_quotes_watched")})`,
  }),
  stat({
    title: "Old prices of what is held",
    description:
      "Held contracts whose price was not heard for 10 s, or never; so it is while an exchange is closed",
    unit: "short",
    expr: `sum(${of("gateway_quotes_stale_held")})`,
    redFrom: 1,
  }),
  stat({
    title: "Money differs",
    description: "Accounts whose broker says otherwise than the gateway's ledger, by currency",
    unit: "short",
    expr: `sum(${of("gateway_accounts_money_differs")})`,
    redFrom: 1,
  }),
  lines({
    title: "Quotes per minute",
    description: "Prices that brokers have told",
    unit: "short",
    queries: [{ expr: perMinute("gateway_quotes_total"), legend: "quotes" }],
  }),
  lines({
    title: "Old prices",
    description:
      "Contracts that are held or worked and whose price is old, and those that are held",
    unit: "short",
    queries: [
      { expr: `sum(${of("gateway_quotes_stale")})`, legend: "held or worked" },
      { expr: `sum(${of("gateway_quotes_stale_held")})`, legend: "held" },
    ],
  }),
  stat({
    title: "Exit plans held",
    description: "Exit plans that see no prices, or are refused what they are to do",
    unit: "short",
    expr: `sum(${of("gateway_exit_plans_blind")}) + sum(${of("gateway_exit_plans_stuck")})`,
    redFrom: 1,
  }),
];

/** Every process reads the same from the store. */
const notifyPanels = () => [
  stat({
    title: "Destinations switched off",
    description: "Places that are told nothing more, because they refused for good",
    unit: "short",
    expr: `max(${of("gateway_destinations_disabled")})`,
    redFrom: 1,
  }),
  stat({
    title: "Undelivered",
    description: "Events that a destination was not told, kept for a week: see the console",
    unit: "short",
    expr: `max(${of("gateway_notifications_undelivered")})`,
  }),
  stat({
    title: "Oldest event that is due",
    description: "How late a destination is told at worst; what waits for quiet hours is not due",
    unit: "s",
    expr: `max(${of("gateway_notifications_oldest_due_seconds")})`,
    redFrom: 300,
  }),
  lines({
    title: "Notifications per minute",
    description: "Attempts by what came of them, and events that were given up",
    unit: "short",
    queries: [
      { expr: perMinute("gateway_notifications_total", "result"), legend: "{{result}}" },
      { expr: perMinute("gateway_notifications_given_up_total"), legend: "given up" },
    ],
  }),
  lines({
    title: "Waiting",
    description: "Events that wait: for their turn, the end of quiet hours, or another attempt",
    unit: "short",
    queries: [{ expr: `max(${of("gateway_notifications_waiting")})`, legend: "events" }],
  }),
];

const trafficPanels = () => [
  lines({
    title: "Alerts per minute",
    description: "Alerts by how they were answered",
    unit: "short",
    queries: [{ expr: perMinute("gateway_alerts_total", "outcome"), legend: "{{outcome}}" }],
  }),
  lines({
    title: "From accepted to settled",
    description: "Time from the gateway's promise to the broker's word",
    unit: "s",
    queries: quantiles("gateway_intent_stage_seconds", 'stage="accepted_to_settled"'),
  }),
  states({
    title: "Broker connections",
    description: "The state that each connection was in",
    unit: "short",
    queries: [
      {
        expr: `max by (connection_id, state) (${of("gateway_connection_state")})`,
        legend: "{{connection_id}} {{state}}",
      },
    ],
  }),
];
