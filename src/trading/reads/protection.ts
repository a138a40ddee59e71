import { declaredType } from "../../domain/declared/order-types.ts";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import {
  isClosed,
  isOpaque,
  mayBeIn,
  type OrderReport,
  type OrderRole,
  understood,
  type WorkingOrder,
} from "../../domain/order.ts";

export type Exit = Exclude<OrderRole, "ORDER">;

/** Who opened a position, or grew it last. */
export type Opener =
  | "alert"
  | "api"
  | "operator"
  | "copy"
  | "strategy"
  | "guard"
  | "timeout"
  | "elsewhere";

/**
 * Whether a position has a stop-loss for all that is held, and if not, whose choice that is. There
 * is no word for "probably": what was not seen is unknown, and only `protected` is.
 */
export type Protection =
  | { readonly kind: "protected" }
  /** No stop-loss, and none was asked for; `openedBy` is absent where that is not known. */
  | { readonly kind: "noneAsked"; readonly openedBy?: Opener }
  /** These exits were asked for, and are not there. */
  | { readonly kind: "missing"; readonly exits: readonly Exit[] }
  | { readonly kind: "unknown"; readonly reason: string };

/** How a position came about, as far as our records tell. */
export interface Opening {
  readonly by: Opener;
  readonly asksForStop: boolean;
  /** How much of it was filled by that. */
  readonly qty: number;
  /** Its request has not ended: its exits may be on their way. */
  readonly isUnderWay: boolean;
}

interface Held {
  readonly contract: ContractCode;
  readonly netQty: number;
}

/** The exits that rest for what is held. What waits for its entry, or is not understood, is none. */
export function exitsOf(
  { contract, netQty }: Held,
  working: readonly WorkingOrder[],
): Readonly<Record<Exit, readonly OrderReport[]>> {
  const closing = understood(working).filter(
    ({ side, ordStatus, ...order }) =>
      order.contract === contract &&
      netQty > 0 === (side === "SELL") &&
      ordStatus !== "HELD" &&
      !isClosed(ordStatus),
  );
  const as = (exit: Exit) => closing.filter((order) => exitBy(order) === exit);
  return { STOP_LOSS: as("STOP_LOSS"), TAKE_PROFIT: as("TAKE_PROFIT") };
}

/** Which exit an order is that closes what is held; a person may have placed it by hand. */
export function exitBy({ ordType, role }: Pick<OrderReport, "ordType" | "role">): Exit | undefined {
  if (role !== "ORDER") return role;
  return declaredType(ordType).exit;
}

/** Whether the exit is there for all that is held, or for so much of it. */
export function isCovered(
  held: Held,
  exit: Exit,
  working: readonly WorkingOrder[],
  qty = Math.abs(held.netQty),
): boolean {
  const resting = exitsOf(held, working)[exit];
  return resting.reduce((sum, { leavesQty }) => sum + leavesQty, 0) >= qty;
}

/** `asked` are exits that are remembered as asked for and not there. */
export function judgeProtection(
  held: Held,
  working: readonly WorkingOrder[],
  asked: readonly Exit[],
  opening: Opening | undefined,
): Protection {
  const missing = asked.filter((exit) => !isCovered(held, exit, working));
  if (missing.length > 0) return { kind: "missing", exits: missing };
  if (isCovered(held, "STOP_LOSS", working)) return { kind: "protected" };
  if (opening?.isUnderWay === true) {
    return { kind: "unknown", reason: "The order that opened it is still under way" };
  }
  // What was opened before it may have asked for none; its own has to be there.
  const ownQty = Math.min(opening?.qty ?? 0, Math.abs(held.netQty));
  if (opening?.asksForStop === true && !isCovered(held, "STOP_LOSS", working, ownQty)) {
    return { kind: "missing", exits: ["STOP_LOSS"] };
  }
  const opaque = working.filter(isOpaque).find((order) => mayBeIn(order, held.contract));
  if (opaque !== undefined) return { kind: "unknown", reason: opaque.problem };
  return { kind: "noneAsked", ...(opening !== undefined && { openedBy: opening.by }) };
}

/** Where the orders cannot be seen: what was missing when they could stays missing. */
export function judgeUnseen(asked: readonly Exit[], reason: string): Protection {
  return asked.length > 0 ? { kind: "missing", exits: asked } : { kind: "unknown", reason };
}
