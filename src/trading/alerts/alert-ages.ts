import type { ReadAlert, WebhookOptions } from "../../domain/alert.ts";
import type { Submission } from "../orders/submit-intent.ts";

/** How long an alert's order may wait unsent, ms: an entry, and what reduces a position. */
export interface DefaultAges {
  readonly entryMaxAgeMs: number;
  readonly exitMaxAgeMs: number;
}

export interface Ages extends Pick<Submission, "entryMaxAgeMs" | "exitMaxAgeMs"> {
  /** It fired too long ago to open or grow anything; why, in words. */
  readonly tooOld?: string;
}

/**
 * How long the alert's order may wait unsent. Entries count from the time at which the alert fired, if the
 * sender gives one. Exits count from their arrival: a late way out is still wanted.
 */
export function agesOf(
  { maxAgeMs = Infinity, firedAt }: ReadAlert,
  options: WebhookOptions,
  defaults: DefaultAges,
  receivedAt: number,
): Ages {
  // A clock ahead of ours adds nothing.
  const age = firedAt === undefined ? 0 : Math.max(0, receivedAt - firedAt);
  const asked = Math.min(maxAgeMs, limitOf(options.entryMaxAgeSeconds, Infinity));
  const entry = limitOf(options.entryMaxAgeSeconds, defaults.entryMaxAgeMs);
  const exit = limitOf(options.exitMaxAgeSeconds, defaults.exitMaxAgeMs);
  // An exit never expires sooner than an entry.
  const exitMaxAgeMs = Math.min(maxAgeMs, exit);
  const entryMaxAgeMs = Math.min(entry, exitMaxAgeMs);
  const most = asked === Infinity ? ON_ITS_WAY_MS : asked;
  if (age < most) {
    return { entryMaxAgeMs: Math.min(asked - age, entryMaxAgeMs), exitMaxAgeMs };
  }
  const tooOld = `The alert fired ${inWords(age)} before it came, and may be at most ${inWords(most)} old; exits pass`;
  return { entryMaxAgeMs, exitMaxAgeMs, tooOld };
}

/** TradingView calls 25 to 45 s normal between the firing of an alert and its arrival. */
const ON_ITS_WAY_MS = 60_000;

function inWords(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 600) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 600) return `${minutes} minutes`;
  const hours = Math.round(minutes / 60);
  return hours < 72 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
}

const limitOf = (seconds: number | undefined, byDefaultMs: number): number =>
  seconds === undefined ? byDefaultMs : seconds * 1000;
