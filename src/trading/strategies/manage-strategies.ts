import type { StrategyId } from "../../domain/ids.ts";
import type { Strategy, StrategyTerms } from "../../domain/strategies/strategy.ts";
import { errors } from "../../errors.ts";
import {
  type CheckStrategyDeps,
  DEFAULT_TERMS,
  requireAlone,
  requireSoundTerms,
} from "./check-strategy.ts";
import { findStrategy, requireOwn } from "./find-strategy.ts";
import type { KnownStrategies, Scheduler, Strategies } from "./ports.ts";
import type { StrategyUses } from "./strategy-uses.ts";
import type { StrategyChange } from "./strategy-requests.ts";
import { type StrategyView, type StrategyViewDeps, viewStrategies } from "./strategy-views.ts";
import type { Caller } from "../people/caller.ts";

export interface ManageStrategiesDeps extends CheckStrategyDeps, StrategyViewDeps {
  readonly strategies: Strategies;
  readonly scheduler: Scheduler;
  readonly newStrategyId: () => StrategyId;
}

type ManagingUses = Pick<
  StrategyUses,
  "listStrategies" | "findStrategy" | "createStrategy" | "changeStrategy" | "deleteStrategy"
>;

/** Of one user; each may be evaluated every ten seconds. */
const MOST_STRATEGIES = 50;

/** How often a change is tried that others changed strategies under. */
const ATTEMPTS = 5;

/** The strategies of one user. What runs hears of each change and follows it. */
export function createStrategyUses(deps: ManageStrategiesDeps): ManagingUses {
  const { strategies } = deps;
  return {
    listStrategies: async ({ userId }) => {
      const known = (await strategies.read()).strategies;
      return await viewStrategies(
        deps,
        known.filter((one) => one.userId === userId),
      );
    },

    findStrategy: async (caller, id) =>
      await view(deps, await findStrategy(strategies, caller, id)),

    createStrategy: async (caller, request) => {
      const terms: StrategyTerms = { name: request.symbol, ...DEFAULT_TERMS, ...request };
      await requireSoundTerms(deps, caller, terms);
      const { userId, receivedAt: createdAt } = caller;
      const strategyId = deps.newStrategyId();
      const facts = { strategyId, userId, version: 1, createdAt, changedAt: createdAt };
      return await save(deps, caller, async ({ strategies: known }) => {
        const own = known.filter((one) => one.userId === userId);
        if (own.length >= MOST_STRATEGIES) {
          throw errors.tooMany("TOO_MANY_STRATEGIES", MOST_STRATEGIES);
        }
        return { ...terms, ...facts };
      });
    },

    changeStrategy: async (caller, id, change) => {
      return await save(deps, caller, async ({ strategies: known }) => {
        const strategy = requireOwn(
          known.find(({ strategyId }) => strategyId === id),
          caller,
        );
        const after = changed(strategy, change);
        if (!onlyRests(change)) await requireSoundTerms(deps, caller, after);
        return { ...after, version: strategy.version + 1, changedAt: caller.receivedAt };
      });
    },

    deleteStrategy: async (caller, id) => {
      for (let attempt = 1; ; attempt += 1) {
        const version = await strategies.version();
        const { name } = await findStrategy(strategies, caller, id);
        if (await strategies.remove(id, version)) return;
        if (attempt === ATTEMPTS) throw errors.changedMeanwhile(name);
      }
    },
  };
}

/** Saves what `change` makes of the strategies as they stand, again where others changed them. */
async function save(
  deps: ManageStrategiesDeps,
  { receivedAt }: Caller,
  change: (known: KnownStrategies) => Promise<Strategy>,
): Promise<StrategyView> {
  const { strategies, scheduler, contracts } = deps;
  for (let attempt = 1; ; attempt += 1) {
    const known = await strategies.read();
    const strategy = await change(known);
    requireAlone(strategy, known.strategies, contracts, receivedAt);
    const { schedule, enabled } = strategy;
    const nextAt =
      enabled && schedule !== undefined ? scheduler.next(schedule, receivedAt) : undefined;
    if (await strategies.save(strategy, known.version, nextAt)) return await view(deps, strategy);
    if (attempt === ATTEMPTS) throw errors.changedMeanwhile(strategy.name);
  }
}

/** Whoever turns a strategy off is not asked whether it could be turned on. */
function onlyRests(change: StrategyChange): boolean {
  const names = Object.keys(change);
  return names.every((name) => name === "enabled" || name === "name") && change.enabled === false;
}

function changed(strategy: Strategy, { bracket, schedule, ...rest }: StrategyChange): Strategy {
  const { bracket: oldBracket, schedule: oldSchedule, ...kept } = strategy;
  const newBracket = bracket === undefined ? oldBracket : (bracket ?? undefined);
  const newSchedule = schedule === undefined ? oldSchedule : (schedule ?? undefined);
  return {
    ...kept,
    ...rest,
    ...(newBracket !== undefined && { bracket: newBracket }),
    ...(newSchedule !== undefined && { schedule: newSchedule }),
  };
}

async function view(deps: StrategyViewDeps, strategy: Strategy): Promise<StrategyView> {
  const [only] = await viewStrategies(deps, [strategy]);
  if (only === undefined) throw new Error("one strategy has one view");
  return only;
}
