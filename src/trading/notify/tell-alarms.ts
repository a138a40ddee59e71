import type { AccountId, ConnectionId } from "../../domain/ids.ts";
import type { Alarm, AlarmListener } from "../alarms/alarm.ts";
import { ALARMS } from "../alarms/declared-alarms.ts";
import type { EventDraft } from "./outbox.ts";

export interface TellAlarmsDeps {
  /** Of an account's user, of a connection's user, or of everybody. Never throws. */
  readonly note: (of: Told, event: EventDraft) => void;
  /** Unix ms. */
  readonly now: () => number;
}

export interface Told {
  readonly accountId?: AccountId;
  readonly connectionId?: ConnectionId;
}

/** Notes alarms that nothing else tells of: what an intent came to, and what stands, is told by itself. */
export function createTellAlarms({ note, now }: TellAlarmsDeps): AlarmListener {
  const tell = (alarm: Alarm): void => {
    const of = whatIsTold(alarm);
    if (of === undefined) return;
    const { message, advice, severity } = ALARMS[alarm.kind];
    const where = of.accountId === undefined ? "" : `${of.accountId}: `;
    const reason = of.reason === undefined ? "" : ` (${of.reason})`;
    const { reason: _, ...told } = of;
    note(told, {
      type: "attention.needed",
      severity,
      ...told,
      message: `${where}${message}${reason}`,
      advice,
      facts: { cause: alarm.kind, since: new Date(now()).toISOString() },
    });
  };
  return { raised: tell, cleared: () => undefined };
}

function whatIsTold(alarm: Alarm): (Told & { readonly reason?: string }) | undefined {
  switch (alarm.kind) {
    case "exitsNotAsAsked":
    case "legStuck": {
      const { accountId, reason } = alarm;
      return { accountId, reason };
    }
    case "legDropped":
    case "legLost":
    case "positionTurned":
    case "unexplained":
    case "jobDropped":
    case "answerMissing":
    case "alertNotLogged":
      return { accountId: alarm.accountId };
    case "moneyDiffers":
      return { accountId: alarm.accountId, reason: alarm.reason };
    case "noRoom":
    case "alarmsFull":
      return {};
    case "startedUnsafe":
      return { reason: alarm.reason };
    // Each ends an intent, whose end is noted in that step.
    case "outcomeUnknown":
    case "orderLost":
    case "exitExpired":
    case "exitNotSent":
    case "flattenIncomplete":
    case "protectionFailed":
    case "exitsMissing":
      return undefined;
    // Found in what stands (`watch-states.ts`).
    case "unprotected":
    case "outOfStep":
    case "loginRefused":
    case "connectionRefused":
    case "feedFailed":
    case "followerStopped":
    case "followerDrifted":
    case "strategyMissed":
    case "strategyNotCarriedOut":
    case "storeUnsafe":
    case "diskNeedsRoom":
      return undefined;
    // Nothing can be written while the store is refused; what is written into Redis then is not told.
    case "storeRefused":
      return undefined;
  }
}
