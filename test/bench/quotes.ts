import { setTimeout as sleep } from "node:timers/promises";
import { frontMonth, type Listed, quarterAfter } from "../support/gateway.ts";
import { waitUntil } from "../support/wait.ts";
import { startTradovateSimulator, type TradovateSimulator } from "../simulators/tradovate/start.ts";
import { SCOPES } from "../../src/domain/people/credential.ts";
import { createKeys } from "../../src/store/keys.ts";
import { withRedis } from "./ask-about-redis.ts";
import type { Programs } from "./build.ts";
import { ACCOUNTS, type Place } from "./contender.ts";
import { type GatewayRunning, startGateway } from "./gateway-contender.ts";
import { type Answered, AlertPoster, isError, postAtRate } from "./open-loop.ts";
import { cpuSeconds } from "./process-figures.ts";
import { type Spread, spreadOf, spreadOfPercentile } from "./statistics.ts";
import { startTogether } from "./start-together.ts";
import { temporaryPlace } from "./temporary-place.ts";

export interface QuotesOptions {
  readonly programs: Programs;
  readonly rounds: number;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** The same alerts with quotes and without them, in turns. */
export interface QuotesRow {
  readonly run: "no quotes" | "quotes";
  /** That the gateway heard, a second. */
  readonly quotes: number;
  readonly p50: Spread;
  readonly p99: Spread;
  /** CPU of the gateway's own processes in an alert's time, ms; without its Redis. */
  readonly cpuMs: number;
  readonly errors: number;
}

const ALERTS_PER_SECOND = 200;
const QUOTES_PER_SECOND = 200;
const ROOTS = ["ES", "MES", "NQ", "MNQ", "YM"];
const MONTHS = 4;
const ROUND_S = 6;
const WARM_UP_S = 3;
const CONNECTION = "tradovate-1";
const WITHIN_MS = 20_000;

const RUNS = ["no quotes", "quotes"] as const;

type Round = Pick<QuotesRow, "run" | "quotes" | "cpuMs"> & {
  readonly answers: readonly Answered[];
};

/**
 * Twenty contracts are held on a broker of its own process, whose prices are set 200 times a second all
 * the time; in every other round they are told to nobody. The alerts trade paper accounts of the same
 * process: what they take longer is what the quotes cost.
 */
export async function measureQuotes(options: QuotesOptions): Promise<readonly QuotesRow[]> {
  const { rounds, signal, say } = options;
  const found = await temporaryPlace(options, async (place) => {
    const { gateway, simulator, stop } = await startBoth(place);
    const poster = new AlertPoster(gateway.url);
    let market: { readonly stop: () => Promise<void> } | undefined;
    try {
      market = move(simulator, await holdAll(gateway, simulator), signal);
      const load = { perSecond: ALERTS_PER_SECOND, signal };
      await postAtRate(poster, gateway.hooks, { ...load, seconds: WARM_UP_S });
      const all: Round[] = [];
      for (let round = 0; round < rounds; round += 1) {
        for (const run of RUNS) {
          await simulator.control({ knob: "freezeQuotes", isFrozen: run === "no quotes" });
          all.push(await measureRound(gateway, poster, run, load));
        }
        say(`quotes: round ${round + 1} of ${rounds}`);
      }
      return all;
    } finally {
      poster.close();
      await market?.stop();
      await stop();
    }
  });
  return RUNS.map((run) => toRow(run, found));
}

async function startBoth(place: Place) {
  return await startTogether(async (endWith) => {
    const simulator = await startTradovateSimulator();
    endWith(simulator.stop);
    const accounts = Array.from({ length: ACCOUNTS }, (_, index) => `paper-${index + 1}`);
    const settings = { PAPER_ACCOUNTS: `1-${ACCOUNTS}`, ALLOW_LOCAL_BROKERS: "true" };
    const gateway = await startGateway(place, settings, accounts);
    endWith(gateway.stop);
    await mayManage(gateway);
    return { gateway, simulator };
  });
}

/** Its first key may not add connections. */
async function mayManage({ redisSocket }: GatewayRunning): Promise<void> {
  await withRedis(redisSocket, async (redis) => {
    for (const key of await redis.keys(createKeys().credential("key", "*"))) {
      await redis.hset(key, "scopes", SCOPES.join(" "));
    }
  });
}

/** One of each contract on the first account of a new connection; answers which. */
async function holdAll(
  { api }: GatewayRunning,
  { url: restUrl, wsUrl, mdUrl }: TradovateSimulator,
): Promise<readonly Listed[]> {
  const settings = { name: "joe", cid: "8", password: "any", sec: "any", restUrl, wsUrl, mdUrl };
  const added = { broker: "tradovate", environment: "demo", name: "Held", settings };
  const { status, text } = await api.post("/v1/connections", added);
  if (status !== 201) throw new Error(`There is no connection: ${status} ${text}`);
  let account: string | undefined;
  await waitUntil(
    "the connection stands",
    async () => {
      const { body } = await api.get("/v1/accounts");
      const known = body["accounts"] as readonly Readonly<Record<string, string>>[];
      account = known.find(
        (one) => one["connectionStatus"] === "CONNECTED" && one["connectionId"] === CONNECTION,
      )?.["id"];
      return account !== undefined;
    },
    WITHIN_MS,
  );
  const contracts = ROOTS.flatMap((root) => {
    const months = [frontMonth(root)];
    while (months.length < MONTHS) months.push(quarterAfter(months.at(-1) as Listed));
    return months;
  });
  for (const { symbol } of contracts) {
    const order = { symbol, action: "buy", qty: 1, type: "market" };
    const answer = await api.post(`/v1/accounts/${account}/orders`, order);
    if (answer.status !== 201) throw new Error(`${symbol} is not held: ${answer.text}`);
  }
  return contracts;
}

/** Sets the prices of the contracts in turn, until it is stopped. */
function move(simulator: TradovateSimulator, contracts: readonly Listed[], signal: AbortSignal) {
  let isOver = false;
  const moving = (async () => {
    const startedAt = performance.now();
    for (let count = 0; !isOver && !signal.aborted; count += 1) {
      const early = startedAt + (count * 1_000) / QUOTES_PER_SECOND - performance.now();
      if (early > 0) await sleep(early);
      const { code } = contracts[count % contracts.length] as Listed;
      const bid = 20_000 + (count % 97);
      await simulator.control({ knob: "quote", contract: code, bid, ask: bid + 1 });
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await moving.catch(() => undefined);
    },
  };
}

async function measureRound(
  gateway: GatewayRunning,
  poster: AlertPoster,
  run: QuotesRow["run"],
  load: { readonly perSecond: number; readonly signal: AbortSignal },
): Promise<Round> {
  const pids = await gateway.nodePids();
  const [cpuBefore, toldBefore] = [await cpuSeconds(pids), await quotesTold(gateway)];
  const answers = await postAtRate(poster, gateway.hooks, { ...load, seconds: ROUND_S });
  const [cpu, told] = [await cpuSeconds(pids), await quotesTold(gateway)];
  return {
    run,
    answers,
    quotes: (told - toldBefore) / ROUND_S,
    cpuMs: ((cpu - cpuBefore) * 1_000) / answers.length,
  };
}

async function quotesTold({ api }: GatewayRunning): Promise<number> {
  const { text } = await api.get("/metrics");
  return Number(/^gateway_quotes_total (\d+)/m.exec(text)?.[1] ?? NaN);
}

function toRow(run: QuotesRow["run"], all: readonly Round[]): QuotesRow {
  const rounds = all.filter((round) => round.run === run);
  return {
    run,
    quotes: spreadOf(rounds.map(({ quotes }) => quotes)).median,
    p50: spreadOfPercentile(rounds, 50),
    p99: spreadOfPercentile(rounds, 99),
    cpuMs: spreadOf(rounds.map(({ cpuMs }) => cpuMs)).median,
    errors: rounds.flatMap(({ answers }) => answers).filter(isError).length,
  };
}
