import type { Bar } from "../../domain/strategies/bar.ts";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { AccountId, ConnectionId } from "../../domain/ids.ts";
import type { AccountBook } from "../../domain/ledger/account-book.ts";
import type { PlacedEntry } from "../../domain/ledger/ledger-entry.ts";
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
  /** The trading day (ISO) that it counts by; absent where it does not say. */
  readonly tradingDay?: string;
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

/**
 * What the broker itself holds an account to, as it told last. It is only ever read: firms forbid
 * touching what they have set.
 */
export interface BrokerGuards {
  /** Of all its amounts. */
  readonly currency: string;
  /** When it said so, Unix ms by our clock. */
  readonly at: number;
  /** What is switched on; none where all of it is off. */
  readonly rules: readonly BrokerRule[];
  /** Why the broker takes only exits now, or nothing, in words; undefined while it takes entries. */
  readonly refusesEntries?: string;
}

/** One of them. Two rules of one kind differ in their grade, or in what they are measured by. */
export interface BrokerRule {
  readonly kind:
    | "dailyLoss"
    | "weeklyLoss"
    | "dailyProfit"
    | "weeklyProfit"
    | "drawdown"
    | "flatBy";
  /** What the broker does there: warn, refuse what opens, or close everything. */
  readonly grade: "alert" | "exitsOnly" | "liquidate";
  /** Positive, in minor units; absent where it is told as no amount. Of a drawdown, its size. */
  readonly limit?: Minor;
  /** Of a drawdown: the net liquidation at which it is reached, as things stand; absent where unknown. */
  readonly floor?: Minor;
  /** Of a drawdown: when its floor follows the account's highest worth. */
  readonly trails?: "endOfDay" | "live";
  /** Of `flatBy`: the next time, Unix ms; absent where none is to come. */
  readonly flatAt?: number;
  /** Only who has set it may change it. */
  readonly isLocked?: boolean;
}

/** What a connection says of accounts beside their orders; no lane needs it. */
export interface ValueSource {
  /**
   * What the broker says the account is worth, each currency once. How new that is follows from its
   * budget for questions. Throws `BrokerReadError`. Absent where the broker says nothing of the kind.
   */
  readonly balances?: (account: AccountId) => Promise<readonly BrokerBalance[]>;
  /**
   * The broker's own guards of the account; undefined where it tells of none, or does not let this
   * login read them. Throws `BrokerReadError`. Absent where the broker has nothing of the kind.
   */
  readonly brokerGuards?: (account: AccountId) => Promise<BrokerGuards | undefined>;
  /** Absent where the broker has no prices. */
  readonly prices?: PriceSource;
}

/** Every fill of every account, for good. It is written in the steps that record what happens. */
export interface Ledger {
  /** What an account's ledger adds up to now. Throws `StoreError`. */
  readonly book: (account: AccountId) => Promise<AccountBook>;
  readonly length: (account: AccountId) => Promise<number>;
  /**
   * Moves the oldest lines out until so many are left: each part is `written` before it goes, and may be
   * written twice where that breaks off. What they add up to stays. Answers how many went.
   */
  readonly archive: (
    account: AccountId,
    how: {
      readonly keep: number;
      readonly written: (lines: readonly PlacedEntry[]) => Promise<void>;
    },
  ) => Promise<number>;
  /** Newest first, and only what comes before the line `before`; `next` is the last one's id. */
  readonly entries: (
    account: AccountId,
    query: { readonly limit: number; readonly before?: string },
  ) => Promise<{ readonly items: readonly PlacedEntry[]; readonly next?: string }>;
}

export interface KnownQuotes {
  readonly quotes: ReadonlyMap<ContractCode, Quote>;
  /** Why no more come, in words. */
  readonly missing?: string;
}

/** The newest quotes, as the owners of connections have heard them. */
export interface Quotes {
  /** Adds or renews these, and takes those out that are watched no more. */
  readonly save: (
    connection: ConnectionId,
    news: {
      readonly quotes: ReadonlyMap<ContractCode, Quote>;
      /** There are no others: what else is kept is of nobody any more. */
      readonly isAll: boolean;
      readonly dropped: readonly ContractCode[];
      /** Why no more come, in words; undefined while they do. */
      readonly missing: string | undefined;
    },
  ) => Promise<void>;
  /** However old: each says when it was heard. Throws `StoreError`. */
  readonly of: (connection: ConnectionId) => Promise<KnownQuotes>;
}

/** What brokers last said that accounts are worth. */
export interface Balances {
  readonly save: (account: AccountId, balances: readonly BrokerBalance[]) => Promise<void>;
  /** None where it was never heard. Throws `StoreError`. */
  readonly of: (account: AccountId) => Promise<readonly BrokerBalance[]>;
}
