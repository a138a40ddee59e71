import type { Bar } from "../../domain/strategies/bar.ts";
import { type ContractCode, contractCode } from "../../domain/contracts/contract.ts";
import type { ContractDirectory, Resolution } from "../../domain/contracts/contract-directory.ts";
import { formatAverage } from "../../domain/contracts/price.ts";
import { asksOf, decide, targetOf } from "../../domain/strategies/strategy-decision.ts";
import type { Strategy } from "../../domain/strategies/strategy.ts";
import { errors } from "../../errors.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import { type BrokerPosition, BrokerReadError, type BrokerReads } from "../ports.ts";
import {
  type Evaluation,
  NotComputedError,
  type PositionFacts,
  type StrategyEngine,
  type TakeTurn,
  type Verdict,
} from "./ports.ts";
import { readOpenMonths } from "./open-months.ts";
import { barEnd, readBars, toPriceBar } from "./read-bars.ts";
import type { EvaluationRequest } from "./strategy-requests.ts";
import type { AccountViews } from "../reads/ports.ts";

export interface ComputeDecisionDeps {
  readonly engine: Pick<StrategyEngine, "compute">;
  readonly turn: TakeTurn;
  readonly contracts: ContractDirectory;
  readonly accounts: Pick<AccountDirectory, "find">;
  readonly reads: Pick<BrokerReads, "bars">;
  readonly views: Pick<AccountViews, "positions">;
  /** SHA-256 of a text, hex. */
  readonly fingerprint: (text: string) => string;
  /** Milliseconds that only ever grow. */
  readonly elapsed: () => number;
}

export type Decided = Evaluation & { readonly verdict: Verdict };

/** Without bars and a position, the account's own. */
export type ComputeDecision = (
  strategy: Strategy,
  evaluation: Evaluation,
  given?: Pick<EvaluationRequest, "bars" | "position">,
) => Promise<Decided>;

type Resolved = Extract<Resolution, { kind: "resolved" }>;

/** A feed's newest bar may be so many bars old: what comes later is from before a silence. */
const STALE_AFTER_BARS = 2;

/**
 * What a strategy decides now. Every way in which it cannot decide is a verdict with its reason;
 * throws UNKNOWN_SYMBOL or VALIDATION_FAILED for bars that were given, and `StoreError`.
 */
export function createComputeDecision(deps: ComputeDecisionDeps): ComputeDecision {
  const { engine, turn, contracts, accounts, reads, views, fingerprint, elapsed } = deps;

  return async function computeDecision(strategy, evaluation, given = {}) {
    const startedAt = elapsed();
    const resolved = contracts.resolve(strategy.symbol, evaluation.openedAt);
    if (resolved.kind === "unknown") {
      if (evaluation.trigger === "request") {
        throw errors.unknownSymbol(strategy.symbol, resolved.reason);
      }
      return { ...evaluation, verdict: "failed", reason: `Its symbol: ${resolved.reason}` };
    }
    const held =
      given.position === undefined
        ? await readOpenMonths(views, strategy.accountId, resolved)
        : undefined;
    // Of bars that were given nobody knows the month.
    const own = given.bars === undefined ? held?.contract : undefined;
    const begun = { ...evaluation, contract: own ?? contractCode(resolved.contract) };
    const found = await barsFor(strategy, begun, resolved, given.bars);
    if ("verdict" in found) return { ...begun, ...found };
    const position = given.position ?? positionOf(held?.positions ?? [], resolved);
    const decided = await computeOn(strategy, begun, resolved, found.bars, position);
    return { ...decided, computeMs: Math.round(elapsed() - startedAt) };
  };

  /** The bars that are looked at, or why there are none. */
  async function barsFor(
    { accountId, barMinutes, barCount }: Strategy,
    { contract, openedAt }: Evaluation & { readonly contract: ContractCode },
    { product }: Resolved,
    given: EvaluationRequest["bars"],
  ): Promise<{ readonly bars: readonly Bar[] } | Undecided> {
    if (given !== undefined) {
      const bars = await turn(() => readBars(given, product, barMinutes));
      return { bars: bars.slice(-barCount) };
    }
    const connection = accounts.find(accountId)?.connectionId;
    if (connection === undefined) return failed("No broker reports its account");
    const request = { contract, minutes: barMinutes, count: barCount };
    try {
      const bars = await reads.bars(connection, accountId, request);
      if (bars === undefined) return failed(NO_BARS);
      const newest = bars.at(-1);
      const isStale =
        newest !== undefined &&
        barEnd(newest.startsAt, barMinutes) <= openedAt - STALE_AFTER_BARS * barMinutes * 60_000;
      return isStale ? { verdict: "stale", reason: STALE } : { bars };
    } catch (error) {
      if (!(error instanceof BrokerReadError)) throw error;
      return { ...failed(`The bars could not be read: ${error.message}`), unread: true };
    }
  }

  async function computeOn(
    strategy: Strategy,
    evaluation: Evaluation,
    { product }: Resolved,
    bars: readonly Bar[],
    position: PositionFacts,
  ): Promise<Decided> {
    const newest = bars.at(-1);
    if (newest === undefined) {
      return { ...evaluation, verdict: "notReady", reason: "There are no bars yet" };
    }
    const { barMinutes, barCount, indicators, conditions, qty, schedule } = strategy;
    const rules = { barMinutes, barCount, indicators, conditions };
    const at = barEnd(newest.startsAt, barMinutes);
    const timeZone = schedule?.timeZone ?? product.timeZone;
    const prepared = await turn(() => ({
      inputsHash: fingerprint(orderedText([rules, evaluation.contract, timeZone, bars, position])),
      bars: bars.map((bar) => toPriceBar(bar, product.tickSize)),
    }));
    const known = {
      ...evaluation,
      barsEndAt: at,
      barCount: bars.length,
      netQty: position.netQty,
      inputsHash: prepared.inputsHash,
    };
    const computed = await engine
      .compute(rules, { bars: prepared.bars, position, at, timeZone })
      .catch(notComputed);
    if ("verdict" in computed) return { ...known, ...computed };
    const { values, conditions: isTrue } = computed;
    const { decision, reason } = decide(isTrue, position.netQty);
    // What cannot be computed is not waited for by what leaves or turns a position, nor by a condition
    // that is no matter now.
    const asked = asksOf(position.netQty).filter((name) => conditions[name] !== undefined);
    const isWhole = asked.every((name) => isTrue[name] !== undefined);
    const leaves = position.netQty !== 0 && decision !== "hold";
    if (computed.kind !== "computed" && !isWhole && !leaves) {
      return {
        ...known,
        values,
        conditions: isTrue,
        verdict: computed.kind,
        reason: computed.reason,
      };
    }
    const targetQty = targetOf(decision, qty);
    return {
      ...known,
      values,
      conditions: isTrue,
      verdict: decision,
      reason,
      ...(targetQty !== undefined && { targetQty }),
    };
  }
}

/** Several months have no average price together. */
function positionOf(positions: readonly BrokerPosition[], { product }: Resolved): PositionFacts {
  const netQty = positions.reduce((sum, one) => sum + one.netQty, 0);
  const avgPx = positions.length === 1 ? positions[0]?.avgPx : undefined;
  if (avgPx === undefined) return { netQty };
  return { netQty, averagePrice: Number(formatAverage(avgPx, product.tickSize)) };
}

type Undecided = Pick<Decided, "verdict" | "unread"> & { readonly reason: string };

const failed = (reason: string): Undecided => ({ verdict: "failed", reason });

function notComputed(error: unknown): Undecided {
  if (!(error instanceof NotComputedError)) throw error;
  const undecided = failed(`It could not be computed: ${error.message}`);
  return error.why === "busy" ? { ...undecided, unread: true } : undecided;
}

const NO_BARS =
  "Its broker tells the gateway no bars: evaluate it with bars in the request instead";
const STALE = "The newest bar is too old: the market is closed, or its prices have stopped";

/** JSON in which the fields of objects are in the order of their names: equal for equal values. */
function orderedText(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
