import { type NewOrderSingle, opposite } from "../../../domain/order.ts";
import type { SubmitOutcome } from "../../../trading/ports.ts";
import type { WantedEntry, WantedLeg } from "./bracket-book.ts";
import type { LegRole } from "../leg-tags.ts";

/** So long after a lost answer its order may be in no list yet. */
const LISTED_WITHIN_MS = 5_000;

/** An exit as it is placed in the stead of one that is gone. */
export const exitOrder = (
  order: Pick<NewOrderSingle, "clOrdId" | "contract" | "orderQty">,
  {
    entry: { side },
    role,
    leg: { level },
  }: { readonly entry: WantedEntry; readonly role: LegRole; readonly leg: WantedLeg },
): NewOrderSingle => ({
  ...order,
  side: opposite(side),
  timeInForce: "GTC",
  ...(level !== undefined && (role === "STOP_LOSS" ? { stopPx: level } : { price: level })),
  ordType: role === "STOP_LOSS" ? "STOP" : "LIMIT",
});

/**
 * What an answer proves of a tag, of which an earlier attempt may have come through so long ago: a
 * refusal says nothing of that one as long as the lists may not show it.
 */
export function endOf(
  { kind }: SubmitOutcome,
  unsureMs: number | undefined,
): "there" | "refused" | "unsent" | "open" {
  switch (kind) {
    case "accepted":
      return "there";
    case "rejected":
      return unsureMs === undefined || unsureMs > LISTED_WITHIN_MS ? "refused" : "open";
    case "notSent":
      return unsureMs === undefined ? "unsent" : "open";
    case "unknown":
      return "open";
  }
}
