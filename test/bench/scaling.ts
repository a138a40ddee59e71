import { setTimeout as sleep } from "node:timers/promises";
import { type RedisFleet, startRedisCluster } from "../support/redis-fleet.ts";
import type { Programs } from "./build.ts";
import { cpuSeconds, residentBytes } from "./process-figures.ts";
import { type Several, type SeveralShape, startSeveral } from "./several-processes.ts";
import { type Spread, spreadOf } from "./statistics.ts";
import { temporaryPlace } from "./temporary-place.ts";
import { type Load, runWrk } from "./wrk.ts";

export interface ScalingOptions {
  readonly programs: Programs;
  readonly rounds: number;
  readonly seconds: number;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

export const ROLES = ["ingress", "workers", "masters", "replicas"] as const;
type Role = (typeof ROLES)[number];

/** Over a Cluster of three masters and three replicas. */
export interface ScalingRow {
  readonly workers: number;
  readonly perSecond: Spread;
  /** The ratios of the pairs: to one worker, right before or after. */
  readonly ofOneWorker: Spread;
  readonly p50: Spread;
  readonly p99: Spread;
  /** CPU milliseconds an alert, of all processes of the role. */
  readonly cpu: Readonly<Record<Role, Spread>>;
  readonly errors: number;
}

/** One ingress and one worker with nothing to do. */
export interface IdleRow {
  readonly connections: number;
  /** Percent of one core. */
  readonly cpu: Readonly<Record<Role, number>>;
  readonly ingressBytes: number;
  readonly workerBytes: number;
  readonly redisBytes: number;
}

export interface ScalingFigures {
  readonly rows: readonly ScalingRow[];
  readonly idle: readonly IdleRow[];
}

const SHAPE = { connections: 4, accountsPerConnection: 25 };
const WORKERS = [1, 2] as const;
const WARM_UP = { seconds: 6, connections: 32 };
const CONNECTIONS = 32;
const REST_MS = 500;
const IDLE_CONNECTIONS = [100, 1_000];
const SETTLE_MS = 10_000;
const IDLE_MS = 20_000;

type Measured = Load & { readonly cpu: Readonly<Record<Role, number>> };

/**
 * One and two workers in turn, each with a Cluster of its own. All of it shares the machine's cores, so
 * the rates say less than what each role costs: that is what is left when each has a machine of its own.
 */
export async function measureScaling(options: ScalingOptions): Promise<ScalingFigures> {
  const { rounds, seconds, say, signal } = options;
  const found = new Map<number, Measured[]>(WORKERS.map((workers) => [workers, []]));
  await withSite(options, { ...SHAPE, workers: 1 }, async (one) => {
    await withSite(options, { ...SHAPE, workers: 2 }, async (two) => {
      const sites = new Map([
        [1, one],
        [2, two],
      ]);
      for (const site of sites.values()) await runWrk({ ...site, ...WARM_UP, signal });
      for (let round = 0; round < rounds; round += 1) {
        const turns = round % 2 === 0 ? WORKERS : WORKERS.toReversed();
        for (const workers of turns) {
          await sleep(REST_MS, undefined, { signal });
          const site = sites.get(workers) ?? one;
          const run = async () =>
            await runWrk({ ...site, connections: CONNECTIONS, seconds, signal });
          const measured = await withCpu(site, run);
          found.get(workers)?.push(measured);
          say(`round ${round + 1}, ${workers} workers: ${rateOf(measured).toFixed(0)}`);
        }
      }
    });
  });
  const idle: IdleRow[] = [];
  for (const connections of IDLE_CONNECTIONS) {
    const shape = { connections, accountsPerConnection: 1, workers: 1 };
    idle.push(
      await withSite(options, shape, async (site) => await measureIdle(site, shape, signal)),
    );
    say(`${connections} idle connections`);
  }
  return { rows: WORKERS.map((workers) => toRow(workers, found)), idle };
}

interface Site extends Several {
  readonly folder: string;
  readonly pids: Readonly<Record<Role, readonly number[]>>;
}

async function withSite<Value>(
  options: ScalingOptions,
  shape: Omit<SeveralShape, "redisUrl">,
  use: (site: Site) => Promise<Value>,
): Promise<Value> {
  return await temporaryPlace(options, async (place) => {
    const fleet = await startRedisCluster(place.folder);
    try {
      const several = await startSeveral(place, { ...shape, redisUrl: fleet.url });
      try {
        const { ingress, workers } = several;
        const pids = { ingress, workers, ...(await serversOf(fleet)) };
        return await use({ ...several, folder: place.folder, pids });
      } finally {
        await several.stop();
      }
    } finally {
      await fleet.stop();
    }
  });
}

async function serversOf({ servers }: RedisFleet) {
  const areMasters = await Promise.all(servers.map(async (one) => await one.isMaster()));
  const pidsOf = (role: boolean) =>
    servers.filter((_, at) => areMasters[at] === role).map(({ pid }) => pid);
  return { masters: pidsOf(true), replicas: pidsOf(false) };
}

async function cpuByRole({ pids }: Site): Promise<Record<Role, number>> {
  const used = await Promise.all(ROLES.map(async (role) => await cpuSeconds(pids[role])));
  return byRole((_, at) => used[at] ?? NaN);
}

const byRole = <Value>(of: (role: Role, at: number) => Value) =>
  Object.fromEntries(ROLES.map((role, at) => [role, of(role, at)])) as Record<Role, Value>;

async function withCpu(site: Site, run: () => Promise<Load>): Promise<Measured> {
  const before = await cpuByRole(site);
  const load = await run();
  const after = await cpuByRole(site);
  return {
    ...load,
    cpu: byRole((role) => ((after[role] - before[role]) * 1_000) / load.requests),
  };
}

async function measureIdle(
  site: Site,
  { connections }: Pick<SeveralShape, "connections">,
  signal: AbortSignal,
): Promise<IdleRow> {
  await sleep(SETTLE_MS, undefined, { signal });
  const before = await cpuByRole(site);
  await sleep(IDLE_MS, undefined, { signal });
  const after = await cpuByRole(site);
  const { ingress, workers, masters } = site.pids;
  return {
    connections,
    cpu: byRole((role) => ((after[role] - before[role]) * 100_000) / IDLE_MS),
    ingressBytes: await residentBytes(ingress),
    workerBytes: await residentBytes(workers),
    redisBytes: await residentBytes(masters),
  };
}

const rateOf = ({ requests, seconds }: Load): number => requests / seconds;

function toRow(workers: number, found: ReadonlyMap<number, readonly Measured[]>): ScalingRow {
  const loads = found.get(workers) ?? [];
  const alone = found.get(1) ?? [];
  const spread = (figure: (load: Measured) => number) => spreadOf(loads.map(figure));
  const ratios = loads.map((load, at) => rateOf(load) / rateOf(alone[at] ?? load));
  return {
    workers,
    perSecond: spread(rateOf),
    ofOneWorker: spreadOf(ratios),
    p50: spread(({ p50 }) => p50),
    p99: spread(({ p99 }) => p99),
    cpu: byRole((role) => spread(({ cpu }) => cpu[role])),
    errors: loads.reduce((sum, { errors }) => sum + errors, 0),
  };
}
