import type { Strategy } from "../../domain/strategy.ts";
import type { EvaluationLog, LoggedEvaluation, Scheduler } from "./ports.ts";

/** `onRequest`: it has no schedule; `failing`: its newest slot came to no decision. */
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

/** Its newest slot, where that came to nothing that anybody would want. */
export function failedSlot(
  { enabled, schedule }: Pick<Strategy, "enabled" | "schedule">,
  newestSlot: LoggedEvaluation | undefined,
): LoggedEvaluation | undefined {
  if (!enabled || schedule === undefined || newestSlot === undefined) return undefined;
  return FAILED.has(newestSlot.verdict) ? newestSlot : undefined;
}

function stateOf(
  strategy: Strategy,
  newestSlot: LoggedEvaluation | undefined,
): Pick<StrategyView, "state" | "reason"> {
  if (!strategy.enabled) return { state: "off" };
  if (strategy.schedule === undefined) return { state: "onRequest" };
  const failed = failedSlot(strategy, newestSlot);
  if (failed === undefined) return { state: "scheduled" };
  const { reason } = failed;
  return { state: "failing", ...(reason !== undefined && { reason }) };
}
