import type { Programs } from "./build.ts";
import { type OutsideBroker, startGateway } from "./gateway-contender.ts";
import { type Answered, AlertPoster, isError, postAtRate } from "./open-loop.ts";
import { percentile } from "./statistics.ts";
import { temporaryPlace } from "./temporary-place.ts";

/** A broker outside the gateway, of which one account can be made slow. */
export interface SlowBroker extends OutsideBroker {
  /** From now on it takes so long over each order of that account. */
  readonly slowDown: (account: string, ms: number) => Promise<void>;
}

export interface SlowAccountOptions {
  readonly programs: Programs;
  readonly startBroker: (programs: Programs) => Promise<SlowBroker>;
  readonly seconds: number;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** The accounts beside the slow one, in ms from when each alert was due. */
export interface SlowAccountRow {
  readonly run: string;
  readonly alerts: number;
  readonly p50: number;
  readonly p99: number;
  readonly errors: number;
}

const PER_SECOND = 300;
const SLOW_MS = 2_000;
const WARM_UP_S = 3;

/** The same load on the same broker twice: every account quick, then one of them slow. */
export async function measureSlowAccount(options: SlowAccountOptions): Promise<SlowAccountRow[]> {
  const rows: SlowAccountRow[] = [];
  for (const slowMs of [0, SLOW_MS]) {
    const run = slowMs === 0 ? "every account quick" : `one account takes ${slowMs} ms an order`;
    const answers = await measureOnce(options, slowMs);
    const times = answers.map(({ ms }) => ms);
    rows.push({
      run,
      alerts: answers.length,
      p50: percentile(times, 50),
      p99: percentile(times, 99),
      errors: answers.filter(isError).length,
    });
    options.say(run);
  }
  return rows;
}

/** Answers what the other accounts were answered. */
async function measureOnce(options: SlowAccountOptions, slowMs: number): Promise<Answered[]> {
  const { seconds, signal, startBroker } = options;
  return await temporaryPlace(options, async (place) => {
    const broker = await startBroker(place.programs);
    try {
      const { program, settings, accounts } = broker;
      const gateway = await startGateway(place, settings, accounts, program);
      const poster = new AlertPoster(gateway.url);
      try {
        const load = { perSecond: PER_SECOND, signal };
        await postAtRate(poster, gateway.hooks, { ...load, seconds: WARM_UP_S });
        const [slow = ""] = broker.accounts;
        await broker.slowDown(slow, slowMs);
        const answers = await postAtRate(poster, gateway.hooks, { ...load, seconds });
        return answers.filter(({ hook }) => hook !== gateway.hooks[0]);
      } finally {
        poster.close();
        await gateway.stop();
      }
    } finally {
      await broker.stop();
    }
  });
}
