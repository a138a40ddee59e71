import type { ContractCode } from "./contracts/contract.ts";
import type { OrderId } from "./ids.ts";
import type { OrderRole } from "./order.ts";

/** A position that stands without exits that it had, or that were asked for. */
export interface LostExits {
  readonly contract: ContractCode;
  readonly exits: readonly Exclude<OrderRole, "ORDER">[];
}

/** The exits that stand at the broker for a position, by their ids. */
export interface WorkingExits {
  readonly contract: ContractCode;
  readonly orderQty: number;
  /**
   * How large the position becomes once what is being filled at the market has filled, where that is
   * more than these exits close.
   */
  readonly growsTo?: number;
  readonly takeProfitOrderId?: OrderId;
  readonly stopLossOrderId?: OrderId;
}

/** What became of the exits that were asked for of a position which stood already. */
export type AskedExits =
  /** There was no such position, or none were asked for. */
  | { readonly kind: "none" }
  | ({ readonly kind: "standing" } & WorkingExits)
  /** Why is among the problems. */
  | ({ readonly kind: "missing" } & LostExits);
