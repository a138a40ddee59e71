import type { Redis } from "ioredis";
import {
  accountId,
  intentId,
  type IntentId,
  strategyId,
  type StrategyId,
  userId,
} from "../../../src/domain/ids.ts";
import type { Strategy } from "../../../src/domain/strategies/strategy.ts";
import {
  createRedisEvaluationLog,
  evaluationScripts,
} from "../../../src/store/strategies/redis-evaluation-log.ts";
import {
  createRedisStrategies,
  strategyScripts,
} from "../../../src/store/strategies/redis-strategies.ts";
import type {
  Evaluation,
  EvaluationLog,
  Strategies,
  Verdict,
} from "../../../src/trading/strategies/ports.ts";
import { openCorner, type RedisCorner } from "../../unit/store/open-redis.ts";

export const DAY_MS = 86_400_000;
export const RETENTION_MS = 30 * DAY_MS;
export const ID = strategyId("st_a");
export const SLOT = 1_790_000_000_000;
export const NEXT_SLOT = SLOT + 60_000;

export function strategyOf(change: Partial<Strategy> = {}): Strategy {
  return {
    strategyId: ID,
    userId: userId("user_1"),
    version: 1,
    createdAt: 1_700_000_000_000,
    changedAt: 1_700_000_000_000,
    name: "Above its average",
    accountId: accountId("paper-1"),
    symbol: "NQ",
    barMinutes: 5,
    barCount: 200,
    indicators: { average: { type: "sma", period: 20 } },
    conditions: { enterLong: "close[0] > average[0]", exitLong: "close[0] < average[0]" },
    qty: 1,
    schedule: { cron: "*/5 * * * *", timeZone: "America/Chicago" },
    mode: "trade",
    enabled: true,
    ...change,
  };
}

export function evaluationOf(id: string, change: Partial<Evaluation> = {}): Evaluation {
  return {
    evaluationId: intentId(id),
    strategyId: ID,
    userId: userId("user_1"),
    accountId: accountId("paper-1"),
    version: 1,
    trigger: "request",
    openedAt: SLOT,
    ...change,
  };
}

/** An evaluation of a slot, as whoever takes it opens it. */
export const slotOf = (id: string, slotAt = SLOT, strategy: StrategyId = ID) => ({
  ...evaluationOf(id, { strategyId: strategy, trigger: "schedule" }),
  slotAt,
});

export const decidedOf = (id: string, verdict: Verdict = "hold") => ({
  ...evaluationOf(id),
  verdict,
});

/** Strategies and their log on a real Redis, with a corner of their own there. */
export class StrategyStoreKit {
  readonly corner: RedisCorner;
  readonly redis: Redis;
  readonly strategies: Strategies;
  readonly log: EvaluationLog;

  static async open(): Promise<StrategyStoreKit> {
    const corner = await openCorner();
    const scripts = [...strategyScripts, ...evaluationScripts];
    return new StrategyStoreKit(corner, await corner.open("request", scripts));
  }

  constructor(corner: RedisCorner, redis: Redis) {
    this.corner = corner;
    this.redis = redis;
    this.strategies = createRedisStrategies({ redis, keys: corner.keys });
    this.log = this.logOn(redis);
  }

  logOn(redis: Redis, retentionMs = RETENTION_MS): EvaluationLog {
    return createRedisEvaluationLog({ redis, keys: this.corner.keys, retentionMs });
  }

  /** As another process has them. */
  async elsewhere(): Promise<{ readonly strategies: Strategies; readonly log: EvaluationLog }> {
    const redis = await this.corner.open("request");
    const { keys } = this.corner;
    return { strategies: createRedisStrategies({ redis, keys }), log: this.logOn(redis) };
  }

  /** A strategy whose first slot is `nextAt`. */
  async save(change: Partial<Strategy> = {}, nextAt: number | undefined = SLOT): Promise<void> {
    const { version } = await this.strategies.read();
    if (!(await this.strategies.save(strategyOf(change), version, nextAt))) {
      throw new Error("The strategy was not saved");
    }
  }

  /** Opens and ends evaluations, one after the other. */
  async logged(...ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      await this.log.open(evaluationOf(id));
      await this.log.end(decidedOf(id));
    }
  }

  async openIds(): Promise<readonly IntentId[]> {
    return (await this.log.openOnes()).map(({ evaluationId }) => evaluationId);
  }

  /** The ids of a strategy's log, newest first, as one page tells them. */
  async loggedIds(strategy: StrategyId = ID): Promise<readonly IntentId[]> {
    const { items } = await this.log.list(strategy, { limit: 500 });
    return items.map(({ evaluationId }) => evaluationId);
  }
}
