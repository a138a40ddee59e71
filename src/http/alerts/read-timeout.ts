import type { OrderTerms } from "../../domain/alert.ts";
import type { AlertFields } from "./alert-fields.ts";

const MAX_SECONDS = 86_400;

/**
 * How long an entry may rest until what is left of it is cancelled, in seconds or in another `unit` of
 * so many. 0 is no limit, and one to an order that never rests asks for nothing: it is named as unread.
 */
export function readTimeout(
  fields: AlertFields,
  name: string,
  { ordType, timeInForce }: Pick<OrderTerms, "ordType" | "timeInForce">,
  unit = 1,
): Pick<OrderTerms, "timeout"> {
  if (fields.isOff(name)) return {};
  const count = fields.whole(name, { max: Math.floor(MAX_SECONDS / unit) });
  if (count === undefined) return {};
  if (ordType === "MARKET" || timeInForce === "IOC" || timeInForce === "FOK") {
    fields.overlook(name);
    return {};
  }
  return { timeout: { afterSeconds: count * unit, then: "cancel" } };
}
