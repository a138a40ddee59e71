import { createSubmitIntent } from "../trading/orders/submit-intent.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { newIntentId } from "./new-ids.ts";
import type { Foundation } from "./open-foundation.ts";
import type { Links } from "./open-links.ts";
import type { Owner } from "./open-owner.ts";

/** From here on entries are ended that have rested for as long as they may. */
export function startTimeouts(
  base: Foundation,
  { deadlines, elapsed }: Owner,
  links: Links,
  lifecycle: Lifecycle,
): void {
  const submit = createSubmitIntent({
    ...base,
    ...base.stores,
    ...links,
    settleNow: links.reads.settleNow,
    newIntentId,
    elapsed,
  });
  deadlines.submitBy(submit);
  lifecycle.started("timeouts of orders", async () => deadlines.stop());
}
