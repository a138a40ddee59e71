import { seededRandom } from "./seeded-random.ts";
import { createWakeUp, type WakeUp } from "./wake-up.ts";

/** Which way bytes flow: from the client to the target, or back. */
export type Direction = "toTarget" | "toClient";

interface OneWay {
  /** Both ways when absent. */
  readonly direction?: Direction;
}

interface OneChunk {
  /** Chooses the chunk: what one read gave, most often one write of the client. Any when absent. */
  readonly matches?: (bytes: Buffer) => boolean;
}

/**
 * What can go wrong on a connection. A fault applies to connections that stand and to those that come,
 * until it is removed; `resetBefore` and `resetAfter` strike once.
 */
export type TcpFault =
  /** Every chunk arrives `ms` to `ms + jitterMs` later, in order. `Infinity` holds until removed. */
  | ({
      readonly kind: "latency";
      readonly ms: number;
      readonly jitterMs?: number;
      readonly seed?: number;
    } & OneWay)
  | ({ readonly kind: "bandwidth"; readonly bytesPerSecond: number } & OneWay)
  /** A chunk arrives in pieces, with a pause between them. */
  | ({ readonly kind: "slice"; readonly bytes: number; readonly delayMs: number } & OneWay)
  /**
   * Bytes and closes are swallowed, and neither side hears of it. A connection that lost some carries
   * nothing in that direction any more, also once this is removed: TCP has no streams with holes.
   */
  | ({ readonly kind: "halfOpen" } & OneWay)
  /** The next matching chunk to the target is not delivered; both sides are reset. */
  | ({ readonly kind: "resetBefore" } & OneChunk)
  /** The next matching chunk is delivered to the target; no answer comes back, the client is reset. */
  | ({ readonly kind: "resetAfter" } & OneChunk)
  /** One side hears of the other's close that much later. */
  | ({ readonly kind: "slowClose"; readonly ms: number } & OneWay)
  /** New connections are reset as soon as they are accepted. */
  | { readonly kind: "refuse" }
  /** A connection is cut once so many bytes were delivered, counted from when this was added. */
  | ({ readonly kind: "limit"; readonly bytes: number } & OneWay)
  /** Connections are cut, new ones are refused; the hits are the latter. */
  | { readonly kind: "down" };

type FaultKind = TcpFault["kind"];
type FaultOf<Kind extends FaultKind> = Extract<TcpFault, { readonly kind: Kind }>;

export interface FaultHandle {
  /** How many chunks, frames, closes or connections it took hold of: proof that it happened. */
  readonly hits: number;
  /** Ends it. What it only held back goes on its way. */
  readonly remove: () => void;
}

export interface ActiveFault<Fault extends TcpFault = TcpFault> {
  readonly fault: Fault;
  readonly random: () => number;
  /** Bytes delivered under a limit, by flow. */
  readonly carried: WeakMap<object, number>;
  isOn: boolean;
  hits: number;
}

/** The faults of one proxy, as its flows ask for them with every chunk. */
export interface FaultList {
  readonly add: (fault: TcpFault) => FaultHandle;
  readonly clear: () => void;
  /** Those of a kind; those that are for the other direction are left out. */
  readonly active: <Kind extends FaultKind>(
    kind: Kind,
    direction?: Direction,
  ) => readonly ActiveFault<FaultOf<Kind>>[];
  /** The fault that resets the connection on these bytes to the target; it is spent by that. */
  readonly takeReset: (bytes: Buffer) => "before" | "after" | undefined;
  readonly wakeUp: WakeUp;
}

export function createFaultList(): FaultList {
  const all = new Set<ActiveFault>();
  const wakeUp = createWakeUp();

  function remove(one: ActiveFault): void {
    one.isOn = false;
    all.delete(one);
    wakeUp.notify();
  }

  return {
    wakeUp,
    add(fault) {
      checkNumbers(fault);
      const seed = fault.kind === "latency" ? fault.seed : undefined;
      const random = seededRandom(seed ?? 1);
      const one: ActiveFault = { fault, random, carried: new WeakMap(), isOn: true, hits: 0 };
      all.add(one);
      wakeUp.notify();
      return handleOf(one, () => remove(one));
    },
    clear: () => [...all].forEach(remove),
    active: <Kind extends FaultKind>(kind: Kind, direction?: Direction) =>
      [...all].filter((one): one is ActiveFault<FaultOf<Kind>> =>
        applies(one.fault, kind, direction),
      ),
    takeReset(bytes) {
      for (const one of all) {
        const { fault } = one;
        if (fault.kind !== "resetBefore" && fault.kind !== "resetAfter") continue;
        if (!(fault.matches?.(bytes) ?? true)) continue;
        one.hits += 1;
        remove(one);
        return fault.kind === "resetBefore" ? "before" : "after";
      }
      return undefined;
    },
  };
}

/** A handle reads the number of hits as it is now. */
export function handleOf(one: { readonly hits: number }, remove: () => void): FaultHandle {
  return {
    get hits() {
      return one.hits;
    },
    remove,
  };
}

function applies(fault: TcpFault, kind: FaultKind, direction: Direction | undefined): boolean {
  if (fault.kind !== kind) return false;
  if (!("direction" in fault) || direction === undefined) return true;
  return fault.direction === undefined || fault.direction === direction;
}

/** Refuses numbers that make no sense: pieces of no bytes would never come to an end. */
function checkNumbers(fault: TcpFault): void {
  for (const [value, least] of numbersOf(fault)) {
    if (!(value >= least)) throw new RangeError(`${value} is too small for ${fault.kind}`);
  }
}

/** The numbers of a fault, each with the smallest that is possible. */
function numbersOf(fault: TcpFault): readonly (readonly [value: number, least: number])[] {
  if (fault.kind === "latency") {
    return [
      [fault.ms, 0],
      [fault.jitterMs ?? 0, 0],
    ];
  }
  if (fault.kind === "slice") {
    return [
      [fault.bytes, 1],
      [fault.delayMs, 0],
    ];
  }
  if (fault.kind === "bandwidth") return [[fault.bytesPerSecond, 1]];
  if (fault.kind === "limit") return [[fault.bytes, 0]];
  if (fault.kind === "slowClose") return [[fault.ms, 0]];
  return [];
}
