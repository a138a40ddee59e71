import type { OperatorAlarm } from "./destination-uses.ts";
import {
  type EventDraft,
  isOfOperator,
  operatorState,
  type StateChange,
  type ToldState,
} from "./outbox.ts";

/** Of one user; what more come is told each time: too often is safe, silence is not. */
const MOST_ALARMS = 500;
/** An alarm that is said again after so long is told again: somebody has not put it right. */
const SAID_AGAIN_MS = 25 * 60_000;

/**
 * What is to be told of an operator's alarms, and what stands then: an Alertmanager sends all alarms of a
 * group again with each that changes.
 */
export function newsOf(
  alarms: readonly OperatorAlarm[],
  standing: ReadonlyMap<string, ToldState>,
  now: number,
) {
  const changes: StateChange[] = [];
  const events: EventDraft[] = [];
  let room = MOST_ALARMS - [...standing.keys()].filter(isOfOperator).length;
  for (const { fingerprint, isFiring, alertname, severity, message, ...rest } of alarms) {
    const key = operatorState(fingerprint);
    const before = standing.get(key);
    if (changes.some((one) => one.key === key)) continue;
    const { runbookUrl, at: since } = rest;
    const { toldAt = 0 } = before ?? {};
    const isKnown = before?.since === since && now - toldAt < SAID_AGAIN_MS;
    if (isFiring ? isKnown : before === undefined) continue;
    events.push({
      type: isFiring ? "operator.alarm" : "operator.resolved",
      severity: isFiring ? severity : "info",
      message,
      facts: { alertname, ...(runbookUrl !== undefined && { runbookUrl }) },
    });
    if (before === undefined && room <= 0) continue;
    if (before === undefined) room -= 1;
    changes.push({ key, before, after: isFiring ? { since, toldAt: now } : undefined });
  }
  return { changes, events };
}
