import { dashboard } from "./dashboard.ts";
import { lines } from "./panels.ts";
import { of, perMinute, quantiles } from "./query.ts";

/** What came in, what became of it, and how long each part of the way took. */
export const alertsAndLatency = () =>
  dashboard({
    uid: "gateway-alerts",
    title: "Gateway: alerts and latency",
    description: "What came in, what became of it, and how long each part of the way took.",
    sections: [
      { title: "Alerts and orders", panels: outcomePanels() },
      { title: "Latency of an order", panels: stagePanels() },
      { title: "HTTP", panels: [...httpPanels(), ...admissionPanels(), ...streamPanels()] },
    ],
  });

const outcomePanels = () => [
  lines({
    title: "Alerts by outcome, per minute",
    description: "How alerts were answered; pending ones were answered before they ended",
    unit: "short",
    queries: [{ expr: perMinute("gateway_alerts_total", "outcome"), legend: "{{outcome}}" }],
  }),
  lines({
    title: "Orders by outcome, per minute",
    description: "How placed orders ended; denied is ours, rejected is the broker's",
    unit: "short",
    queries: [
      {
        expr: `60 * sum by (outcome) (rate(${of("gateway_intents_total", 'kind="PLACE"')}[$__rate_interval]))`,
        legend: "{{outcome}}",
      },
    ],
  }),
  lines({
    title: "Intents by kind, per minute",
    description: "What was wanted of accounts",
    unit: "short",
    queries: [{ expr: perMinute("gateway_intents_total", "kind"), legend: "{{kind}}" }],
  }),
  lines({
    title: "Legs cancelled or made smaller, per minute",
    description: "Exits that protected more than was held",
    unit: "short",
    queries: [{ expr: perMinute("gateway_legs_kept_total", "action"), legend: "{{action}}" }],
  }),
];

const STAGES = [
  ["accepted_to_sent", "Accepted to sent", "Ours: from the gateway's promise to the first byte"],
  ["sent_to_settled", "Sent to settled", "The broker's: from the first byte to its word"],
  ["accepted_to_settled", "Accepted to settled", "Both together"],
] as const;

const stagePanels = () =>
  STAGES.map(([stage, title, description]) =>
    lines({
      title,
      description,
      unit: "s",
      width: 8,
      queries: quantiles("gateway_intent_stage_seconds", `stage="${stage}"`),
    }),
  );

const httpPanels = () => [
  lines({
    title: "Requests per minute",
    description: "Requests answered, by route and status",
    unit: "short",
    queries: [
      {
        expr: perMinute("gateway_http_requests_total", "route", "status"),
        legend: "{{route}} {{status}}",
      },
    ],
  }),
  lines({
    title: "Slowest request of a hundred",
    description: "Time from a request's headers to the end of its answer, by route",
    unit: "s",
    queries: [
      {
        expr: `histogram_quantile(0.99, sum by (le, route) (rate(${of("gateway_http_request_duration_seconds_bucket")}[$__rate_interval])))`,
        legend: "{{route}}",
      },
    ],
  }),
];

const admissionPanels = () => [
  lines({
    title: "Not let in, per minute",
    description: "Requests without a living key, token or session, or without its right",
    unit: "short",
    queries: [{ expr: perMinute("gateway_auth_failures_total", "kind"), legend: "{{kind}}" }],
  }),
  lines({
    title: "Rate limited, per minute",
    description: "Requests refused because their key, token or session sent too many",
    unit: "short",
    queries: [{ expr: perMinute("gateway_rate_limited_total", "kind"), legend: "{{kind}}" }],
  }),
  lines({
    title: "Sign-ins, per minute",
    description: "Attempts of people to sign in or to confirm who they are, by what became of them",
    unit: "short",
    queries: [{ expr: perMinute("gateway_sign_ins_total", "result"), legend: "{{result}}" }],
  }),
];

const streamPanels = () => [
  lines({
    title: "Health streams",
    description: "Clients that watch the connections, by process",
    unit: "short",
    queries: [{ expr: `sum by (instance) (${of("gateway_sse_clients")})`, legend: "{{instance}}" }],
  }),
  lines({
    title: "Health streams dropped, per minute",
    description: "Clients that read too slowly",
    unit: "short",
    queries: [{ expr: perMinute("gateway_sse_dropped_total"), legend: "dropped" }],
  }),
];
