import { setTimeout as sleep } from "node:timers/promises";
import { withRedis, writesToClients } from "./ask-about-redis.ts";
import type { Programs } from "./build.ts";
import type { Contender, Running } from "./contender.ts";
import { cpuSeconds, writeCalls } from "./process-figures.ts";
import { type Spread, spreadOf, sum } from "./statistics.ts";
import { temporaryPlace } from "./temporary-place.ts";
import { type Load, runWrk } from "./wrk.ts";

export interface ThroughputOptions {
  readonly programs: Programs;
  /** Everybody else is measured in turn with it, one after another. */
  readonly reference: Contender;
  readonly contenders: readonly Contender[];
  readonly connections: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** One contender at one number of connections, over all rounds. */
export interface ThroughputRow extends RatioRow {
  readonly contender: string;
  readonly connections: number;
  /** The median of the rounds' ratios to the reference, each of two runs right after each other. */
  readonly ofReference: RatioRow;
  /** CPU milliseconds an alert; of all Node processes of the contender together. */
  readonly nodeCpu: Spread;
  readonly redisCpu: Spread;
  /** Times that Redis synced its file, an alert. */
  readonly syncs: Spread;
  /** In all rounds together. */
  readonly requests: number;
  readonly errors: number;
  /** Runs, of its own or of the reference beside it, in which nothing was answered at all. */
  readonly emptyRuns: number;
  readonly answeredEarly: number;
}

interface RatioRow {
  readonly perSecond: Spread;
  /** Milliseconds. */
  readonly p50: Spread;
  readonly p99: Spread;
}

interface Measured extends Load {
  readonly nodeCpu: number;
  readonly redisCpu: number;
  readonly syncs: number;
  readonly answeredEarly: number;
}

/** Two runs right after each other. */
interface Pair {
  readonly connections: number;
  readonly contender: Measured;
  readonly reference: Measured;
}

const WARM_UP = { seconds: 6, connections: 32 };
/** What a run left on its way is not to meet the next one. */
const REST_MS = 300;
const START_S = 10;

/** How long it takes, in minutes, about. */
export function minutesOf(options: Omit<ThroughputOptions, "programs" | "signal" | "say">): number {
  const { contenders, reference, connections, rounds, seconds } = options;
  const pairs = contenders.filter(({ name }) => name !== reference.name).length;
  const run = seconds + REST_MS / 1_000;
  return (pairs * (START_S + 2 * (WARM_UP.seconds + rounds * connections.length * run))) / 60;
}

/**
 * Each contender beside a reference of its own, and nobody else: both are started and warmed up, and
 * then run in turn, in each round at each number of connections. What the machine does meanwhile hits
 * both alike, so that the ratio of a pair says more than the figures themselves.
 */
export async function measureThroughput(options: ThroughputOptions): Promise<ThroughputRow[]> {
  const { contenders, reference, connections } = options;
  const others = contenders.filter(({ name }) => name !== reference.name);
  const found = new Map<string, Pair[]>();
  for (const contender of others) found.set(contender.name, await measurePairs(contender, options));
  const every = [...found.values()].flat();
  const itself = every.map((pair) => ({ ...pair, contender: pair.reference }));
  return connections.flatMap((count) => [
    toRow(reference.name, count, itself),
    ...others.map(({ name }) => toRow(name, count, found.get(name) ?? [])),
  ]);
}

async function measurePairs(contender: Contender, options: ThroughputOptions): Promise<Pair[]> {
  const { reference, rounds, connections, seconds, say } = options;
  return await withRunning(reference, options, async (measureReference) => {
    return await withRunning(contender, options, async (measureContender) => {
      const pairs: Pair[] = [];
      for (let round = 0; round < rounds; round += 1) {
        for (const count of connections) {
          const load = { connections: count, seconds };
          const isFirst = round % 2 === 0;
          const early = isFirst ? await measureContender(load) : undefined;
          const plain = await measureReference(load);
          const measured = early ?? (await measureContender(load));
          pairs.push({ connections: count, contender: measured, reference: plain });
          const [one, other] = [measured, plain].map((of) => (of.requests / of.seconds).toFixed(0));
          say(`round ${round + 1}, ${count} connections: ${contender.name} ${one}, ${other} plain`);
        }
      }
      return pairs;
    });
  });
}

type Measure = (load: { connections: number; seconds: number }) => Promise<Measured>;

async function withRunning<Value>(
  contender: Contender,
  options: ThroughputOptions,
  use: (measure: Measure) => Promise<Value>,
): Promise<Value> {
  return await temporaryPlace(options, async (place) => {
    const running = await contender.start(place);
    try {
      const { signal } = options;
      const fixed = { ...running, folder: place.folder, signal };
      await runWrk({ ...fixed, ...WARM_UP });
      return await use(async (load) => {
        await sleep(REST_MS, undefined, { signal });
        return await withCosts(running, async () => await runWrk({ ...fixed, ...load }));
      });
    } finally {
      await running.stop();
    }
  });
}

async function withCosts(running: Running, run: () => Promise<Load>): Promise<Measured> {
  const before = await costsOf(running);
  const load = await run();
  const after = await costsOf(running);
  const perAlert = (from: number, to: number) => (to - from) / load.requests;
  return {
    ...load,
    nodeCpu: perAlert(before.node, after.node) * 1_000,
    redisCpu: perAlert(before.redis, after.redis) * 1_000,
    syncs: perAlert(before.syncs, after.syncs),
    answeredEarly: after.early - before.early,
  };
}

/** Redis writes to its clients and to its file, which it syncs after each write, and to nothing else. */
async function costsOf({ nodePids, redisPid, redisSocket, answeredEarly }: Running) {
  const early = await answeredEarly();
  const [node, redis] = await Promise.all([cpuSeconds(await nodePids()), cpuSeconds([redisPid])]);
  const toClients = await withRedis(redisSocket, writesToClients);
  return { node, redis, early, syncs: (await writeCalls(redisPid)) - toClients };
}

function toRow(contender: string, connections: number, all: readonly Pair[]): ThroughputRow {
  const pairs = all.filter((pair) => pair.connections === connections);
  const loads = pairs.map((pair) => pair.contender);
  const spread = (figure: (load: Measured) => number) => spreadOf(loads.map(figure));
  const ratio = (figure: (load: Measured) => number) =>
    spreadOf(pairs.map((pair) => figure(pair.contender) / figure(pair.reference)));
  const rate = ({ requests, seconds }: Measured) => requests / seconds;
  return {
    contender,
    connections,
    perSecond: spread(rate),
    p50: spread(({ p50 }) => p50),
    p99: spread(({ p99 }) => p99),
    ofReference: {
      perSecond: ratio(rate),
      p50: ratio(({ p50 }) => p50),
      p99: ratio(({ p99 }) => p99),
    },
    nodeCpu: spread(({ nodeCpu }) => nodeCpu),
    redisCpu: spread(({ redisCpu }) => redisCpu),
    syncs: spread(({ syncs }) => syncs),
    requests: sum(loads.map(({ requests }) => requests)),
    errors: sum(loads.map(({ errors }) => errors)),
    emptyRuns: pairs.filter((pair) => pair.contender.requests * pair.reference.requests === 0)
      .length,
    answeredEarly: sum(loads.map(({ answeredEarly }) => answeredEarly)),
  };
}
