import type { AlertTraffic, Overview } from "../../trading/overview.ts";
import { presentTime } from "./figures.ts";

const MS_PER_SECOND = 1_000;

export function presentOverview(overview: Overview) {
  const { asOf, connections, killSwitch, unknownOutcomes, unprotectedPositions } = overview;
  const { waiting, oldestWaitingMs, troubles, alerts } = overview;
  return {
    asOf: presentTime(asOf),
    safe: troubles.length === 0,
    connections,
    killSwitch,
    unknownOutcomes,
    unprotectedPositions,
    waiting,
    oldestWaitingSeconds: oldestWaitingMs === undefined ? null : oldestWaitingMs / MS_PER_SECOND,
    troubles,
    alerts: {
      minutes: alerts.minutes.map(({ at, ...counts }) => ({ at: presentTime(at), ...counts })),
      latencyMs: presentLatency(alerts.latenciesMs),
    },
  };
}

/** By nearest rank: each figure is one that was measured. */
export function presentLatency(latenciesMs: AlertTraffic["latenciesMs"]) {
  const count = latenciesMs.length;
  if (count === 0) return null;
  const sorted = [...latenciesMs].sort((a, b) => a - b);
  const rank = (share: number) => sorted[Math.ceil(share * count) - 1] ?? 0;
  return { p50: rank(0.5), p99: rank(0.99), count };
}
