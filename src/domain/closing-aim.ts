import type { AdjustSteps } from "./adjust.ts";
import type { Aim } from "./alert.ts";
import { holdingOf, totalQty } from "./contracts/open-positions.ts";

/**
 * What of an aim closes something, as its steps say: in absolute terms, so that it can be asked for
 * again once a part is done. Undefined where nothing is to be closed.
 */
export function closingAim(aim: Aim, { closes, reduce }: AdjustSteps): Aim | undefined {
  if (aim.to === "position") return aim;
  if (aim.to === "close" && ("qty" in aim || aim.percent === 100)) return aim;
  if (reduce !== undefined) {
    const holding = reduce.side === "SELL" ? ("LONG" as const) : ("SHORT" as const);
    return { to: "close", qty: totalQty(closes) + reduce.orderQty, holding };
  }
  const [first] = closes;
  return first && { to: "close", percent: 100, holding: holdingOf(first) };
}

/** What is left of such an aim once so many contracts are closed; undefined where nothing is. */
export function leftOf(aim: Aim, closedQty: number): Aim | undefined {
  if (aim.to === "position") return aim;
  if (aim.to !== "close") return undefined;
  if (!("qty" in aim)) return aim;
  return aim.qty > closedQty ? { ...aim, qty: aim.qty - closedQty } : undefined;
}
