import type { OrdStatus } from "../../domain/order.ts";
import { hasEnded, isPending } from "./order-status.ts";
import type { OrderView } from "./order-view.ts";
import { parseInstant } from "./parse.ts";
import type { TradovateFill, TradovateOrderVersion } from "./wire.ts";

/** How far an order has been told. */
export interface Published {
  /** Whether it was told as new, or as refused. */
  isBegun: boolean;
  hasEnded: boolean;
  isHeld: boolean;
  version: TradovateOrderVersion | undefined;
  readonly fills: TradovateFill[];
  /** Of each fill that was told, what it was told to have cost. */
  readonly fees: Map<number, string | undefined>;
  /** As it was told last. */
  ordStatus?: OrdStatus;
  at: number;
}

export const nothingPublished = (): Published => ({
  isBegun: false,
  hasEnded: false,
  isHeld: false,
  version: undefined,
  fills: [],
  fees: new Map(),
  at: 0,
});

/** An order that is not understood: of its fills no more is told than that they were. */
export const publishedOdd = (
  fills: readonly TradovateFill[],
  fees: Published["fees"],
): Published => ({
  ...nothingPublished(),
  fills: [...fills],
  fees,
});

/** What stood when the session began has been told. */
export function publishedOf(
  { order, version, fills }: OrderView,
  fees: Published["fees"],
): Published {
  const { ordStatus } = order;
  if (isPending(ordStatus) && fills.length === 0) return nothingPublished();
  return {
    isBegun: true,
    hasEnded: hasEnded(ordStatus),
    isHeld: ordStatus === "Suspended",
    version,
    fills: [...fills],
    fees,
    at: parseInstant(order.timestamp),
  };
}

/** Whether two versions ask for the same. */
export function isSame(a: TradovateOrderVersion, b: TradovateOrderVersion): boolean {
  return (
    a.orderQty === b.orderQty &&
    a.price === b.price &&
    a.stopPrice === b.stopPrice &&
    a.pegDifference === b.pegDifference
  );
}
