import type { Alarm, AlarmListener } from "../trading/alarms/alarm.ts";
import { AlarmBoard } from "../trading/alarms/alarm-board.ts";
import { ALARMS } from "../trading/alarms/declared-alarms.ts";
import type { Difference } from "../trading/lane/reconcile/reconcile-account.ts";
import { fieldsOfCopy } from "./copy-observer.ts";
import { CUT_REASONS, cutMessage, fieldsOfCut, fieldsOfIntent, SETTLED } from "./lane-observer.ts";
import type { LogFields } from "./log-fields.ts";
import type { Logger } from "./logger.ts";
import { fieldsOfEvaluation } from "./strategy-observer.ts";

/** Where the alarms of a process are raised; they are logged from the start. */
export function openAlarms(log: Logger): AlarmBoard {
  const alarms = new AlarmBoard((error) =>
    log.error("An alarm was not brought everywhere", { error }),
  );
  alarms.listen(createAlarmLog(log));
  return alarms;
}

/** Writes each alarm as an error: a person has to see it, however much it matters. */
export function createAlarmLog(log: Logger): AlarmListener {
  return {
    raised: (alarm) => {
      const line = lineOf(alarm);
      if (line === undefined) return;
      const { message = ALARMS[alarm.kind].message, ...fields } = line;
      log.error(message, fields);
    },
    cleared: ({ kind }) => {
      if (kind === "storeRefused") log.warn("The store is as it was, and is used again");
    },
  };
}

type Line = LogFields & { readonly message?: string };

/** Undefined where whatever leads to it has a line of its own. */
function lineOf(alarm: Alarm): Line | undefined {
  switch (alarm.kind) {
    case "unprotected":
    case "outOfStep":
    case "loginRefused":
    case "connectionRefused":
      return undefined;
    case "storeRefused":
    case "storeUnsafe":
    case "diskNeedsRoom":
    case "memoryNeedsRoom":
    case "storeSlow":
    case "startedUnsafe":
    case "clockApart":
      return { reason: alarm.reason };
    case "exitPlanHeld": {
      const { accountId, contract: symbol, reason } = alarm;
      return { accountId, symbol, reason };
    }
    case "moneyDiffers":
    case "guardBlind":
    case "guardNotFlat":
    case "accountLocked":
    case "guardsUnjudged":
    case "calendarExpired":
      return { accountId: alarm.accountId, reason: alarm.reason };
    case "noRoom":
    case "alarmsFull":
      return { count: alarm.count };
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
      return { message: SETTLED, ...fieldsOfIntent(alarm.record) };
    case "orderNameless": {
      const { accountId, intentId, reason } = alarm;
      return { accountId, intentId, reason };
    }
    case "strategyContradicted":
      return fieldsOfIntent(alarm.record);
    case "exitsNotAsAsked": {
      const { connectionId, accountId, orderId, contract: symbol, reason } = alarm;
      return { connectionId, accountId, orderId, symbol, reason };
    }
    case "legDropped":
      return { message: cutMessage(alarm.cut), ...fieldsOfCut(alarm.accountId, alarm.cut) };
    case "legLost": {
      const { orderId, contract: symbol, role: kind } = alarm.leg;
      return { accountId: alarm.accountId, orderId, symbol, kind };
    }
    case "legStuck": {
      const reason = `${CUT_REASONS[alarm.cut.why]}; the last answer: ${alarm.reason}`;
      return { ...fieldsOfCut(alarm.accountId, alarm.cut), reason };
    }
    case "positionTurned":
      return { accountId: alarm.accountId, symbol: alarm.contract, qty: alarm.netQty };
    case "feedFailed":
      return { connectionId: alarm.connectionId, reason: alarm.reason };
    case "unexplained":
      return { accountId: alarm.accountId, ...fieldsOfDifference(alarm.difference) };
    case "fillCorrected": {
      const { orderId, contract: symbol, lastQty: qty, takenBack, execId } = alarm.fill;
      const what = takenBack === true ? "It was taken back" : "It has another quantity or price";
      const reason = `${what}: fill ${execId}`;
      return { accountId: alarm.accountId, orderId, symbol, qty, reason };
    }
    case "jobDropped":
      return { accountId: alarm.accountId, intentId: alarm.jobId };
    case "followerStopped":
      return { ...fieldsOfCopy(alarm.entry), reason: alarm.reason };
    case "followerDrifted": {
      const { entry, heldQty: qty, dueQty } = alarm;
      return { ...fieldsOfCopy(entry), qty, reason: `It is to hold ${dueQty}` };
    }
    case "strategyMissed": {
      const { missedSlots: count = 1 } = alarm.evaluation;
      return { ...fieldsOfEvaluation(alarm.evaluation), count };
    }
    case "strategyNotCarriedOut":
      return fieldsOfEvaluation(alarm.evaluation);
    case "answerMissing":
      return { intentId: alarm.intentId, accountId: alarm.accountId };
    case "exitTakenForRepeat":
    case "exitAlertRefused": {
      const { intentId, accountId, requestId, reason: why } = alarm;
      return { intentId, accountId, requestId, reason: why };
    }
    case "alertNotLogged": {
      const { intentId, accountId, requestId, error } = alarm;
      return { intentId, accountId, requestId, error };
    }
  }
}

function fieldsOfDifference(difference: Difference): LogFields {
  const { kind, contract } = difference;
  if (kind === "position") {
    const { expectedQty, foundQty } = difference;
    const reason = `The broker holds ${foundQty}, and ${expectedQty} is explained; taken over`;
    return { kind, symbol: contract, qty: foundQty, reason };
  }
  const { intentId, orderId, clOrdId } = difference;
  const reason =
    kind === "lateOrder"
      ? `The order works or was filled, and its intent had ended as ${difference.state}`
      : "The order carries an identifier of this gateway, and no intent sent it";
  return { kind, symbol: contract, intentId, orderId, clOrdId, reason };
}
