import { temporaryPlace } from "./temporary-place.ts";
import type { Programs } from "./build.ts";
import type { Contender, Running } from "./contender.ts";
import { cpuSeconds } from "./process-figures.ts";
import { type Spread, spreadOf, sum } from "./statistics.ts";
import { type Load, runWrk } from "./wrk.ts";

export interface ThroughputOptions {
  readonly programs: Programs;
  readonly contenders: readonly Contender[];
  readonly connections: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** One contender at one number of connections, over all rounds. */
export interface ThroughputRow {
  readonly contender: string;
  readonly connections: number;
  readonly perSecond: Spread;
  /** Milliseconds. */
  readonly p50: Spread;
  readonly p99: Spread;
  /** CPU seconds per 1,000 requests. */
  readonly nodeCpu: Spread;
  readonly redisCpu: Spread;
  /** In all rounds together. */
  readonly errors: number;
  readonly answeredEarly: number;
}

interface Measured extends Load {
  readonly nodeCpu: number;
  readonly redisCpu: number;
  readonly answeredEarly: number;
}

const WARM_UP = { seconds: 6, connections: 32 };

/**
 * Every contender in every round, each time from scratch, and each round in another order: what
 * the machine does meanwhile hits all of them alike.
 */
export async function measureThroughput(options: ThroughputOptions): Promise<ThroughputRow[]> {
  const { contenders, connections, rounds, say } = options;
  const found = new Map<string, Measured[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const contender of rotated(contenders, round)) {
      const measured = await measureOnce(contender, options);
      for (const [index, load] of measured.entries()) {
        const name = nameOf(contender.name, connections[index] ?? 0);
        found.set(name, [...(found.get(name) ?? []), load]);
        say(`round ${round + 1}, ${name}: ${(load.requests / load.seconds).toFixed(0)} a second`);
      }
    }
  }
  return connections.flatMap((count) =>
    contenders.map(({ name }) => toRow(name, count, found.get(nameOf(name, count)) ?? [])),
  );
}

const nameOf = (contender: string, connections: number): string =>
  `${contender} at ${connections} connections`;

const rotated = <Value>(values: readonly Value[], by: number): Value[] =>
  values.map((_, index) => values[(index + by) % values.length] as Value);

async function measureOnce(contender: Contender, options: ThroughputOptions): Promise<Measured[]> {
  const { connections, seconds, signal } = options;
  return await temporaryPlace(options, async (place) => {
    const running = await contender.start(place);
    try {
      const load = { ...running, folder: place.folder, signal };
      await runWrk({ ...load, ...WARM_UP });
      const measured: Measured[] = [];
      for (const count of connections) {
        const run = async () => await runWrk({ ...load, connections: count, seconds });
        measured.push(await withCpu(running, run));
      }
      return measured;
    } finally {
      await running.stop();
    }
  });
}

async function withCpu(running: Running, run: () => Promise<Load>): Promise<Measured> {
  const before = await figuresOf(running);
  const load = await run();
  const after = await figuresOf(running);
  const per1000 = (used: number) => (used / load.requests) * 1_000;
  return {
    ...load,
    nodeCpu: per1000(after.node - before.node),
    redisCpu: per1000(after.redis - before.redis),
    answeredEarly: after.early - before.early,
  };
}

async function figuresOf({ nodePids, redisPid, answeredEarly }: Running) {
  const early = await answeredEarly();
  const [node, redis] = await Promise.all([cpuSeconds(await nodePids()), cpuSeconds([redisPid])]);
  return { node, redis, early };
}

function toRow(contender: string, connections: number, loads: readonly Measured[]): ThroughputRow {
  const spread = (figure: (load: Measured) => number) => spreadOf(loads.map(figure));
  return {
    contender,
    connections,
    perSecond: spread(({ requests, seconds }) => requests / seconds),
    p50: spread(({ p50 }) => p50),
    p99: spread(({ p99 }) => p99),
    nodeCpu: spread(({ nodeCpu }) => nodeCpu),
    redisCpu: spread(({ redisCpu }) => redisCpu),
    errors: sum(loads.map(({ errors }) => errors)),
    answeredEarly: sum(loads.map(({ answeredEarly }) => answeredEarly)),
  };
}
