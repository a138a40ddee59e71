import { type ContractCode, contractCode, rootOfCode } from "../../domain/contracts/contract.ts";
import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";
import { prepareTerms } from "../../domain/order-ticket.ts";
import { isTrading, type Strategy, type StrategyTerms } from "../../domain/strategies/strategy.ts";
import { errors, type Problem } from "../../errors.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import { BrokerReadError, type BrokerReads } from "../ports.ts";
import type { Scheduler, StrategyEngine } from "./ports.ts";
import type { Caller } from "../people/caller.ts";
import type { StoredAccount } from "../connections/ports.ts";

export interface CheckStrategyDeps {
  readonly accounts: Pick<AccountDirectory, "require">;
  readonly contracts: ContractDirectory;
  readonly engine: Pick<StrategyEngine, "check">;
  readonly scheduler: Pick<Scheduler, "check">;
  readonly reads: Pick<BrokerReads, "bars">;
}

export const DEFAULT_TERMS = {
  barCount: 200,
  qty: 1,
  mode: "observe",
  enabled: true,
} as const satisfies Partial<StrategyTerms>;

/** Throws what is wrong with a strategy's terms: all of it, each with its place. */
export async function requireSoundTerms(
  deps: CheckStrategyDeps,
  caller: Caller,
  terms: StrategyTerms,
): Promise<void> {
  const { accounts, contracts, engine, scheduler } = deps;
  const { userId, receivedAt: nowMs } = caller;
  const account = await accounts.require(userId, terms.accountId);
  const { symbol, schedule, bracket } = terms;
  const resolution = contracts.resolve(symbol, nowMs);
  if (resolution.kind === "unknown") throw errors.unknownSymbol(symbol, resolution.reason);
  const { contract, product } = resolution;
  const ticket = { ordType: "MARKET", ...(bracket !== undefined && { bracket }) } as const;
  const prepared = prepareTerms(ticket, product, "BUY");
  const problems = [
    ...engine.check(terms),
    ...(prepared.ok ? [] : prepared.problems),
    ...(schedule === undefined ? [] : scheduler.check(schedule)),
  ];
  if (problems.length > 0) throw errors.validationFailed(problems);
  const noBars = await barsProblem(deps, account, terms, contractCode(contract));
  if (noBars !== undefined) throw errors.validationFailed([noBars]);
}

/** A schedule needs bars that nobody gives it. While its broker cannot be asked, that is not known. */
async function barsProblem(
  { reads }: Pick<CheckStrategyDeps, "reads">,
  { accountId, connectionId, broker }: StoredAccount,
  { schedule, barMinutes: minutes }: StrategyTerms,
  contract: ContractCode,
): Promise<Problem | undefined> {
  if (schedule === undefined) return undefined;
  try {
    const bars = await reads.bars(connectionId, accountId, { contract, minutes, count: 1 });
    if (bars !== undefined) return undefined;
  } catch (error) {
    if (error instanceof BrokerReadError) return undefined;
    throw error;
  }
  const message = `needs bars, and ${broker} tells the gateway none: leave it out, and evaluate with bars in the request`;
  return { path: "schedule", message };
}

/**
 * Two strategies that trade one market of an account would take each other's positions for their
 * own. Throws STRATEGY_CONFLICT.
 */
export function requireAlone(
  strategy: Strategy,
  known: readonly Strategy[],
  contracts: ContractDirectory,
  nowMs: number,
): void {
  if (!isTrading(strategy)) return;
  const root = rootOf(strategy, contracts, nowMs);
  if (root === undefined) return;
  const other = known.find(
    (one) =>
      one.strategyId !== strategy.strategyId &&
      one.accountId === strategy.accountId &&
      isTrading(one) &&
      rootOf(one, contracts, nowMs) === root,
  );
  if (other === undefined) return;
  throw errors.strategyConflict(other.name, root, strategy.accountId);
}

function rootOf(
  { symbol }: Strategy,
  contracts: ContractDirectory,
  nowMs: number,
): string | undefined {
  const resolution = contracts.resolve(symbol, nowMs);
  return resolution.kind === "unknown" ? undefined : rootOfCode(contractCode(resolution.contract));
}
