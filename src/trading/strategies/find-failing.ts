import type { AccountId, UserId } from "../../domain/ids.ts";
import { isTrading } from "../../domain/strategies/strategy.ts";
import type { EvaluationLog, Strategies } from "./ports.ts";
import { failureOf, type SlotFailure } from "./strategy-views.ts";

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
