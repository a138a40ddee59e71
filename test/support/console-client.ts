import { call, type Reply } from "./http-client.ts";

/** What a browser at the console sends and keeps: one cookie, and where its pages are from. */
export class ConsoleClient {
  /** By name, as a person types it: passkeys are for names alone. */
  readonly url: string;
  cookie: string | undefined;

  constructor(url: string) {
    this.url = url.replace("127.0.0.1", "localhost");
  }

  /** Asks as a page of the console does. */
  async ask(
    method: string,
    path: string,
    body?: object | string,
    headers: Readonly<Record<string, string>> = { "sec-fetch-site": "same-origin" },
  ): Promise<Reply> {
    const { cookie } = this;
    const reply = await call(this.url, method, path, {
      headers: { ...(cookie !== undefined && { cookie }), ...headers },
      ...(body !== undefined && { body }),
    });
    for (const set of reply.headers.getSetCookie()) {
      const [pair = ""] = set.split(";");
      this.cookie = pair.endsWith("=") ? undefined : pair;
    }
    return reply;
  }

  async setUp(link: string, name: string, password: string): Promise<Reply> {
    return await this.ask("POST", "/v1/set-up", { token: tokenOf(link), name, password });
  }

  async signIn(name: string, password: string): Promise<Reply> {
    return await this.ask("POST", "/v1/session", { name, password });
  }
}

export const tokenOf = (link: string): string => /gwu_[\w-]{43}/.exec(link)?.[0] ?? "";
