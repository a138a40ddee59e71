import { get, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { waitUntil } from "./wait.ts";

/** One item of the connection-health stream, as its JSON says. */
export interface StreamItem {
  readonly type: string;
  readonly connectionId?: string;
  readonly status?: string;
  readonly changes?: readonly {
    readonly accountId: string | null;
    readonly what: readonly string[];
  }[];
  readonly ts: number;
}

/** How the stream ended: in order, or cut. */
export type StreamEnd = "ended" | "cut";

/** A client of the connection-health stream that keeps everything it was sent. */
export interface StreamClient {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Everything received so far. */
  readonly text: () => string;
  readonly items: () => readonly StreamItem[];
  /** The statuses told of one connection so far, snapshot first. */
  readonly statuses: (connection?: string) => readonly string[];
  /** Waits until it was told that so much of an account, or of any (null), has changed. */
  readonly untilChanged: (account: string | null, ...what: readonly string[]) => Promise<void>;
  readonly untilStatuses: (statuses: readonly string[], connection?: string) => Promise<void>;
  /** Reads nothing from now on. */
  readonly pause: () => void;
  readonly resume: () => void;
  readonly end: () => StreamEnd | undefined;
  readonly close: () => void;
}

const HEALTH = "/v1/connection-health/stream";
export const EVERYTHING = "/v1/stream";

/** Connects and reads, without a key where it is empty; a refusal is answered with its status and its body as text. */
export async function openStream(
  url: string,
  key: string,
  headers: Readonly<Record<string, string>> = { accept: "text/event-stream" },
  path = HEALTH,
): Promise<StreamClient> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const proof = key === "" ? {} : { "x-api-key": key };
    const asked = { headers: { ...proof, ...headers }, agent: false };
    get(`${url}${path}`, asked, resolve).once("error", reject);
  });
  let text = "";
  let end: StreamEnd | undefined;
  response.setEncoding("utf8").on("data", (more: string) => (text += more));
  response.once("end", () => (end ??= "ended"));
  response.once("error", () => (end ??= "cut"));
  const items = () => parseItems(text);
  const statuses = (connection = "paper") =>
    items()
      .filter(({ connectionId }) => connectionId === connection)
      .map(({ status = "" }) => status);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: () => text,
    items,
    statuses,
    untilStatuses: async (expected, connection) => {
      const isTold = () => startsWith(statuses(connection), expected);
      await waitUntil(`the stream tells ${expected.join(", ")}`, isTold);
    },
    untilChanged: async (account, ...what) => {
      const told = () =>
        items()
          .flatMap(({ changes = [] }) => changes)
          .filter(({ accountId }) => accountId === account)
          .flatMap((change) => change.what);
      const isTold = () => what.every((kind) => told().includes(kind));
      await waitUntil(`the stream tells ${what.join(", ")} of ${account}`, isTold);
    },
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    end: () => end,
    close: () => void response.destroy(),
  };
}

/** Only whole items: the last one may still be on its way. */
function parseItems(text: string): StreamItem[] {
  const whole = text.slice(0, text.lastIndexOf("\n\n") + 1);
  return whole
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .map((line) => JSON.parse(line.slice("data: ".length)) as StreamItem);
}

function startsWith(list: readonly string[], start: readonly string[]): boolean {
  return start.every((word, index) => list[index] === word);
}
