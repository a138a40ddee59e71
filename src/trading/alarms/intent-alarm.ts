import { missingExits } from "../../domain/asked-exits.ts";
import { type IntentRecord, type IntentResult, isUnsettled } from "../../domain/intent.ts";
import type { EventAlarm } from "./alarm.ts";

/** The alarm for how an intent ended, if any: a position may not be what its owner believes. */
export function alarmOfIntent(record: IntentRecord): EventAlarm | undefined {
  const { outcome, state } = record;
  if (outcome === undefined || isUnsettled(state)) return { kind: "outcomeUnknown", record };
  switch (outcome.kind) {
    case "unknown":
      return { kind: "outcomeUnknown", record };
    case "unprotected":
      return { kind: "protectionFailed", record };
    case "lost":
      return { kind: "orderLost", record };
    case "expired":
      return mayBeExit(record) || waitedAsExit(record)
        ? { kind: "exitExpired", record }
        : undefined;
    case "notSent":
    case "withdrawn":
      return mayBeExit(record) ? { kind: "exitNotSent", record } : lacksExits(record);
    case "done":
      return leftSomething(outcome.result)
        ? { kind: "flattenIncomplete", record }
        : lacksExits(record);
    case "rejected":
      return record.plan === undefined ? undefined : lacksExits(record);
    case "denied":
    case "overtaken":
      return undefined;
  }
}

const lacksExits = (record: IntentRecord): EventAlarm | undefined =>
  missingExits(record).length > 0 ? { kind: "exitsMissing", record } : undefined;

const mayBeExit = ({ intent }: IntentRecord): boolean =>
  intent.kind !== "PLACE" && intent.kind !== "ADJUST";

/** Whether it was to close something was not known until the end: it may have been an exit. */
function waitedAsExit({ source, settledAt = 0, exitExpiresAt }: IntentRecord): boolean {
  const mayWait = source.kind !== "api" && source.kind !== "operator";
  return mayWait && settledAt >= exitExpiresAt;
}

/** What was to be closed and is not. */
const leftSomething = (result: IntentResult): boolean =>
  result.kind === "FLATTEN" && (result.remaining.length > 0 || result.remainingOrderIds.length > 0);
