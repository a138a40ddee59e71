import type { Outcome } from "../../domain/intent.ts";
import type { OrderHandling } from "../../domain/order-handling.ts";

/**
 * No lane carries an exit plan out yet, and an order without the exits that it was to have must not be
 * sent. It goes once lanes do.
 */
export function denyExitPlan(handling: OrderHandling | undefined): Outcome | undefined {
  if (handling?.exitPlan === undefined) return undefined;
  const message = "is not carried out yet; nothing was sent";
  return {
    kind: "denied",
    code: "VALIDATION_FAILED",
    reason: `exitPlan ${message}`,
    details: [{ path: "exitPlan", message }],
  };
}
