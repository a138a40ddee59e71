import type { OrderTicket } from "../../domain/order-ticket.ts";
import { errors } from "../../errors.ts";
import type { PlaceOrderBody } from "../schemas/order.ts";
import { ORD_TYPE_OF, SIDE_OF, TIME_IN_FORCE_OF } from "../words.ts";

/** The API's words in; what is spelled the same on both sides goes through as it is. */
export function readOrder({
  action,
  qty,
  type,
  timeInForce,
  ...same
}: PlaceOrderBody): OrderTicket {
  if ((qty === undefined) === (same.size === undefined)) {
    const message = "or size is needed: exactly one of the two";
    throw errors.validationFailed([{ path: "qty", message }]);
  }
  return {
    ...same,
    side: SIDE_OF[action],
    // The least that it may be until it is sized.
    orderQty: qty ?? 1,
    ordType: ORD_TYPE_OF[type],
    timeInForce: TIME_IN_FORCE_OF[timeInForce],
  };
}
