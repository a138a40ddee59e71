import { setTimeout as sleep } from "node:timers/promises";
import { apiClient } from "../support/http-client.ts";
import { waitUntil } from "../support/wait.ts";
import type { Cluster } from "./cluster.ts";

/** A strategy of a run. It is alone on its account, and goes in and out in turns. */
export interface TradingStrategy {
  readonly strategyId: string;
  readonly account: string;
  /** What it enters, always long. */
  readonly qty: number;
  /** The first slot that it must have, Unix ms. */
  readonly firstSlotAt: number;
}

/** Of each strategy: as close together as slots may be. */
export const SLOT_EVERY_MS = 10_000;

/** Every second one is half a step later, so that some strategy has a slot every five seconds. */
const CRONS = ["*/10 * * * * *", "5-55/10 * * * * *"] as const;
const TERMS = {
  symbol: "MES1!",
  barMinutes: 1,
  barCount: 10,
  conditions: { enterLong: 'position.side == "flat"', exitLong: "true" },
  mode: "trade",
};
/** Sizes that tell two entries from one. */
const QTYS = [1, 2, 2, 1] as const;

/** Lets a strategy trade on each of the accounts. */
export async function startStrategies(
  { members }: Cluster,
  apiKey: string,
  accounts: readonly string[],
): Promise<readonly TradingStrategy[]> {
  const { url = "" } = members.find(({ takesCalls }) => takesCalls) ?? {};
  const api = apiClient(url, apiKey);
  const strategies: TradingStrategy[] = [];
  for (const [n, account] of accounts.entries()) {
    const qty = QTYS[n % QTYS.length] ?? 1;
    const schedule = { cron: CRONS[n % CRONS.length], timeZone: "America/Chicago" };
    const body = { ...TERMS, name: `Turns ${n + 1}`, accountId: account, qty, schedule };
    await waitUntil(`a strategy trades on ${account}`, async () => {
      const { status, body: made } = await api.post("/v1/strategies", body);
      if (status !== 201) return false;
      const firstSlotAt = Date.parse(made.nextEvaluationAt as string);
      strategies.push({ strategyId: made.id as string, account, qty, firstSlotAt });
      return true;
    });
  }
  return strategies;
}

const REST_WITHIN_MS = 30_000;
const POLL_MS = 200;

/**
 * Switches each off once it has told of a slot after that instant: what was before it is then taken,
 * or told as missed. One that never does is found by the checks.
 */
export async function restStrategies(
  { members }: Cluster,
  apiKey: string,
  strategies: readonly TradingStrategy[],
  afterAt: number,
): Promise<void> {
  const deadline = performance.now() + REST_WITHIN_MS;
  const awake = new Set(strategies.map(({ strategyId }) => `/v1/strategies/${strategyId}`));
  while (awake.size > 0 && performance.now() < deadline) {
    const { url = "" } = members.find(({ takesCalls, isUp }) => takesCalls && isUp) ?? {};
    const api = apiClient(url, apiKey);
    for (const path of awake) {
      // Whatever fails here is up again a moment later.
      const { body } = await api.get(path).catch(() => ({ body: undefined }));
      if (!(Date.parse(body?.lastEvaluation?.slotAt as string) >= afterAt)) continue;
      const reply = await api.patch(path, { enabled: false }).catch(() => undefined);
      if (reply?.status === 200) awake.delete(path);
    }
    await sleep(POLL_MS);
  }
}
