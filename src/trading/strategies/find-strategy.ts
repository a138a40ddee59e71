import type { StrategyId } from "../../domain/ids.ts";
import type { Strategy } from "../../domain/strategy.ts";
import { errors } from "../../errors.ts";
import type { Caller } from "../gateway.ts";

/** The caller's strategy, or NOT_FOUND: the same for another's and for none. */
export function findStrategy(
  strategies: readonly Strategy[],
  { userId }: Pick<Caller, "userId">,
  id: StrategyId,
): Strategy {
  const found = strategies.find(({ strategyId }) => strategyId === id);
  if (found === undefined || found.userId !== userId) throw errors.notFound("strategy");
  return found;
}
