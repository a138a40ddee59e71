import { createHash } from "node:crypto";
import type { Static } from "@sinclair/typebox";
import type { Severity } from "../../domain/severity.ts";
import { errors, type GatewayError, type Problem } from "../../errors.ts";
import type { OperatorAlarm } from "../../trading/notify/destination-uses.ts";
import { MOST_AT_ONCE, type OperatorAlarmsBody } from "../schemas/operator-alarm.ts";

/** The words of our rules and of others'. One that is not known, or none, must not be quieter. */
const SEVERITY_OF: Readonly<Record<string, Severity>> = {
  page: "critical",
  critical: "critical",
  info: "info",
  none: "info",
};

/** In characters. */
const LONGEST_NAME = 100;
const LONGEST_MESSAGE = 500;
const LONGEST_ADDRESS = 2_048;

type SentAlarm = Static<typeof OperatorAlarmsBody>["alerts"][number];

/** The alarms of a message, and one more that says whether any were left out of it. */
export function readOperatorAlarms({
  alerts,
  groupKey = "",
  truncatedAlerts = 0,
}: Static<typeof OperatorAlarmsBody>): readonly OperatorAlarm[] {
  const problems: Problem[] = [];
  const alarms = alerts.slice(0, MOST_AT_ONCE).map((alarm, n) => {
    const field = alarm.status === "firing" ? "startsAt" : "endsAt";
    const at = Date.parse(alarm[field] ?? "");
    if (Number.isNaN(at)) {
      problems.push({ path: `alerts.${n}.${field}`, message: "must be an instant" });
    }
    return readOperatorAlarm(alarm, at);
  });
  if (problems.length > 0) throw errors.validationFailed(problems);
  const missing = truncatedAlerts + Math.max(0, alerts.length - MOST_AT_ONCE);
  return [...alarms, leftOut(missing, alarms, groupKey)];
}

/** How severe they are is unknown, so they count as critical. */
function leftOut(
  missing: number,
  alarms: readonly OperatorAlarm[],
  groupKey: string,
): OperatorAlarm {
  const group = createHash("sha256").update(groupKey).digest("base64url").slice(0, 22);
  const [{ alertname } = { alertname: "Alertmanager" }] = alarms;
  const message =
    missing > 0
      ? `${missing} more alarms beside ${alertname} were left out of one message. Look at them in Alertmanager, and raise max_alerts there or group them further`
      : `No alarms beside ${alertname} are left out any more`;
  // The same as long as the group is: it is not reported again with each message.
  return {
    fingerprint: `left-out-${group}`,
    isFiring: missing > 0,
    alertname,
    severity: "critical",
    message,
    at: 0,
  };
}

/** An alarm for a message that could not be taken: its sender shows its refusal to no person. */
export function refusedAlarms({ message }: GatewayError): OperatorAlarm {
  const said = `A message of Alertmanager was refused, and its alarms are not here: ${message}`;
  return {
    fingerprint: "refused",
    isFiring: true,
    alertname: "Alertmanager",
    severity: "critical",
    message: cut(said, LONGEST_MESSAGE),
    at: 0,
  };
}

function readOperatorAlarm(
  { status, labels, annotations = {}, fingerprint }: SentAlarm,
  at: number,
): OperatorAlarm {
  const { alertname: named = "", severity = "" } = labels;
  const { summary, description, runbook_url: runbook = "" } = annotations;
  const alertname = cut(named.trim() === "" ? "An alarm without a name" : named, LONGEST_NAME);
  const runbookUrl = webAddressOf(runbook);
  const said = [summary, description].filter((text) => text !== undefined && text.trim() !== "");
  return {
    fingerprint,
    isFiring: status === "firing",
    alertname,
    severity: SEVERITY_OF[severity.toLowerCase()] ?? "warning",
    message: said.length === 0 ? alertname : cut(said.join(". "), LONGEST_MESSAGE),
    ...(runbookUrl !== undefined && { runbookUrl }),
    at,
  };
}

/** A link of another protocol would be followed by whoever reads it, and a longer one by nobody. */
function webAddressOf(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  return isWeb && url.href.length <= LONGEST_ADDRESS ? url.href : undefined;
}

/** Between two characters, with a mark where something is left out. */
function cut(text: string, limit: number): string {
  const characters = Array.from(text);
  return characters.length <= limit ? text : `${characters.slice(0, limit - 1).join("")}…`;
}
