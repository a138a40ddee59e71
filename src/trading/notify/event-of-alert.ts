import { ALARMS } from "../alarms/declared-alarms.ts";
import type { LoggedAlert } from "../alerts/alert-log.ts";
import { isRefusedExit, severityOfRefusal } from "../alerts/refused-exit.ts";
import type { EventDraft } from "./outbox.ts";

const ADVICE = "See the page Alerts: it shows the message, and what is wrong with it";

/** What is told of an alert of which nothing was handed on; undefined for a test, and for a repeat. */
export function eventOfAlert(alert: LoggedAlert): EventDraft | undefined {
  if (!("ending" in alert) || alert.ending.kind !== "refused") return undefined;
  const { entry, ending } = alert;
  const { accountId, alertId, webhookId, test } = entry;
  if (test === true) return undefined;
  const { code, message: reason } = ending;
  const isExit = isRefusedExit(entry, ending);
  const what = isExit ? ALARMS.exitAlertRefused.message : "an alert was refused";
  return {
    type: "alert.refused",
    severity: severityOfRefusal(isExit),
    accountId,
    message: `${accountId}: ${what}: ${reason}`,
    advice: isExit ? ALARMS.exitAlertRefused.advice : ADVICE,
    facts: { alertId, webhookId, code, reason },
  };
}
