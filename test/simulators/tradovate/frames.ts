/** A request over the socket. */
export interface SocketRequest {
  /** In lower case and without a slash in front. */
  readonly endpoint: string;
  readonly id: number;
  readonly query: string;
  readonly body: string;
}

/** Four fields on lines of their own: endpoint, id, query, body. The body may have lines itself. */
export function parseRequest(text: string): SocketRequest | undefined {
  const [endpoint = "", id = "", query = "", ...body] = text.split("\n");
  if (endpoint === "" || !/^\d{1,15}$/.test(id.trim())) return undefined;
  return {
    endpoint: endpointName(endpoint.trim()),
    id: Number(id),
    query: query.trim(),
    body: body.join("\n").trim(),
  };
}

/** The client's sign of life. */
export function isHeartbeat(text: string): boolean {
  return text.trim() === "[]";
}

export const OPEN = "o";
export const HEARTBEAT = "h";

export function messageFrame(messages: readonly object[]): string {
  return `a${JSON.stringify(messages)}`;
}

export function closeFrame(code: number, reason: string): string {
  return `c${JSON.stringify([code, reason])}`;
}

/** Paths are told apart without regard to case, as the real service seems to. */
export function endpointName(path: string): string {
  return path.replace(/^\/+|\/+$/g, "").toLowerCase();
}
