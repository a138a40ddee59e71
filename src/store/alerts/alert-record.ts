import type { AccountId } from "../../domain/ids.ts";
import type { AlertEnding, AlertEntry, LoggedAlert } from "../../trading/alerts/alert-log.ts";
import { decodeIntent, type Fields, RECORD_FIELDS } from "../intents/intent-record.ts";

/** How many accepted alerts of one account the log lists; older ones make room for newer ones. */
export const ACCEPTED_ALERTS_KEPT = 10_000;

/**
 * How many alerts of one account are kept that became nothing. They are counted by themselves, so
 * that a flood of refusals never pushes out what was traded.
 */
export const ENDED_ALERTS_KEPT = 1_000;

/** The fields of an accepted alert's intent, in the order `decodeAccepted` reads them. */
export const ALERT_FIELDS = [...RECORD_FIELDS, "alert"] as const;

/** Takes `ALERT_FIELDS`. Undefined for an intent that is not there, or came by no alert. */
export function decodeAccepted(account: AccountId, fields: Fields): LoggedAlert | undefined {
  const entry = fields.at(-1);
  const intent = decodeIntent(account, fields);
  if (!entry || intent === undefined) return undefined;
  return { entry: JSON.parse(entry) as AlertEntry, intent };
}

export const encodeEnded = (entry: AlertEntry, ending: AlertEnding): string =>
  JSON.stringify({ entry, ending });

export function decodeEnded(record: string | null): LoggedAlert | undefined {
  return record === null ? undefined : (JSON.parse(record) as LoggedAlert);
}
