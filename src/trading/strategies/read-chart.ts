import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";
import type { Strategy } from "../../domain/strategies/strategy.ts";
import { errors } from "../../errors.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { StrategyUses } from "./strategy-uses.ts";
import { type BrokerReads, BrokerReadError } from "../ports.ts";
import { findStrategy } from "./find-strategy.ts";
import type { EvaluationLog, LoggedEvaluation, Strategies, StrategyEngine } from "./ports.ts";
import { readOpenMonths } from "./open-months.ts";
import { barEnd, toPriceBar } from "./read-bars.ts";
import type { AccountViews } from "../reads/ports.ts";

export interface ReadChartDeps {
  readonly strategies: Pick<Strategies, "find">;
  readonly log: Pick<EvaluationLog, "list">;
  readonly engine: Pick<StrategyEngine, "series">;
  readonly accounts: Pick<AccountDirectory, "require">;
  readonly contracts: ContractDirectory;
  readonly reads: Pick<BrokerReads, "bars">;
  readonly views: Pick<AccountViews, "positions">;
}

/** A chart with more of them is a cloud. */
const MOST_DECISIONS = 200;

export function createReadChart(deps: ReadChartDeps): StrategyUses["readStrategyChart"] {
  const { strategies, log, engine, accounts, contracts, reads, views } = deps;

  return async function readStrategyChart(caller, id) {
    const strategy = await findStrategy(strategies, caller, id);
    const { accountId, symbol, barMinutes, barCount } = strategy;
    const resolution = contracts.resolve(symbol, caller.receivedAt);
    if (resolution.kind === "unknown") throw errors.unknownSymbol(symbol, resolution.reason);
    const { connectionId } = await accounts.require(caller.userId, accountId);
    const { contract } = await readOpenMonths(views, accountId, resolution);
    const request = { contract, minutes: barMinutes, count: barCount };
    const told = await reads.bars(connectionId, accountId, request).catch((error: unknown) => {
      throw error instanceof BrokerReadError ? errors.brokerUnavailable(error) : error;
    });
    const { tickSize } = resolution.product;
    const bars = (told ?? []).map((bar) => toPriceBar(bar, tickSize));
    const beganAt = bars[0]?.startsAt;
    const decisions = beganAt === undefined ? [] : await decisionsSince(strategy, beganAt);
    const series = await engine.series({ indicators: strategy.indicators }, bars);
    return { strategy, contract, bars, series, decisions };
  };

  async function decisionsSince(
    { strategyId, barMinutes }: Strategy,
    beganAt: number,
  ): Promise<readonly LoggedEvaluation[]> {
    const { items } = await log.list(strategyId, {
      limit: MOST_DECISIONS,
      matches: ({ targetQty, dryRun }) => targetQty !== undefined && dryRun !== true,
    });
    const onChart = ({ barsEndAt = 0 }: LoggedEvaluation) =>
      barsEndAt >= barEnd(beganAt, barMinutes);
    return items.filter(onChart).toReversed();
  }
}
