import type { ContractCode } from "../contracts/contract.ts";
import type { Follower } from "./copy-group.ts";
import { type CycleOf, sizedQty } from "./copy-target.ts";
import type { Quantities } from "../holdings.ts";
import type { AccountId, CopyGroupId, IntentId, OrderId } from "../ids.ts";
import { type Bracket, type OpaqueOrder, type OrderReport, type Side, sign } from "../order.ts";
import type { OrderValues } from "../order-change.ts";
import type { PreparedOrder } from "../order-ticket.ts";
import type { TickSize } from "../contracts/price.ts";
import type { IsOneMarket } from "../contracts/product.ts";

/** An order of a follower that stands for one of its leader's. */
export interface Mirror {
  /** Of the intent that places it, so that the order is recognised by its identifier. */
  readonly copyId: IntentId;
  readonly groupId: CopyGroupId;
  readonly leader: AccountId;
  readonly leaderOrderId: OrderId;
  /** The follower's. */
  readonly contract: ContractCode;
  readonly side: Side;
  /** What the leader's order had filled before, which was copied as fills: the leader's contracts. */
  readonly filledBefore: number;
  /** Unix ms by the store's clock. */
  readonly notedAt: number;
  /** It was cancelled for a reason of ours: what the leader's order fills is copied as fills again. */
  readonly isEnded?: true;
}

/** What works for an account, and what it holds. */
export interface AccountOrders {
  /** Those in contracts of our table: no others can be mirrored. */
  readonly working: readonly OrderReport[];
  /** What works as well and is not understood: it must not be taken for ended. */
  readonly opaque: readonly OpaqueOrder[];
  readonly holds: Quantities;
}

/** A mirror as it is found. */
export interface FoundMirror {
  readonly mirror: Mirror;
  /** The follower's order; undefined while none works. */
  readonly own: OrderReport | undefined;
  /** The follower's order where it is not understood: it can only be cancelled. */
  readonly odd?: OpaqueOrder;
  /** What the follower's order has filled, and the leader's: each in contracts of its own. */
  readonly ownCumQty: number;
  readonly leaderCumQty: number;
  /** It may work later, though it does not now. */
  readonly isPending: boolean;
  /** It was handed to the follower's lane, as far as is known here. */
  readonly isSent: boolean;
  /** Since when it is known here that the leader's order works no more; absent while it does. */
  readonly endedForMs?: number;
}

/** One follower and its leader, as they are found together. */
export interface MirrorView {
  readonly follower: Follower;
  /** Why nothing is copied to it now, in words. */
  readonly rest?: string;
  /** The age from which on a leader's order is mirrored no more, unless it only reduces. */
  readonly maxAgeMs: number;
  /** How long a mirror may still fill once the leader's order has. */
  readonly fillsForMs: number;
  readonly now: number;
  /** The clock of the leader's broker, Unix ms. */
  readonly brokerNow: number;
  readonly leader: AccountOrders;
  readonly own: AccountOrders;
  readonly mirrors: readonly FoundMirror[];
  /** Something is on its way into that contract of the follower: what it holds is about to change. */
  readonly isBusy: (contract: ContractCode) => boolean;
  readonly cycleOf: CycleOf;
  readonly isOneMarket: IsOneMarket;
  readonly tickSizeOf: (contract: ContractCode) => TickSize;
}

/** What is to be done for one follower. */
export type MirrorStep =
  /** A leader's order is not mirrored: what it fills is copied as fills. */
  | { readonly kind: "skip"; readonly leaderOrder: OrderReport; readonly reason: string }
  | {
      readonly kind: "place";
      readonly leaderOrder: OrderReport;
      readonly order: PreparedOrder;
      /** It may only reduce what is held. */
      readonly isExit: boolean;
      /** It was noted before, and may not have been handed on. */
      readonly mirror?: Mirror;
    }
  | {
      readonly kind: "change";
      readonly mirror: Mirror;
      readonly own: OrderReport;
      readonly values: OrderValues;
      /** Absent once it works no more. */
      readonly leaderOrder?: OrderReport;
      readonly isExit: boolean;
      /** More of it works than may: it must not stay so for long. */
      readonly isTooLarge: boolean;
      readonly isSure: boolean;
    }
  | {
      readonly kind: "cancel";
      readonly mirror: Mirror;
      readonly own: OpaqueOrder | OrderReport;
      readonly reason: string;
      readonly isSure: boolean;
    }
  | {
      readonly kind: "protect";
      readonly contract: ContractCode;
      readonly heldQty: number;
      readonly levels: Bracket;
      /** When the leader last moved one of its exits. */
      readonly leaderAt: number;
      readonly isSure: boolean;
    };

/** How many contracts a leader's so many come to, whatever the side. */
export function sizeOf(follower: Follower, leaderQty: number): number {
  return Math.abs(sizedQty(follower, leaderQty));
}

/**
 * How many contracts a mirror is to fill in all: its part of the order, less its part of what was
 * copied as fills before.
 */
export function mirroredQty(
  follower: Follower,
  { filledBefore }: Pick<Mirror, "filledBefore">,
  leaderQty: number,
): number {
  return Math.max(0, sizeOf(follower, leaderQty) - sizeOf(follower, filledBefore));
}

/** Whether an order of the follower's own fills, or has filled, what the leader's order fills. */
export function isActive({ mirror, own, ownCumQty, isPending }: FoundMirror): boolean {
  return mirror.isEnded !== true && (own !== undefined || isPending || ownCumQty > 0);
}

/** How far what is held may be from its target because two orders fill at different times: signed. */
export interface FillsApart {
  /** At most 0. */
  readonly least: number;
  /** At least 0. */
  readonly most: number;
  /** What the leader's orders have filled and the follower's are still to fill, as a difference. */
  readonly behind: number;
}

/** By the mirrors of one contract of a follower that still fill, or whose leader's orders do. */
export function fillsApart(
  follower: Follower,
  contract: ContractCode,
  mirrors: readonly FoundMirror[],
): FillsApart {
  const apart = mirrors
    .filter((found) => found.mirror.contract === contract && isActive(found))
    .map((found) => apartOf(follower, found));
  return {
    least: apart.reduce((sum, { qty }) => sum + Math.min(0, qty), 0),
    most: apart.reduce((sum, { qty }) => sum + Math.max(0, qty), 0),
    behind: apart.reduce((sum, { qty, isBehind }) => sum + (isBehind ? qty : 0), 0),
  };
}

function apartOf(follower: Follower, found: FoundMirror) {
  const { mirror, own, ownCumQty, leaderCumQty, isPending, endedForMs } = found;
  const ahead = ownCumQty - mirroredQty(follower, mirror, leaderCumQty);
  const isBehind = ahead < 0;
  const mayCatchUp = isBehind ? own !== undefined || isPending : endedForMs === undefined;
  return { qty: mayCatchUp ? sign(mirror.side) * ahead + 0 : 0, isBehind };
}

/** The part of a difference that the mirrors explain. */
export function explainedBy({ least, most }: FillsApart, difference: number): number {
  return Math.min(most, Math.max(least, difference)) + 0;
}

/**
 * How far from its target the follower is to stay when something else is copied: for what its mirrors
 * are to fill yet, and for what they filled ahead, as far as that is held. `difference` is how far it
 * was from its target before.
 */
export function keptApart(apart: FillsApart, difference: number): number {
  const ahead = {
    ...apart,
    least: apart.least - Math.min(0, apart.behind),
    most: apart.most - Math.max(0, apart.behind),
  };
  return apart.behind + explainedBy(ahead, difference);
}

/**
 * What is to be held beside what the mirrors explain. Once the leader is out, so is the follower, and
 * it never goes to the other side for them.
 */
export function targetBeside(targetQty: number, explainedQty: number): number {
  const qty = targetQty + explainedQty;
  return targetQty === 0 || qty * targetQty < 0 ? 0 : qty;
}
