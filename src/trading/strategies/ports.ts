import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { AccountId, IntentId, StrategyId, UserId } from "../../domain/ids.ts";
import type { IndicatorValue } from "../../domain/strategies/indicator.ts";
import type { Outcome } from "../../domain/intent.ts";
import type { Decision } from "../../domain/strategies/strategy-decision.ts";
import type {
  ConditionName,
  HeldBack,
  Schedule,
  Strategy,
  StrategyRules,
} from "../../domain/strategies/strategy.ts";
import type { Problem } from "../../errors.ts";

/** One bar in the contract's own prices, for computing: nothing is ordered by these numbers. */
export interface PriceBar {
  /** Unix ms of its beginning. */
  readonly startsAt: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** What conditions know of the position in the strategy's symbol. */
export interface PositionFacts {
  /** Signed: positive is long, 0 is flat. */
  readonly netQty: number;
  /** Absent where nobody knows it. */
  readonly averagePrice?: number;
}

export interface EngineInputs {
  /** Oldest first, as many as the rules look at or fewer. */
  readonly bars: readonly PriceBar[];
  readonly position: PositionFacts;
  /** When the newest bar ended, Unix ms. */
  readonly at: number;
  /** In which conditions read the clock. */
  readonly timeZone: string;
}

/** What an indicator comes to at the newest bar, by its name; null where it has no number. */
export type IndicatorValues = Readonly<Record<string, IndicatorValue | null>>;

export type Computed =
  | {
      readonly kind: "computed";
      readonly values: IndicatorValues;
      readonly conditions: Readonly<Partial<Record<ConditionName, boolean>>>;
    }
  /** There are too few bars for a condition; `conditions` has the others. */
  | {
      readonly kind: "notReady";
      readonly values: IndicatorValues;
      readonly conditions: Readonly<Partial<Record<ConditionName, boolean>>>;
      readonly reason: string;
    }
  /** A condition has no value: whole numbers divided by zero, or one that is too large. */
  | {
      readonly kind: "failed";
      readonly values: IndicatorValues;
      readonly conditions: Readonly<Partial<Record<ConditionName, boolean>>>;
      readonly reason: string;
    };

/** One number for each bar, null where there is none yet. */
export type Series = readonly (number | null)[];

/** By an indicator's name, or by `name.part`. */
export type NamedSeries = Readonly<Record<string, Series>>;

/**
 * Something could not be computed, and the fault is not in the rules: it took too long, its thread
 * ended, or this process has no time for it (`busy`), which may be different in a moment or elsewhere.
 */
export class NotComputedError extends Error {
  override readonly name = "NotComputedError";
  readonly why: "busy" | "lost";

  constructor(message: string, why: "busy" | "lost" = "lost", options?: ErrorOptions) {
    super(message, options);
    this.why = why;
  }
}

/**
 * Computes indicators and conditions, on a thread that works no orders. The same rules and inputs
 * always come to the same, and nothing but them is looked at. Its cost is bounded by what `check` lets
 * through, and by a limit of time.
 */
export interface StrategyEngine {
  /** What is wrong with rules, each with its place in them; empty when they can be computed. */
  readonly check: (rules: StrategyRules) => readonly Problem[];
  /** Of rules that `check` has let through. Throws `NotComputedError`. */
  readonly compute: (rules: StrategyRules, inputs: EngineInputs) => Promise<Computed>;
  /** Every indicator over all of the bars, oldest first. Throws `NotComputedError`. */
  readonly series: (
    rules: Pick<StrategyRules, "indicators">,
    bars: readonly PriceBar[],
  ) => Promise<NamedSeries>;
}

/**
 * Prepares what is computed, when it is its turn. Orders are worked on the same thread: what is asked
 * for all at once must not stand before them all at once.
 */
export type TakeTurn = <Value>(compute: () => Value) => Promise<Value>;

/** Reads schedules. */
export interface Scheduler {
  /** What is wrong with a schedule; empty when it can be kept. */
  readonly check: (schedule: Schedule) => readonly Problem[];
  /**
   * The next slot after now, or after an instant of the last day, Unix ms; undefined when there is
   * none. What it answers for an instant does not hang on when it is asked.
   */
  readonly next: (schedule: Schedule, afterAt?: number) => number | undefined;
  /** The slots after `fromAt` and before `beforeAt`, counted up to a bound. */
  readonly between: (schedule: Schedule, fromAt: number, beforeAt: number) => SlotsBetween;
}

/** Tells slots when they come. */
export interface SlotTimers {
  /** Calls back at each slot from now on, late by milliseconds. Answers what ends it. */
  readonly start: (schedule: Schedule, onSlot: (slotAt: number) => void) => () => void;
}

export interface SlotsBetween {
  readonly count: number;
  /** The oldest and the newest of them that were counted; undefined when there are none. */
  readonly firstAt?: number;
  readonly lastAt?: number;
  /** There may be more of them than were counted. */
  readonly isPartial: boolean;
}

/** Every strategy of the appliance, as they stood together. */
export interface KnownStrategies {
  /** Oldest first. */
  readonly strategies: readonly Strategy[];
  /** Grows with each change of any of them. */
  readonly version: number;
}

/** Where strategies are kept. */
export interface Strategies {
  readonly read: () => Promise<KnownStrategies>;
  /** As `read` has it, for a fraction of its cost. */
  readonly version: () => Promise<number>;
  readonly find: (strategy: StrategyId) => Promise<Strategy | undefined>;
  /**
   * Writes a strategy, new or changed, and tells every process. False when any strategy was changed
   * since that version: read them again. Its slots count from `nextAt` on, Unix ms.
   */
  readonly save: (
    strategy: Strategy,
    version: number,
    nextAt: number | undefined,
  ) => Promise<boolean>;
  /** As `save`; its log goes with it. */
  readonly remove: (strategy: StrategyId, version: number) => Promise<boolean>;
}

/** What asked for an evaluation. */
export const TRIGGERS = ["schedule", "request"] as const;
export type Trigger = (typeof TRIGGERS)[number];

/**
 * How an evaluation ended beside a decision. `notReady`: too few bars; `stale`: the bars are too old;
 * `failed`: it could not be computed, or no bars could be read; `missed`: a slot for which nobody was
 * there in time; `skipped`: the strategy was changed before its turn came.
 */
export const UNDECIDED = ["notReady", "stale", "failed", "missed", "skipped"] as const;
export type Verdict = Decision | (typeof UNDECIDED)[number];

/** One evaluation from its beginning; what comes later is absent until then. */
export interface Evaluation {
  /** Also the id of its intent, where there is one. Of a slot it follows from the slot. */
  readonly evaluationId: IntentId;
  readonly strategyId: StrategyId;
  readonly userId: UserId;
  readonly accountId: AccountId;
  /** The strategy's, at its beginning. */
  readonly version: number;
  readonly trigger: Trigger;
  /** The slot of its schedule, Unix ms. */
  readonly slotAt?: number;
  /** When it was opened, Unix ms by Redis' clock. */
  readonly openedAt: number;
  readonly dryRun?: true;
  readonly verdict?: Verdict;
  /** Why, in words. */
  readonly reason?: string;
  readonly contract?: ContractCode;
  /** The bars could not be read, or nobody was free to compute, which may be different in a moment. */
  readonly unread?: true;
  /** When the newest bar ended, Unix ms, and how many there were. */
  readonly barsEndAt?: number;
  readonly barCount?: number;
  /** SHA-256 over the rules, the bars and the position, hex. */
  readonly inputsHash?: string;
  /** Held when it was decided, signed. */
  readonly netQty?: number;
  readonly values?: IndicatorValues;
  readonly conditions?: Readonly<Partial<Record<ConditionName, boolean>>>;
  /** What is to be held after it, signed; absent when nothing is to change. */
  readonly targetQty?: number;
  /** Whether its intent was, or is being, put on the lane. */
  readonly sends?: true;
  /** Why none is, although something is to change. */
  readonly heldBack?: HeldBack;
  /** How its intent ended; absent without one, and until it has. */
  readonly outcome?: Outcome;
  /** From its beginning to the decision, ms. */
  readonly computeMs?: number;
  /** From its beginning to the intent's outcome, ms. */
  readonly durationMs?: number;
  /** Of slots that were missed together: the oldest one, and how many there were at least. */
  readonly missedFromAt?: number;
  readonly missedSlots?: number;
}

export interface LoggedEvaluation extends Evaluation {
  readonly verdict: Verdict;
  /** Unix ms by Redis' clock. */
  readonly endedAt: number;
}

/** Where a page of evaluations goes on: after this one. */
export interface EvaluationPosition {
  /** Unix ms. */
  readonly at: number;
  readonly id: string;
}

export interface EvaluationQuery {
  /** At least 1. */
  readonly limit: number;
  readonly after?: EvaluationPosition;
  /** Only evaluations that it holds for. */
  readonly matches?: (evaluation: LoggedEvaluation) => boolean;
}

export interface EvaluationsRead {
  readonly items: readonly LoggedEvaluation[];
  /** Absent when nothing comes after. A page may be short, and even empty, with more to come. */
  readonly next?: EvaluationPosition;
}

/** Slots that are evaluated once over all processes, and what became of every evaluation. */
export interface EvaluationLog {
  /**
   * Opens the evaluation of a slot for whoever comes first. False when this slot, or a later one, was
   * taken before, or the strategy is gone or of another version; also when it tells of slots that were
   * missed, and the first of them is not the next one that anybody may take. `nextAt`: the slot after
   * it, where there is one.
   */
  readonly takeSlot: (
    evaluation: Evaluation & { readonly slotAt: number },
    nextAt: number | undefined,
  ) => Promise<boolean>;
  /** The slot after the newest one that was taken, Unix ms; undefined where there is none. */
  readonly nextSlot: (strategy: StrategyId) => Promise<number | undefined>;
  /** Of every strategy that has one. */
  readonly nextSlots: () => Promise<ReadonlyMap<StrategyId, number>>;
  /**
   * Opens an evaluation that was asked for, before anything is sent for it. False when the strategy is
   * gone, or of another version by now.
   */
  readonly open: (evaluation: Evaluation) => Promise<boolean>;
  /** Those that were opened and have not ended, oldest first. */
  readonly openOnes: () => Promise<readonly Evaluation[]>;
  readonly findOpen: (id: IntentId) => Promise<Evaluation | undefined>;
  /**
   * Keeps what was decided before it is carried out. Answers what stands: the first decision does;
   * undefined when the evaluation has ended, `changed` when the strategy is of another version by now.
   */
  readonly decide: (evaluation: Evaluation) => Promise<Evaluation | "changed" | undefined>;
  /** Ends an open evaluation. False when it was ended before: the first end stands. */
  readonly end: (evaluation: Evaluation & { readonly verdict: Verdict }) => Promise<boolean>;
  /** Newest first. */
  readonly list: (strategy: StrategyId, query: EvaluationQuery) => Promise<EvaluationsRead>;
  /** The newest of each, where there is one. */
  readonly newest: (
    strategies: readonly StrategyId[],
  ) => Promise<readonly (LoggedEvaluation | undefined)[]>;
  /** The newest of each that a schedule asked for, where there is one among its newest 200. */
  readonly newestSlots: EvaluationLog["newest"];
}

/** Puts slots that were taken before whoever evaluates, in whichever process. */
export interface SlotQueue {
  /** The same one again changes nothing while it waits. */
  readonly add: (id: IntentId) => Promise<void>;
}
