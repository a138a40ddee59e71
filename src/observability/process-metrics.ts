import { monitorEventLoopDelay } from "node:perf_hooks";
import { Counter, Gauge, type Registry } from "prom-client";

const SAMPLE_MS = 20;
const NS_PER_SECOND = 1e9;
const US_PER_SECOND = 1e6;

/**
 * The few numbers of the process that are worth an alarm, all cheap to read: the library's own set
 * watches every garbage collection, and has names that promtool refuses. Returns what ends it.
 */
export function registerProcessMetrics(registry: Registry): () => void {
  const endLag = registerEventLoopLag(registry);
  registerMemory(registry);
  registerCpu(registry);
  return endLag;
}

/** Both gauges look at the time since the scrape before, so one long stall is seen exactly once. */
function registerEventLoopLag(registry: Registry): () => void {
  const delay = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  delay.enable();
  // The histogram counts its own pause between two samples as delay.
  const lag = (ns: number) => Math.max(0, ns / NS_PER_SECOND - SAMPLE_MS / 1_000);
  // The gauge that is registered first is collected first, so it reads for both.
  new Gauge({
    name: "nodejs_eventloop_lag_max_seconds",
    help: "Longest delay of the event loop since the scrape before",
    registers: [registry],
    collect() {
      this.set(lag(delay.max));
      percentile.set(lag(delay.percentile(99)));
      delay.reset();
    },
  });
  const percentile = new Gauge({
    name: "nodejs_eventloop_lag_p99_seconds",
    help: "99th percentile of the event loop's delay since the scrape before",
    registers: [registry],
  });
  return () => delay.disable();
}

function registerMemory(registry: Registry): void {
  new Gauge({
    name: "process_resident_memory_bytes",
    help: "Memory that the process occupies",
    registers: [registry],
    collect() {
      this.set(process.memoryUsage.rss());
    },
  });
  new Gauge({
    name: "nodejs_heap_size_used_bytes",
    help: "Memory that JavaScript objects occupy",
    registers: [registry],
    collect() {
      this.set(process.memoryUsage().heapUsed);
    },
  });
}

function registerCpu(registry: Registry): void {
  new Counter({
    name: "process_cpu_seconds_total",
    help: "Processor time used, user and system",
    registers: [registry],
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / US_PER_SECOND);
    },
  });
  new Gauge({
    name: "process_start_time_seconds",
    help: "When the process was started, in Unix time",
    registers: [registry],
  }).set(Math.round(Date.now() / 1_000 - process.uptime()));
}
