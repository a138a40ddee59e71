import type { Static } from "@sinclair/typebox";
import type { Severity } from "../../domain/severity.ts";
import { errors, type Problem } from "../../errors.ts";
import type { OperatorAlarm } from "../../trading/notify/destination-uses.ts";
import type { OperatorAlarmsBody } from "../schemas/operator-alarm.ts";

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

export function readOperatorAlarms({
  alerts,
}: Static<typeof OperatorAlarmsBody>): readonly OperatorAlarm[] {
  const problems: Problem[] = [];
  const alarms = alerts.map((alarm, n) => {
    const field = alarm.status === "firing" ? "startsAt" : "endsAt";
    const at = Date.parse(alarm[field] ?? "");
    if (Number.isNaN(at)) {
      problems.push({ path: `alerts.${n}.${field}`, message: "must be an instant" });
    }
    return readOperatorAlarm(alarm, at);
  });
  if (problems.length > 0) throw errors.validationFailed(problems);
  return alarms;
}

function readOperatorAlarm(
  { status, labels, annotations = {}, fingerprint }: SentAlarm,
  at: number,
): OperatorAlarm {
  const { alertname: named = "An alarm without a name", severity = "" } = labels;
  const { summary, description, runbook_url: runbook = "" } = annotations;
  const alertname = cut(named, LONGEST_NAME);
  const runbookUrl = webAddressOf(runbook);
  const said = [summary, description].filter((text) => text !== undefined && text !== "");
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
