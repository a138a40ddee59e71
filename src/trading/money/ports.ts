import type { Bar } from "../../domain/strategies/bar.ts";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { Minor } from "../../domain/money.ts";
import type { Quote } from "../../domain/quote.ts";

/** Which bars are asked for. */
export interface BarsRequest {
  readonly contract: ContractCode;
  /** How long a bar is; it begins at a whole multiple of that since the Unix epoch (UTC). */
  readonly minutes: number;
  /** How many, at most 500 (`MAX_BARS_ASKED`). Fewer may come. */
  readonly count: number;
}

/**
 * The prices that a connection tells. Whoever asks for a contract pays for it at the broker, so it is
 * watched only while somebody needs it.
 */
export interface PriceSource {
  /** Why none are told now, and what to do about it, in words; undefined while they are. */
  readonly missing: () => string | undefined;
  /**
   * Calls back with what stands, once that is known, and with each new quote: never before it returns,
   * and across sessions. The result ends it.
   */
  readonly watch: (contract: ContractCode, listener: (quote: Quote) => void) => () => void;
  /**
   * Finished bars, oldest first, the newest of which ended at or before now. Throws `BrokerReadError`,
   * in the words of `missing` where there are none.
   */
  readonly bars: (request: BarsRequest) => Promise<readonly Bar[]>;
}

/**
 * What an account is worth in one currency, as the broker says. What it does not say is absent;
 * all amounts are in minor units of the currency.
 */
export interface BrokerBalance {
  readonly currency: string;
  /** When it said so, Unix ms by our clock. */
  readonly at: number;
  /** Without what open positions have won or lost. */
  readonly cash?: Minor;
  /** With it. */
  readonly netLiquidation?: Minor;
  /** What was closed on the present trading day has won or lost, before fees. */
  readonly realizedPnl?: Minor;
  readonly openPnl?: Minor;
  /** Paid on the present trading day, positive. */
  readonly fees?: Minor;
  readonly initialMargin?: Minor;
  readonly maintenanceMargin?: Minor;
  /** What is left above the initial margin. */
  readonly marginExcess?: Minor;
}

/** What a connection says things are worth; no lane needs it. */
export interface ValueSource {
  /**
   * What the broker says the account is worth, each currency once. How new that is follows from its
   * budget for questions. Throws `BrokerReadError`. Absent where the broker says nothing of the kind.
   */
  readonly balances?: (account: AccountId) => Promise<readonly BrokerBalance[]>;
  /** Absent where the broker has no prices. */
  readonly prices?: PriceSource;
}
