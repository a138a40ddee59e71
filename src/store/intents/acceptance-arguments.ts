import type { Names } from "../redis/named-arguments.ts";

/**
 * The arguments of the scripts that accept, in parts, and in their order. Who sends them and who reads
 * them go by these lists: no place in them is counted by hand. What is absent is ""; a claim is "1" or
 * "0". The only key is `keys.account`: what a script can compute, or is the same for all of them, is
 * not sent.
 */
/** Of every intent. */
export const OF_EVERY = [
  "intentId",
  "record",
  "receivedAt",
  "entryMaxAgeMs",
  "exitMaxAgeMs",
  "latestAt",
  // As in `write-intent.ts`.
  "reach",
  // People asked for it: see `ASKED_FOR`.
  "isAsked",
  // Lost intents that were looked up again, with a space between them.
  "lookedUp",
  // Of a request with an Idempotency-Key.
  "idempotencyKey",
  "fingerprint",
  "lane",
  "jobData",
  // The channel over which another process is called that works the lane.
  "doorbell",
  // Memory is tight: what can only open something is refused.
  "isTight",
] as const satisfies Names;

/** Behind those, of `accept-intent.ts`. */
export const OF_REQUEST = [
  // Its id follows from an event.
  "isDerived",
] as const satisfies Names;

/** Behind those of every intent, of `accept-alert.ts`. */
export const OF_ALERT = [
  "webhookId",
  "entry",
  // As it came.
  "text",
  // Its place in the log.
  "listedAt",
  "retentionMs",
  // Its sender's own id, hashed.
  "alertId",
  // The same as an earlier version hashed it, where that differs.
  "formerAlertId",
  // Its body, hashed, and the place in it.
  "body",
  "place",
  "windowMs",
  // When the body stands no more.
  "until",
  // The alert that it is a replay of.
  "replayOf",
  // The alert before it in its message.
  "follows",
  // A repeat may ask for its record.
  "repeatedWithinMs",
] as const satisfies Names;

/** Behind those of either, of `accept-and-begin.ts`. */
export const TO_BEGIN = [
  "ownEpoch",
  // That it was judged by, with a space between them.
  "limits",
  // Orders per minute; absent for what is always let through.
  "perAccount",
  "clOrdId",
  "permit",
  "plan",
  "exitPlan",
  "worker",
  // Whose it is, and the key or token that it came by.
  "userId",
  "credentialId",
  // Until when its process has a share for it; 0 for none.
  "shareUntil",
  // What stands as it is sent; absent where nobody knows.
  "quote",
  // Of the guards that it was judged by.
  "guardVersion",
  // The exit plan and the timeout that its order has.
  "runningPlan",
  "deadline",
] as const satisfies Names;

/** Behind all others, of `admit-remembered.ts`; left out where the sender is admitted. */
export const TO_ADMIT = [
  // Of the webhook's token.
  "hash",
  "version",
  "limitByDefault",
  "admitsUntil",
] as const satisfies Names;
