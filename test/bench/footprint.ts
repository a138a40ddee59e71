import { setTimeout as sleep } from "node:timers/promises";
import { countConnections, withRedis } from "./ask-about-redis.ts";
import type { Programs } from "./build.ts";
import { type GatewayRunning, startGateway } from "./gateway-contender.ts";
import { AlertPoster, isError, postAll } from "./open-loop.ts";
import { cpuSeconds, residentBytes } from "./process-figures.ts";
import { percentile } from "./statistics.ts";
import { temporaryPlace } from "./temporary-place.ts";

export interface FootprintOptions {
  readonly programs: Programs;
  /** How many accounts, one gateway after another. */
  readonly accounts: readonly number[];
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** A gateway that has nothing to do. */
export interface FootprintRow {
  readonly accounts: number;
  readonly startMs: number;
  readonly nodeBytes: number;
  readonly redisBytes: number;
  readonly connections: number;
  /** Percent of one core. */
  readonly nodeCpu: number;
  readonly redisCpu: number;
  /** Of single alerts, one after another. */
  readonly alertMs: number;
  readonly errors: number;
}

const SETTLE_MS = 5_000;
const IDLE_MS = 10_000;
const ALERTS = 50;

export async function measureFootprint(options: FootprintOptions): Promise<FootprintRow[]> {
  const rows: FootprintRow[] = [];
  for (const accounts of options.accounts) {
    rows.push(
      await temporaryPlace(options, async (place) => {
        const running = await startGateway(place, { PAPER_ACCOUNTS: `1-${accounts}` });
        try {
          return await measureIdle(running, accounts, options.signal);
        } finally {
          await running.stop();
        }
      }),
    );
    options.say(`idle gateway of ${accounts} accounts`);
  }
  return rows;
}

async function measureIdle(
  { url, hooks, nodePids, redisPid, redisSocket, startMs }: GatewayRunning,
  accounts: number,
  signal: AbortSignal,
): Promise<FootprintRow> {
  await sleep(SETTLE_MS, undefined, { signal });
  const node = await nodePids();
  const nodeBytes = await residentBytes(node);
  const redisBytes = await residentBytes([redisPid]);
  const connections = await withRedis(redisSocket, countConnections);

  const before = [await cpuSeconds(node), await cpuSeconds([redisPid])] as const;
  await sleep(IDLE_MS, undefined, { signal });
  const after = [await cpuSeconds(node), await cpuSeconds([redisPid])] as const;
  const percent = (from: number, to: number) => ((to - from) / (IDLE_MS / 1_000)) * 100;

  const poster = new AlertPoster(url);
  const answers = await postAll(poster, hooks, { count: ALERTS, together: 1, signal });
  poster.close();
  return {
    accounts,
    startMs,
    nodeBytes,
    redisBytes,
    connections,
    nodeCpu: percent(before[0], after[0]),
    redisCpu: percent(before[1], after[1]),
    alertMs: percentile(
      answers.map(({ ms }) => ms),
      50,
    ),
    errors: answers.filter(isError).length,
  };
}
