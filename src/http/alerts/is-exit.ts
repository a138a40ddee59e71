import type { ReadAlert } from "../../domain/alert.ts";

/**
 * Whether an alert asks for nothing but a way out: closing, cancelling, protecting. By its words
 * alone: an order that would turn out to close something counts as an order.
 */
export function isExit({ request, test }: ReadAlert): boolean {
  if (test === true) return false;
  switch (request.kind) {
    case "flatten":
    case "exit":
    case "cancel":
    case "protect":
      return true;
    case "adjust":
      return (
        request.aim.to === "close" || (request.aim.to === "position" && request.aim.netQty === 0)
      );
    case "order":
      return false;
  }
}
