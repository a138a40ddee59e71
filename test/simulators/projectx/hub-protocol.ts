/**
 * SignalR's JSON hub protocol, version 1, as far as a broker's hubs need it: records of JSON, each ended
 * by a character of its own [OFF: docs/specs/HubProtocol.md of ASP.NET Core].
 */

export const END_OF_RECORD = "\u001e";

/** `type` of a record. */
export const MESSAGE = { invocation: 1, completion: 3, ping: 6, close: 7 } as const;

/** What a client sends once it may. */
export type ClientMessage =
  | {
      readonly kind: "invocation";
      /** Absent where the client wants no answer. */
      readonly invocationId?: string;
      readonly target: string;
      readonly args: readonly unknown[];
    }
  | { readonly kind: "ping" }
  | { readonly kind: "close" }
  /** Of a type that needs no answer: acknowledgements, parts of streams. */
  | { readonly kind: "passedOver" }
  | { readonly kind: "unreadable"; readonly reason: string };

/** What became of a call. */
export type Completion = { readonly result: unknown } | { readonly error: string };

/** More than any call of a client is long. */
const LONGEST = 1_000_000;

/** Cuts what comes into records, wherever frames begin and end. */
export class RecordReader {
  #rest = "";

  /** The records that are whole by now. Throws where one has no end. */
  read(text: string): readonly string[] {
    const records = `${this.#rest}${text}`.split(END_OF_RECORD);
    this.#rest = records.pop() ?? "";
    if (this.#rest.length > LONGEST) throw new Error("A record is too long");
    return records;
  }
}

/** Undefined for one that is taken; otherwise why it is not. */
export function refusalOfHandshake(record: string): string | undefined {
  const { protocol, version } = parseRecord(record) ?? {};
  if (typeof protocol !== "string") return "Handshake was canceled.";
  if (protocol !== "json") return `The protocol '${protocol}' is not supported.`;
  if (version === 1) return undefined;
  return `The server does not support version ${String(version)} of the 'json' protocol.`;
}

export function parseClientMessage(record: string): ClientMessage {
  const message = parseRecord(record);
  if (message === undefined) return { kind: "unreadable", reason: "Invalid JSON" };
  switch (message["type"]) {
    case MESSAGE.invocation:
      return parseInvocation(message);
    case MESSAGE.ping:
      return { kind: "ping" };
    case MESSAGE.close:
      return { kind: "close" };
    default:
      return typeof message["type"] === "number"
        ? { kind: "passedOver" }
        : { kind: "unreadable", reason: "Missing required property 'type'." };
  }
}

function parseInvocation(message: Readonly<Record<string, unknown>>): ClientMessage {
  const { target, arguments: args, invocationId } = message;
  if (typeof target !== "string") {
    return { kind: "unreadable", reason: "Missing required property 'target'." };
  }
  if (!Array.isArray(args)) {
    return { kind: "unreadable", reason: "Missing required property 'arguments'." };
  }
  return {
    kind: "invocation",
    target,
    args: args as readonly unknown[],
    ...(typeof invocationId === "string" && { invocationId }),
  };
}

function parseRecord(record: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(record);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

export const toRecord = (message: object): string => `${JSON.stringify(message)}${END_OF_RECORD}`;

export const handshakeTaken = (): string => toRecord({});
export const handshakeRefused = (error: string): string => toRecord({ error });
export const PING = toRecord({ type: MESSAGE.ping });

export const invocation = (target: string, args: readonly unknown[]): string =>
  toRecord({ type: MESSAGE.invocation, target, arguments: args });

export const completion = (invocationId: string, outcome: Completion): string =>
  toRecord({ type: MESSAGE.completion, invocationId, ...outcome });

/** What a hub says when it closes. */
export interface ClosingWords {
  readonly error?: string | undefined;
  readonly allowReconnect?: boolean | undefined;
}

export const closing = (words: ClosingWords): string => toRecord({ type: MESSAGE.close, ...words });
