/** SignalR's hub protocol in JSON [OFF]: records that each end with this character. */
const SEPARATOR = "\u001e";

/** What a client asks of the hub; without an id it wants no answer. */
export interface Invocation {
  readonly target: string;
  readonly arguments: readonly unknown[];
  readonly invocationId?: string;
}

export type ClientMessage =
  | { readonly kind: "handshake"; readonly isJson: boolean }
  | ({ readonly kind: "invocation" } & Invocation)
  | { readonly kind: "ping" }
  | { readonly kind: "close" }
  | { readonly kind: "other" };

/** Puts frames together to records: several may come in one, and one in several. */
export class RecordReader {
  #rest = "";
  #isGreeted = false;

  /** Throws on what is no JSON. */
  read(frame: string): readonly ClientMessage[] {
    const parts = `${this.#rest}${frame}`.split(SEPARATOR);
    this.#rest = parts.pop() ?? "";
    return parts.map((part) => this.#toMessage(JSON.parse(part) as Record<string, unknown>));
  }

  #toMessage(record: Record<string, unknown>): ClientMessage {
    if (!this.#isGreeted) {
      this.#isGreeted = true;
      const { protocol, version } = record;
      return { kind: "handshake", isJson: protocol === "json" && version === 1 };
    }
    switch (record["type"]) {
      case 1:
        return toInvocation(record);
      case 6:
        return { kind: "ping" };
      case 7:
        return { kind: "close" };
      default:
        return { kind: "other" };
    }
  }
}

function toInvocation(record: Record<string, unknown>): ClientMessage {
  const { target, arguments: given, invocationId } = record;
  if (typeof target !== "string") return { kind: "other" };
  return {
    kind: "invocation",
    target,
    arguments: Array.isArray(given) ? given : [],
    ...(typeof invocationId === "string" && { invocationId }),
  };
}

const record = (message: object): string => `${JSON.stringify(message)}${SEPARATOR}`;

export const GREETED = record({});
export const PING = record({ type: 6 });

export const refusedHandshake = (error: string): string => record({ error });

export const invocation = (target: string, given: readonly unknown[]): string =>
  record({ type: 1, target, arguments: given });

export const completion = (invocationId: string, error?: string): string =>
  record({ type: 3, invocationId, ...(error === undefined ? { result: null } : { error }) });

export const closing = (error: string | undefined, allowReconnect: boolean): string =>
  record({ type: 7, ...(error !== undefined && { error }), allowReconnect });
