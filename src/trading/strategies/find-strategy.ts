import type { StrategyId } from "../../domain/ids.ts";
import type { Strategy } from "../../domain/strategies/strategy.ts";
import { errors } from "../../errors.ts";
import type { Strategies } from "./ports.ts";
import type { Caller } from "../people/caller.ts";

/** The caller's strategy, or NOT_FOUND: the same for another's and for none. */
export async function findStrategy(
  strategies: Pick<Strategies, "find">,
  caller: Pick<Caller, "userId">,
  id: StrategyId,
): Promise<Strategy> {
  return requireOwn(await strategies.find(id), caller);
}

export function requireOwn(
  found: Strategy | undefined,
  { userId }: Pick<Caller, "userId">,
): Strategy {
  if (found === undefined || found.userId !== userId) throw errors.notFound("strategy");
  return found;
}
