import type { ContractCode } from "../contracts/contract.ts";
import type { AveragePrice, Ticks } from "../contracts/price.ts";
import type { ClOrdId, ExecId, IntentId, OrderId } from "../ids.ts";
import type { Side } from "../order.ts";
import type { ExitPlan } from "./exit-plan.ts";
import { type Fraction, fractionOf } from "./fraction.ts";
import type { PlanBase } from "./plan-levels.ts";

/** A pair of exits that a plan has asked for; which intent that is follows from its place in the list. */
export interface PlannedPair {
  /** The target that it is for; absent where it stands in for exits that are gone. */
  readonly target?: number;
  readonly qty: number;
  readonly takeProfitPx?: Ticks;
  readonly stopLossPx?: Ticks;
  /** How its intent has ended, once it has: records of intents do not live as long as a plan may. */
  readonly ended?: "standing" | "failed";
}

/** An exit that came with a plan for a position. */
export interface FirstOrder {
  readonly clOrdId: ClOrdId;
  readonly isStop: boolean;
  /** What it had filled when it was seen first: an exit that was there before may have filled before. */
  readonly cumQty: number;
}

/** The fills of an entry. */
export interface FilledEntry {
  /** The contracts that they have opened; others closed what was held on the other side. */
  readonly qty: number;
  /** All that has filled; absent in plans of before, and of a position. */
  readonly cumQty?: number;
  /** Its fills were all known at a time. The broker may take a part of them back, or they may be kept no more. */
  readonly isTold?: true;
  readonly avgPx: AveragePrice;
}

/**
 * An exit plan that works, as it is kept until its position is closed: what it is, and what the broker
 * does not show any more. All else is read off the broker each time.
 */
export interface RunningPlan {
  /** The intent that brought it. */
  readonly planId: IntentId;
  readonly plan: ExitPlan;
  readonly contract: ContractCode;
  /** Of the entry: BUY for what is long. */
  readonly side: Side;
  /** `position`: all that is held of the contract, and older plans of it end. */
  readonly scope: "entry" | "position";
  /** The entry's own identifier. */
  readonly clOrdId?: ClOrdId;
  /** The broker's, once it was shown: some fills name their order by it alone. */
  readonly orderId?: OrderId;
  /** In plans of before: how much of the entry closed what was held on the other side before it. */
  readonly turnsQty?: number;
  readonly tickValue?: string;
  /** Unix ms, when it was asked for. */
  readonly begunAt: number;
  /**
   * The last fill of its contract that was known when a plan for a position began, "" where none was. Plans of earlier
   * versions get it when they are seen first.
   */
  readonly since?: ExecId;
  /**
   * The stop that came with its entry was not seen yet, alive or ended; of one without a stop, the target. Absent in
   * plans of before, and of a position.
   */
  readonly isUnseen?: true;
  /** No exit plan was asked for, but exits with an order: it places what is missing of them, and ends once they stand. */
  readonly untilSeen?: true;
  /** Contracts of such an entry whose exits a newer request has placed. */
  readonly elsewhereQty?: number;
  /** Of a position: the exits that were placed with the plan, once they were. */
  readonly firstLegs?: readonly OrderId[];
  /** The orders of these, once they were seen: the broker shows them only while they work. */
  readonly firstOrders?: readonly FirstOrder[];
  /** Exits of it that were placed again under a new name, for their linked one was cancelled: old names by new ones. */
  readonly renamed?: Readonly<Record<ClOrdId, ClOrdId>>;
  /** Once the entry works no more. */
  readonly filled?: FilledEntry;
  /** Unix ms, when its first fill was seen. */
  readonly openedAt?: number;
  /** By the broker's clock, which says only in which session that was. Absent in plans of before, and of a position. */
  readonly filledAt?: number;
  /** A newer intent that places exits for all of its position: the plan ends once that is done. */
  readonly replacedBy?: IntentId;
  readonly pairs: readonly PlannedPair[];
  /** Why all of it is closed at the market, once it is. */
  readonly closing?: string;
  /** How often that was asked for. */
  readonly closes: number;
  /** Of these, how many are known to have ended, and what they have closed together. */
  readonly closed?: { readonly closes: number; readonly qty: number };
  readonly breakevenReached?: true;
  /** The best price since the stop follows it. */
  readonly bestPx?: Ticks;
}

/** The name by which an exit belongs to a plan. */
export const nameIn = (
  { renamed = {} }: RunningPlan,
  { clOrdId }: { readonly clOrdId?: ClOrdId },
): ClOrdId | undefined => (clOrdId === undefined ? undefined : (renamed[clOrdId] ?? clOrdId));

/** How much of its entry is known to have filled. */
export const cumQtyOf = ({ filled, turnsQty = 0 }: RunningPlan): number =>
  filled === undefined ? 0 : (filled.cumQty ?? filled.qty + turnsQty);

/** What its levels are counted from, once something has filled. */
export function baseOf(
  { plan, side, tickValue, filled }: RunningPlan,
  shown?: FilledEntry,
): PlanBase {
  const entry: Fraction | undefined = fractionIn(filled ?? shown);
  return { side, plan, entry, tickValue };
}

const fractionIn = (filled: FilledEntry | undefined): Fraction | undefined =>
  filled && fractionOf(filled.avgPx);
