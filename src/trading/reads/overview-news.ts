import type { Alarm, AlarmListener } from "../alarms/alarm.ts";
import type { ChangeFeed } from "../changes.ts";

/**
 * The overview finds its troubles anew each time it is read, so an alarm has it read again, in whichever
 * process it is shown.
 */
export function createOverviewNews({ publish }: Pick<ChangeFeed, "publish">): AlarmListener {
  const changed = (alarm: Alarm): void => {
    switch (alarm.kind) {
      case "unprotected":
      case "outOfStep":
      case "moneyDiffers":
      case "exitPlanHeld":
      case "guardBlind":
      case "guardNotFlat":
      case "accountLocked":
      case "guardsUnjudged":
      case "calendarExpired":
        return publish({ accountId: alarm.accountId }, "overview");
      case "followerStopped":
      case "followerDrifted":
        return publish({ accountId: alarm.entry.follower }, "overview");
      // A connection's stream tells of it.
      case "noRoom":
      case "loginRefused":
      case "connectionRefused":
        return;
      // Nothing of the store can be told while it is refused; its findings are read with the rest.
      case "storeRefused":
      case "storeUnsafe":
      case "diskNeedsRoom":
      case "memoryNeedsRoom":
      case "storeSlow":
      case "startedUnsafe":
        return;
      // Every intent and every evaluation that ends is told by itself.
      case "outcomeUnknown":
      case "orderLost":
      case "exitExpired":
      case "exitNotSent":
      case "exitRefused":
      case "exitIncomplete":
      case "exitUnfinished":
      case "exitHeld":
      case "protectionFailed":
      case "exitsMissing":
      case "strategyContradicted":
      case "strategyMissed":
      case "strategyNotCarriedOut":
      case "orderNameless":
        return;
      // Not on the overview themselves; the exits that they miss are.
      case "alarmsFull":
      case "clockApart":
      case "exitsNotAsAsked":
      case "legDropped":
      case "legLost":
      case "legStuck":
      case "positionTurned":
      case "feedFailed":
      case "unexplained":
      case "fillCorrected":
      case "jobDropped":
      case "answerMissing":
      case "exitAlertRefused":
      case "exitTakenForRepeat":
      case "alertNotLogged":
        return;
    }
  };
  return { raised: changed, cleared: changed };
}
