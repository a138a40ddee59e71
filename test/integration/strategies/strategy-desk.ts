import type { Bar } from "../../../src/domain/strategies/bar.ts";
import { ticks } from "../../../src/domain/contracts/price.ts";
import type { ApiClient, Reply } from "../../support/http-client.ts";
import { untilTaken, waitUntil } from "../../support/wait.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- tests reach into bodies freely
export type Answered = any;

export const STRATEGIES = "/v1/strategies";
export const EVERY_TEN_SECONDS = { cron: "*/10 * * * * *", timeZone: "UTC" };

const MINUTE_MS = 60_000;

/** What the newest close makes it want: 25010 long, 24990 nothing, 24890 short. */
export const LEVELS = {
  enterLong: "close[0] > 25000.0",
  exitLong: "close[0] < 25000.0",
  enterShort: "close[0] < 24900.0",
  exitShort: "close[0] > 24900.0",
};

/** Changes what it holds at each evaluation: in, out, in again. */
export const IN_AND_OUT = { enterLong: "close[0] > 0.0", exitLong: "close[0] > 0.0" };

/** The shortest strategy there is; it observes. */
export const termsOf = (account: string) => ({
  accountId: account,
  symbol: "MNQ1!",
  barMinutes: 1,
  conditions: LEVELS,
});

/** Finished bars for a request, of which the newest one closes there. */
export function closingAt(close: number, count = 3) {
  const endsAt = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
  return Array.from({ length: count }, (_, n) => {
    const price = close + 0.25 * (n - count + 1);
    const time = new Date(endsAt - (count - n) * MINUTE_MS).toISOString();
    return { time, open: price, high: price, low: price, close: price, volume: 1 };
  });
}

/** Bars of a quarter of an hour around now, so that some of them are always finished. */
export function barsAround(closeTicks: number, minutes = 1): Bar[] {
  const lengthMs = minutes * MINUTE_MS;
  const newest = Math.floor(Date.now() / lengthMs) * lengthMs;
  return Array.from({ length: 15 }, (_, n) => {
    const price = ticks(closeTicks + n);
    const startsAt = newest + (n - 9) * lengthMs;
    return { startsAt, open: price, high: price, low: price, close: price, volume: n };
  });
}

/** An answer that a test cannot go on without. */
export function must({ status, body, text }: Reply, wanted: number): Answered {
  if (status !== wanted) throw new Error(`Answered ${status}: ${text}`);
  return body;
}

/** What a call is refused with: its status, code and message. */
export const refusalOf = ({ status, body }: Reply) =>
  `${status} ${body.error.code}: ${body.error.message}`;

export type StrategyDesk = Awaited<ReturnType<typeof openStrategyDesk>>;

/** A strategy of any gateway: what it is asked, what is changed of it, and what its log says. */
export async function openStrategyDesk(api: () => ApiClient, terms: object) {
  const strategy = must(await untilTaken(() => api().post(STRATEGIES, terms)), 201);
  const id = strategy.id as string;
  const path = `${STRATEGIES}/${id}`;
  const log = async (query = ""): Promise<readonly Answered[]> =>
    must(await api().get(`${path}/logs?limit=200&${query}`), 200).logs;
  return {
    id,
    path,
    strategy,
    log,
    read: async (): Promise<Answered> => must(await api().get(path), 200),
    change: async (change: object): Promise<Answered> => must(await api().patch(path, change), 200),
    ask: async (request: object = {}): Promise<Reply> =>
      await api().post(`${path}/evaluate`, request),
    /** Evaluates it on bars that close there. */
    at: async (close: number, request: object = {}): Promise<Answered> =>
      must(
        await untilTaken(() =>
          api().post(`${path}/evaluate`, { bars: closingAt(close), ...request }),
        ),
        200,
      ),
    /** Waits until so many of its slots have ended, and answers all that have, oldest first. */
    ended: async (count: number, timeoutMs: number): Promise<readonly Answered[]> => {
      let found: readonly Answered[] = [];
      const isThere = async () => {
        found = (await log()).filter(({ trigger }) => trigger === "schedule");
        return found.length >= count;
      };
      await waitUntil(`${count} slots have ended`, isThere, timeoutMs);
      return found.toReversed();
    },
  };
}
