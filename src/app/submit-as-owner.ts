import { createSubmitIntent, type SubmitIntent } from "../trading/orders/submit-intent.ts";
import { newIntentId } from "./new-ids.ts";
import type { Foundation } from "./open-foundation.ts";
import type { Links } from "./open-links.ts";
import type { Owner } from "./open-owner.ts";

/** How what an owner wants of its own accounts comes to their lanes: as every other intent does. */
export const submitAsOwner = (
  base: Foundation,
  { elapsed }: Pick<Owner, "elapsed">,
  links: Links,
): SubmitIntent =>
  createSubmitIntent({
    ...base,
    ...base.stores,
    ...links,
    settleNow: links.reads.settleNow,
    newIntentId,
    elapsed,
  });
