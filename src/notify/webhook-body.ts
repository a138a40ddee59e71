import { presentEvent } from "../domain/notify/event-body.ts";
import type { GatewayEvent } from "../domain/notify/event.ts";
import { cut, inBytes } from "./readable-text.ts";

/** Standard Webhooks asks for less than 20 KB. */
const LARGEST = 20_000;

/** How much is left of long texts and lists, from the first that fits. */
const CUTS = [
  { text: 1_000, list: 100 },
  { text: 300, list: 30 },
  { text: 100, list: 10 },
  { text: 50, list: 1 },
] as const;

/** An event for a program. Account numbers are whole: the receiver has to match them. */
export function webhookBody(event: GatewayEvent): string {
  const whole = JSON.stringify(presentEvent(event));
  if (isSmall(whole)) return whole;
  const { data, ...frame } = presentEvent(event);
  const cutTo = (some: object) => JSON.stringify({ ...frame, data: { ...some, isCut: true } });
  const { id, severity } = event;
  for (const { text, list } of CUTS) {
    const body = cutTo({ ...shortened(data, text, list), id });
    if (isSmall(body)) return body;
  }
  return cutTo({ id, severity, message: cut(event.message, 50) });
}

const isSmall = (body: string): boolean => inBytes(body) < LARGEST;

function shortened<Value>(value: Value, text: number, list: number): Value;
function shortened(value: unknown, text: number, list: number): unknown {
  if (typeof value === "string") return cut(value, text);
  if (Array.isArray(value)) {
    return value.slice(0, list).map((one: unknown) => shortened(one, text, list));
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, shortened(one, text, list)]),
  );
}
