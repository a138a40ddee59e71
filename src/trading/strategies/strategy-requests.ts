import type { StrategyTerms } from "../../domain/strategies/strategy.ts";
import type { WrittenNumber } from "../../domain/contracts/tick-reader.ts";
import type { PositionFacts } from "./ports.ts";

/** A new strategy; what is left out is what the gateway does by itself. */
export type StrategyRequest = Pick<
  StrategyTerms,
  "accountId" | "symbol" | "barMinutes" | "indicators" | "conditions"
> &
  Partial<StrategyTerms>;

/** What is left out stays; null clears. */
export type StrategyChange = Partial<Omit<StrategyTerms, "bracket" | "schedule">> & {
  readonly [Name in "bracket" | "schedule"]?: StrategyTerms[Name] | null;
};

/** A bar as its sender wrote it, in the contract's prices. */
export interface BarTicket {
  /** Unix ms of its beginning. */
  readonly startsAt: number;
  readonly open: WrittenNumber;
  readonly high: WrittenNumber;
  readonly low: WrittenNumber;
  readonly close: WrittenNumber;
  readonly volume: number;
}

export interface EvaluationRequest {
  /** Oldest first; without them the account's own broker is asked. */
  readonly bars?: readonly BarTicket[];
  /** Instead of what the account holds; with `dryRun` only. */
  readonly position?: PositionFacts;
  /** Nothing is sent. */
  readonly dryRun?: boolean;
}

/** Which evaluations of a strategy, newest first. */
export interface EvaluationsRequest {
  readonly limit: number;
  /** `nextCursor` of the page before; it holds for the same filters only. */
  readonly cursor?: string;
  /** Only those after which something was to change, or that came to no decision. */
  readonly notable?: boolean;
}
