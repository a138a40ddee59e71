import type { CommandFailure } from "../../trading/ports.ts";
import { isRecord } from "./frames.ts";
import { parsePenalty } from "./parse.ts";
import type { TradovateAnswer, TradovatePenalty } from "./wire.ts";

/**
 * Every failureReason of the specification. A refusal is the broker's word that nothing was done.
 * Two of them are none: the risk check that did not finish may still let the order through, and an
 * unknown reason says nothing at all. `Success` without the order's id says nothing either. None of
 * them is `notSent`: that the broker answered shows that it was.
 */
export const FAILURE_REASONS: Readonly<Record<string, "rejected" | "unknown">> = {
  AccountClosed: "rejected",
  AdvancedTrailingStopUnsupported: "rejected",
  AnotherCommandPending: "rejected",
  BackMonthProhibited: "rejected",
  ExecutionProviderNotConfigured: "rejected",
  ExecutionProviderUnavailable: "rejected",
  InvalidContract: "rejected",
  InvalidPrice: "rejected",
  KeyInformationDocumentRequired: "rejected",
  LiquidationOnly: "rejected",
  LiquidationOnlyBeforeExpiration: "rejected",
  MaxOrderQtyIsNotSpecified: "rejected",
  MaxOrderQtyLimitReached: "rejected",
  MaxPosLimitMisconfigured: "rejected",
  MaxPosLimitReached: "rejected",
  MaxTotalPosLimitReached: "rejected",
  MultipleAccountPlanRequired: "rejected",
  NoQuote: "rejected",
  NotEnoughLiquidity: "rejected",
  OtherExecutionRelated: "rejected",
  ParentRejected: "rejected",
  RiskCheckTimeout: "unknown",
  SSFRiskDisclosureAcknowledgmentRequired: "rejected",
  SessionClosed: "rejected",
  Success: "unknown",
  TooLate: "rejected",
  TradingLocked: "rejected",
  TrailingStopNonOrderQtyModify: "rejected",
  Unauthorized: "rejected",
  UnknownReason: "unknown",
  Unsupported: "rejected",
};

/** What an answer to a command says, before anybody looks for the ids in it. */
export type CommandAnswer =
  | { readonly kind: "taken"; readonly data: Readonly<Record<string, unknown>> }
  /** Nothing was done; the same may be sent again with the ticket. */
  | { readonly kind: "penalty"; readonly penalty: TradovatePenalty }
  /** Nothing was done: the token has ended, or it is not allowed. */
  | { readonly kind: "unauthorized"; readonly reason: string }
  /** Nothing was done: too many requests, of which the broker warns with 423. */
  | { readonly kind: "tooMany"; readonly isLockout: boolean; readonly reason: string }
  | CommandFailure;

export function classifyAnswer(answer: TradovateAnswer): CommandAnswer {
  const { status, data } = answer;
  const penalty = penaltyIn(answer);
  if (penalty !== undefined) return { kind: "penalty", penalty };
  if (status === 200) return classifyBody(data);
  const reason = wordsOf(data) ?? `Tradovate answered ${status}`;
  // Statuses before the command was looked at. 408 may be a dead token or a slow server.
  switch (status) {
    case 401:
      return { kind: "unauthorized", reason };
    case 403:
      return { kind: "notSent", reason };
    case 400:
    case 404:
      return { kind: "rejected", reason };
    case WARNING:
    case LOCKOUT:
      return { kind: "tooMany", isLockout: status === LOCKOUT, reason };
    default:
      return { kind: "unknown", reason };
  }
}

/** Statuses for too many requests: the warning, and what follows where it is not heeded. */
const WARNING = 423;
const LOCKOUT = 429;
const WITH_PENALTIES: ReadonlySet<number> = new Set([200, WARNING, LOCKOUT]);

/** Nothing was done, and the same may be asked again with the ticket, whatever status that comes with. */
export const penaltyIn = ({ status, data }: TradovateAnswer): TradovatePenalty | undefined =>
  WITH_PENALTIES.has(status) ? parsePenalty(data) : undefined;

/** The limit that an answer reports, if any. A penalty has its own time, and locks nothing out. */
export function limitIn(answer: TradovateAnswer): "warning" | "lockout" | undefined {
  if (penaltyIn(answer) !== undefined) return undefined;
  if (answer.status === LOCKOUT) return "lockout";
  return answer.status === WARNING ? "warning" : undefined;
}

function classifyBody(data: unknown): CommandAnswer {
  if (!isRecord(data)) return { kind: "unknown", reason: "Tradovate's answer cannot be read" };
  const { failureReason, ok, violations } = data;
  const reason = wordsOf(data) ?? "Tradovate gave no reason";
  if (typeof failureReason === "string" && failureReason !== "Success") {
    return { kind: FAILURE_REASONS[failureReason] ?? "unknown", reason };
  }
  const isRefused =
    ok === false ||
    isText(data["errorText"]) ||
    (Array.isArray(violations) && violations.length > 0) ||
    (failureReason === undefined && isText(data["failureText"]));
  return isRefused ? { kind: "rejected", reason } : { kind: "taken", data };
}

/** The broker's words in an answer; undefined when it has none. */
export function wordsOf(data: unknown): string | undefined {
  if (isText(data)) return data;
  if (!isRecord(data)) return undefined;
  const { failureReason, failureText, errorText, violations } = data;
  const said = [failureText, errorText, violationWords(violations), failureReason].find(isText);
  const isRepeated = said === undefined || !isText(failureReason) || said === failureReason;
  return isRepeated ? said : `${said} (${failureReason})`;
}

function violationWords(violations: unknown): string | undefined {
  if (!Array.isArray(violations)) return undefined;
  const words = (violations as readonly unknown[]).flatMap((one) =>
    isRecord(one) && isText(one["description"]) ? [one["description"]] : [],
  );
  return words.length === 0 ? undefined : words.join("; ");
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** What Tradovate, and services like it, call credentials that will never do. */
const CREDENTIALS = new RegExp(
  [
    String.raw`\b(?:incorrect|invalid|wrong) (?:\w+ ){0,2}?(?:user ?name|password|credentials?|app(?: ?id)?|cid|sec(?:ret)?|api ?key)\b`,
    String.raw`\b(?:user ?name|password|credentials?)\b[^.]*\b(?:incorrect|invalid|wrong|expired)\b`,
    String.raw`\b(?:user|app|application) (?:is |was )?not (?:found|registered)\b`,
    String.raw`\bunknown user\b`,
  ].join("|"),
  "i",
);
const TEMPORARY =
  /\b(temporar|unavailable|maintenance|timed? ?out|too many|rate limit|busy|server error|internal error)/i;

/**
 * Whether a refused login would be refused again for as long as nobody changes the credentials: sent
 * again and again, wrong ones lock the user out. All other words, also those that nobody has seen
 * before, may pass by themselves.
 */
export const areCredentialsRefused = (words: string): boolean =>
  CREDENTIALS.test(words) && !TEMPORARY.test(words);
