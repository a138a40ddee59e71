import { dashboard } from "./dashboard.ts";
import { lines, stat } from "./panels.ts";
import { of } from "./query.ts";

/** What runs, and what it costs. */
export const processes = () =>
  dashboard({
    uid: "gateway-process",
    title: "Gateway: process",
    description: "What runs, and what it costs.",
    sections: [
      { title: "What runs", panels: runningPanels() },
      { title: "What it costs", panels: [...costPanels(), ...memoryPanels()] },
    ],
  });

const runningPanels = () => [
  stat({
    title: "Version",
    description: "The gateway and the Node.js that run",
    unit: "short",
    expr: `max by (version, node_version) (${of("gateway_build_info")})`,
    legend: "{{version}} on {{node_version}}",
  }),
  stat({
    title: "Processes up",
    description: "Gateway processes that answer Prometheus",
    unit: "short",
    expr: `sum(${of("up")})`,
    redBelow: 1,
  }),
  stat({
    title: "Youngest process",
    description: "Time since the process that was started last was started",
    unit: "s",
    expr: `time() - max(${of("process_start_time_seconds")})`,
  }),
];

const byInstance = (metric: string) => [
  { expr: `max by (instance) (${of(metric)})`, legend: "{{instance}}" },
];

const costPanels = () => [
  lines({
    title: "Memory of Redis",
    description: "The part of its maxmemory that is used; from 90 % on entries are refused",
    unit: "percentunit",
    queries: [
      {
        expr: `max(${of("gateway_store_memory_ratio")})`,
        legend: "used",
      },
    ],
  }),
  lines({
    title: "Slowest answer of Redis",
    description:
      "The longest that Redis took, in the last ten looks at it, to answer or to sync a write",
    unit: "s",
    queries: byInstance("gateway_store_slowest_answer_seconds"),
  }),
  lines({
    title: "Delay of the event loop",
    description: "The 99th percentile and the longest, since the scrape before",
    unit: "s",
    queries: [
      {
        expr: `max by (instance) (${of("nodejs_eventloop_lag_p99_seconds")})`,
        legend: "{{instance}} p99",
      },
      {
        expr: `max by (instance) (${of("nodejs_eventloop_lag_max_seconds")})`,
        legend: "{{instance}} longest",
      },
    ],
  }),
  lines({
    title: "Processor",
    description: "Processor time used for each second, user and system",
    unit: "s",
    queries: [
      {
        expr: `sum by (instance) (rate(${of("process_cpu_seconds_total")}[$__rate_interval]))`,
        legend: "{{instance}}",
      },
    ],
  }),
];

const memoryPanels = () => [
  lines({
    title: "Memory",
    description: "Memory that the process occupies",
    unit: "bytes",
    queries: byInstance("process_resident_memory_bytes"),
  }),
  lines({
    title: "Heap",
    description: "Memory that JavaScript objects occupy",
    unit: "bytes",
    queries: byInstance("nodejs_heap_size_used_bytes"),
  }),
];
