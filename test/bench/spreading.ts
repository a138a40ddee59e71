import { connectionId } from "../../src/domain/ids.ts";
import { type Member, spread } from "../../src/domain/spread.ts";

/** What the product's own rendezvous makes of so many connections and workers. */
export interface SpreadingRow {
  readonly connections: number;
  readonly workers: number;
  /** What the fullest worker owns, as a multiple of an even part. */
  readonly fullest: number;
  /** What moves when one dies, as a multiple of what it owned. */
  readonly movedAtDeath: number;
  /** The most that one of the others gets of it, as a share of what it owned itself. */
  readonly mostTaken: number;
  /** What moves when one comes, as a multiple of an even part. */
  readonly movedAtJoin: number;
  /** To work one spread out, which each worker does when another one comes or goes. */
  readonly ms: number;
}

const SHAPES = [
  [100, 3],
  [1_000, 4],
  [10_000, 10],
  [100_000, 50],
  [200_000, 100],
] as const;

/** A worker's death and the arrival of another one, on paper: nothing runs. */
export function simulateSpreading(say: (line: string) => void): readonly SpreadingRow[] {
  return SHAPES.map(([connections, workers]) => {
    const row = simulate(connections, workers);
    say(`${connections} connections on ${workers} workers are spread`);
    return row;
  });
}

function simulate(count: number, workers: number): SpreadingRow {
  const connections = Array.from({ length: count }, (_, at) => connectionId(`tradovate-${at + 1}`));
  const named = (many: number): Member[] =>
    Array.from({ length: many }, (_, at) => ({ name: `worker-${at + 1}` }));
  const began = performance.now();
  const before = spread(connections, named(workers));
  const ms = performance.now() - began;
  const [dead = "", ...living] = named(workers).map(({ name }) => name);
  const after = spread(
    connections,
    living.map((name) => ({ name })),
  );
  const joined = spread(connections, named(workers + 1));
  const had = countsOf(before);
  const taken = connections.filter((id) => before.get(id) === dead);
  const gains = countsOf(new Map(taken.map((id) => [id, after.get(id) ?? ""])));
  const moved = (to: ReadonlyMap<string, string>) =>
    connections.filter((id) => before.get(id) !== to.get(id)).length;
  return {
    connections: count,
    workers,
    fullest: Math.max(...had.values()) / (count / workers),
    movedAtDeath: moved(after) / (had.get(dead) ?? NaN),
    mostTaken: Math.max(...living.map((name) => (gains.get(name) ?? 0) / (had.get(name) ?? NaN))),
    movedAtJoin: moved(joined) / (count / (workers + 1)),
    ms,
  };
}

function countsOf(spreading: ReadonlyMap<string, string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const owner of spreading.values()) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  return counts;
}
