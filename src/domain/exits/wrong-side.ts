import type { EntryPrices } from "../bracket-sides.ts";
import type { Ticks } from "../contracts/price.ts";
import { type Side, sign } from "../order.ts";
import type { ExitPlan } from "./exit-plan.ts";
import { firstStopOf } from "./plan-levels.ts";

/**
 * What of a plan's prices lies where a trade on that side could not reach it, or had passed it already,
 * in words: a target there would trade at once. Undefined where nothing does. A market order says
 * nothing of where it fills.
 */
export function wrongTarget(
  plan: Pick<ExitPlan, "targets" | "stop" | "trailing">,
  side: Side,
  { price, stopPx }: EntryPrices = {},
): string | undefined {
  const stop = firstStopOf(plan);
  const before: { readonly px: Ticks; readonly what: string }[] = [];
  for (const px of [price, stopPx]) if (px !== undefined) before.push({ px, what: "the entry" });
  if (stop?.by === "price") before.push({ px: stop.price, what: "the stop" });
  for (const [place, { at }] of plan.targets.entries()) {
    if (at?.by !== "price") continue;
    const wrong = before.find(({ px, what }) => {
      const beyond = sign(side) * (at.price - px);
      return what === EARLIER ? beyond < 0 : beyond <= 0;
    });
    if (wrong !== undefined) {
      const where = side === "BUY" ? "below" : "above";
      return `Target ${place + 1} of its exit plan is ${where} ${wrong.what} on a ${side.toLowerCase()}`;
    }
    before.push({ px: at.price, what: EARLIER });
  }
  return undefined;
}

const EARLIER = "one before it";
