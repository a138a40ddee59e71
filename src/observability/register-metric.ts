import {
  Counter,
  Gauge,
  Histogram,
  type LabelValues,
  type Metric,
  type Registry,
} from "prom-client";

interface Named {
  readonly name: string;
  readonly help: string;
}

/** A gauge whose number is read on each scrape. */
export function readOnScrape(
  registry: Registry,
  read: () => number | undefined | Promise<number>,
  { name, help }: Named,
): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      // An old number would hide that none is known now; a missing number raises its own alarm.
      this.remove();
      try {
        const value = await read();
        if (value !== undefined) this.set(value);
      } catch {
        return;
      }
    },
  });
}

/**
 * A counter with one label, as a function of its value. Every value is shown from the start: of a
 * series that begins at 1, `increase` sees nothing, and its alarm would miss the first.
 */
export function countedBy<Label extends string, Value extends string>(
  registry: Registry,
  label: Label,
  values: readonly Value[],
  { name, help }: Named,
): (value: Value) => void {
  const counter = new Counter({ name, help, labelNames: [label], registers: [registry] });
  const bound = new Map(values.map((value) => [value, counter.labels(value)]));
  for (const child of bound.values()) child.inc(0);
  return (value) => bound.get(value)?.inc();
}

/** The same with two labels, each with its values: every pair is shown. */
export function countedByBoth<One extends string, Other extends string>(
  registry: Registry,
  [one, ones]: readonly [label: string, values: readonly One[]],
  [other, others]: readonly [label: string, values: readonly Other[]],
  { name, help }: Named,
): (one: One, other: Other) => void {
  const counter = new Counter({ name, help, labelNames: [one, other], registers: [registry] });
  for (const first of ones) for (const second of others) counter.labels(first, second).inc(0);
  return (first, second) => counter.labels(first, second).inc();
}

/** Counts a time under its labels, and names the trace that it was of, if there is one. */
export type ObserveLatency<Label extends string> = (
  labels: Readonly<Record<Label, string>>,
  seconds: number,
  traceId?: string,
) => void;

/**
 * A histogram of times. Only where there are traces does it have exemplars, which `exemplified` shows.
 */
export function latencyHistogram<Label extends string>(
  registry: Registry,
  exemplified: Registry | undefined,
  config: Named & { readonly labelNames: readonly Label[]; readonly buckets: number[] },
): ObserveLatency<Label> {
  if (exemplified === undefined) {
    const histogram = new Histogram({ ...config, registers: [registry] });
    return (labels, seconds) => histogram.observe(labels, seconds);
  }
  const registers = [exemplified];
  const histogram = new Histogram({ ...config, registers, enableExemplars: true });
  registry.registerMetric(histogram as Metric);
  return (labels, value, traceId) => {
    const exemplar = traceId === undefined ? {} : { trace_id: traceId };
    // The library's types want the histogram's own labels here; its program does not.
    histogram.observe({ labels, value, exemplarLabels: exemplar as LabelValues<Label> });
  };
}
