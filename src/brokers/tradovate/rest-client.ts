/** What an endpoint answered; `data` is undefined where the body is no JSON. */
export interface RestAnswer {
  readonly status: number;
  readonly data: unknown;
}

export interface RestRequest {
  readonly method: "GET" | "POST";
  /** Without a slash at its beginning, for example `auth/accesstokenrequest`. */
  readonly path: string;
  readonly body?: object;
  readonly token?: string;
  readonly signal?: AbortSignal;
}

const TIMEOUT_MS = 10_000;

/**
 * HTTP is for what needs no socket yet, and for looking a second time: logins, renewals, lists.
 * Commands go over the socket. There it is certain what left: a frame is written in one turn of the
 * event loop to a connection that stands, or not at all; frames keep their order, and no command can
 * outlive its session. An HTTP client that opens connections by itself can say none of that.
 */
export class RestClient {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** Rejects when there was no answer in time; a status is an answer. */
  async ask({ method, path, body, token, signal }: RestRequest): Promise<RestAnswer> {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(`${this.#url}/${path}`, {
      method,
      headers: {
        accept: "application/json",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // Credentials follow no redirect.
      redirect: "error",
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    const text = await response.text();
    return { status: response.status, data: parseJson(text) };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
