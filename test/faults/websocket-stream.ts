import type { Direction } from "./tcp-faults.ts";
import { type Frame, parseFrame } from "./websocket-frames.ts";

/** A run of bytes that is no frame, or one frame. In order they are the stream, byte for byte. */
export type StreamPart = { readonly bytes: Buffer } | { readonly frame: Frame };

export interface WebSocketStream {
  readonly push: (direction: Direction, bytes: Buffer) => readonly StreamPart[];
  /** What was waiting for the rest of its frame. */
  readonly end: (direction: Direction) => readonly StreamPart[];
}

const LONGEST_HEAD_BYTES = 64 * 1024;
const HEAD_END = "\r\n\r\n";

const UPGRADES: Readonly<Record<Direction, RegExp>> = {
  toTarget: /^GET [^]*^upgrade:\s*websocket\s*$/im,
  toClient: /^HTTP\/1\.1 101 /,
};

/**
 * Finds the frames of one connection, in both directions. It begins with HTTP, which passes at once;
 * a connection that does not become a WebSocket stays a run of bytes.
 */
export function createWebSocketStream(): WebSocketStream {
  const state = { isNone: false };
  const sides = { toTarget: createSide("toTarget"), toClient: createSide("toClient") };

  function createSide(direction: Direction) {
    let head: string | undefined = "";
    let waiting: Buffer = Buffer.alloc(0);

    function afterHead(bytes: Buffer): readonly StreamPart[] {
      const before = head?.length ?? 0;
      head += bytes.toString("latin1");
      const found = head?.indexOf(HEAD_END) ?? -1;
      if (found === -1) {
        if ((head?.length ?? 0) > LONGEST_HEAD_BYTES) state.isNone = true;
        return [{ bytes }];
      }
      const end = found + HEAD_END.length;
      if (!UPGRADES[direction].test(head?.slice(0, end) ?? "")) state.isNone = true;
      head = undefined;
      const rest = bytes.subarray(end - before);
      const own = { bytes: bytes.subarray(0, end - before) };
      return rest.length === 0 ? [own] : [own, ...push(rest)];
    }

    function push(bytes: Buffer): readonly StreamPart[] {
      if (state.isNone) return [...end(), { bytes }];
      if (head !== undefined) return afterHead(bytes);
      waiting = waiting.length === 0 ? bytes : Buffer.concat([waiting, bytes]);
      const parts: StreamPart[] = [];
      for (;;) {
        const frame = parseFrame(waiting);
        if (frame === "incomplete") return parts;
        if (frame === "malformed") state.isNone = true;
        if (frame === "malformed") return [...parts, ...end()];
        parts.push({ frame });
        waiting = waiting.subarray(frame.bytes.length);
      }
    }

    function end(): readonly StreamPart[] {
      const rest = waiting;
      waiting = Buffer.alloc(0);
      return rest.length === 0 ? [] : [{ bytes: rest }];
    }

    return { push, end };
  }

  return {
    push: (direction, bytes) => sides[direction].push(bytes),
    end: (direction) => sides[direction].end(),
  };
}
