import type { ReadAlert } from "../../domain/alert.ts";
import { onlyReduces } from "../../trading/alerts/webhook-options.ts";

/**
 * Whether an alert asks for nothing but a way out: closing, cancelling, protecting. By its words
 * alone: an order that would turn out to close something counts as an order.
 */
export function isExit({ request, test }: ReadAlert): boolean {
  return test !== true && onlyReduces(request);
}
