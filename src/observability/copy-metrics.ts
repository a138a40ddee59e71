import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import { COPY_CAUSES } from "../trading/copying/ports.ts";
import { COPY_OUTCOMES, FOLLOWER_STATES } from "./label-values.ts";
import { countedByBoth, readOnScrape } from "./register-metric.ts";

/** How the followers are whose leader's connection is owned by this process. */
export interface CopyReading {
  /** By how many contracts they are away from what they are to hold, for long enough to count. */
  readonly contracts: number;
  readonly followers: ReadonlyMap<string, number>;
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
/** Between whole ticks, so that none at all is not half of one. */
const TICKS = [-10.5, -5.5, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5, 5.5, 10.5, 20.5, 50.5];

/** Everything that is counted and measured of copies. */
export function copyMetrics(registry: Registry) {
  const registers = [registry];
  const sent = new Histogram({
    name: "gateway_copy_sent_seconds",
    help: "Time from a leader's fill, by its broker's clock, until a follower's order was sent",
    buckets: SECONDS,
    registers,
  });
  const slippage = new Histogram({
    name: "gateway_copy_slippage_ticks",
    help: "How much worse a follower traded than its leader, in ticks of its contract; negative is better",
    buckets: TICKS,
    registers,
  });
  const drifts = new Counter({
    name: "gateway_copy_drifts_total",
    help: "How often a follower was found away from what it is to hold",
    registers,
  });
  const stops = new Counter({
    name: "gateway_copy_stops_total",
    help: "Followers that a guard has stopped: a person must look",
    registers,
  });
  return {
    copyEnded: countedByBoth(registry, ["cause", COPY_CAUSES], ["outcome", COPY_OUTCOMES], {
      name: "gateway_copies_total",
      help: "Copies to followers by why they were made and how they ended",
    }),
    copySentSeconds: (seconds: number) => sent.observe(seconds),
    copySlippage: (ticks: number) => slippage.observe(ticks),
    copyDrifted: () => drifts.inc(),
    followerStopped: () => stops.inc(),
  };
}

/** How followers are, read on each scrape. */
export function registerCopyReading(registry: Registry, reading: () => CopyReading): void {
  readOnScrape(registry, () => reading().contracts, {
    name: "gateway_copy_drift_contracts",
    help: "Contracts by which followers are away from what they are to hold, for long enough to count",
  });
  new Gauge({
    name: "gateway_copy_followers",
    help: "Followers of copy groups by how they are",
    labelNames: ["state"] as const,
    registers: [registry],
    collect() {
      const { followers } = reading();
      for (const state of FOLLOWER_STATES) this.set({ state }, followers.get(state) ?? 0);
    },
  });
}
