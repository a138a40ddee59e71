import type { StoredIntent } from "./history.ts";
import type { PlannedCall } from "./wishes.ts";

/** In these runs, as by default: for so long an equal body is the same alert. */
const WINDOW_MS = 20_000;
/** The window ends by Redis' clock, which counts whole ms. */
const CLOCK_SLACK_MS = 50;

/**
 * The first two intents of one call that each did what it asks for, though the gateway had to know
 * the second one as the first. `acted` are the call's intents that did something, `others` all of
 * their account.
 */
export function findRepeat(
  { via, isNamed }: PlannedCall,
  acted: readonly StoredIntent[],
  others: readonly StoredIntent[],
): readonly [StoredIntent, StoredIntent] | undefined {
  const inOrder = acted.toSorted((one, other) => one.seq - other.seq);
  const isKnownByBody = via === "webhook" && !isNamed;
  for (const [index, second] of inOrder.entries()) {
    const first = inOrder[index - 1];
    if (first === undefined) continue;
    if (!isKnownByBody || isSameBody(first, second, others)) return [first, second];
  }
  return undefined;
}

/**
 * Without a name it is the same alert for a while, and only until another one was accepted; what
 * brings a position to a state, until anything was. What takes all out may be done again.
 */
function isSameBody(
  first: StoredIntent,
  second: StoredIntent,
  others: readonly StoredIntent[],
): boolean {
  if (takesAllOut(first)) return false;
  if (second.acceptedAt - first.acceptedAt >= WINDOW_MS - CLOCK_SLACK_MS) return false;
  const between = others.filter(({ seq }) => seq > first.seq && seq < second.seq);
  return !between.some(({ via }) => via === "webhook" || !isDoubledByRepeat(first));
}

function takesAllOut({ kind, aim }: StoredIntent): boolean {
  if (aim?.to === "position") return aim.netQty === 0;
  if (aim?.to === "close") return "percent" in aim && aim.percent === 100;
  return kind === "FLATTEN" || kind === "CANCEL_ENTRIES";
}

/** Done once more it would open as much again. */
function isDoubledByRepeat({ kind, aim }: StoredIntent): boolean {
  switch (aim?.to) {
    case undefined:
      return kind === "PLACE";
    case "position":
    case "close":
      return false;
    case "enter":
      return aim.whenHeld === "add";
    case "order":
    case "add":
    case "reverse":
      return true;
  }
}
