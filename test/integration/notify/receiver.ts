import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** One attempt of a signed webhook, as it arrived. */
export interface Told {
  readonly at: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: {
    readonly type: string;
    readonly timestamp: string;
    readonly data: Readonly<Record<string, unknown>> & {
      readonly id: string;
      readonly message: string;
    };
  };
}

export interface Receiver {
  readonly url: string;
  readonly told: readonly Told[];
  readonly of: (type: string) => readonly Told[];
}

/** Takes signed webhooks on loopback, and answers as `answer` says: 200, another status, or never. */
export async function startReceiver(
  answer: (told: Told) => number | "never" = () => 200,
): Promise<Receiver> {
  const told: Told[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const text = Buffer.concat(parts).toString();
      const body = JSON.parse(text) as Told["body"];
      const one = { at: performance.now(), headers: request.headers, text, body };
      const status = answer(one);
      // What is never answered may not have been read either.
      if (status === "never") return;
      told.push(one);
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const of = (type: string) => told.filter(({ body }) => body.type === type);
  return { url: `http://127.0.0.1:${port}/told`, told, of };
}

/** So that receivers on loopback may be told anything. */
export const TELLS_LOOPBACK = { NOTIFY_ALLOW_PRIVATE: "127.0.0.0/8" };

/** A signed webhook that is told everything, unless `change` says otherwise. */
export const everything = (url: string, change: object = {}) => ({
  name: "everything",
  kind: "webhook",
  settings: { url },
  rules: [{ tell: "on" }],
  ...change,
});
