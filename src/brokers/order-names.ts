import type { AccountId, ClOrdId, OrderId } from "../domain/ids.ts";

/**
 * What the orders of an account were placed as, for as long as they work: a broker may keep an order
 * longer than the name it was given, and without its name an order of ours looks like a foreign one.
 */
export interface OrderNames {
  /** Those of the orders that have a name kept. */
  readonly find: (
    account: AccountId,
    orders: readonly OrderId[],
  ) => Promise<ReadonlyMap<OrderId, ClOrdId>>;
  readonly keep: (account: AccountId, order: OrderId, name: ClOrdId) => Promise<void>;
  /** The order has ended. */
  readonly drop: (account: AccountId, order: OrderId) => Promise<void>;
}
