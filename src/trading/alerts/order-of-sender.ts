import type { AlertRequest, WebhookOptions } from "../../domain/alert.ts";
import type { DenialCode } from "../../domain/denials.ts";
import type { Intent } from "../../domain/intent.ts";
import { exitsIn } from "./exits-of-request.ts";

interface OfSender {
  readonly intent: Intent;
  /** Only a way out passes; why, in words. */
  readonly exitsOnly?: string;
  readonly exitsOnlyCode?: DenialCode;
}

/**
 * A plain order that follows an exit plan. A strategy leaves its positions by such orders too, and the plan may
 * have closed them before: the order would open the other side then. From a strategy it only closes. From a
 * sender that is not said it closes at most what a plan still takes out.
 */
export function orderOfSender(
  intent: Intent,
  request: AlertRequest,
  sentBy: WebhookOptions["sentBy"],
): OfSender {
  const isPlain =
    request.kind === "order" || (request.kind === "adjust" && request.aim.to === "order");
  const isConcerned = isPlain && exitsIn(request).exitPlan !== undefined;
  if (!isConcerned || sentBy === "indicator") return { intent };
  if (sentBy === "strategy") {
    return { intent, exitsOnly: NO_POSITION_SAID, exitsOnlyCode: "SENDER_UNCLEAR" };
  }
  if (intent.kind !== "PLACE" && intent.kind !== "ADJUST") return { intent };
  return { intent: { ...intent, handling: { ...intent.handling, closesPlanned: true } } };
}

const NO_POSITION_SAID =
  "A strategy sends to this webhook, and the message does not say the strategy's position, so that the order may be its exit from what the exit plan has closed: exits pass. Copy the message that the webhook shows in the console";
