import { dashboard } from "./dashboard.ts";
import { lines, states } from "./panels.ts";
import { of, perMinute } from "./query.ts";

/** How connections stand, and whether our view of accounts is the broker's. */
export const brokerConnections = () =>
  dashboard({
    uid: "gateway-connections",
    title: "Gateway: broker connections",
    description: "How connections stand, and whether our view of accounts is the broker's.",
    sections: [
      { title: "Connections", panels: connectionPanels() },
      { title: "Reconciliation", panels: [...reconciliationPanels(), ...stepPanels()] },
    ],
  });

const connectionPanels = () => [
  states({
    title: "State",
    description: "The state that each connection was in",
    unit: "short",
    queries: [
      {
        expr: `max by (connection_id, state) (${of("gateway_connection_state")})`,
        legend: "{{connection_id}} {{state}}",
      },
    ],
  }),
  lines({
    title: "Reconnects, per minute",
    description: "Sessions that ended and were begun again",
    unit: "short",
    queries: [
      {
        expr: perMinute("gateway_connection_reconnects_total", "connection_id"),
        legend: "{{connection_id}}",
      },
    ],
  }),
  lines({
    title: "Connections of each process",
    description: "How many each owns, and how many no process has room for",
    unit: "short",
    queries: [
      { expr: `sum by (instance) (${of("gateway_connections_owned")})`, legend: "{{instance}}" },
      { expr: `max(${of("gateway_connections_without_room")})`, legend: "without a process" },
    ],
  }),
  lines({
    title: "Our clock ahead of the broker's",
    description: "Below 0 it is behind; empty until two of the broker's reports agree",
    unit: "s",
    queries: [
      {
        expr: `max by (connection_id) (${of("gateway_connection_clock_offset_seconds")})`,
        legend: "{{connection_id}}",
      },
    ],
  }),
  lines({
    title: "Since the broker's last message",
    description: "Empty for a broker inside the gateway: it sends none",
    unit: "s",
    queries: [
      {
        expr: `time() - max by (connection_id) (${of("gateway_connection_last_message_timestamp_seconds")})`,
        legend: "{{connection_id}}",
      },
    ],
  }),
];

const reconciliationPanels = () => [
  lines({
    title: "Reconciliations, per minute",
    description: "Comparisons of an account with its broker, by whether the broker could be read",
    unit: "short",
    queries: [{ expr: perMinute("gateway_reconciliations_total", "result"), legend: "{{result}}" }],
  }),
  lines({
    title: "Since the last reconciliation",
    description: "Of any account, and of the one that waits longest and has something at stake",
    unit: "s",
    queries: [
      {
        expr: `time() - max(${of("gateway_reconciliation_last_success_timestamp_seconds")} > 0)`,
        legend: "any account",
      },
      {
        expr: `max(${of("gateway_oldest_reconciliation_seconds")})`,
        legend: "longest with something at stake",
      },
    ],
  }),
];

const stepPanels = () => [
  lines({
    title: "Differences and found fills, per minute",
    description: "What was not explained by our records, and fills that were never reported",
    unit: "short",
    queries: [
      { expr: perMinute("gateway_reconciliation_differences_total", "kind"), legend: "{{kind}}" },
      { expr: perMinute("gateway_reconciliation_adopted_fills_total"), legend: "fills found" },
    ],
  }),
  lines({
    title: "Accounts in doubt",
    description:
      "Accounts that could not be read, and those whose position waits for a second look",
    unit: "short",
    queries: [
      { expr: `sum(${of("gateway_accounts_out_of_step")})`, legend: "out of step" },
      { expr: `sum(${of("gateway_suspected_positions")})`, legend: "suspected" },
    ],
  }),
];
