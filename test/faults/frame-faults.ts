import type { StreamLayer } from "./connection.ts";
import { createFrameLane, type FrameLane } from "./frame-lane.ts";
import { seededRandom } from "./seeded-random.ts";
import { type Direction, type FaultHandle, handleOf } from "./tcp-faults.ts";
import { type Frame, type FrameType, payloadOf } from "./websocket-frames.ts";
import { createWebSocketStream } from "./websocket-stream.ts";

/** Which frames a fault takes hold of. */
interface Choice {
  /** Both ways when absent. */
  readonly direction?: Direction;
  /** Chooses by the frame's payload, read as UTF-8. Every frame when absent. */
  readonly where?: (text: string, direction: Direction) => boolean;
  /** For the next so many frames that match, all connections together. One when absent. */
  readonly times?: number;
  /** Text and binary when absent: control frames are left alone unless they are named. */
  readonly types?: readonly FrameType[];
}

/**
 * What can go wrong with one frame. One that is part of a fragmented message, or compressed, is never
 * chosen. Where several faults match, the one added first acts.
 */
export type FrameFault =
  | ({ readonly kind: "drop" } & Choice)
  /** Delivered twice in a row. */
  | ({ readonly kind: "double" } & Choice)
  /** Delivered right after the next data frame of its direction, or after `withinMs` (1000). */
  | ({ readonly kind: "reorder"; readonly withinMs?: number } & Choice)
  /** Delivered that much later; others overtake it. `Infinity` holds it until the fault is removed. */
  | ({ readonly kind: "delay"; readonly ms: number } & Choice)
  /**
   * Bytes of the payload are XORed (with 1: ASCII stays ASCII), so many (1) at seeded places or those
   * at `places`. `places: [0]` makes any JSON unreadable.
   */
  | ({
      readonly kind: "corrupt";
      readonly bytes?: number;
      readonly places?: readonly number[];
      readonly xor?: number;
      readonly seed?: number;
    } & Choice)
  /** Not delivered; both sides are reset. */
  | ({ readonly kind: "resetBefore" } & Choice)
  /** Delivered; the side that sent it is reset before any answer. */
  | ({ readonly kind: "resetAfter" } & Choice);

export interface ActiveFrameFault {
  readonly fault: FrameFault;
  readonly random: () => number;
  left: number;
  hits: number;
}

export interface WebSocketFrames extends StreamLayer {
  readonly add: (fault: FrameFault) => FaultHandle;
}

/** What `startFaultProxy` takes as `frames`. Frames that no fault chooses pass byte for byte. */
export function websocketFrames(): WebSocketFrames {
  const all = new Set<ActiveFrameFault>();
  const lanes = new Set<FrameLane>();

  function choose(
    frame: Frame,
    direction: Direction,
    isAllowed: (fault: FrameFault) => boolean,
  ): ActiveFrameFault | undefined {
    if (!frame.isFinal || frame.isExtended || frame.type === "continuation") return undefined;
    for (const one of all) {
      if (one.left <= 0 || !isAllowed(one.fault) || !matches(one.fault, frame, direction)) continue;
      one.left -= 1;
      one.hits += 1;
      return one;
    }
    return undefined;
  }

  function remove(one: ActiveFrameFault): void {
    all.delete(one);
    for (const lane of lanes) lane.release(one);
  }

  return {
    add(fault) {
      const random = seededRandom((fault.kind === "corrupt" ? fault.seed : undefined) ?? 1);
      const one: ActiveFrameFault = { fault, random, left: fault.times ?? 1, hits: 0 };
      all.add(one);
      return handleOf(one, () => remove(one));
    },
    clear: () => [...all].forEach(remove),
    open(send) {
      const stream = createWebSocketStream();
      const own: Readonly<Record<Direction, FrameLane>> = {
        toTarget: createFrameLane({ direction: "toTarget", choose, send }),
        toClient: createFrameLane({ direction: "toClient", choose, send }),
      };
      for (const lane of Object.values(own)) lanes.add(lane);
      return {
        push(direction, bytes) {
          for (const part of stream.push(direction, bytes)) own[direction].take(part);
        },
        end(direction) {
          own[direction].release();
          for (const part of stream.end(direction)) own[direction].take(part);
        },
        close() {
          for (const lane of Object.values(own)) {
            lane.close();
            lanes.delete(lane);
          }
        },
      };
    },
  };
}

const DATA: readonly FrameType[] = ["text", "binary"];

function matches(fault: FrameFault, frame: Frame, direction: Direction): boolean {
  if (!(fault.types ?? DATA).includes(frame.type)) return false;
  if (fault.direction !== undefined && fault.direction !== direction) return false;
  const payload = payloadOf(frame);
  // There is nothing in it to corrupt.
  if (fault.kind === "corrupt" && payload.length === 0) return false;
  return fault.where?.(payload.toString("utf8"), direction) ?? true;
}
