import { type IntentId, type StrategyId, strategyId } from "../../domain/ids.ts";
import type {
  Evaluation,
  EvaluationLog,
  EvaluationQuery,
  EvaluationsRead,
  LoggedEvaluation,
} from "../../trading/strategies/ports.ts";
import type { Keys } from "../keys.ts";
import { MAX_EXAMINED } from "../redis/read-matching.ts";
import { runScript } from "../redis/script.ts";
import { decideEvaluation } from "./decide-evaluation.ts";
import { endEvaluation } from "./end-evaluation.ts";
import { openEvaluation } from "./open-evaluation.ts";
import { takeSlot } from "./take-slot.ts";
import { translateStoreErrors as run } from "../store-error.ts";
import type { RedisClient } from "../redis/redis-client.ts";

export const evaluationScripts = [decideEvaluation, endEvaluation, openEvaluation, takeSlot];

/** One for each minute of 30 days, and some more. */
export const MAX_EVALUATIONS_KEPT = 50_000;

/** Of each strategy: some 40,000 evaluations of one with a few indicators. */
const MAX_BYTES = 32 * 1024 * 1024;

/** How many open ones are looked at together. */
const MOST_OPEN = 1_000;

const CHUNK = 200;

/** Evaluations in Redis: while they are open in a hash, ended in a stream of each strategy. */
export function createRedisEvaluationLog({
  redis,
  keys,
  retentionMs,
}: {
  redis: RedisClient;
  keys: Keys;
  retentionMs: number;
}): EvaluationLog {
  const open = [keys.openEvaluations, keys.openEvaluationTimes];

  return {
    takeSlot: async (evaluation, nextAt) => {
      const { strategyId: id, version, slotAt, evaluationId, missedFromAt = "" } = evaluation;
      const text = encodeOpen(evaluation);
      const args = [id, version, slotAt, nextAt ?? "", evaluationId, text, missedFromAt];
      const names = [keys.strategies, keys.nextSlots, ...open];
      return (await runScript(redis, takeSlot, names, args)) === 1;
    },

    nextSlot: async (strategy) => {
      const at = await run(redis.hget(keys.nextSlots, strategy));
      return at === null ? undefined : Number(at);
    },

    nextSlots: async () => {
      const slots = Object.entries(await run(redis.hgetall(keys.nextSlots)));
      return new Map(slots.map(([id, at]) => [strategyId(id), Number(at)]));
    },

    open: async (evaluation) => {
      return (
        (await runScript(redis, openEvaluation, [...open, keys.strategies], named(evaluation))) ===
        1
      );
    },

    openOnes: async () => {
      const ids = await run(redis.zrange(keys.openEvaluationTimes, "0", `${MOST_OPEN - 1}`));
      if (ids.length === 0) return [];
      const found = await run(redis.hmget(keys.openEvaluations, ...ids));
      return found.filter((text) => text !== null).map(decodeOpen);
    },

    findOpen: async (id: IntentId) => {
      const text = await run(redis.hget(keys.openEvaluations, id));
      return text === null ? undefined : decodeOpen(text);
    },

    decide: async (evaluation) => {
      const names = [keys.openEvaluations, keys.strategies];
      const stands = await runScript(redis, decideEvaluation, names, named(evaluation));
      if (stands === "changed") return "changed";
      return typeof stands === "string" ? decodeOpen(stands) : undefined;
    },

    end: async (evaluation) => {
      const { evaluationId, strategyId: id } = evaluation;
      const names = [...open, keys.evaluations(id), keys.strategies];
      const text = JSON.stringify(evaluation);
      const args = [evaluationId, text, id, retentionMs, MAX_EVALUATIONS_KEPT, MAX_BYTES];
      return (await runScript(redis, endEvaluation, names, args)) === 1;
    },

    list,

    newest: async (strategies) => await Promise.all(strategies.map(newestOf)),

    newestSlots: async (strategies) => await Promise.all(strategies.map(newestSlotOf)),
  };

  async function newestOf(strategy: StrategyId): Promise<LoggedEvaluation | undefined> {
    const [newest] = await readBefore(strategy, "+", 1);
    return newest && toLogged(newest);
  }

  /** Seldom is the newest one no slot. */
  async function newestSlotOf(strategy: StrategyId): Promise<LoggedEvaluation | undefined> {
    const newest = await newestOf(strategy);
    if (newest === undefined || isSlot(newest)) return newest;
    return (await readBefore(strategy, "+", CHUNK)).map(toLogged).find(isSlot);
  }

  /** By the entries' own ids: they grow, whatever is trimmed behind them. */
  async function list(strategy: StrategyId, query: EvaluationQuery): Promise<EvaluationsRead> {
    const { limit, after, matches = () => true } = query;
    const found: { readonly id: string; readonly item: LoggedEvaluation }[] = [];
    let before = after === undefined ? "+" : `(${after.id}`;
    let examined = 0;
    let last: string | undefined;
    while (found.length <= limit && examined < MAX_EXAMINED) {
      const entries = await readBefore(strategy, before, Math.min(limit + 1, CHUNK));
      const [oldest] = entries.at(-1) ?? [];
      if (oldest === undefined) return { items: found.map(({ item }) => item) };
      for (const entry of entries) {
        const item = toLogged(entry);
        if (matches(item)) found.push({ id: entry[0], item });
      }
      examined += entries.length;
      last = oldest;
      before = `(${oldest}`;
    }
    const page = found.slice(0, limit);
    const next = found.length > limit ? page.at(-1)?.id : last;
    const items = page.map(({ item }) => item);
    return { items, ...(next !== undefined && { next: { at: timeOf(next), id: next } }) };
  }

  async function readBefore(strategy: StrategyId, before: string, count: number) {
    const key = keys.evaluations(strategy);
    return await run(redis.xrevrange(key, before, "-", "COUNT", count));
  }
}

/** Whether it is decided can be seen without reading it. */
function encodeOpen(evaluation: Evaluation): string {
  return `${evaluation.verdict === undefined ? "o" : "d"}${JSON.stringify(evaluation)}`;
}

const decodeOpen = (text: string): Evaluation => JSON.parse(text.slice(1)) as Evaluation;

const named = (evaluation: Evaluation): string[] => [
  evaluation.evaluationId,
  encodeOpen(evaluation),
  evaluation.strategyId,
  String(evaluation.version),
];

type Entry = readonly [id: string, fields: readonly string[]];

const isSlot = ({ trigger }: LoggedEvaluation): boolean => trigger === "schedule";

/** An entry's id begins with the time at which it was added. */
const timeOf = (id: string): number => Number(id.slice(0, id.indexOf("-")));

function toLogged([id, [, text = ""]]: Entry): LoggedEvaluation {
  return { ...(JSON.parse(text) as LoggedEvaluation), endedAt: timeOf(id) };
}
