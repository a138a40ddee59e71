import type { Brand } from "../brand.ts";
import type { AccountId } from "../ids.ts";
import type { Minor } from "../money.ts";
import type { ScheduleRule } from "./schedule-rule.ts";

/** Thousandths of a lot, an integer: a micro that counts as a tenth is 100. */
export type Lots = Brand<number, "Lots">;

export const lots = (thousandths: number): Lots => thousandths as Lots;

/** What every rule of an account has. */
interface OfEveryRule {
  /** Given by whoever sets it; one account has it once. */
  readonly id: string;
  /** In `shadow` it only tells what it would have done. */
  readonly mode: "on" | "shadow";
  /**
   * Who may end the lock of a breach early, and loosen the rule at once: `soft` a person who has proved
   * who they are, `hard` nobody. What is loosened of a hard rule counts from the next trading day on.
   */
  readonly lock: "soft" | "hard";
}

/** At a breach: close everything and cancel what rests, or only let nothing in. */
export type AtBreach = "flatten" | "exitsOnly";

/**
 * What an account may lose, or win, on a trading day or in the week of its trading days. The figure is
 * what was closed, less fees, and with `counts: "open"` what open positions have won or lost too. At the
 * limit it is breached.
 */
export interface PnlRule {
  readonly kind: "loss" | "profit";
  readonly period: "day" | "week";
  /** Positive. */
  readonly limit: Minor;
  readonly counts: "open" | "closed";
  readonly then: AtBreach;
  /** Other accounts of the same user whose figures are added. */
  readonly together?: readonly AccountId[];
}

/**
 * How far an account may fall below its peak: the floor is the peak less `size`, and never above
 * `locksAt`. By `endOfDay` the peak is the best balance that a trading day ended with, by `live` the most
 * the account was ever worth, open positions included. It is compared live in both cases.
 */
export interface DrawdownRule {
  readonly kind: "drawdown";
  readonly trails: "endOfDay" | "live";
  readonly size: Minor;
  /** What the account began with: its peak is never below it. */
  readonly start: Minor;
  /** The peak until now, where it is above `start`. */
  readonly peak?: Minor;
  readonly locksAt?: Minor;
  readonly then: AtBreach;
}

/** The most lots over all contracts, each by its weight, orders that could still add to them included. */
export interface LotsRule {
  readonly kind: "lots";
  readonly max: Lots;
  /** By root; one that is not named counts as a whole lot. */
  readonly weights: Readonly<Record<string, Lots>>;
  /** What holds instead of `max` once the account has won so much since `start`, rising. */
  readonly ladder?: {
    readonly start: Minor;
    /** `nextDay`: by the balance with which the trading day began. */
    readonly counts: "nextDay" | "live";
    readonly steps: readonly { readonly above: Minor; readonly max: Lots }[];
  };
}

/** The most that one order may be worth: its quantity × price × what a point is worth. */
export interface OrderValueRule {
  readonly kind: "orderValue";
  readonly max: Minor;
}

/** Of each group of roots, no account of the user is long while another one is short. */
export interface OppositeRule {
  readonly kind: "opposite";
  readonly groups: readonly (readonly string[])[];
}

/** So many on a trading day, and no entry after them. A trade is what opens from flat. */
export interface CountRule {
  readonly kind: "count";
  readonly of: "trades" | "executions" | "lossesInRow";
  readonly max: number;
}

/** The best day's share of all that was won since the rule was set; it is only told. */
export interface ConsistencyRule {
  readonly kind: "consistency";
  /** 1 to 100. */
  readonly percent: number;
}

export type GuardRule = OfEveryRule &
  (
    | PnlRule
    | DrawdownRule
    | LotsRule
    | OrderValueRule
    | OppositeRule
    | CountRule
    | ConsistencyRule
    | ScheduleRule
  );

export type RuleKind = GuardRule["kind"];

export type RuleOf<Kind extends RuleKind> = Extract<GuardRule, { readonly kind: Kind }>;

/** What of an account must not happen. */
export interface GuardSettings {
  /** What its amounts are in. What the account trades in another one cannot be judged. */
  readonly currency: string;
  /** Of a limit, in percent of it. */
  readonly warnPercent: number;
  readonly entriesOffPercent: number;
  /** A breach is acted on so much before the limit, since exits slip. */
  readonly bufferPercent: number;
  /** While figures are missing or old and a position is open: entries are refused in any case. */
  readonly whenBlind: {
    readonly then: "alarm" | "flattenUnprotected" | "flatten";
    readonly afterSeconds: number;
  };
  readonly rules: readonly GuardRule[];
}

export const GUARD_DEFAULTS: Omit<GuardSettings, "rules"> = {
  currency: "USD",
  warnPercent: 70,
  entriesOffPercent: 90,
  bufferPercent: 5,
  whenBlind: { then: "alarm", afterSeconds: 60 },
};
