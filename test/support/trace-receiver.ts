import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** One span as OTLP writes it in JSON. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Attributes;
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code: number };
}

type Attributes = readonly { readonly key: string; readonly value: object }[];

interface Request {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attributes };
    readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[];
  }[];
}

/** What an OTLP collector is to a gateway: it takes spans over HTTP, and keeps them for the test. */
export class TraceReceiver {
  readonly #server = createServer();
  /** Each request as it came. */
  readonly bodies: string[] = [];
  readonly headers: IncomingHttpHeaders[] = [];
  /** Set, it takes what comes and answers nothing. */
  hangs = false;

  static async start(): Promise<TraceReceiver> {
    const receiver = new TraceReceiver();
    receiver.#server.on("request", (request, response) => {
      void text(request).then((body) => {
        if (request.url !== "/v1/traces") return response.writeHead(404).end();
        receiver.bodies.push(body);
        receiver.headers.push(request.headers);
        if (receiver.hangs) return undefined;
        return response.writeHead(200, { "content-type": "application/json" }).end("{}");
      });
    });
    receiver.#server.listen(0, "127.0.0.1");
    await once(receiver.#server, "listening");
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get spans(): readonly ReceivedSpan[] {
    return this.bodies.flatMap((body) =>
      (JSON.parse(body) as Request).resourceSpans.flatMap(({ scopeSpans }) =>
        scopeSpans.flatMap(({ spans }) => spans),
      ),
    );
  }

  /** Of one trace, in the order of their times. */
  trace(traceId: string): readonly ReceivedSpan[] {
    const from = ({ startTimeUnixNano }: ReceivedSpan) => BigInt(startTimeUnixNano);
    return this.spans
      .filter((span) => span.traceId === traceId)
      .toSorted((one, other) => (from(one) < from(other) ? -1 : 1));
  }

  /** How many processes have sent something. */
  get senders(): number {
    const all = this.bodies.flatMap((body) => (JSON.parse(body) as Request).resourceSpans);
    return new Set(all.map(({ resource }) => attributesOf(resource)["service.instance.id"])).size;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

/** Its attributes by name, each value as it is. */
export function attributesOf({
  attributes,
}: Pick<ReceivedSpan, "attributes">): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
