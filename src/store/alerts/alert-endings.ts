import { type Outcome, stateOf } from "../../domain/intent.ts";
import type { AlertOutcome } from "../../trading/alerts/alert-log.ts";

/**
 * The endings whose alerts are found by a set of their own. There is none of what is usual: all but
 * these were done, or refused; and what has not ended is found among the unsettled intents.
 */
export const INDEXED_ENDINGS = {
  accepted: [
    "test",
    "denied",
    "rejected",
    "unprotected",
    "notSent",
    "expired",
    "overtaken",
    "withdrawn",
    "lost",
  ],
  ended: ["duplicate", "split"],
} as const satisfies Readonly<Record<string, readonly AlertOutcome[]>>;

/** How a set of them is named: by the intent's state, where that says it. */
export const endingName = (outcome: AlertOutcome): string => outcome.toUpperCase();

/** The set of a settled intent's alert; "" where it needs none. */
export function endingOf(outcome: Outcome): string {
  if (outcome.kind !== "done") return stateOf(outcome);
  return outcome.result.kind === "TEST" ? endingName("test") : "";
}

/** Defines `dropEnding(prefix, intent, state)`: an intent that ended so is in that set no more. */
export const dropEnding = `
local function dropEnding(prefix, intent, state)
  redis.call('ZREM', prefix .. (state == 'DONE' and '${endingName("test")}' or state), intent)
end
`;

/** Defines `noteEnding(prefix, accepted alerts, intent, ending, ms to keep it)`, for alerts alone. */
export const noteEnding = `
local function noteEnding(prefix, accepted, intent, ending, keptMs)
  local receivedAt = redis.call('ZSCORE', accepted, intent)
  if not receivedAt then return end
  redis.call('ZADD', prefix .. ending, receivedAt, intent)
  -- Another one in it may be kept for longer.
  if redis.call('PTTL', prefix .. ending) < tonumber(keptMs) then
    redis.call('PEXPIRE', prefix .. ending, keptMs)
  end
end
`;
