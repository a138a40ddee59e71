import { type ContractCode, symbolOfCode } from "../../domain/contracts/contract.ts";
import { declaredEvent, type FactsOf } from "../../domain/notify/event.ts";
import {
  type Intent,
  type IntentRecord,
  type IntentState,
  isGoingOn,
  isUnsettled,
  type Outcome,
} from "../../domain/intent.ts";
import { canceledIn } from "../../domain/notify/told-outcome.ts";
import type { Side } from "../../domain/order.ts";
import type { EventAlarm, EventKind } from "../alarms/alarm.ts";
import { ALARMS } from "../alarms/declared-alarms.ts";
import { alarmOfIntent } from "../alarms/intent-alarm.ts";
import type { EventDraft } from "./outbox.ts";

type OrderEventType =
  | "order.canceled"
  | "order.rejected"
  | "order.refused"
  | "order.expired"
  | "order.overtaken"
  | "order.not_sent"
  | "order.settled"
  | "order.incomplete"
  | "exit.done"
  | AlarmingType;

type AlarmingType =
  | "order.outcome_unknown"
  | "order.lost"
  | "exit.failed"
  | "exit.unfinished"
  | "exit.held"
  | "position.unprotected";

/** The alarms of intents, as they are told. */
const TOLD_AS: Readonly<Partial<Record<EventKind, AlarmingType>>> = {
  outcomeUnknown: "order.outcome_unknown",
  orderLost: "order.lost",
  exitExpired: "exit.failed",
  exitNotSent: "exit.failed",
  exitRefused: "exit.failed",
  exitIncomplete: "exit.failed",
  exitUnfinished: "exit.unfinished",
  exitHeld: "exit.held",
  protectionFailed: "position.unprotected",
  exitsMissing: "position.unprotected",
};

/** An exit that was carried out against the strategy's own order has not failed. */
function toldAs({ kind }: EventAlarm, outcome: Outcome): OrderEventType | undefined {
  if (kind !== "strategyContradicted") return TOLD_AS[kind];
  return outcome.kind === "denied" ? "order.refused" : "order.incomplete";
}

/** What is told of how an intent ended; undefined where its fills tell it, or nobody needs to know. */
export function eventOfIntent(record: IntentRecord, before: IntentState): EventDraft | undefined {
  const { outcome, accountId, test } = record;
  if (outcome === undefined || test === true) return undefined;
  const alarm = alarmOfIntent(record);
  const type = (alarm && toldAs(alarm, outcome)) ?? typeOf(outcome, before);
  if (type === undefined) return undefined;
  const said = alarm && ALARMS[alarm.kind];
  const reason = reasonOf(outcome);
  const ending = said?.message ?? WORDS[type as keyof typeof WORDS];
  const why = reason === undefined ? "" : `: ${reason}`;
  return {
    type,
    severity: said?.severity ?? declaredEvent(type).severity,
    accountId,
    message: `${accountId}: ${intentInWords(record.intent)}. ${ending}${why}`,
    ...(said !== undefined && { advice: said.advice }),
    facts: factsOf(record, outcome, reason),
  };
}

const WORDS = {
  "order.incomplete": "Not all of it was carried out",
  "order.canceled": "Cancelled",
  "order.rejected": "The broker refused it",
  "order.refused": "The gateway refused it",
  "order.expired": "It grew too old and was not sent",
  "order.overtaken": "A later exit, target or copy took its place: nothing more of it is sent",
  "order.not_sent": "It was not sent",
  "order.settled": "What was unknown is settled: it was carried out",
  "exit.done": "It was not done at first, and is now",
} as const;

/** The type of an ending that raises no alarm. */
function typeOf(outcome: Outcome, before: IntentState): OrderEventType | undefined {
  switch (outcome.kind) {
    case "rejected":
      return "order.rejected";
    case "denied":
      return "order.refused";
    case "expired":
      return "order.expired";
    case "overtaken":
      return "order.overtaken";
    case "notSent":
    case "withdrawn":
      return "order.not_sent";
    case "done": {
      const { result } = outcome;
      if ("problems" in result && (result.problems ?? []).length > 0) return "order.incomplete";
      if (isGoingOn(before)) return "exit.done";
      if (before === "UNKNOWN" || !isUnsettled(before)) return "order.settled";
      return canceledIn(result).length > 0 ? "order.canceled" : undefined;
    }
    // Told as the alarms that they are.
    case "unknown":
    case "unfinished":
    case "held":
    case "lost":
    case "unprotected":
      return undefined;
  }
}

function reasonOf(outcome: Outcome): string | undefined {
  if ("reason" in outcome && outcome.reason !== "") return outcome.reason;
  if (outcome.kind !== "done" || !("problems" in outcome.result)) return undefined;
  const problems = outcome.result.problems ?? [];
  return problems.length === 0 ? undefined : problems.join(". ");
}

function factsOf(
  { intentId, intent, source }: IntentRecord,
  outcome: Outcome,
  reason: string | undefined,
): FactsOf<OrderEventType> {
  const { contract, side, qty: asked } = traded(intent);
  const result = outcome.kind === "done" ? outcome.result : undefined;
  const order = result !== undefined && "order" in result ? result.order : undefined;
  // Of what is sized by its risk it is known once that is ordered.
  const qty = result?.kind === "PLACE" ? (result.orderQty ?? asked) : asked;
  return {
    intentId,
    ...(source.kind === "webhook" && { alertId: intentId }),
    ...(order !== undefined && { orderId: order.orderId }),
    ...(contract !== undefined && { symbol: symbolOfCode(contract) }),
    ...(side !== undefined && { action: side === "BUY" ? "buy" : "sell" }),
    ...(qty !== undefined && { qty }),
    source: source.kind,
    outcome: outcome.kind,
    ...(outcome.kind === "denied" && { code: outcome.code }),
    ...(reason !== undefined && { reason }),
  };
}

interface Traded {
  readonly contract?: ContractCode | undefined;
  readonly side?: Side;
  readonly qty?: number;
}

function traded(intent: Intent): Traded {
  switch (intent.kind) {
    case "PLACE":
      return {
        contract: intent.order.contract,
        side: intent.order.side,
        ...(intent.handling?.size === undefined && { qty: intent.order.orderQty }),
      };
    case "ADJUST":
    case "PROTECT":
    case "FLATTEN":
    case "CANCEL_ENTRIES":
      return { contract: intent.contract };
    case "TIMEOUT":
      return { contract: intent.contract, side: intent.side };
    case "CANCEL":
    case "MODIFY":
      return {};
  }
}

/** For people: what was wanted. */
function intentInWords(intent: Intent): string {
  const { contract, side, qty } = traded(intent);
  const symbol = contract === undefined ? "" : ` ${symbolOfCode(contract)}`;
  switch (intent.kind) {
    case "PLACE":
      return `${side === "BUY" ? "Buy" : "Sell"}${qty === undefined ? "" : ` ${qty}`}${symbol}`;
    case "ADJUST":
      return `A target in${symbol}`;
    case "PROTECT":
      return `Exits for${symbol === "" ? " a position" : symbol}`;
    case "FLATTEN":
      return intent.root === undefined ? "Flatten everything" : `Flatten ${intent.root}`;
    case "CANCEL_ENTRIES":
      return "Cancel the resting entries";
    case "CANCEL":
      return `Cancel the order ${intent.orderId}`;
    case "MODIFY":
      return `Change the order ${intent.orderId}`;
    case "TIMEOUT":
      return `End the entry in${symbol} that has rested too long`;
  }
}
