import type { IndicatorTerms } from "./indicator.ts";
import type { AccountId, StrategyId, UserId } from "../ids.ts";
import type { BracketTicket } from "../contracts/tick-reader.ts";

/** `observe`: what it would do is logged, and nothing is sent. */
export const STRATEGY_MODES = ["observe", "trade"] as const;
export type StrategyMode = (typeof STRATEGY_MODES)[number];

/** How long a bar may be. Every one of them divides a day, so bars begin alike each day (UTC). */
export const BAR_MINUTES = [1, 2, 3, 5, 10, 15, 30, 60, 120, 240, 1_440] as const;
export type BarMinutes = (typeof BAR_MINUTES)[number];

/** What a strategy may want, each by a condition of its own. */
export const CONDITIONS = ["enterLong", "exitLong", "enterShort", "exitShort"] as const;
export type ConditionName = (typeof CONDITIONS)[number];

/** Expressions in CEL. What is left out is never true. */
export type Conditions = Readonly<Partial<Record<ConditionName, string>>>;

export type Indicators = Readonly<Record<string, IndicatorTerms>>;

/** When a strategy is evaluated by itself. */
export interface Schedule {
  /** Five fields, or six with seconds before them. */
  readonly cron: string;
  /** An IANA time zone. */
  readonly timeZone: string;
}

/** What is computed of bars, a position and nothing else. */
export interface StrategyRules {
  readonly barMinutes: BarMinutes;
  /** How many bars are looked at, the newest ones. */
  readonly barCount: number;
  /** By the names that conditions know them by. */
  readonly indicators: Indicators;
  readonly conditions: Conditions;
}

/** What its user has set of a strategy. */
export interface StrategyTerms extends StrategyRules {
  readonly name: string;
  readonly accountId: AccountId;
  /** As it was written: every evaluation resolves it anew, so a root follows the front month. */
  readonly symbol: string;
  /** Contracts of a position that it enters. */
  readonly qty: number;
  /** By distance from the entry's price. */
  readonly bracket?: BracketTicket;
  /** Absent: it is evaluated when it is asked for only. */
  readonly schedule?: Schedule;
  readonly mode: StrategyMode;
  /** Off: it is not evaluated by itself, and never trades. */
  readonly enabled: boolean;
}

export interface Strategy extends StrategyTerms {
  readonly strategyId: StrategyId;
  readonly userId: UserId;
  /** Grows with each change. */
  readonly version: number;
  /** Unix ms by Redis' clock. */
  readonly createdAt: number;
  readonly changedAt: number;
}

/** Why a strategy's decision is not carried out: it only observes, or it is off. */
export const HELD_BACK = ["observe", "off"] as const;
export type HeldBack = (typeof HELD_BACK)[number];

export function heldBackOf({
  mode,
  enabled,
}: Pick<StrategyTerms, "mode" | "enabled">): HeldBack | undefined {
  if (!enabled) return "off";
  return mode === "observe" ? "observe" : undefined;
}

/** Whether it may send orders at all. */
export function isTrading({ mode, enabled }: Pick<StrategyTerms, "mode" | "enabled">): boolean {
  return heldBackOf({ mode, enabled }) === undefined;
}
