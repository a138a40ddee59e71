import { followChanges } from "./follow-changes.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { Foundation } from "./open-foundation.ts";
import type { Links } from "./open-links.ts";
import type { Owner } from "./open-owner.ts";
import { submitAsOwner } from "./submit-as-owner.ts";

const LOOK_MS = 1_000;
/** So long the lane is waited for; what takes longer is looked at again all the same. */
const WAIT_MS = 5_000;
const MAX_AGE_MS = 60_000;

/** From here on plans add exits and close. */
export async function startPlans(
  base: Foundation,
  owner: Owner,
  links: Links,
  lifecycle: Lifecycle,
): Promise<void> {
  const { accounts, log, now } = base;
  const { plans } = owner;
  const submit = submitAsOwner(base, owner, links);
  plans.submitBy(async ({ account, intentId, planId, intent }) => {
    const userId = accounts.find(account)?.userId;
    if (userId === undefined) return;
    await submit({
      accountId: account,
      userId,
      source: { kind: "plan" },
      requestId: `plan ${planId}`,
      receivedAt: now(),
      intent,
      intentId,
      waitMs: WAIT_MS,
      entryMaxAgeMs: MAX_AGE_MS,
      exitMaxAgeMs: MAX_AGE_MS,
    });
  });
  const followed = await followChanges({
    listen: async () => () => undefined,
    look: async () => plans.tick(),
    everyMs: LOOK_MS,
    onError: (error) => log.warn("Exit plans could not be looked at", { error }),
  });
  lifecycle.started("exit plans", async () => await followed.stop());
}
