import type { ServerResponse } from "node:http";
import type { KnobAnswer } from "./broker-process.ts";

/** What a look-alike of a broker lets a test do to it and see of it. What throws is answered in words. */
export interface Controlled {
  readonly turn: (knob: never) => KnobAnswer;
  readonly setPrice: (price: Readonly<Record<string, unknown>>) => KnobAnswer;
  readonly log: (from: number, limit: number) => readonly object[];
  readonly wire: (from: number, limit: number) => readonly object[];
  readonly state: () => object;
}

const PAGE = 10_000;

/** Answers `POST /control`, `POST /__sim/price`, `GET /log`, `GET /wire` and `GET /state`. */
export function answerControl(
  controlled: Controlled,
  route: string,
  asked: {
    readonly response: ServerResponse;
    readonly url: URL;
    readonly bodyText: string;
  },
): void {
  const { response, url, bodyText } = asked;
  const number = (name: string, otherwise: number) =>
    Math.max(1, Number(url.searchParams.get(name) ?? otherwise));
  const json = (status: number, body: object) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  const lines = (entries: readonly object[]) =>
    response
      .writeHead(200, { "content-type": "application/x-ndjson" })
      .end(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
  const [from, limit] = [number("from", 1), number("limit", PAGE)];
  try {
    if (route === "POST /control") json(200, controlled.turn(JSON.parse(bodyText) as never));
    else if (route === "POST /__sim/price") {
      json(200, controlled.setPrice(JSON.parse(bodyText) as Record<string, unknown>));
    } else if (route === "GET /log") lines(controlled.log(from, limit));
    else if (route === "GET /wire") lines(controlled.wire(from, limit));
    else if (route === "GET /state") json(200, controlled.state());
    else json(404, { reason: "There is no such page" });
  } catch (cause) {
    json(400, { reason: cause instanceof Error ? cause.message : "Not understood" });
  }
}
