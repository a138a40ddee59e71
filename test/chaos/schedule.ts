import { seededRandom } from "../faults/seeded-random.ts";
import {
  AHEAD_POINTS,
  type CrashPoint,
  INGRESS_POINTS,
  isRarePoint,
  WORKER_POINTS,
} from "./crash-points.ts";

/** How long and how hard a run is. */
export interface Shape {
  /** For how long intents are sent. */
  readonly loadMs: number;
  readonly intentsPerSecond: number;
  readonly connections: number;
  /** Those that calls are for. */
  readonly accountsPerConnection: number;
  /** So many of a connection's accounts lead a copy group each. */
  readonly groupsPerConnection: number;
  /** They are accounts of their own, over all connections; nobody calls for them. */
  readonly followersPerGroup: number;
  /** Each trades on an account of its own, which nobody else calls for. */
  readonly strategiesPerConnection: number;
  /** Of those that calls are for: so many have guards. */
  readonly guardedPerConnection: number;
  /** The mean time from one fault to the next. */
  readonly faultEveryMs: number;
}

/** What becomes of a process that was killed. */
interface Restart {
  /** How long it stays away before it is started again. */
  readonly pauseMs: number;
  /** Whether its death is reported at once, as a launcher does; else its leases run out. */
  readonly isReported: boolean;
}

/** A worker is named by the connection that it owns at that moment. Connections count from 0. */
export type Fault =
  | ({
      readonly kind: "killWorker";
      readonly ownerOf: number;
      /** Killed once more while it starts, as soon as it takes a connection over. */
      readonly isKilledAgain: boolean;
    } & Restart)
  | ({ readonly kind: "killIngress"; readonly ingress: number } & Restart)
  | ({
      readonly kind: "crashWorker";
      readonly ownerOf: number;
      readonly point: CrashPoint;
      readonly nth: number;
    } & Restart)
  /** At a step of what it runs ahead of its acceptance; of a worker that takes calls in. */
  | ({
      readonly kind: "crashAhead";
      readonly ownerOf: number;
      readonly point: CrashPoint;
      readonly nth: number;
    } & Restart)
  | ({
      readonly kind: "crashIngress";
      readonly ingress: number;
      readonly point: CrashPoint;
      readonly nth: number;
    } & Restart)
  | { readonly kind: "killRedis" }
  | { readonly kind: "freezeWorker"; readonly ownerOf: number; readonly ms: number }
  | { readonly kind: "freezeIngress"; readonly ingress: number; readonly ms: number }
  | { readonly kind: "freezeRedis"; readonly ms: number }
  | { readonly kind: "freezeBroker"; readonly ms: number }
  | {
      readonly kind: "cutSession";
      readonly connection: number;
      /** For so long nobody may log in again. */
      readonly refusedMs: number;
    }
  | { readonly kind: "loseAnswer"; readonly connection: number; readonly isCarriedOut: boolean }
  /** Answers about some of the connection's accounts come later, for a while. */
  | {
      readonly kind: "delayAnswers";
      readonly connection: number;
      readonly delayMs: number;
      readonly ms: number;
    }
  | {
      readonly kind: "brokerFrame";
      readonly connection: number;
      readonly frame: FrameFate;
    }
  | {
      readonly kind: "brokerLink";
      readonly connection: number;
      readonly link: (typeof LINKS)[number];
      readonly ms: number;
    }
  | { readonly kind: "redisLink"; readonly link: (typeof LINKS)[number]; readonly ms: number };

export type StoreFault = Extract<Fault, { kind: "killRedis" | "freezeRedis" | "redisLink" }>;

export const isOfStore = ({ kind }: Fault): boolean =>
  ["killRedis", "freezeRedis", "redisLink"].includes(kind);

export interface PlannedFault {
  /** Since the load began. */
  readonly atMs: number;
  readonly fault: Fault;
}

/** What happens to the next order's frame. */
const FRAMES = ["resetBefore", "resetAfter", "drop", "double", "reorder", "corrupt"] as const;
export type FrameFate = (typeof FRAMES)[number];
const LINKS = ["cut", "halfOpen", "latency"] as const;

type Random = () => number;

/** How often each kind of fault is drawn. */
const WEIGHTS = {
  killWorker: 16,
  killIngress: 7,
  crashWorker: 24,
  crashAhead: 16,
  crashIngress: 7,
  killRedis: 2,
  freezeWorker: 9,
  freezeIngress: 4,
  freezeRedis: 4,
  freezeBroker: 2,
  cutSession: 6,
  loseAnswer: 8,
  delayAnswers: 5,
  brokerFrame: 9,
  brokerLink: 5,
  redisLink: 5,
} as const satisfies Record<Fault["kind"], number>;

type Kind = Fault["kind"];
type Weights = Readonly<Record<Kind, number>>;

/** Servers that fail over have more ways to fail than one server that is started again. */
const FLEET_WEIGHTS = { ...WEIGHTS, killRedis: 10, freezeRedis: 10, redisLink: 15 };

/**
 * The faults of a run: the same for the same seed, shape and kind of store. The last ones end
 * before the load does.
 */
export function planFaults(seed: number, shape: Shape, isOneStore = true): readonly PlannedFault[] {
  const random = seededRandom(seed);
  const weights = isOneStore ? WEIGHTS : FLEET_WEIGHTS;
  const planned: PlannedFault[] = [];
  let atMs = shape.faultEveryMs;
  while (atMs < shape.loadMs) {
    planned.push({ atMs: Math.round(atMs), fault: drawFault(random, shape, weights) });
    atMs += shape.faultEveryMs * (0.4 + 1.2 * random());
  }
  return planned;
}

function drawFault(random: Random, shape: Shape, weights: Weights): Fault {
  const kind = drawKind(random, weights);
  // All of them are drawn for each kind, so that a change of one kind leaves the others alone.
  const connection = below(random, shape.connections);
  const ingress = below(random, 2);
  const restart = { pauseMs: between(random, 200, 1_000), isReported: random() < 0.5 };
  const nth = between(random, 1, 6);
  const chance = random();
  const time = (from: number, to: number) => between(random, from, to);
  switch (kind) {
    case "killWorker":
      return { kind, ownerOf: connection, isKilledAgain: chance < 0.15, ...restart };
    case "crashWorker": {
      const point = pick(random, WORKER_POINTS);
      return { kind, ownerOf: connection, point, nth: isRarePoint(point) ? 1 : nth, ...restart };
    }
    case "crashAhead":
      return { kind, ownerOf: connection, point: pick(random, AHEAD_POINTS), nth, ...restart };
    case "killIngress":
      return { kind, ingress, ...restart };
    case "crashIngress":
      return { kind, ingress, point: pick(random, INGRESS_POINTS), nth, ...restart };
    case "killRedis":
      return { kind };
    case "freezeWorker":
      return { kind, ownerOf: connection, ms: time(1_000, 8_000) };
    case "freezeIngress":
      return { kind, ingress, ms: time(200, 2_500) };
    case "freezeRedis":
      return { kind, ms: time(200, 2_500) };
    case "freezeBroker":
      return { kind, ms: time(200, 4_000) };
    case "cutSession":
      return { kind, connection, refusedMs: chance < 0.5 ? 0 : time(200, 2_000) };
    case "loseAnswer":
      return { kind, connection, isCarriedOut: chance < 0.5 };
    case "delayAnswers":
      // Longer than the adapter waits for an answer, now and then.
      return { kind, connection, delayMs: time(200, 4_500), ms: time(1_000, 4_000) };
    case "brokerFrame":
      return { kind, connection, frame: pick(random, FRAMES) };
    case "brokerLink":
      return { kind, connection, link: pick(random, LINKS), ms: time(500, 5_000) };
    case "redisLink":
      return { kind, link: pick(random, LINKS), ms: time(300, 4_000) };
  }
}

function drawKind(random: Random, weights: Weights): Kind {
  const kinds = Object.entries(weights) as [Kind, number][];
  const total = kinds.reduce((sum, [, weight]) => sum + weight, 0);
  let left = random() * total;
  for (const [kind, weight] of kinds) {
    left -= weight;
    if (left < 0) return kind;
  }
  return "killWorker";
}

export const below = (random: Random, end: number): number => Math.floor(random() * end);
export const between = (random: Random, from: number, to: number): number =>
  from + below(random, to - from + 1);
export const pick = <Item>(random: Random, items: readonly Item[]): Item => {
  const item = items[below(random, items.length)];
  if (item === undefined) throw new Error("There is nothing to pick from");
  return item;
};
