import type { OrderTerms } from "../../domain/alert.ts";
import { mayRest, MOST_TIMEOUT_SECONDS } from "../../domain/order-handling.ts";
import type { AlertFields } from "./alert-fields.ts";

/**
 * How long an entry may rest until what is left of it is cancelled, in seconds or in another `unit` of
 * so many. 0 is no limit, and one to an order that never rests asks for nothing: it is named as unread.
 */
export function readTimeout(
  fields: AlertFields,
  name: string,
  terms: Pick<OrderTerms, "ordType" | "timeInForce">,
  unit = 1,
): Pick<OrderTerms, "timeout"> {
  if (fields.isOff(name)) return {};
  const count = fields.whole(name, { max: Math.floor(MOST_TIMEOUT_SECONDS / unit) });
  if (count === undefined) return {};
  if (mayRest(terms)) return { timeout: { afterSeconds: count * unit, then: "cancel" } };
  fields.overlook(name);
  return {};
}
