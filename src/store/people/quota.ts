import type { Quota } from "../../trading/people/admissions.ts";

/** The exact window in which requests are counted. */
export const WINDOW_SECONDS = 60;

/** Takes what the scripts answer of a window: its limit, how many it has, ms until one is free. */
export function toQuota([limit = 0, used = 0, freeInMs = 0]: readonly number[]): Quota {
  return {
    limit,
    windowSeconds: WINDOW_SECONDS,
    remaining: Math.max(0, limit - used),
    resetSeconds: Math.max(1, Math.ceil(freeInMs / 1000)),
  };
}
