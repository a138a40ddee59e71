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

/** What every profile lets a sender say about the alert itself, in our own words. */
export function readControls(fields: AlertFields): Omit<ReadAlert, "request" | "unread"> {
  const senderAlertId = fields.text("alertId", { max: MAX_ALERT_ID });
  const seconds = fields.whole("maxAgeSeconds", { max: MAX_AGE_SECONDS });
  const firedAt = readInstant(fields);
  const isTest = fields.flag("test");
  const controls: Draft<ReturnType<typeof readControls>> = {};
  if (senderAlertId !== undefined) controls.senderAlertId = senderAlertId;
  if (seconds !== undefined) controls.maxAgeMs = seconds * 1000;
  if (firedAt !== undefined) controls.firedAt = firedAt;
  if (isTest) controls.test = true;
  return controls;
}

/** `{{timenow}}` as charting platforms fill it in, or Unix time in seconds or ms. */
function readInstant(fields: AlertFields): number | undefined {
  const text = fields.text("firedAt", { max: 40 });
  if (text === undefined) return undefined;
  const number = UNIX.test(text) ? Number(text) : NaN;
  const iso = ISO.test(text) ? Date.parse(text) : NaN;
  const at = Number.isNaN(number) ? iso : number < 1e11 ? number * 1000 : number;
  if (Number.isFinite(at) && at > 0) return Math.round(at);
  return fields.problem("firedAt", "must be a time such as 2026-09-21T14:30:00Z");
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
