import type { IntentId, StrategyId } from "../../domain/ids.ts";
import { isUnsettled } from "../../domain/intent.ts";
import type { Schedule, Strategy } from "../../domain/strategies/strategy.ts";
import type { Decided } from "./compute-decision.ts";
import type {
  Evaluation,
  EvaluationLog,
  Scheduler,
  SlotQueue,
  SlotTimers,
  Strategies,
} from "./ports.ts";
import { type EvaluationObserver, endEvaluation } from "./end-evaluation.ts";
import { isDecided, missed, SLOT_MAX_AGE_MS, withOutcomeOf } from "./run-slot.ts";
import type { IntentStore } from "../orders/ports.ts";

export interface SlotKeeperDeps {
  readonly strategies: Pick<Strategies, "read" | "version">;
  readonly log: EvaluationLog;
  readonly intents: Pick<IntentStore, "now" | "find">;
  readonly scheduler: Pick<Scheduler, "between" | "next">;
  readonly timers: SlotTimers;
  readonly queue: SlotQueue;
  /** The id of a slot's evaluation: the same in every process. */
  readonly slotId: (strategy: StrategyId, slotAt: number) => IntentId;
  readonly observer: EvaluationObserver;
  readonly onError: (error: unknown) => void;
}

type Scheduled = Strategy & { readonly schedule: Schedule };

/** What was decided and has not ended for so long waits for its intent, or was left by a dead process. */
const LEFT_BEHIND_MS = 20_000;
/** What is still unknown then is in the log as that; whoever reads it later is told its end. */
const OPEN_AT_MOST_MS = 120_000;
/** A timer is late by milliseconds, or it does not come. */
const TIMERS_LATE_MS = 1_000;
/** After a slot's time is up, whoever began it in time may need so long to decide. */
const DECIDES_WITHIN_MS = 10_000;

/**
 * Takes the slots of every strategy, in every process that works: whoever comes first hands a slot to
 * the queue, and those for which nobody came are logged as missed.
 */
export class SlotKeeper {
  readonly #deps: SlotKeeperDeps;
  readonly #running = new Map<
    StrategyId,
    { readonly version: number; readonly stop: () => void }
  >();
  #known = new Map<StrategyId, Strategy>();
  #version = -1;
  #isStopped = false;

  constructor(deps: SlotKeeperDeps) {
    this.#deps = deps;
  }

  /** Follows what strategies there are now. */
  async load(): Promise<void> {
    if ((await this.#deps.strategies.version()) === this.#version) return;
    const { strategies, version } = await this.#deps.strategies.read();
    this.#known = new Map(strategies.map((strategy) => [strategy.strategyId, strategy]));
    const scheduled = strategies.filter(isScheduled);
    const stay = new Set(scheduled.map(({ strategyId }) => strategyId));
    for (const [id, { stop }] of this.#running) {
      if (stay.has(id)) continue;
      stop();
      this.#running.delete(id);
    }
    for (const strategy of scheduled) this.#follow(strategy);
    this.#version = version;
  }

  stop(): void {
    this.#isStopped = true;
    for (const { stop } of this.#running.values()) stop();
    this.#running.clear();
  }

  /** Hands out again what a dead process left, or ends it; takes slots for which no timer came. */
  async sweep(): Promise<void> {
    const { log, intents } = this.#deps;
    const [now, left] = await Promise.all([intents.now(), log.openOnes()]);
    for (const evaluation of left) {
      await this.#sweepOne(evaluation, now).catch(this.#deps.onError);
    }
    for (const [id, nextAt] of await log.nextSlots()) {
      await this.#catchUp(id, nextAt, now).catch(this.#deps.onError);
    }
  }

  #follow(strategy: Scheduled): void {
    const { strategyId, version, schedule } = strategy;
    const running = this.#running.get(strategyId);
    if (running?.version === version || this.#isStopped) return;
    running?.stop();
    const stop = this.#deps.timers.start(schedule, (slotAt) => {
      this.#take(strategy, slotAt).catch(this.#deps.onError);
    });
    this.#running.set(strategyId, { version, stop });
  }

  /** Where no timer came, nowhere: takes the slot that is still in time, and tells the others. */
  async #catchUp(id: StrategyId, nextAt: number, now: number): Promise<void> {
    const strategy = this.#known.get(id);
    const isOverdue = nextAt < now - TIMERS_LATE_MS;
    if (!isOverdue || strategy === undefined || !isScheduled(strategy)) return;
    const missedBefore = now - SLOT_MAX_AGE_MS;
    const inTime = this.#deps.scheduler.next(strategy.schedule, missedBefore - 1);
    await this.#tellMissed(strategy, missedBefore, inTime);
    if (inTime !== undefined && inTime <= now) await this.#take(strategy, inTime);
  }

  async #take(strategy: Scheduled, slotAt: number): Promise<void> {
    const { log, queue, scheduler, intents } = this.#deps;
    await this.#tellMissed(strategy, slotAt, slotAt);
    const opened = this.#open(strategy, slotAt, await intents.now());
    const isTaken = await log.takeSlot(opened, scheduler.next(strategy.schedule, slotAt));
    if (isTaken) await queue.add(opened.evaluationId);
  }

  /** Slots before an instant that nobody has taken, as one entry; `nextAt` is the first one after. */
  async #tellMissed(
    strategy: Scheduled,
    beforeAt: number,
    nextAt: number | undefined,
  ): Promise<void> {
    const { log, scheduler, intents } = this.#deps;
    let triedFromAt: number | undefined;
    let missedFromAt = await log.nextSlot(strategy.strategyId);
    // Where another process tells of the first of them meanwhile, the others are still to be told.
    while (missedFromAt !== undefined && missedFromAt < beforeAt && missedFromAt !== triedFromAt) {
      const { count, lastAt } = scheduler.between(strategy.schedule, missedFromAt, beforeAt);
      const now = await intents.now();
      const ended = {
        ...this.#open(strategy, lastAt ?? missedFromAt, now),
        verdict: "missed" as const,
        reason: "No process of the gateway took it in time",
        missedFromAt,
        missedSlots: count + 1,
        durationMs: 0,
      };
      if (await log.takeSlot(ended, nextAt)) {
        await endEvaluation(this.#deps, strategy, ended, now);
        return;
      }
      triedFromAt = missedFromAt;
      missedFromAt = await log.nextSlot(strategy.strategyId);
    }
  }

  #open(strategy: Scheduled, slotAt: number, openedAt: number) {
    const { strategyId, userId, accountId, version } = strategy;
    const evaluationId = this.#deps.slotId(strategyId, slotAt);
    const trigger = "schedule" as const;
    return { evaluationId, strategyId, userId, accountId, version, trigger, slotAt, openedAt };
  }

  async #sweepOne(evaluation: Evaluation, now: number): Promise<void> {
    const { evaluationId, slotAt, openedAt, sends } = evaluation;
    const lateMs = slotAt === undefined ? Infinity : now - slotAt;
    const isToDo = !isDecided(evaluation) || sends === true;
    if (isToDo && lateMs <= SLOT_MAX_AGE_MS) return await this.#deps.queue.add(evaluationId);
    if (!isDecided(evaluation)) {
      if (lateMs <= SLOT_MAX_AGE_MS + DECIDES_WITHIN_MS) return;
      return await this.#end(missed(evaluation, lateMs), now);
    }
    if (now - openedAt > LEFT_BEHIND_MS) await this.#end(evaluation, now);
  }

  async #end(decided: Decided, endedAt: number): Promise<void> {
    const { log, intents } = this.#deps;
    const { sends, accountId, evaluationId, openedAt } = decided;
    const record = sends === true ? await intents.find(accountId, evaluationId) : undefined;
    const isUnderWay = record !== undefined && isUnsettled(record.state);
    if (isUnderWay && endedAt - openedAt <= OPEN_AT_MOST_MS) return;
    const known = sends === true ? withOutcomeOf(decided, record) : decided;
    const ended = { ...known, durationMs: Math.max(0, endedAt - openedAt) };
    const strategy = this.#known.get(decided.strategyId);
    // It is forgotten with its strategy.
    if (strategy === undefined) await log.end(ended);
    else await endEvaluation(this.#deps, strategy, ended, endedAt);
  }
}

function isScheduled(strategy: Strategy): strategy is Scheduled {
  return strategy.enabled && strategy.schedule !== undefined;
}
