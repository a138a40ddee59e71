import { leavesUndone, leftOpen, purposeOf } from "../../domain/asked-for.ts";
import { missingExits } from "../../domain/asked-exits.ts";
import { type IntentRecord, isUnsettled } from "../../domain/intent.ts";
import type { EventAlarm } from "./alarm.ts";

/** The alarm for how an intent ended, if any: a position may not be what its owner believes. */
export function alarmOfIntent(record: IntentRecord): EventAlarm | undefined {
  const { outcome, state, intent } = record;
  if (outcome?.kind === "unfinished") return { kind: "exitUnfinished", record };
  if (outcome?.kind === "held") return { kind: "exitHeld", record };
  if (outcome === undefined || isUnsettled(state)) return { kind: "outcomeUnknown", record };
  const purpose = purposeOf(record);
  switch (outcome.kind) {
    case "unknown":
      return { kind: "outcomeUnknown", record };
    case "unprotected":
      return { kind: "protectionFailed", record };
    case "lost":
      return { kind: "orderLost", record };
    case "expired":
      return purpose !== "open" || outcome.soFar !== undefined || waitedAsExit(record)
        ? { kind: "exitExpired", record }
        : undefined;
    case "notSent":
    case "withdrawn":
      return purpose === "open" ? lacksExits(record) : { kind: "exitNotSent", record };
    case "done":
      return leftOpen(intent, outcome.result)
        ? { kind: "exitIncomplete", record }
        : (lacksExits(record) ?? againstStrategy(record));
    case "rejected":
    case "denied":
      if (!leavesUndone(outcome, intent)) return againstStrategy(record);
      if (purpose === "close") return { kind: "exitRefused", record };
      if (purpose === "protect") return { kind: "exitsMissing", record };
      return outcome.kind === "denied" || record.plan === undefined
        ? undefined
        : lacksExits(record);
    case "overtaken":
      return undefined;
  }
}

/** A strategy's message that would go, or went, against the strategy's own order. */
function againstStrategy(record: IntentRecord): EventAlarm | undefined {
  const { outcome } = record;
  const said = outcome?.kind === "done" ? outcome.result : outcome;
  const isAgainst = said !== undefined && "contradicts" in said && said.contradicts === true;
  return isAgainst ? { kind: "strategyContradicted", record } : undefined;
}

const lacksExits = (record: IntentRecord): EventAlarm | undefined =>
  missingExits(record).length > 0 ? { kind: "exitsMissing", record } : undefined;

/** Whether it was to close something was not known until the end: it may have been an exit. */
function waitedAsExit({ source, settledAt = 0, exitExpiresAt }: IntentRecord): boolean {
  const mayWait = source.kind !== "api" && source.kind !== "operator";
  return mayWait && settledAt >= exitExpiresAt;
}
