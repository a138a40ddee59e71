import type { StoredIntent } from "./history.ts";
import type { PlannedCall } from "./wishes.ts";

/** In these runs, as by default: for so long an equal body is the same alert. */
const WINDOW_MS = 20_000;
/** The window ends by Redis' clock, which counts whole ms. */
const CLOCK_SLACK_MS = 50;

/**
 * The first two intents of one call that each did what it asks for, though the gateway had to know
 * the second one as the first. `acted` are the call's intents that did something, `alerts` all that
 * came to its account by the webhook.
 */
export function findRepeat(
  { via, isNamed }: PlannedCall,
  acted: readonly StoredIntent[],
  alerts: readonly StoredIntent[],
): readonly [StoredIntent, StoredIntent] | undefined {
  const inOrder = acted.toSorted((one, other) => one.seq - other.seq);
  const isKnownByBody = via === "webhook" && !isNamed;
  for (const [index, second] of inOrder.entries()) {
    const first = inOrder[index - 1];
    if (first === undefined) continue;
    if (!isKnownByBody || isSameBody(first, second, alerts)) return [first, second];
  }
  return undefined;
}

/** Without a name it is the same alert for a while, and only until another one was accepted. */
function isSameBody(
  first: StoredIntent,
  second: StoredIntent,
  alerts: readonly StoredIntent[],
): boolean {
  if (second.acceptedAt - first.acceptedAt >= WINDOW_MS - CLOCK_SLACK_MS) return false;
  return !alerts.some(({ seq }) => seq > first.seq && seq < second.seq);
}
