import { crc32 } from "node:zlib";

const MEMBER = ',"sum":"';
const END = '"}';
const DIGITS = 8;
const TAIL = MEMBER.length + DIGITS + END.length;

/**
 * One frame: the message as JSON with a checksum of its text as last member. The checksum stands for
 * what TLS does at a real broker: a flipped bit breaks the session instead of changing an order.
 */
export function sealFrame(message: object): string {
  const body = JSON.stringify(message).slice(0, -1);
  return `${body}${MEMBER}${checksum(body)}${END}`;
}

/** The message of a frame; undefined when it is not exactly as it was sealed. */
export function openFrame(text: string): Readonly<Record<string, unknown>> | undefined {
  const body = text.slice(0, -TAIL);
  if (text.slice(-TAIL) !== `${MEMBER}${checksum(body)}${END}`) return undefined;
  try {
    const message: unknown = JSON.parse(`${body}}`);
    const isMessage = typeof message === "object" && message !== null && !Array.isArray(message);
    return isMessage ? { ...message } : undefined;
  } catch {
    return undefined;
  }
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(DIGITS, "0");
}
