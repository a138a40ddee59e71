import type { AccountId } from "../../domain/ids.ts";
import type { Alarm, AlarmListener, Clearing, StateAlarm } from "../alarms/alarm.ts";
import { isState, keyOf } from "../alarms/alarm-board.ts";
import { ALARMS } from "../alarms/declared-alarms.ts";
import type { EventDraft } from "./outbox.ts";

export interface TellAlarmsDeps {
  /** To the account's user, or to everybody where it is of none. Never throws. */
  readonly note: (account: AccountId | undefined, event: EventDraft) => void;
  /** Unix ms. */
  readonly now: () => number;
}

interface Told {
  readonly accountId?: AccountId;
  readonly reason?: string;
}

/** Notes alarms that nothing else tells of: what an intent came to, and what stands, is told by itself. */
export function createTellAlarms({ note, now }: TellAlarmsDeps): AlarmListener {
  /** States that stand, by what they are of: other figures of one are no other state. */
  const standing = new Set<string>();

  const tell = (alarm: Alarm): void => {
    const of = whatIsTold(alarm);
    if (of === undefined) return;
    if (isState(alarm)) {
      if (standing.has(keyOf(alarm))) return;
      standing.add(keyOf(alarm));
    }
    const { message, advice, severity } = ALARMS[alarm.kind];
    const where = of.accountId === undefined ? "" : `${of.accountId}: `;
    const reason = of.reason === undefined ? "" : ` (${of.reason})`;
    note(of.accountId, {
      type: "attention.needed",
      severity,
      ...(of.accountId !== undefined && { accountId: of.accountId }),
      message: `${where}${message}${reason}`,
      advice,
      facts: { cause: alarm.kind, since: new Date(now()).toISOString() },
    });
  };
  const tellOver = (alarm: StateAlarm, how: Clearing): void => {
    const of = whatIsTold(alarm);
    if (of === undefined || !standing.delete(keyOf(alarm))) return;
    // Nobody knows that it is over. Where it is found again, it is told again: too often is safe.
    if (how === "unseen") return;
    note(of.accountId, {
      type: "attention.over",
      severity: "info",
      ...(of.accountId !== undefined && { accountId: of.accountId }),
      message: `It is over: ${ALARMS[alarm.kind].message}`,
      facts: { cause: alarm.kind, since: new Date(now()).toISOString() },
    });
  };
  return { raised: tell, cleared: tellOver };
}

function whatIsTold(alarm: Alarm): Told | undefined {
  switch (alarm.kind) {
    case "orderNameless":
    case "exitsNotAsAsked":
    case "exitTakenForRepeat":
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
    case "clockApart":
      return { reason: alarm.reason };
    // Its line of the ledger is an event of its own.
    case "fillCorrected":
      return undefined;
    // Each ends an intent or an alert, whose end is noted in that step.
    case "outcomeUnknown":
    case "orderLost":
    case "exitExpired":
    case "exitNotSent":
    case "exitRefused":
    case "exitIncomplete":
    case "exitUnfinished":
    case "exitHeld":
    case "exitAlertRefused":
    case "protectionFailed":
    case "exitsMissing":
    case "strategyContradicted":
      return undefined;
    // Found in what stands (`watch-states.ts`).
    case "unprotected":
    case "outOfStep":
    case "exitPlanHeld":
    case "guardBlind":
    case "guardNotFlat":
    case "accountLocked":
    case "guardsUnjudged":
    case "calendarExpired":
    case "loginRefused":
    case "connectionRefused":
    case "feedFailed":
    case "followerStopped":
    case "followerDrifted":
    case "strategyMissed":
    case "strategyNotCarriedOut":
    case "storeUnsafe":
    case "diskNeedsRoom":
    case "memoryNeedsRoom":
    case "storeSlow":
      return undefined;
    // Nothing can be written while the store is refused; what is written into Redis then is not told.
    case "storeRefused":
      return undefined;
  }
}
