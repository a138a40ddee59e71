import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** What a signed webhook posted. */
export interface Posted {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: {
    readonly type: string;
    readonly data: Readonly<Record<string, unknown>> & { readonly id: string };
  };
}

/** Lets a gateway post to receivers on this machine. */
export const ALLOW_RECEIVER = { NOTIFY_ALLOW_PRIVATE: "127.0.0.0/8" };

/** Somebody's program that notifications are posted to. */
export class Receiver {
  readonly posted: Posted[] = [];
  /** What it answers. */
  status = 200;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      void text(request).then((body) => {
        const { headers } = request;
        this.posted.push({ headers, text: body, body: JSON.parse(body) as Posted["body"] });
        response.writeHead(this.status).end();
      });
    });
  }

  static async open(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((resolve) => receiver.#server.listen(0, "127.0.0.1", resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/told`;
  }

  of(type: string): readonly Posted[] {
    return this.posted.filter(({ body }) => body.type === type);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}
