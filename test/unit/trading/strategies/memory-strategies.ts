import type { IntentId, StrategyId } from "../../../../src/domain/ids.ts";
import type { Schedule, Strategy } from "../../../../src/domain/strategies/strategy.ts";
import type {
  Evaluation,
  EvaluationLog,
  LoggedEvaluation,
  Scheduler,
  Strategies,
  Verdict,
} from "../../../../src/trading/strategies/ports.ts";
import { MINUTE_MS, NOW } from "./strategy-kit.ts";

/** One clock for everything that a test has in its hand, Unix ms. */
export class Clock {
  at = NOW;
  readonly now = async () => this.at;
}

interface Entry {
  readonly id: string;
  readonly item: LoggedEvaluation;
}

/** Strategies, their slots and their logs in memory, with the rules of the real store. */
export class MemoryStrategies {
  readonly kept = new Map<StrategyId, Strategy>();
  readonly nextSlots = new Map<StrategyId, number>();
  readonly logs = new Map<StrategyId, Entry[]>();
  readonly open = new Map<IntentId, string>();
  /** Runs right before a strategy is written: what others do at that moment. */
  beforeWrite: () => void = () => undefined;
  /** Runs before a decision is kept. */
  beforeDecide: () => void | Promise<void> = () => undefined;
  /** How often anything was tried to be written. */
  writes = 0;
  readonly #clock: Clock;
  #version = 0;
  #entries = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Somebody else's change. */
  put(strategy: Strategy, nextAt?: number): void {
    this.kept.set(strategy.strategyId, strategy);
    if (nextAt === undefined) this.nextSlots.delete(strategy.strategyId);
    else this.nextSlots.set(strategy.strategyId, nextAt);
    this.#version += 1;
  }

  readonly strategies: Strategies = {
    read: async () => ({ strategies: [...this.kept.values()], version: this.#version }),
    version: async () => this.#version,
    find: async (id) => this.kept.get(id),
    save: async (strategy, version, nextAt) => {
      this.#write();
      if (version !== this.#version) return false;
      this.put(strategy, nextAt);
      return true;
    },
    remove: async (id, version) => {
      this.#write();
      if (version !== this.#version) return false;
      this.kept.delete(id);
      this.nextSlots.delete(id);
      this.logs.delete(id);
      this.#version += 1;
      return true;
    },
  };

  readonly log: EvaluationLog = {
    takeSlot: async (evaluation, nextAt) => {
      const next = this.nextSlots.get(evaluation.strategyId);
      if (!this.#isSame(evaluation)) return false;
      if (next === undefined || evaluation.slotAt < next) return false;
      if ((evaluation.missedFromAt ?? next) !== next) return false;
      if (nextAt === undefined) this.nextSlots.delete(evaluation.strategyId);
      else this.nextSlots.set(evaluation.strategyId, nextAt);
      this.open.set(evaluation.evaluationId, JSON.stringify(evaluation));
      return true;
    },
    nextSlot: async (id) => this.nextSlots.get(id),
    nextSlots: async () => new Map(this.nextSlots),
    open: async (evaluation) => {
      if (!this.#isSame(evaluation)) return false;
      this.open.set(evaluation.evaluationId, JSON.stringify(evaluation));
      return true;
    },
    openOnes: async () => [...this.open.values()].map((text) => JSON.parse(text) as Evaluation),
    findOpen: async (id) => this.#opened(id),
    decide: async (evaluation) => {
      await this.beforeDecide();
      const kept = this.#opened(evaluation.evaluationId);
      if (kept === undefined || kept.verdict !== undefined) return kept;
      if (!this.#isSame(evaluation)) return "changed";
      this.open.set(evaluation.evaluationId, JSON.stringify(evaluation));
      return evaluation;
    },
    end: async (evaluation) => this.#end(evaluation),
    list: async (id, { limit, after, matches = () => true }) => {
      const newestFirst = (this.logs.get(id) ?? []).toReversed();
      const from =
        after === undefined ? 0 : newestFirst.findIndex((entry) => entry.id === after.id) + 1;
      const found = newestFirst.slice(from).filter(({ item }) => matches(item));
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      return {
        items: page.map(({ item }) => item),
        ...(last !== undefined && { next: { at: last.item.endedAt, id: last.id } }),
      };
    },
    newest: async (ids) => ids.map((id) => this.logs.get(id)?.at(-1)?.item),
    newestSlots: async (ids) =>
      ids.map((id) => this.logs.get(id)?.findLast(({ item }) => item.trigger === "schedule")?.item),
  };

  #isSame({ strategyId, version }: Evaluation): boolean {
    return this.kept.get(strategyId)?.version === version;
  }

  /** Everything that ended for a strategy, oldest first. */
  ended(id: StrategyId): readonly LoggedEvaluation[] {
    return (this.logs.get(id) ?? []).map(({ item }) => item);
  }

  #opened(id: IntentId): Evaluation | undefined {
    const text = this.open.get(id);
    return text === undefined ? undefined : (JSON.parse(text) as Evaluation);
  }

  #end(evaluation: Evaluation & { readonly verdict: Verdict }): boolean {
    const { evaluationId, strategyId } = evaluation;
    if (!this.open.delete(evaluationId)) return false;
    if (!this.kept.has(strategyId)) return true;
    this.#entries += 1;
    const endedAt = this.#clock.at;
    const item = JSON.parse(JSON.stringify({ ...evaluation, endedAt })) as LoggedEvaluation;
    const log = this.logs.get(strategyId) ?? [];
    this.logs.set(strategyId, [...log, { id: `${endedAt}-${this.#entries}`, item }]);
    return true;
  }

  #write(): void {
    this.writes += 1;
    this.beforeWrite();
  }
}

/** A slot each full minute, or each full hour where the minute is said; `never` has none. */
export class MinuteScheduler implements Scheduler {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  readonly check: Scheduler["check"] = ({ cron }) =>
    cron === "wrong" ? [{ path: "schedule.cron", message: "is no cron expression" }] : [];

  readonly next = (schedule: Schedule, afterAt?: number): number | undefined => {
    if (schedule.cron === "never") return undefined;
    const every = everyMs(schedule);
    return (Math.floor((afterAt ?? this.#clock.at) / every) + 1) * every;
  };

  readonly between: Scheduler["between"] = (schedule, fromAt, beforeAt) => {
    const every = everyMs(schedule);
    const first = (Math.floor(fromAt / every) + 1) * every;
    const lastAt = (Math.ceil(beforeAt / every) - 1) * every;
    if (lastAt < first) return { count: 0, isPartial: false };
    return { count: (lastAt - first) / every + 1, firstAt: first, lastAt, isPartial: false };
  };
}

const everyMs = ({ cron }: Schedule): number => (cron.startsWith("0 ") ? 60 : 1) * MINUTE_MS;
