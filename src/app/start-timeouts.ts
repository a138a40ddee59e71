import type { Lifecycle } from "./lifecycle.ts";
import type { Foundation } from "./open-foundation.ts";
import type { Links } from "./open-links.ts";
import type { Owner } from "./open-owner.ts";
import { submitAsOwner } from "./submit-as-owner.ts";

/** From here on entries are ended that have rested for as long as they may. */
export function startTimeouts(
  base: Foundation,
  owner: Owner,
  links: Links,
  lifecycle: Lifecycle,
): void {
  const { deadlines } = owner;
  deadlines.submitBy(submitAsOwner(base, owner, links));
  lifecycle.started("timeouts of orders", async () => deadlines.stop());
}
