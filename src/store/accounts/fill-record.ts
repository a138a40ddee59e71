import type { Fill } from "../../domain/order.ts";
import type { TimedId } from "../redis/read-newest.ts";

/**
 * A fill lies under its id, in the order of its time: its body says neither. There are many, so what
 * each has is told by its place; what few have follows by its names.
 */
export function encodeFill(fill: Fill): string {
  const { execId: _, transactTimeAt: _at, ...body } = fill;
  const { orderId, clOrdId, contract, side, lastQty, lastPx, ...more } = body;
  const places = [orderId, clOrdId ?? null, contract, side, lastQty, lastPx];
  return JSON.stringify(Object.keys(more).length > 0 ? [...places, more] : places);
}

/** Older bodies say all by its name, and some its id and time too. */
export function decodeFill({ id, at }: TimedId, body: string): Fill {
  return { execId: id, transactTimeAt: at, ...readBody(JSON.parse(body)) } as Fill;
}

function readBody(body: unknown): object {
  if (!Array.isArray(body)) return body as object;
  const [orderId, clOrdId, contract, side, lastQty, lastPx, more] = body as readonly unknown[];
  const named = { orderId, contract, side, lastQty, lastPx, ...(more as object | undefined) };
  return clOrdId === null ? named : { ...named, clOrdId };
}
