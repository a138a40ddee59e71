import type { ClOrdId } from "../../domain/ids.ts";
import type { Fill } from "../../domain/order.ts";
import type { TimedId } from "../redis/read-newest.ts";

/**
 * A fill lies under its id, in the order of its time: its body says neither. There are many, so what
 * each has is told by its place; what few have follows by its names.
 */
export function encodeFill(fill: Fill): string {
  const { execId: _, transactTimeAt: _at, closes: _names, ...body } = fill;
  const { orderId, clOrdId, contract, side, lastQty, lastPx, ...more } = body;
  const places = [orderId, clOrdId ?? null, contract, side, lastQty, lastPx];
  return JSON.stringify(Object.keys(more).length > 0 ? [...places, more] : places);
}

/**
 * Takes a body, or what is kept under a fill's id: the body, and on a second line what the step that recorded it
 * found out. Older bodies say all by its name, and some its id and time too.
 */
export function decodeFill({ id, at }: TimedId, kept: string): Fill {
  const body = bodyOf(kept);
  const closes = closesOf(kept);
  const named = closes !== undefined && { closes };
  return { execId: id, transactTimeAt: at, ...readBody(JSON.parse(body)), ...named } as Fill;
}

/** The body of what is kept under a fill's id. */
export const bodyOf = (kept: string): string => kept.split("\n", 1)[0] ?? "";

/** The entries whose contracts it closes, of what is kept under its id; undefined where it names none. */
export function closesOf(kept: string): readonly ClOrdId[] | undefined {
  const [, closes] = kept.split("\n");
  return closes === undefined ? undefined : readCloses(closes);
}

/** The same, as a script writes them. */
export const readCloses = (text: string): readonly ClOrdId[] =>
  JSON.parse(text) as readonly ClOrdId[];

function readBody(body: unknown): object {
  if (!Array.isArray(body)) return body as object;
  const [orderId, clOrdId, contract, side, lastQty, lastPx, more] = body as readonly unknown[];
  const named = { orderId, contract, side, lastQty, lastPx, ...(more as object | undefined) };
  return clOrdId === null ? named : { ...named, clOrdId };
}
