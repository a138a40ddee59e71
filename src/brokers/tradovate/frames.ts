import type { TradovateAnswer, TradovateMarketEvent, TradovatePropsEvent } from "./wire.ts";

/** One thing that the broker said over the socket. */
export type TradovateMessage =
  | { readonly kind: "answer"; readonly id: number; readonly answer: TradovateAnswer }
  | { readonly kind: "props"; readonly event: TradovatePropsEvent }
  | { readonly kind: "market"; readonly event: TradovateMarketEvent }
  | { readonly kind: "shutdown"; readonly reasonCode: string; readonly reason: string }
  /** An event that concerns nothing of ours, such as the replay clock. */
  | { readonly kind: "other" };

export type TradovateFrame =
  | { readonly kind: "open" }
  | { readonly kind: "heartbeat" }
  | { readonly kind: "messages"; readonly messages: readonly TradovateMessage[] }
  | { readonly kind: "close"; readonly reason: string };

export interface TradovateRequest {
  /** Without a slash at its beginning, for example `order/placeorder`. */
  readonly endpoint: string;
  readonly query?: string;
  readonly body?: object | string;
}

/** What a client sends now and then, so that the broker does not take it for dead. */
export const CLIENT_HEARTBEAT = "[]";

/** Four fields, one a line; only the last one, the body, may hold line ends itself. */
export function formatRequest(
  id: number,
  { endpoint, query = "", body }: TradovateRequest,
): string {
  const text = typeof body === "object" ? JSON.stringify(body) : (body ?? "");
  return `${endpoint}\n${id}\n${query}\n${text}`;
}

/** Undefined for what is no frame of the protocol. */
export function parseFrame(text: string): TradovateFrame | undefined {
  const rest = text.slice(1);
  switch (text.charAt(0)) {
    case "o":
      return { kind: "open" };
    case "h":
      return { kind: "heartbeat" };
    case "c":
      return { kind: "close", reason: rest };
    case "a":
      return parseMessages(rest);
    default:
      return undefined;
  }
}

function parseMessages(text: string): TradovateFrame | undefined {
  const list = parseJson(text);
  if (!Array.isArray(list)) return undefined;
  const messages: TradovateMessage[] = [];
  for (const item of list as readonly unknown[]) {
    const message = parseMessage(item);
    if (message === undefined) return undefined;
    messages.push(message);
  }
  return { kind: "messages", messages };
}

function parseMessage(item: unknown): TradovateMessage | undefined {
  if (!isRecord(item)) return undefined;
  const { i: id, s: status, e: event, d: data } = item;
  if (typeof status === "number") {
    // The refusal of a request that could not be read has no number of a request.
    if (typeof id !== "number") return { kind: "other" };
    return { kind: "answer", id, answer: { status, data } };
  }
  if (typeof event !== "string") return undefined;
  if (event === "props") return parseProps(data);
  if (event === "shutdown") return parseShutdown(data);
  if (event === "md" || event === "chart") return { kind: "market", event: { about: event, data } };
  return { kind: "other" };
}

function parseProps(data: unknown): TradovateMessage | undefined {
  if (!isRecord(data)) return undefined;
  const { entityType, eventType, entity } = data;
  const isWhole = typeof entityType === "string" && typeof eventType === "string";
  return isWhole ? { kind: "props", event: { entityType, eventType, entity } } : undefined;
}

function parseShutdown(data: unknown): TradovateMessage {
  const { reasonCode, reason } = isRecord(data) ? data : {};
  return {
    kind: "shutdown",
    reasonCode: typeof reasonCode === "string" ? reasonCode : "",
    reason: typeof reason === "string" ? reason : "",
  };
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
