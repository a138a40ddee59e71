import type { AlarmListener } from "../trading/alarms/alarm.ts";
import type { Metrics } from "./metrics.ts";

/** Counts alarms. What stands is read on scrape, and how intents end is counted of all of them. */
export function createAlarmMetrics(metrics: Metrics): AlarmListener {
  return {
    raised: (alarm) => {
      switch (alarm.kind) {
        case "positionTurned":
          return metrics.reconciliationDifferences("turned");
        case "fillCorrected":
          return metrics.reconciliationDifferences("correctedFill");
        case "feedFailed":
          return metrics.reconciliationDifferences("feed");
        case "unexplained":
          return metrics.reconciliationDifferences(alarm.difference.kind);
        case "jobDropped":
          return metrics.deadLetter();
        case "followerStopped":
          return metrics.followerStopped();
        case "followerDrifted":
          return metrics.copyDrifted();
        case "strategyNotCarriedOut": {
          const { targetQty } = alarm.evaluation;
          return metrics.strategyUnsent(targetQty === 0 ? "exit" : "entry");
        }
        case "answerMissing":
          return metrics.answerMissing();
        // Gauges.
        case "unprotected":
        case "outOfStep":
        case "loginRefused":
        case "connectionRefused":
        case "noRoom":
        case "moneyDiffers":
        case "exitPlanHeld":
        case "guardBlind":
        case "guardNotFlat":
        case "accountLocked":
        case "guardsUnjudged":
        case "calendarExpired":
        case "storeRefused":
        case "storeUnsafe":
        case "diskNeedsRoom":
        case "memoryNeedsRoom":
        case "storeSlow":
        case "startedUnsafe":
          return;
        // Counted with all intents, alerts, evaluations and legs.
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
        case "strategyMissed":
        case "legDropped":
          return;
        // In the log only.
        case "orderNameless":
        case "exitTakenForRepeat":
        case "exitsNotAsAsked":
        case "legLost":
        case "legStuck":
        case "alertNotLogged":
        case "alarmsFull":
        case "clockApart":
          return;
      }
    },
    cleared: () => undefined,
  };
}
