import type { ReadAlert } from "../../domain/alert.ts";
import type { Draft } from "../../domain/draft.ts";
import { intentId, type IntentId } from "../../domain/ids.ts";
import type { Webhook } from "../../domain/people/credential.ts";
import { GatewayError } from "../../errors.ts";
import type { AlertEntry } from "./alert-log.ts";
import type { Delivery, ForGroup } from "./alert-uses.ts";

/** What all alerts of one message share. */
export interface Message {
  readonly webhook: Webhook;
  readonly delivery: Delivery;
  readonly isArray: boolean;
  /** In the order in which they are carried out. Absent where there is one alert at most. */
  readonly alerts?: readonly ReadAlert[];
  readonly beganAt: number;
  /** The id of its first alert; the ids of the others sort after it in their order. */
  readonly firstId: IntentId;
  /** Why each of them is refused, unless it was carried out before. */
  readonly refusal: GatewayError | undefined;
  /** Given where it is for a group, or was: for all of it, or for one of its accounts. */
  readonly group?: ForGroup;
}

/** A body, read once. */
export interface Reading {
  readonly isArray: boolean;
  readonly alerts: readonly ReadAlert[];
  readonly problem?: GatewayError;
}

/** Reads a body once; its problem is reported only where it decides the answer. */
export function tryRead({ read }: Delivery): Reading {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { isArray: false, alerts: [], problem: error };
  }
}

/** One alert that asks for a trade: most messages are no more than that. */
export const isAlone = ({ isArray, alerts, problem }: Reading): boolean =>
  !isArray && problem === undefined && alerts.length === 1 && alerts[0]?.test !== true;

/** Alerts of one message have the same time: only their ids give their order. */
export function idAt({ firstId, isArray }: Message, place: number): IntentId {
  if (!isArray) return firstId;
  return intentId(`${firstId.slice(0, -2)}${place.toString(16).padStart(2, "0")}`);
}

export function entryOf(message: Message, alert: ReadAlert | undefined, place: number): AlertEntry {
  const { webhook, delivery, isArray, group } = message;
  const { requestId, receivedAt, sender, body, bodyBytes, fingerprint, replayOf } = delivery;
  const entry: Draft<AlertEntry> = {
    alertId: idAt(message, place),
    accountId: webhook.accountId,
    userId: webhook.userId,
    webhookId: webhook.id,
    requestId,
    receivedAt,
    sender,
    profile: webhook.options.profile ?? "native",
    body,
    bodyBytes,
    unread: alert?.unread ?? [],
    decisions: alert?.notes ?? [],
  };
  if (fingerprint !== "") entry.fingerprint = fingerprint;
  const placed = replayOf?.place ?? (isArray ? place : undefined);
  if (placed !== undefined) entry.place = placed;
  if (alert !== undefined) entry.request = alert.request;
  if (alert?.senderAlertId !== undefined) entry.senderAlertId = alert.senderAlertId;
  if (alert?.test === true) entry.test = true;
  if (replayOf !== undefined) entry.replayOf = replayOf.alertId;
  if (group !== undefined) entry.groupId = group.groupId;
  if (group?.part !== undefined) entry.partOf = group.part.of;
  return entry;
}
