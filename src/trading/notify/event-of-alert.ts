import { declaredEvent } from "../../domain/notify/event.ts";
import type { LoggedAlert } from "../alerts/alert-log.ts";
import type { EventDraft } from "./outbox.ts";

/** What is told of an alert of which nothing was handed on; undefined for a test, and for a repeat. */
export function eventOfAlert(alert: LoggedAlert): EventDraft | undefined {
  if (!("ending" in alert) || alert.ending.kind !== "refused") return undefined;
  const { accountId, alertId, webhookId, test } = alert.entry;
  if (test === true) return undefined;
  const { code, message: reason } = alert.ending;
  return {
    type: "alert.refused",
    severity: declaredEvent("alert.refused").severity,
    accountId,
    message: `${accountId}: an alert was refused: ${reason}`,
    advice: "See the page Alerts: it shows the message, and what is wrong with it",
    facts: { alertId, webhookId, code, reason },
  };
}
