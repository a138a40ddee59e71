import type { GatewayEvent } from "../domain/notify/event.ts";
import { cut, inBytes } from "./readable-text.ts";

/** Of the API that the body's fields belong to. */
const API_VERSION = "1";

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
  const whole = bodyOf(event, dataOf(event));
  if (isSmall(whole)) return whole;
  for (const { text, list } of CUTS) {
    const data = { ...dataOf(shortened(event, text, list)), id: event.id, isCut: true };
    const body = bodyOf(event, data);
    if (isSmall(body)) return body;
  }
  const { id, severity } = event;
  return bodyOf(event, { id, severity, isCut: true });
}

const isSmall = (body: string): boolean => inBytes(body) < LARGEST;

const bodyOf = ({ type, at }: GatewayEvent, data: object): string =>
  JSON.stringify({ type, timestamp: new Date(at).toISOString(), apiVersion: API_VERSION, data });

/** What is absent is left out by JSON. */
const dataOf = (event: GatewayEvent) => ({
  id: event.id,
  severity: event.severity,
  accountId: event.accountId,
  accountName: event.accountName,
  connectionId: event.connectionId,
  environment: event.environment,
  message: event.message,
  advice: event.advice,
  facts: event.facts,
});

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
