import type { ChannelKind } from "./destination.ts";
import type { Severity } from "../severity.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Standard Webhooks 1.0.0: how long after each attempt the next one is made, ms. */
const SIGNED = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** A fill that somebody hears of hours later misleads them. */
const CHAT = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 5 * MINUTE_MS, 5 * MINUTE_MS];

/** The next minute says more. */
const HEARTBEAT: readonly number[] = [];

/** So much of a wait is left to chance, so that what failed together is not tried together again. */
const JITTER = 0.2;

/**
 * How long until the next attempt, ms; undefined where the event is given up. `attempts` were made,
 * `chance` is between 0 and 1. What the receiver asks for is never cut short.
 */
export function nextAttemptIn(
  { kind, severity, attempts }: { kind: ChannelKind; severity: Severity; attempts: number },
  retryAfterMs: number | undefined,
  chance: number,
): number | undefined {
  const wait = scheduleOf(kind, severity)[attempts - 1];
  if (wait === undefined) return undefined;
  return Math.max(wait * (1 + JITTER * chance), retryAfterMs ?? 0);
}

/** What is critical is tried as soon as anything else, and then for as long as programs are. */
const CRITICAL = [...CHAT, ...SIGNED.slice(2)];

function scheduleOf(kind: ChannelKind, severity: Severity): readonly number[] {
  if (kind === "heartbeat") return HEARTBEAT;
  if (kind === "webhook") return SIGNED;
  return severity === "critical" ? CRITICAL : CHAT;
}

const CHAT_AGE_MS = HOUR_MS;
const LONGEST_AGE_MS = 4 * 24 * HOUR_MS;

/** How long after it was due an event is given up, ms, however often it was tried. */
export function mostAgeOf(kind: ChannelKind, severity: Severity): number {
  if (kind === "heartbeat") return MINUTE_MS;
  return kind === "webhook" || severity === "critical" ? LONGEST_AGE_MS : CHAT_AGE_MS;
}

/** A destination that takes nothing is asked again after so long, ms: whatever waits, waits for that. */
const PAUSES = [2 * SECOND_MS, 10 * SECOND_MS, 30 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS];

export function pauseAfter(kind: ChannelKind, failures: number, retryAfterMs = 0): number {
  const pause = PAUSES[Math.min(failures, PAUSES.length) - 1] ?? 0;
  return Math.max(kind === "heartbeat" ? Math.min(pause, MINUTE_MS / 2) : pause, retryAfterMs);
}

const MOST_FAILURES = 20;
const FAILING_FOR_MS = 24 * HOUR_MS;

/** Whether it has failed so often, and for so long, that it is switched off. */
export const isToBeDisabled = (failures: number, failingForMs: number): boolean =>
  failures >= MOST_FAILURES && failingForMs >= FAILING_FOR_MS;

/** Whether so many messages in a row were refused one by one that its settings are wrong, and not these. */
export const isRefusedThroughout = (refusals: number): boolean => refusals >= MOST_FAILURES;
