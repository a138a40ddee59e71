import { noteSeen } from "./last-seen.ts";

/** One answer of the gateway, read to its end. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests reach into bodies freely
  readonly body: any;
}

export interface Call {
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON; text and bytes as they are. */
  readonly body?: object | string | Uint8Array;
}

/** Speaks HTTP as a stranger does: no key is sent that was not given. */
export async function call(
  base: string,
  method: string,
  path: string,
  { headers = {}, body }: Call = {},
): Promise<Reply> {
  const isRaw = body === undefined || typeof body === "string" || body instanceof Uint8Array;
  const response = await fetch(`${base}${path}`, {
    method,
    headers: {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && {
      body: isRaw ? (body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(body),
    }),
  });
  const text = await response.text();
  noteSeen(`${method} ${path} ${response.status} ${text}`);
  const isJson = (response.headers.get("content-type") ?? "").startsWith("application/json");
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== "" ? JSON.parse(text) : undefined,
  };
}

/** The calls of one API key. */
export interface ApiClient {
  readonly get: (path: string) => Promise<Reply>;
  readonly post: (path: string, body: object | string, headers?: Extra) => Promise<Reply>;
  readonly put: (path: string, body: object | string) => Promise<Reply>;
  readonly patch: (path: string, body: object) => Promise<Reply>;
  readonly delete: (path: string) => Promise<Reply>;
}

type Extra = Readonly<Record<string, string>>;

export function apiClient(base: string, key: string): ApiClient {
  const send = async (method: string, path: string, body?: object | string, more?: Extra) =>
    await call(base, method, path, {
      headers: { "x-api-key": key, ...more },
      ...(body !== undefined && { body }),
    });
  return {
    get: async (path) => await send("GET", path),
    post: async (path, body, headers) => await send("POST", path, body, headers),
    put: async (path, body) => await send("PUT", path, body),
    patch: async (path, body) => await send("PATCH", path, body),
    delete: async (path) => await send("DELETE", path),
  };
}

/** Posts an alert to a webhook as charting platforms do: as plain text. */
export async function postAlert(url: string, alert: object | string): Promise<Reply> {
  const body = typeof alert === "string" ? alert : JSON.stringify(alert);
  return await call(url, "POST", "", { body, headers: { "content-type": "text/plain" } });
}
