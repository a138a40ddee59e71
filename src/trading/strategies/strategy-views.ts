import { type Strategy, isTrading } from "../../domain/strategies/strategy.ts";
import { isCarriedOut, whyNotCarriedOut } from "./end-evaluation.ts";
import type {
  EvaluationLog,
  LoggedEvaluation,
  PriceBar,
  Scheduler,
  NamedSeries,
  Strategies,
} from "./ports.ts";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { AccountId, UserId } from "../../domain/ids.ts";

/** `onRequest`: it has no schedule; `failing`: its newest slot came to what it should not. */
export const STRATEGY_STATES = ["off", "onRequest", "scheduled", "failing"] as const;
export type StrategyState = (typeof STRATEGY_STATES)[number];

/** A strategy and how it stands. */
export interface StrategyView {
  readonly strategy: Strategy;
  readonly state: StrategyState;
  /** Why it is failing, in words. */
  readonly reason?: string;
  /** The next slot of its schedule, Unix ms. */
  readonly nextAt?: number;
  /** The newest evaluation. */
  readonly newest?: LoggedEvaluation;
}

export interface StrategyViewDeps {
  readonly log: Pick<EvaluationLog, "newest" | "newestSlots">;
  readonly scheduler: Pick<Scheduler, "next">;
}

export async function viewStrategies(
  { log, scheduler }: StrategyViewDeps,
  strategies: readonly Strategy[],
): Promise<readonly StrategyView[]> {
  const ids = strategies.map(({ strategyId }) => strategyId);
  const [newest, slots] = await Promise.all([log.newest(ids), log.newestSlots(ids)]);
  return strategies.map((strategy, n) => {
    const { enabled, schedule } = strategy;
    const nextAt = enabled && schedule !== undefined ? scheduler.next(schedule) : undefined;
    return {
      strategy,
      ...stateOf(strategy, slots[n]),
      ...(nextAt !== undefined && { nextAt }),
      ...(newest[n] !== undefined && { newest: newest[n] }),
    };
  });
}

/** What a slot should not come to. A market that is closed tells no new bars, which is no failure. */
const FAILED: ReadonlySet<string> = new Set(["failed", "missed"]);

/** `notEvaluated`: it decided nothing; `notCarriedOut`: what it decided did not happen. */
export interface SlotFailure {
  readonly what: "notEvaluated" | "notCarriedOut";
  readonly reason: string;
}

/** Whether its newest slot came to what nobody would want. */
export function failureOf(
  { enabled, schedule }: Pick<Strategy, "enabled" | "schedule">,
  newestSlot: LoggedEvaluation | undefined,
): SlotFailure | undefined {
  if (!enabled || schedule === undefined || newestSlot === undefined) return undefined;
  const { verdict, reason = verdict, outcome } = newestSlot;
  if (FAILED.has(verdict)) return { what: "notEvaluated", reason };
  if (outcome === undefined || isCarriedOut(outcome)) return undefined;
  return { what: "notCarriedOut", reason: whyNotCarriedOut(outcome) };
}

function stateOf(
  strategy: Strategy,
  newestSlot: LoggedEvaluation | undefined,
): Pick<StrategyView, "state" | "reason"> {
  if (!strategy.enabled) return { state: "off" };
  if (strategy.schedule === undefined) return { state: "onRequest" };
  const failure = failureOf(strategy, newestSlot);
  return failure === undefined
    ? { state: "scheduled" }
    : { state: "failing", reason: failure.reason };
}

/** What a strategy looks at now, and what it decided on it. */
export interface StrategyChart {
  readonly strategy: Strategy;
  readonly contract: ContractCode;
  /** Oldest first; empty where the broker tells none. */
  readonly bars: readonly PriceBar[];
  /** One number for each bar, by the indicator's name or `name.part`. */
  readonly series: NamedSeries;
  /** Decisions on these bars that were to change something, oldest first. */
  readonly decisions: readonly LoggedEvaluation[];
}

/** A strategy that trades, and whose newest slot did not come to what it should. */
export interface FailingStrategy extends SlotFailure {
  readonly name: string;
  readonly accountId: AccountId;
}

export type FindFailingStrategies = (user: UserId) => Promise<readonly FailingStrategy[]>;

export function createFindFailingStrategies({
  strategies,
  evaluations,
}: {
  readonly strategies: Pick<Strategies, "read">;
  readonly evaluations: Pick<EvaluationLog, "newestSlots">;
}): FindFailingStrategies {
  return async function findFailingStrategies(user) {
    const known = (await strategies.read()).strategies;
    const trading = known.filter((one) => one.userId === user && isTrading(one));
    if (trading.length === 0) return [];
    const newest = await evaluations.newestSlots(trading.map(({ strategyId }) => strategyId));
    return trading.flatMap((strategy, n) => {
      const { name, accountId } = strategy;
      const failure = failureOf(strategy, newest[n]);
      return failure === undefined ? [] : [{ name, accountId, ...failure }];
    });
  };
}
