import type { AlertEntry, LoggedAlert } from "../../trading/alerts/alert-log.ts";
import type { IntentRecord } from "../../domain/intent.ts";
import type { IntentResult, OrderResult } from "../../domain/intent-result.ts";
import type { OrderId } from "../../domain/ids.ts";
import type { Severity } from "../../domain/severity.ts";
import { alertOutcome } from "../../trading/alerts/alert-outcome.ts";
import { isRefusedExit, severityOfRefusal } from "../../trading/alerts/refused-exit.ts";
import { outcomeInWords, requestInWords } from "./alert-words.ts";
import { presentTime, presentTimeOrNull } from "./figures.ts";
import { presentIntent } from "./intent.ts";
import type { DescribeContract } from "../../trading/orders/describe-contract.ts";

/** One line of the alert log. */
export function presentLoggedAlert(alert: LoggedAlert, describe: DescribeContract) {
  const { entry } = alert;
  const intent = "intent" in alert ? alert.intent : undefined;
  return {
    alertId: entry.alertId,
    webhookId: entry.webhookId,
    accountId: entry.accountId,
    outcome: alertOutcome(alert),
    code: codeOf(alert),
    reason: reasonOf(alert, describe),
    severity: severityOf(alert),
    read: entry.request === undefined ? null : requestInWords(entry.request),
    symbol: symbolOf(alert, describe),
    place: entry.place ?? null,
    test: entry.test === true,
    duplicateOf: "ending" in alert && alert.ending.kind === "duplicate" ? alert.ending.of : null,
    replayOf: entry.replayOf ?? null,
    groupId: entry.groupId ?? null,
    partOf: entry.partOf ?? null,
    children: "ending" in alert && alert.ending.kind === "split" ? alert.ending.parts : [],
    senderAlertId: entry.senderAlertId ?? null,
    unreadFields: entry.unread,
    orderIds: intent === undefined ? [] : orderIdsOf(intent),
    times: timesOf(entry, intent),
  };
}

/** Everything that is known of one alert. */
export function presentWholeAlert(alert: LoggedAlert, describe: DescribeContract) {
  const { entry } = alert;
  return {
    ...presentLoggedAlert(alert, describe),
    requestId: entry.requestId,
    sender: entry.sender,
    profile: entry.profile,
    body: entry.body,
    bodyBytes: entry.bodyBytes,
    decisions: decisionsOf(alert, describe),
    details: "ending" in alert && alert.ending.kind === "refused" ? alert.ending.details : [],
    intent: "intent" in alert ? presentIntent(alert.intent, describe) : null,
  };
}

function codeOf(alert: LoggedAlert): string | null {
  if ("ending" in alert) return alert.ending.kind === "refused" ? alert.ending.code : null;
  const { outcome } = alert.intent;
  if (outcome?.kind === "overtaken") return "OVERTAKEN_BY_EXIT";
  return outcome?.kind === "denied" ? outcome.code : null;
}

function reasonOf(alert: LoggedAlert, describe: DescribeContract): string | null {
  if ("intent" in alert) {
    const { outcome } = alert.intent;
    return outcome === undefined ? null : outcomeInWords(outcome, describe);
  }
  const { ending } = alert;
  switch (ending.kind) {
    case "refused":
      return ending.message;
    case "duplicate":
      return `It repeats alert ${ending.of}`;
    case "split":
      return `It went to ${ending.parts.length} ${ending.parts.length === 1 ? "account" : "accounts"} of its group: each has its own outcome`;
  }
}

/** How much a refusal matters. */
function severityOf(alert: LoggedAlert): Severity | null {
  if (!("ending" in alert) || alert.ending.kind !== "refused") return null;
  return severityOfRefusal(isRefusedExit(alert.entry, alert.ending));
}

/** The contract that was traded, or that the symbol was resolved to. */
function symbolOf(alert: LoggedAlert, describe: DescribeContract): string | null {
  const result = "intent" in alert ? resultOf(alert.intent) : undefined;
  const traded = result !== undefined && "contract" in result ? result.contract : undefined;
  const contract = traded ?? alert.entry.contract;
  return contract === undefined ? null : describe(contract).symbol;
}

function resultOf({ outcome }: IntentRecord): IntentResult | undefined {
  return outcome?.kind === "done" ? outcome.result : undefined;
}

/** What was decided, in its order: before the lane, and by what the account held. */
function decisionsOf(alert: LoggedAlert, describe: DescribeContract): readonly string[] {
  const { request, contract, decisions } = alert.entry;
  const asked = request?.kind === "order" ? request.ticket.symbol : request?.symbol;
  const resolved = contract === undefined ? undefined : describe(contract).symbol;
  const traded = symbolOf(alert, describe);
  return [
    ...decisions,
    ...(asked === undefined || resolved === undefined || asked === resolved
      ? []
      : [`${asked} is ${resolved}`]),
    ...(traded === null || resolved === undefined || traded === resolved
      ? []
      : [`It went to ${traded}, which is held`]),
  ];
}

function orderIdsOf(intent: IntentRecord): readonly OrderId[] {
  const result = resultOf(intent);
  if (result === undefined) return [];
  switch (result.kind) {
    case "PLACE": {
      const closes = result.closed ?? [];
      return [...new Set([...closes.map(({ orderId }) => orderId), ...idsOf(result.order)])];
    }
    case "ADJUST":
      return [
        ...result.closed.map(({ orderId }) => orderId),
        ...exitIdsOf(result),
        ...(result.order === undefined ? [] : idsOf(result.order)),
      ];
    case "FLATTEN":
      return result.closed.map(({ orderId }) => orderId);
    case "PROTECT":
      return [result.takeProfitOrderId, result.stopLossOrderId].filter((id) => id !== undefined);
    case "CANCEL":
    case "CANCEL_ENTRIES":
    case "MODIFY":
    case "TIMEOUT":
    case "TEST":
      return [];
  }
}

function exitIdsOf({ exits }: Extract<IntentResult, { kind: "ADJUST" }>): readonly OrderId[] {
  if (exits?.kind !== "standing") return [];
  return [exits.takeProfitOrderId, exits.stopLossOrderId].filter((id) => id !== undefined);
}

function idsOf({ orderId, takeProfitOrderId, stopLossOrderId }: OrderResult): readonly OrderId[] {
  return [orderId, takeProfitOrderId, stopLossOrderId].filter((id) => id !== undefined);
}

/** When it passed each stage, by Redis' clock. */
function timesOf(entry: AlertEntry, intent: IntentRecord | undefined) {
  const result = intent === undefined ? undefined : resultOf(intent);
  const order = result?.kind === "PLACE" || result?.kind === "ADJUST" ? result.order : undefined;
  const sentAt = intent?.sentAt;
  const acknowledgedAt =
    sentAt === undefined || order?.ackMs === undefined ? undefined : sentAt + order.ackMs;
  return {
    received: presentTime(entry.receivedAt),
    enqueued: presentTimeOrNull(intent?.acceptedAt),
    sent: presentTimeOrNull(sentAt),
    acknowledged: presentTimeOrNull(acknowledgedAt),
    settled: presentTimeOrNull(intent?.settledAt),
  };
}
