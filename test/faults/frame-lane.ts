import type { Parcel } from "./flow.ts";
import type { ActiveFrameFault, FrameFault } from "./frame-faults.ts";
import type { Direction } from "./tcp-faults.ts";
import { LONGEST_TIMER_MS } from "./wake-up.ts";
import { flipPayload, type Frame } from "./websocket-frames.ts";
import type { StreamPart } from "./websocket-stream.ts";

export interface FrameLaneOptions {
  readonly direction: Direction;
  /** The fault that takes this frame, counted as used. */
  readonly choose: (
    frame: Frame,
    direction: Direction,
    isAllowed: (fault: FrameFault) => boolean,
  ) => ActiveFrameFault | undefined;
  readonly send: (direction: Direction, parcel: Parcel) => void;
}

/** One direction of one WebSocket: sends frames on and holds those that are late. */
export interface FrameLane {
  readonly take: (part: StreamPart) => void;
  /** Sends what this fault, or any, holds. */
  readonly release: (by?: ActiveFrameFault) => void;
  readonly close: () => void;
}

interface Held {
  readonly bytes: Buffer;
  readonly by: ActiveFrameFault;
  readonly timer: NodeJS.Timeout;
  isDue: boolean;
}

const REORDER_WITHIN_MS = 1_000;

export function createFrameLane({ direction, choose, send }: FrameLaneOptions): FrameLane {
  const held = new Set<Held>();
  // Between the fragments of a message nothing but control frames may be sent (RFC 6455, 5.4).
  let isInsideMessage = false;

  function hold(by: ActiveFrameFault, bytes: Buffer, ms: number): void {
    const timer = setTimeout(
      () => {
        one.isDue = true;
        sendDue();
      },
      Math.min(ms, LONGEST_TIMER_MS),
    );
    const one: Held = { bytes, by, timer, isDue: false };
    held.add(one);
  }

  function sendDue(): void {
    if (isInsideMessage) return;
    for (const one of held) {
      if (!one.isDue) continue;
      clearTimeout(one.timer);
      held.delete(one);
      send(direction, { bytes: one.bytes });
    }
  }

  function release(by?: ActiveFrameFault): void {
    for (const one of held) one.isDue ||= by === undefined || one.by === by;
    sendDue();
  }

  function holdsForNext(): Held | undefined {
    return [...held].find(({ by, isDue }) => by.fault.kind === "reorder" && !isDue);
  }

  /** After a data frame it is the turn of the one that was to be overtaken by it. */
  function deliver(frame: Frame): void {
    send(direction, { bytes: frame.bytes });
    if (isControl(frame)) return;
    isInsideMessage = !frame.isFinal;
    const next = holdsForNext();
    if (next !== undefined) next.isDue = true;
    sendDue();
  }

  function takeFrame(frame: Frame): void {
    const isWaiting = holdsForNext() !== undefined;
    const one = choose(frame, direction, ({ kind }) => !(kind === "reorder" && isWaiting));
    if (one !== undefined) return strike(one, frame);
    // Nothing may follow it.
    if (frame.type === "close") release();
    deliver(frame);
  }

  function strike(one: ActiveFrameFault, frame: Frame): void {
    const { fault, random } = one;
    const { bytes } = frame;
    switch (fault.kind) {
      case "drop":
        return;
      case "double":
        send(direction, { bytes });
        return deliver(frame);
      case "reorder":
        return hold(one, bytes, fault.withinMs ?? REORDER_WITHIN_MS);
      case "delay":
        return hold(one, bytes, fault.ms);
      case "corrupt": {
        const length = bytes.length - frame.payloadAt;
        const places = fault.places ?? pickPlaces(length, fault.bytes ?? 1, random);
        const inside = places.filter((place) => place < length);
        return deliver({ ...frame, bytes: flipPayload(frame, inside, fault.xor ?? 1) });
      }
      case "resetBefore":
        return send(direction, { bytes, cut: "before" });
      case "resetAfter":
        return send(direction, { bytes, cut: "after" });
    }
  }

  return {
    release,
    take: (part) => ("frame" in part ? takeFrame(part.frame) : send(direction, part)),
    close() {
      for (const { timer } of held) clearTimeout(timer);
      held.clear();
    },
  };
}

function isControl({ type }: Frame): boolean {
  return type === "close" || type === "ping" || type === "pong";
}

/** So many different places in a payload of that length, or all. */
function pickPlaces(length: number, count: number, random: () => number): readonly number[] {
  const places = Array.from({ length }, (_, place) => place);
  return Array.from({ length: Math.min(count, length) }, () => {
    const [place] = places.splice(Math.floor(random() * places.length), 1);
    return place ?? 0;
  });
}
