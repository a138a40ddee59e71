import { setMaxListeners } from "node:events";
import type { Behaviour } from "./chaos-broker.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import type { AcceptanceNews, RunBroker } from "./crash-points.ts";
import { collect, heal, untilQuiet } from "./collect.ts";
import { restStrategies, startStrategies } from "./evaluating.ts";
import { GuardedAccounts } from "./guarding.ts";
import { FaultRunner } from "./fault-runner.ts";
import type { DoneFault } from "./faults-done.ts";
import { followLeaders } from "./following.ts";
import type { History } from "./history.ts";
import { judge } from "./invariants.ts";
import { Load } from "./load.ts";
import { Owners } from "./owners.ts";
import { endPlans, type PlanEnd, tradeByPlans } from "./planning.ts";
import { judgePlans } from "./plans.ts";
import { planFaults, type Shape } from "./schedule.ts";
import { Stopping } from "./stopping.ts";
import type { StoreName } from "./stores.ts";
import type { Verdict } from "./verdict.ts";
import { planCalls } from "./wishes.ts";

export interface RunOptions {
  readonly seed: number;
  readonly broker: RunBroker;
  /** One server, if not given. */
  readonly redis?: StoreName;
  readonly behaviour?: Behaviour;
  readonly shape: Shape;
  /** For how long what is left is waited for at the end. */
  readonly quietMs: number;
  /** Everything that the processes say. */
  readonly logFile: string;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

/** A run and what it showed. */
export interface Run {
  readonly seed: number;
  readonly broker: RunBroker;
  readonly redis: StoreName;
  readonly seconds: number;
  readonly history: History;
  readonly planned: readonly PlanEnd[];
  readonly verdicts: readonly Verdict[];
  readonly faults: readonly DoneFault[];
  readonly acceptances: readonly AcceptanceNews[];
  readonly isQuiet: boolean;
  readonly quietSeconds: number;
}

/** Starts a gateway, loads it, lets it fail, heals it, and judges what became of every intent. */
export async function runChaos(options: RunOptions): Promise<Run> {
  const { say } = options;
  const startedAt = performance.now();
  const cluster = await startCluster(options);
  try {
    say(`started after ${secondsSince(startedAt).toFixed(1)} s`);
    const run = await loadAndFail(cluster, options);
    const { seed, broker, redis = "one" } = options;
    return { ...run, seed, broker, redis, seconds: secondsSince(startedAt) };
  } finally {
    await cluster.stop();
  }
}

async function loadAndFail(
  cluster: Cluster,
  { seed, redis = "one", shape, quietMs, say, signal }: RunOptions,
): Promise<Omit<Run, "seed" | "broker" | "redis" | "seconds">> {
  const owners = new Owners(cluster);
  const load = await Load.open(cluster, owners);
  const { apiKey } = load;
  const guards = await GuardedAccounts.set(cluster, apiKey);
  const groups = await followLeaders(cluster, apiKey, shape);
  const strategies = await startStrategies(cluster, apiKey, cluster.forStrategies);
  const refused = cluster.guarded.map(({ forStrategy }) => forStrategy);
  const guarded = await startStrategies(cluster, apiKey, refused);
  const watched = { cluster, apiKey, groups, strategies };
  const runner = new FaultRunner(cluster);
  const telling = setInterval(() => {
    say(`${load.calls.length} calls, ${runner.done.length} faults`);
  }, 10_000);
  const stopping = new Stopping(cluster, owners, apiKey);
  // What fails while nobody calls shows nothing.
  const loaded = new AbortController();
  // A sleeper for each account, strategy and plan.
  setMaxListeners(0, loaded.signal);
  try {
    await Promise.all([
      load.run(planCalls(seed, shape), signal).finally(() => loaded.abort()),
      owners.follow(loaded.signal),
      stopping.run(loaded.signal),
      guards.lock(loaded.signal),
      tradeByPlans(cluster, apiKey, loaded.signal),
      runner.run(
        planFaults(seed, shape, redis === "one"),
        AbortSignal.any([signal, loaded.signal]),
      ),
    ]);
  } finally {
    clearInterval(telling);
  }
  const untilAt = Date.now();
  const healedAt = performance.now();
  await heal(cluster);
  await restStrategies(cluster, apiKey, [...strategies, ...guarded], untilAt);
  const isQuiet = await untilQuiet(watched, quietMs);
  const quietSeconds = secondsSince(healedAt);
  say(isQuiet ? `quiet after ${quietSeconds.toFixed(1)} s` : "not quiet in time");
  const calls = [...load.calls, ...stopping.calls];
  const faults = runner.done;
  const planned = await endPlans(cluster, apiKey);
  // What that has brought is under way no more either.
  await untilQuiet(watched, quietMs);
  const guarding = await guards.collect(faults);
  const history = await collect(watched, { calls, untilAt, faults, guarding });
  const givenUp = cluster.members.reduce((sum, one) => sum + one.startsGivenUp, 0);
  say(`starts given up because the store was away, and tried again: ${givenUp}`);
  const { acceptances } = cluster;
  const verdicts = [...judge(history), ...judgePlans(planned), noDeaths(cluster)];
  return { history, planned, verdicts, faults, acceptances, isQuiet, quietSeconds };
}

/** A process that ends without being killed has a bug. */
function noDeaths({ deaths, members }: Cluster): Verdict {
  return {
    name: "no process ends by itself",
    checked: members.length,
    violations: deaths.map((what) => ({ account: "", intentIds: [], what })),
  };
}

const secondsSince = (start: number): number => (performance.now() - start) / 1_000;
