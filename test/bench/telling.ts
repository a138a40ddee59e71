import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { AddressInfo } from "node:net";
import { SCOPES } from "../../src/domain/people/credential.ts";
import { createKeys } from "../../src/store/keys.ts";
import { withRedis } from "./ask-about-redis.ts";
import type { Programs } from "./build.ts";
import { ACCOUNTS } from "./contender.ts";
import { type GatewayRunning, startGateway } from "./gateway-contender.ts";
import { type Answered, AlertPoster, isError, postAtRate } from "./open-loop.ts";
import { cpuSeconds } from "./process-figures.ts";
import { type Spread, spreadOf, spreadOfPercentile } from "./statistics.ts";
import { temporaryPlace } from "./temporary-place.ts";

export interface TellingOptions {
  readonly programs: Programs;
  readonly rounds: number;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** The same alerts with nobody told of them, with somebody told, and into a flood that nobody takes. */
export interface TellingRow {
  readonly run: "nobody is told" | "a receiver is told" | "10,000 events, a receiver that hangs";
  /** Beside those of the alerts themselves, of all rounds. */
  readonly events: number;
  /** That waited for the receiver at the end of a round. */
  readonly waiting: number;
  readonly p50: Spread;
  readonly p99: Spread;
  /** CPU of the gateway's own processes in an alert's time, ms; without its Redis. */
  readonly cpuMs: number;
  readonly errors: number;
}

const ALERTS_PER_SECOND = 200;
const ROUND_S = 6;
const WARM_UP_S = 3;
const EVENTS = 10_000;
const EVENTS_A_REQUEST = 100;
/** What is measured is what a flood does while it is told, not how fast one caller can put it in. */
const FLOOD_MS = 5_000;

const RUNS = [
  "nobody is told",
  "a receiver is told",
  "10,000 events, a receiver that hangs",
] as const;

type Round = Pick<TellingRow, "run" | "events" | "waiting" | "cpuMs"> & {
  readonly answers: readonly Answered[];
};

/** The receivers listen in this process; of the flood, events come in while the alerts do. */
export async function measureTelling(options: TellingOptions): Promise<readonly TellingRow[]> {
  const { rounds, signal, say } = options;
  const receiver = await startReceiver();
  try {
    const found = await temporaryPlace(options, async (place) => {
      const accounts = Array.from({ length: ACCOUNTS }, (_, index) => `paper-${index + 1}`);
      const settings = {
        PAPER_ACCOUNTS: `1-${ACCOUNTS}`,
        NOTIFY_ALLOW_PRIVATE: "127.0.0.0/8",
      };
      const gateway = await startGateway(place, settings, accounts);
      const poster = new AlertPoster(gateway.url);
      try {
        await mayNotify(gateway);
        const load = { perSecond: ALERTS_PER_SECOND, signal };
        await postAtRate(poster, gateway.hooks, { ...load, seconds: WARM_UP_S });
        const all: Round[] = [];
        for (let round = 0; round < rounds; round += 1) {
          for (const run of RUNS) {
            receiver.hangs = run === RUNS[2];
            all.push(await measureRound({ gateway, poster, load, run, url: receiver.url }));
          }
          say(`telling: round ${round + 1} of ${rounds}`);
        }
        return all;
      } finally {
        poster.close();
        await gateway.stop();
      }
    });
    return RUNS.map((run) => toRow(run, found));
  } finally {
    receiver.close();
  }
}

/** Its first key may not. */
async function mayNotify({ redisSocket }: GatewayRunning): Promise<void> {
  await withRedis(redisSocket, async (redis) => {
    for (const key of await redis.keys(createKeys().credential("key", "*"))) {
      await redis.hset(key, "scopes", SCOPES.join(" "));
    }
  });
}

async function startReceiver() {
  const state = { url: "", hangs: false, close: () => undefined as void };
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      if (!state.hangs) response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  state.close = () => {
    server.closeAllConnections();
    server.close();
  };
  return state;
}

interface RoundParts {
  readonly gateway: GatewayRunning;
  readonly poster: AlertPoster;
  readonly load: { readonly perSecond: number; readonly signal: AbortSignal };
  readonly run: TellingRow["run"];
  readonly url: string;
}

async function measureRound({ gateway, poster, load, run, url }: RoundParts): Promise<Round> {
  const path = run === RUNS[0] ? undefined : await addDestination(gateway, url);
  const pids = await gateway.nodePids();
  const cpuBefore = await cpuSeconds(pids);
  const flood = run === RUNS[2] ? tellAll(gateway) : Promise.resolve(0);
  const answers = await postAtRate(poster, gateway.hooks, { ...load, seconds: ROUND_S });
  const cpu = await cpuSeconds(pids);
  const events = await flood;
  const waiting = path === undefined ? 0 : await waitingAt(gateway, path);
  if (path !== undefined) await gateway.api.delete(path);
  return { run, answers, events, waiting, cpuMs: ((cpu - cpuBefore) * 1_000) / answers.length };
}

async function addDestination({ api }: GatewayRunning, url: string): Promise<string> {
  const rules = [{ tell: "on" }];
  const body = { name: "bench", kind: "webhook", settings: { url }, rules };
  const { status, text, body: added } = await api.post("/v1/destinations", body);
  if (status !== 201) throw new Error(`There is no destination: ${status} ${text}`);
  const { destination = added } = added as { destination?: Readonly<Record<string, unknown>> };
  return `/v1/destinations/${String(destination["id"])}`;
}

async function waitingAt({ api }: GatewayRunning, path: string): Promise<number> {
  const { body } = await api.get(path);
  return (body["state"] as { readonly waiting: number }).waiting;
}

/** As an operator's Alertmanager would; spread over most of a round. */
async function tellAll({ api }: GatewayRunning): Promise<number> {
  // One that stands is told once.
  const startedAt = Date.now();
  for (let from = 0; from < EVENTS; from += EVENTS_A_REQUEST) {
    await sleep(startedAt + (from / EVENTS) * FLOOD_MS - Date.now());
    const alerts = Array.from({ length: EVENTS_A_REQUEST }, (_, n) => ({
      status: "firing",
      labels: { alertname: "Bench", severity: "warning" },
      annotations: { summary: `event ${from + n}` },
      startsAt: new Date().toISOString(),
      fingerprint: `${startedAt}-${from + n}`,
    }));
    const body = { version: "4", status: "firing", receiver: "bench", groupKey: "{}", alerts };
    const { status, text } = await api.post("/v1/operator-alarms", body);
    if (status >= 300) throw new Error(`Events are not taken: ${status} ${text}`);
  }
  return EVENTS;
}

function toRow(run: TellingRow["run"], all: readonly Round[]): TellingRow {
  const rounds = all.filter((round) => round.run === run);
  return {
    run,
    events: rounds.reduce((sum, { events }) => sum + events, 0),
    waiting: spreadOf(rounds.map(({ waiting }) => waiting)).median,
    p50: spreadOfPercentile(rounds, 50),
    p99: spreadOfPercentile(rounds, 99),
    cpuMs: spreadOf(rounds.map(({ cpuMs }) => cpuMs)).median,
    errors: rounds.flatMap(({ answers }) => answers).filter(isError).length,
  };
}
