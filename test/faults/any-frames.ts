import type { Socket } from "node:net";
import fc from "fast-check";
import { type FrameType, serialiseFrame } from "./websocket-frames.ts";

export const FRAME_TYPES: readonly FrameType[] = [
  "text",
  "binary",
  "continuation",
  "ping",
  "pong",
  "close",
];

/** Around the length at which a header grows. To draw each byte by itself takes seconds of a core. */
const longPayload = fc
  .record({
    length: fc.integer({ min: 65_530, max: 65_560 }),
    repeated: fc.uint8Array({ minLength: 100, maxLength: 200 }),
  })
  .map(({ length, repeated }) => new Uint8Array(Buffer.alloc(length, repeated)));

/** Frames of every type and size of header, in no order that makes sense; whether one can be chosen. */
export const anyFrame = fc
  .record({
    type: fc.constantFrom(...FRAME_TYPES),
    payload: fc.oneof(fc.uint8Array({ maxLength: 200 }), longPayload),
    isFinal: fc.boolean(),
    mask: fc.option(fc.uint8Array({ minLength: 4, maxLength: 4 })),
  })
  .map(({ type, payload, isFinal, mask }) => ({
    canBeChosen: isFinal && type !== "continuation",
    bytes: serialiseFrame({
      type,
      payload: Buffer.from(payload),
      isFinal,
      ...(mask !== null && { mask: Buffer.from(mask) }),
    }),
  }));

export const UPGRADE_REQUEST = "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n";
export const UPGRADE_RESPONSE = "HTTP/1.1 101 Switching Protocols\r\n\r\n";

/** Answers the request once, then echoes: the same frames in both directions. */
export function upgradeThenEcho(): (bytes: Buffer, socket: Socket) => void {
  const read = new WeakMap<Socket, number>();
  return (bytes, socket) => {
    const before = read.get(socket) ?? 0;
    const now = before + bytes.length;
    read.set(socket, now);
    if (now < UPGRADE_REQUEST.length) return;
    if (before < UPGRADE_REQUEST.length) socket.write(UPGRADE_RESPONSE);
    socket.write(bytes.subarray(Math.max(0, UPGRADE_REQUEST.length - before)));
  };
}
