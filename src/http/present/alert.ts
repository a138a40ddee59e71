import { type ErrorCode, GatewayError } from "../../errors.ts";
import { ACTION_OF } from "../words.ts";
import { type Answer, errorAnswer } from "../answer.ts";
import { presentAdjustment, presentTest } from "./adjust.ts";
import { groupAnswer } from "./account-group.ts";
import { commonStatus, failureOf } from "./many-answers.ts";
import { presentFlatten } from "./holding.ts";
import { presentOrder, presentProtection } from "./order.ts";
import { goesOn, outcomeError, presentGoingOn } from "./outcome.ts";
import type { DescribeContract } from "../../trading/orders/describe-contract.ts";
import type { HandledAlert, HandledMessage } from "../../trading/alerts/alert-uses.ts";
import type { Settled } from "../../trading/orders/order-uses.ts";

/** To whom an alert is answered: senders resend by the status, callers of `/v1` read its code. */
export interface AlertAudience {
  readonly describe: DescribeContract;
  readonly requestId: string;
  /** An error in the audience's words, and its status there. */
  readonly told: (error: GatewayError) => { readonly error: GatewayError; readonly status: number };
}

/**
 * The answer to one message: its alert's, or one for each alert of an array, or for each account of a
 * group, in their order.
 */
export function alertsAnswer(
  { isArray, alerts, group }: HandledMessage,
  audience: AlertAudience,
): Answer {
  const answers = alerts.map((alert) => alertAnswer(alert, audience));
  if (group !== undefined) {
    const { alertId, groupId, accounts, problems } = group;
    const isRepeat = alerts.every((alert) => "duplicate" in alert && alert.duplicate === true);
    const mark = isRepeat && { duplicate: true };
    const whole = { alertId, groupId, outcome: "split", ...mark, ...(problems && { problems }) };
    const answer = groupAnswer(whole, accounts, answers);
    return problems === undefined || answer.status >= 400 ? answer : { ...answer, status: 207 };
  }
  const [first] = answers;
  if (first !== undefined && !isArray) return first;
  const failure = failureOf(answers);
  if (failure !== undefined) return failure;
  const parts = answers.map((answer) => ({
    httpStatus: answer.status,
    ...(answer.body as object),
  }));
  return { status: commonStatus(answers), body: { alerts: parts } };
}

/** What became of one alert, as far as it is known in time. */
export function alertAnswer(alert: HandledAlert, audience: AlertAudience): Answer {
  const { alertId } = alert;
  if ("error" in alert) return refusal(withFacts(alert.error, { alertId }), audience);
  const { settled, duplicate, unread, notes } = alert;
  const ids = { alertId, intentId: alertId };
  const mark = {
    ...(duplicate === true && { duplicate }),
    ...(unread.length > 0 && { unreadFields: unread }),
    ...(notes !== undefined && { notes }),
  };
  if (settled === undefined) return { status: 202, body: { ...ids, outcome: "pending", ...mark } };

  const { record } = settled;
  const { outcome } = record;
  if (outcome.kind === "done") {
    return {
      status: 200,
      body: { alertId, intentId: alertId, ...presentDone(settled, audience.describe), ...mark },
    };
  }
  // Not an error to a sender: it must not send again what may be live at the broker.
  if (outcome.kind === "unknown") {
    return { status: 202, body: { ...ids, outcome: "unknown", ...mark } };
  }
  if (goesOn(outcome)) {
    return { status: 202, body: { alertId, ...presentGoingOn(alertId, outcome), ...mark } };
  }
  return refusal(outcomeError(record, outcome, { alertId, ...mark }), {
    ...audience,
    requestId: record.requestId,
  });
}

function refusal(error: GatewayError, { told, requestId }: AlertAudience): Answer {
  const answer = told(error);
  return errorAnswer(answer.error, requestId, { status: answer.status });
}

function withFacts(error: GatewayError, more: GatewayError["facts"]): GatewayError {
  const { cause, details, facts, message, spec } = error;
  return new GatewayError(spec.code as ErrorCode, message, {
    cause,
    details,
    facts: { ...facts, ...more },
  });
}

function presentDone({ record }: Settled, describe: DescribeContract): object {
  const { outcome, intent } = record;
  if (outcome.kind !== "done") return {};
  const { result } = outcome;
  switch (result.kind) {
    case "PLACE": {
      const action = intent.kind === "PLACE" ? ACTION_OF[intent.order.side] : undefined;
      return { outcome: "done", action, ...presentOrder({ record, result }, describe) };
    }
    case "FLATTEN":
      return { outcome: "done", ...presentFlatten({ record, result }, describe) };
    case "ADJUST":
      return { outcome: "done", ...presentAdjustment({ record, result }, describe) };
    case "PROTECT":
      return { outcome: "done", ...presentProtection({ record, result }, describe) };
    case "CANCEL_ENTRIES":
      return {
        outcome: "done",
        accountId: record.accountId,
        canceledOrders: result.canceledOrderIds,
      };
    case "TEST":
      return { outcome: "test", ...presentTest({ record, result }, describe) };
    // No alert asks for these; what is kept is told all the same.
    case "CANCEL":
    case "MODIFY":
    case "TIMEOUT":
      return { outcome: "done", accountId: record.accountId };
  }
}
