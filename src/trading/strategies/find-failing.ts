import type { AccountId, UserId } from "../../domain/ids.ts";
import { isTrading, type Strategy } from "../../domain/strategy.ts";
import { isCarriedOut, whyNotCarriedOut } from "./end-evaluation.ts";
import type { EvaluationLog, LoggedEvaluation, Strategies } from "./ports.ts";
import { failedSlot } from "./strategy-views.ts";

/** A strategy that trades, and whose newest slot did not come to what it should. */
export interface FailingStrategy {
  readonly name: string;
  readonly accountId: AccountId;
  /** `notEvaluated`: it decided nothing; `notCarriedOut`: what it decided did not happen. */
  readonly what: "notEvaluated" | "notCarriedOut";
  readonly reason: string;
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
    return trading.flatMap((strategy, n) => failureOf(strategy, newest[n]) ?? []);
  };
}

function failureOf(
  strategy: Strategy,
  newest: LoggedEvaluation | undefined,
): FailingStrategy | undefined {
  const { name, accountId } = strategy;
  const failed = failedSlot(strategy, newest);
  if (failed !== undefined) {
    return { name, accountId, what: "notEvaluated", reason: failed.reason ?? failed.verdict };
  }
  const { outcome } = newest ?? {};
  if (outcome === undefined || isCarriedOut(outcome)) return undefined;
  return { name, accountId, what: "notCarriedOut", reason: whyNotCarriedOut(outcome) };
}
