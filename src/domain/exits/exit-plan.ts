import type { Ticks } from "../contracts/price.ts";
import type { WrittenNumber } from "../contracts/tick-reader.ts";

/**
 * Where an exit of a plan goes, counted from the average price at which its entry filled. Which
 * direction it counts in follows from the exit and the entry's side; everything but a price is positive.
 */
export type PlanLevel =
  | { readonly by: "price"; readonly price: Ticks }
  | { readonly by: "ticks"; readonly ticks: Ticks }
  /** Of the entry's price; an exact decimal, 1 for one percent. */
  | { readonly by: "percent"; readonly percent: string }
  /** What one contract gains or loses there, in its currency; an exact decimal. */
  | { readonly by: "money"; readonly money: string }
  /** So many times the distance from the entry to the plan's first stop; an exact decimal. */
  | { readonly by: "r"; readonly r: string };

/** A part of what is held, and where it is taken out. Without a level it runs until the stop. */
export interface PlanTarget {
  readonly at?: PlanLevel;
  /** Of all that was filled: percent, above 0 and at most 100. */
  readonly share?: number;
  /** Contracts. Neither of the two: an equal part of what the others leave. */
  readonly qty?: number;
}

/** The stop goes to the entry's price once something has happened, and so many ticks beyond. */
export interface Breakeven {
  /** A level that the market has touched, or a target that has filled: 1 for the first. */
  readonly after: PlanLevel | { readonly by: "target"; readonly target: number };
  /** Ticks beyond the entry's price, in the trade's direction; 0 and more. */
  readonly plus: Ticks;
}

/** The stop follows the best price that was reached, and never goes back. */
export interface Trailing {
  /** The market must have touched it first; absent: from the entry on. */
  readonly from?: PlanLevel;
  readonly distance: PlanLevel;
  /** Ticks: it is moved by no less. */
  readonly step: Ticks;
}

/**
 * How a position leaves again: in which parts, where, and when at the latest. It is carried by the
 * intent that asked for it, so that an edit of a named plan changes nothing that runs.
 */
export interface ExitPlan {
  /** The name that it was asked for by, if it has one. */
  readonly name?: string;
  /** In the order in which they are reached; at least one exit of any kind is there. */
  readonly targets: readonly PlanTarget[];
  /** Needed by more than one target, and by a breakeven. */
  readonly stop?: PlanLevel;
  readonly breakeven?: Breakeven;
  readonly trailing?: Trailing;
  /** Seconds after the first fill, whatever is left is closed at the market. */
  readonly closeAfterSeconds?: number;
  /** The same so many seconds before the contract's session ends. */
  readonly closeBeforeSessionEndSeconds?: number;
}

/** A level as it is written: exactly one of them. `offset` is a price distance. */
export interface PlanLevelTicket {
  readonly price?: WrittenNumber;
  readonly ticks?: number;
  readonly offset?: WrittenNumber;
  readonly percent?: WrittenNumber;
  readonly money?: WrittenNumber;
  readonly r?: WrittenNumber;
}

export interface PlanTargetTicket extends PlanLevelTicket {
  readonly share?: number;
  readonly qty?: number;
}

/** Ticks, or a price distance. */
export type StepTicket = number | { readonly offset: WrittenNumber };

/** An exit plan as it is written, before its contract is known. */
export interface ExitPlanTicket {
  readonly name?: string;
  readonly targets?: readonly PlanTargetTicket[];
  readonly stop?: PlanLevelTicket;
  readonly breakeven?: {
    readonly after: PlanLevelTicket & { readonly target?: number };
    readonly plus?: StepTicket;
  };
  readonly trailing?: {
    readonly from?: PlanLevelTicket;
    readonly distance: PlanLevelTicket;
    readonly step?: StepTicket;
  };
  readonly closeAfterSeconds?: number;
  readonly closeBeforeSessionEndSeconds?: number;
}

/** An exit plan as it is asked for: its definition, or the name of one of the user's. */
export type AskedExitPlan = ExitPlanTicket | string;

/** The words of a level, of which one says where it is. */
export const PLAN_LEVELS = ["price", "ticks", "offset", "percent", "money", "r"] as const;

/** At most so many parts: each is a pair of orders at the broker. */
export const MOST_TARGETS = 8;

/** What the numbers of a plan may be. */
export const PLAN_BOUNDS = {
  ticks: { min: 1, max: 100_000 },
  qty: { min: 1, max: 10_000 },
  target: { min: 1, max: MOST_TARGETS },
  plus: { min: 0, max: 100_000 },
  step: { min: 1, max: 100_000 },
  closeAfterSeconds: { min: 1, max: 86_400 },
  closeBeforeSessionEndSeconds: { min: 0, max: 21_600 },
} as const;

/** The most that a level may say, where it is no price: all are above 0. */
export const MOST_PERCENT = 100;
export const MOST_MONEY = 1_000_000_000;
export const MOST_R = 1_000;
