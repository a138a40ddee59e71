import { type ErrorCode, ERRORS, errors, GatewayError } from "../../errors.ts";
import type { IntentId } from "../../domain/ids.ts";
import {
  closedSoFar,
  type IntentKind,
  type IntentRecord,
  isGoingOn,
  type Outcome,
  stateOf,
} from "../../domain/intent.ts";
import type { IntentResult } from "../../domain/intent-result.ts";
import { type Answer, errorAnswer } from "../answer.ts";
import { presentTime } from "./figures.ts";
import type { Settled } from "../../trading/orders/order-uses.ts";
import { StoreError, TOO_SLOW } from "../../trading/store-error.ts";

/** What an intent that ended well achieved, and the record it is told from. */
export interface Achieved<Kind extends IntentResult["kind"]> {
  readonly record: IntentRecord;
  readonly result: Extract<IntentResult, { kind: Kind }>;
}

const REPLAYED: Readonly<Record<string, string>> = { "Idempotency-Replayed": "true" };

/**
 * The answer of `/v1` to how an intent ended. A replay's body is the first answer's to the byte:
 * nothing in it may come from the request at hand.
 */
export function settledAnswer<Kind extends IntentResult["kind"]>(
  { record, replayed }: Settled,
  {
    kind,
    status,
    present,
  }: {
    readonly kind: Kind;
    readonly status: number;
    readonly present: (achieved: Achieved<Kind>) => object;
  },
): Answer {
  const headers = replayed ? { headers: REPLAYED } : undefined;
  const { outcome } = record;
  if (goesOn(outcome)) {
    const result = resultOf(outcome.soFar, kind);
    const body = { ...presentGoingOn(record.intentId, outcome), ...present({ record, result }) };
    return { status: 202, body, ...headers };
  }
  if (outcome.kind !== "done") {
    return errorAnswer(outcomeError(record, outcome), record.requestId, headers);
  }
  const result = resultOf(outcome.result, kind);
  return { status, body: present({ record, result }), ...headers };
}

export function resultOf<Kind extends IntentResult["kind"]>(result: IntentResult, kind: Kind) {
  if (result.kind !== kind) throw new Error(`a ${kind} intent ended as ${result.kind}`);
  return result as Extract<IntentResult, { kind: Kind }>;
}

type GoesOn = Extract<Outcome, { kind: "unfinished" | "held" }>;

export const goesOn = (outcome: Outcome): outcome is GoesOn => isGoingOn(stateOf(outcome));

/** An exit that is not over: no error, since it is tried again by itself. */
export const presentGoingOn = (intentId: IntentId, outcome: GoesOn) => ({
  intentId,
  outcome: outcome.kind,
  reason: outcome.reason,
  opensAt: outcome.opensAt === undefined ? null : presentTime(outcome.opensAt),
});

/** Every outcome but `done`, and what goes on, as the public error it is. */
export function outcomeError(
  { intentId, intent }: IntentRecord,
  outcome: Exclude<Outcome, { kind: "done" } | GoesOn>,
  moreFacts?: Readonly<Record<string, unknown>>,
): GatewayError {
  const facts = { intentId, ...moreFacts };
  const error = (code: ErrorCode, message: string) => new GatewayError(code, message, { facts });
  const { reason } = outcome;
  const closed = GIVEN_UP.has(outcome.kind) ? closedSoFar(outcome) : [];
  if (closed.length > 0) {
    const told = closed.map(({ contract, netQty }) => ({ contract, netQty }));
    return new GatewayError("CLOSED_IN_PART", reason, { facts: { ...facts, closed: told } });
  }
  switch (outcome.kind) {
    case "denied":
      return denial(outcome, facts);
    case "rejected":
      return error(...rejection(intent.kind, reason));
    case "unprotected":
      return error("PROTECTION_REPLACE_FAILED", replaceFailed(outcome));
    case "notSent":
      return error("BROKER_UNAVAILABLE", `Nothing was sent to the broker: ${reason}`);
    case "lost":
      return error(
        "BROKER_UNAVAILABLE",
        intent.kind === "PLACE" ? `The broker never had the order: ${reason}` : reason,
      );
    case "overtaken":
      return error("OVERTAKEN_BY_EXIT", reason);
    case "expired":
    case "withdrawn":
      return error("INTENT_EXPIRED", reason);
    case "unknown":
      return error(
        "OUTCOME_UNKNOWN",
        `The broker did not confirm what became of it: ${reason}. Read intent ${intentId} before trying again`,
      );
  }
}

/** Endings of an exit that may have closed a part before. */
const GIVEN_UP: ReadonlySet<Outcome["kind"]> = new Set(["expired", "withdrawn", "overtaken"]);

function rejection(kind: IntentKind, reason: string): [ErrorCode, string] {
  switch (kind) {
    case "CANCEL":
      return ["CANCEL_REJECTED", `The broker refused the cancellation: ${reason}`];
    case "MODIFY":
      return ["MODIFY_REJECTED", `The broker refused the change: ${reason}`];
    case "PLACE":
    case "PROTECT":
    case "FLATTEN":
    case "CANCEL_ENTRIES":
    case "ADJUST":
    case "TIMEOUT":
      return ["BROKER_ORDER_REJECTED", `The broker refused the order: ${reason}`];
  }
}

function replaceFailed({
  canceled,
  reason,
  restored,
  standing,
}: Extract<Outcome, { kind: "unprotected" }>): string {
  if (restored) {
    return `The replacement failed: ${reason}. Cancelled: ${canceled}; the old levels were put back under new ids`;
  }
  if (standing === undefined) {
    return `The position is unprotected. Cancelled: ${canceled}. The replacement failed: ${reason}`;
  }
  const gone = canceled === "" ? "" : ` No longer there: ${canceled}.`;
  return `The position is not protected as asked. It still has: ${standing}.${gone} The replacement failed: ${reason}`;
}

function denial(
  { code, reason, details: named, opensAt }: Extract<Outcome, { kind: "denied" }>,
  facts: Readonly<Record<string, unknown>>,
): GatewayError {
  // The specification gives this one its words.
  const message = code === "ACCOUNT_INACTIVE" ? errors.accountInactive().message : reason;
  const whole = code === "VALIDATION_FAILED" ? [{ path: "body", message: reason }] : [];
  const details = named ?? whole;
  const moreFacts = opensAt === undefined ? facts : { ...facts, opensAt: presentTime(opensAt) };
  return new GatewayError(code, message, { details, facts: moreFacts });
}

/** Why it did not end well. */
export function reasonInWords(outcome: Exclude<Outcome, { kind: "done" }>): string {
  if (outcome.kind !== "unprotected") return outcome.reason;
  const { canceled, reason, standing } = outcome;
  const parts = [
    ...(canceled === "" ? [] : [`cancelled: ${canceled}`]),
    ...(standing === undefined ? [] : [`still there: ${standing}`]),
    `the replacement failed: ${reason}`,
  ];
  return parts.join("; ");
}

/**
 * Senders of alerts resend on every 5xx but 504. So a refusal is a 422 to them, and whatever may
 * have left something behind is a 504.
 */
const HOOK_STATUS: Readonly<Partial<Record<ErrorCode, number>>> = {
  BROKER_ORDER_REJECTED: 422,
  PROTECTION_REPLACE_FAILED: 422,
};

export function hookStatusOf(code: ErrorCode): number {
  return HOOK_STATUS[code] ?? ERRORS[code].status;
}

export function hookStatus({ spec }: GatewayError): number {
  return hookStatusOf(spec.code as ErrorCode);
}

/** The same error in the words of a webhook. */
export function errorForSender(error: GatewayError): GatewayError {
  const { cause, facts, spec } = error;
  if (spec.code === "UNAUTHORIZED") return errors.notFound("webhook");
  if (spec.status !== 500) return error;
  const isSlow = cause instanceof StoreError && cause.why === "slow";
  return new GatewayError(
    "ACCEPTANCE_UNKNOWN",
    `The gateway cannot say whether the alert was accepted${isSlow ? `, since its store ${TOO_SLOW}` : ""}; look it up before sending it again`,
    { cause, facts },
  );
}
