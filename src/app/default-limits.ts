import type { Config } from "../../config/index.ts";
import type { AccountLimits } from "../domain/limits.ts";

/** The limits of an account of which nothing was set. */
export function defaultLimits(config: Config): AccountLimits {
  return {
    maxOrderQty: config.DEFAULT_MAX_ORDER_QTY,
    maxPositionQty: config.DEFAULT_MAX_POSITION_QTY,
    maxOrdersPerMinute: config.DEFAULT_MAX_ORDERS_PER_MINUTE,
  };
}
