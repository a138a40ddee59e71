/** What a frame is for, by its opcode (RFC 6455, 5.2). */
export type FrameType = "continuation" | "text" | "binary" | "close" | "ping" | "pong";

const OPCODES: Readonly<Record<FrameType, number>> = {
  continuation: 0x0,
  text: 0x1,
  binary: 0x2,
  close: 0x8,
  ping: 0x9,
  pong: 0xa,
};
const TYPES = new Map(Object.entries(OPCODES).map(([type, code]) => [code, type as FrameType]));

/** One frame as it came. */
export interface Frame {
  /** Header and payload, as on the wire. */
  readonly bytes: Buffer;
  readonly type: FrameType;
  /** Whether its message ends with it. */
  readonly isFinal: boolean;
  /** Whether an extension such as compression has changed the payload. */
  readonly isExtended: boolean;
  readonly mask: Buffer | undefined;
  /** Where in `bytes` the payload starts. */
  readonly payloadAt: number;
}

export interface FrameContent {
  readonly type: FrameType;
  readonly payload: Buffer;
  readonly isFinal?: boolean;
  /** Four bytes; a client's frames have them. */
  readonly mask?: Buffer;
}

/** A frame longer than this is taken for something that is no frame. */
export const LONGEST_FRAME_BYTES = 64 * 1024 * 1024;

/** The frame at the start of the bytes; `incomplete` asks for more of them. */
export function parseFrame(bytes: Buffer): Frame | "incomplete" | "malformed" {
  if (bytes.length < 2) return "incomplete";
  const first = bytes.readUInt8(0);
  const type = TYPES.get(first & 0x0f);
  if (type === undefined) return "malformed";

  const short = bytes.readUInt8(1) & 0x7f;
  const maskAt = 2 + (short === 126 ? 2 : short === 127 ? 8 : 0);
  const payloadAt = maskAt + ((bytes.readUInt8(1) & 0x80) === 0 ? 0 : 4);
  if (bytes.length < payloadAt) return "incomplete";
  const length = payloadLength(bytes, short);
  if (length > LONGEST_FRAME_BYTES) return "malformed";
  if (bytes.length < payloadAt + length) return "incomplete";

  return {
    bytes: bytes.subarray(0, payloadAt + length),
    type,
    isFinal: (first & 0x80) !== 0,
    isExtended: (first & 0x70) !== 0,
    mask: payloadAt === maskAt ? undefined : bytes.subarray(maskAt, payloadAt),
    payloadAt,
  };
}

function payloadLength(bytes: Buffer, short: number): number {
  if (short === 126) return bytes.readUInt16BE(2);
  if (short === 127) return Number(bytes.readBigUInt64BE(2));
  return short;
}

/** The payload without its mask. */
export function payloadOf({ bytes, payloadAt, mask }: Frame): Buffer {
  return masked(bytes.subarray(payloadAt), mask);
}

/**
 * The frame with the payload's bytes at these places XORed. The header stays valid, and so does the
 * mask: it is an XOR itself, so the reader sees exactly these bits flipped.
 */
export function flipPayload(frame: Frame, places: readonly number[], xor: number): Buffer {
  const bytes = Buffer.from(frame.bytes);
  for (const place of places) {
    const at = frame.payloadAt + place;
    bytes.writeUInt8(bytes.readUInt8(at) ^ xor, at);
  }
  return bytes;
}

/** A frame with the shortest header there is for its payload. */
export function serialiseFrame({ type, payload, isFinal = true, mask }: FrameContent): Buffer {
  const { length } = payload;
  const short = length < 126 ? length : length < 2 ** 16 ? 126 : 127;
  const extended = Buffer.alloc(short === 126 ? 2 : short === 127 ? 8 : 0);
  if (short === 126) extended.writeUInt16BE(length);
  if (short === 127) extended.writeBigUInt64BE(BigInt(length));
  const head = Buffer.from([
    (isFinal ? 0x80 : 0) | OPCODES[type],
    (mask === undefined ? 0 : 0x80) | short,
  ]);
  return Buffer.concat([head, extended, mask ?? Buffer.alloc(0), masked(payload, mask)]);
}

/** Masks or unmasks: the same operation. */
function masked(payload: Buffer, mask: Buffer | undefined): Buffer {
  if (mask === undefined) return payload;
  return Buffer.from(payload.map((byte, at) => byte ^ mask.readUInt8(at % 4)));
}
