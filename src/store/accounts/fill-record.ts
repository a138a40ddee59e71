import type { Fill } from "../../domain/order.ts";
import type { TimedId } from "../redis/read-newest.ts";

/** A fill lies under its id, in the order of its time: its body says neither. Older ones say both. */
export function encodeFill(fill: Fill): string {
  return JSON.stringify({ ...fill, execId: undefined, transactTimeAt: undefined });
}

export function decodeFill({ id, at }: TimedId, body: string): Fill {
  return { execId: id, transactTimeAt: at, ...(JSON.parse(body) as object) } as Fill;
}
