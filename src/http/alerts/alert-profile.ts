import type { ReadAlert, WebhookOptions } from "../../domain/alert.ts";
import type { Draft } from "../../domain/draft.ts";
import type { AlertFields } from "./alert-fields.ts";

/** What a webhook's owner has set and a profile reads by. */
export type ProfileOptions = Pick<
  WebhookOptions,
  "defaultQty" | "riskMoney" | "riskPercent" | "sideSwap" | "allowedExtraFields"
> & {
  /** The webhook is for a group: what names accounts says which of them are meant. */
  readonly forGroup?: true;
};

/**
 * Reads one alert's fields as one service means them. Names everything that is wrong, or that is
 * asked for and cannot be done, as a problem of the fields. Answers what is asked for as far as
 * it can be told, else undefined. Never guesses. Problems, and what it has not asked for, are judged
 * after it.
 */
export type ReadProfile = (
  fields: AlertFields,
  options: ProfileOptions,
) => Omit<ReadAlert, "unread"> | undefined;

/** Of a webhook for one account. */
export const SEVERAL_ACCOUNTS = "names several accounts: point the webhook at a group of them";

const MAX_AGE_SECONDS = 86_400;
/** Without its zone a time would be read by the gateway's own clock. */
const ISO = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/i;
const UNIX = /^\d{1,13}(?:\.\d{1,9})?$/;

/** Names of orders come in whole. It is compared by its hash, so its length is no matter. */
const MAX_ALERT_ID = 1_000;

/** What they are called in every profile. */
export const CONTROLS = ["alertId", "maxAgeSeconds", "firedAt", "test"] as const;

/**
 * The controls that a sender may give in every profile, in our own words. `times` are the dialect's
 * own fields for the time at which the alert fired.
 */
export function readControls(
  fields: AlertFields,
  times: readonly string[] = [],
): Omit<ReadAlert, "request" | "unread"> {
  const senderAlertId = fields.text("alertId", { max: MAX_ALERT_ID });
  const seconds = fields.whole("maxAgeSeconds", { max: MAX_AGE_SECONDS });
  const firedAt = readFiredAt(fields) ?? readOtherTimes(fields, times);
  const isTest = fields.flag("test");
  const controls: Draft<ReturnType<typeof readControls>> = {};
  if (senderAlertId !== undefined) controls.senderAlertId = senderAlertId;
  if (seconds !== undefined) controls.maxAgeMs = seconds * 1000;
  if (firedAt !== undefined) controls.firedAt = firedAt;
  if (isTest) controls.test = true;
  return controls;
}

function readFiredAt(fields: AlertFields): number | undefined {
  const text = fields.text("firedAt", { max: 40 });
  if (text === undefined) return undefined;
  const at = instantIn(text);
  return at ?? fields.problem("firedAt", "must be a time such as 2026-09-21T14:30:00Z");
}

/** TradingView's placeholder for the time at which the alert fired; some templates name a field after it. */
const TIMENOW = "timenow";

/**
 * The first of these that can be read. A text that cannot is passed over, as it asks for nothing. Only
 * `timenow` is certain: in any other field people also write `{{time}}`, the time at which the bar opened.
 */
function readOtherTimes(fields: AlertFields, times: readonly string[]): number | undefined {
  for (const name of [TIMENOW, ...times]) {
    const at = instantAt(fields, name);
    if (at === undefined || at < EARLIEST) continue;
    fields.ignore(name);
    return name === TIMENOW ? at : latestFiring(at);
  }
  return undefined;
}

/** Numbers such as 20260921 are no Unix times. */
const EARLIEST = Date.UTC(2000, 0);
const MINUTE_MS = 60_000;
/** The longest bar on which an alert usually fires: one of a day. */
const LONGEST_BAR_MS = 24 * 3_600_000;

/** Whether a time may be the one at which a bar opened: bars open at a full minute. */
export const mayBeBarTime = (at: number): boolean => at % MINUTE_MS === 0;

/** Whether a field that means the firing itself says this time. */
export const saysFiring = (fields: AlertFields, at: number): boolean =>
  ["firedAt", TIMENOW].some((name) => instantAt(fields, name) === at);

function instantAt(fields: AlertFields, name: string): number | undefined {
  const value = fields.peek(name);
  return typeof value === "string" || typeof value === "number" ? instantIn(value) : undefined;
}

/** The alert may have fired at the bar's close. */
const latestFiring = (at: number): number => (mayBeBarTime(at) ? at + LONGEST_BAR_MS : at);

/** `{{timenow}}` as charting platforms fill it in, or Unix time in seconds or ms. */
function instantIn(written: string | number): number | undefined {
  const text = String(written).trim();
  const number = UNIX.test(text) ? Number(text) : NaN;
  const iso = ISO.test(text) ? Date.parse(text) : NaN;
  const at = Number.isNaN(number) ? iso : number < 1e11 ? number * 1000 : number;
  return Number.isFinite(at) && at > 0 ? Math.round(at) : undefined;
}

type Names = readonly [name: string, ...aliases: string[]];

/** Names of one and the same thing: whoever gives two of them has said two things. */
export function oneOfNames(fields: AlertFields, names: Names): Names {
  const [first, ...others] = names.filter((name) => fields.has(name));
  for (const other of others) {
    fields.problem(other, `says the same as ${String(first)}: give one of the two`);
  }
  return names;
}
