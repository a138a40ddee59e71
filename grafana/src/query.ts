/** One line of a panel: PromQL, and what its series are called. */
export interface Query {
  readonly expr: string;
  readonly legend: string;
}

/** A metric of the jobs and instances that the dashboard shows, with more conditions if need be. */
export function of(metric: string, ...conditions: readonly string[]): string {
  return `${metric}{${['job=~"$job"', 'instance=~"$instance"', ...conditions].join(", ")}}`;
}

/** How often it happened each minute, added up over all processes; by a label if it is named. */
export function perMinute(metric: string, ...labels: readonly string[]): string {
  return `60 * ${sumBy(labels)}(rate(${of(metric)}[$__rate_interval]))`;
}

/** How often it happened in the time that is shown. */
export function inRange(metric: string, ...labels: readonly string[]): string {
  return `${sumBy(labels)}(increase(${of(metric)}[$__range]))`;
}

/** A quantile of a histogram over all processes, in the histogram's unit. */
export function quantile(share: number, histogram: string, ...conditions: string[]): string {
  const buckets = `rate(${of(`${histogram}_bucket`, ...conditions)}[$__rate_interval])`;
  return `histogram_quantile(${share}, sum by (le) (${buckets}))`;
}

/** The median, and what the slowest of twenty and of a hundred take. */
export function quantiles(histogram: string, ...conditions: string[]): readonly Query[] {
  return [0.5, 0.95, 0.99].map((share) => ({
    expr: quantile(share, histogram, ...conditions),
    legend: `p${share * 100}`,
  }));
}

const sumBy = (labels: readonly string[]) =>
  labels.length === 0 ? "sum" : `sum by (${labels.join(", ")}) `;
