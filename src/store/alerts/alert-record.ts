import { hash } from "node:crypto";
import type { AlertRequest } from "../../domain/alert.ts";
import { type ContractCode, rootOfCode } from "../../domain/contracts/contract.ts";
import type { BracketTicket, LegTicket } from "../../domain/contracts/tick-reader.ts";
import type { IntentId } from "../../domain/ids.ts";
import type { Intent, IntentRecord } from "../../domain/intent.ts";
import type { Bracket, LegLevel } from "../../domain/order.ts";
import type { PreparedTerms } from "../../domain/order-ticket.ts";
import type { AlertEnding, AlertEntry, LoggedAlert } from "../../trading/alerts/alert-log.ts";
import { differencesFrom, keepsOrder, withDifferences } from "../differences.ts";
import { decodeIntent, type Fields, RECORD_FIELDS } from "../intents/intent-record.ts";

/** How many accepted alerts of one account the log lists; older ones make room for newer ones. */
export const ACCEPTED_ALERTS_KEPT = 10_000;

/**
 * How many alerts of one account are kept that became nothing. They are counted by themselves, so
 * that a flood of refusals never pushes out what was traded.
 */
export const ENDED_ALERTS_KEPT = 1_000;

/** The fields of an accepted alert's intent, in the order `decodeAccepted` reads them. */
export const ALERT_FIELDS = [...RECORD_FIELDS, "alert", "body", "age"] as const;

type Named = Pick<AlertEntry, "accountId" | "alertId">;
type Wanted = Pick<IntentRecord, "userId" | "source" | "requestId" | "intent" | "test">;

/** What is stored of an entry, beside what is expected of it. */
interface Stored {
  readonly body: string;
  readonly alertId?: IntentId;
  readonly request?: Request;
}

/**
 * What is kept of an alert beside its intent: only what neither that says, nor its key, nor its body,
 * which lies beside it as it came, like its age at its acceptance.
 */
export function encodeAlert(entry: AlertEntry, wanted: Wanted): string {
  const { request, body } = entry;
  const stored = differencesFrom(expectedOf(entry, body, wanted), entry);
  const beyond = request && beyondExpected(request, requestOf(wanted.intent, symbolOf));
  return JSON.stringify({ ...stored, body: undefined, receivedAt: undefined, request: beyond });
}

/** Takes `ALERT_FIELDS`. Undefined for an intent that is not there, or came by no alert. */
export function decodeAccepted(named: Named, fields: Fields): LoggedAlert | undefined {
  const [text, body, age] = fields.slice(-3);
  const intent = decodeIntent(named.accountId, named.alertId, fields);
  if (!text || intent === undefined) return undefined;
  const read = JSON.parse(text) as Omit<Stored, "body">;
  if (typeof body !== "string") {
    return { entry: decodeEntry(named, read as Stored, intent, contractAsSymbol), intent };
  }
  const stored = { ...read, body, receivedAt: intent.acceptedAt - Number(age) };
  return { entry: decodeEntry(named, stored, intent, symbolOf), intent };
}

export const encodeEnded = (entry: AlertEntry, ending: AlertEnding): string =>
  JSON.stringify({ entry: differencesFrom(expectedOf(entry, entry.body), entry), ending });

export function decodeEnded(named: Named, record: string | null): LoggedAlert | undefined {
  if (record === null) return undefined;
  const { entry, ending } = JSON.parse(record) as { entry: Stored; ending: AlertEnding };
  return { entry: decodeEntry(named, entry), ending };
}

/** Older entries say everything, their alert's id included. */
function decodeEntry(
  named: Named,
  stored: Stored,
  wanted?: Wanted,
  symbol = contractAsSymbol,
): AlertEntry {
  if (stored.alertId !== undefined) return stored as AlertEntry;
  const { request, ...rest } = stored;
  const entry = withDifferences(expectedOf(named, stored.body, wanted), rest);
  const read = request && readRequest(request, wanted && requestOf(wanted.intent, symbol));
  return { ...entry, ...(read && { request: read }) } as unknown as AlertEntry;
}

function expectedOf({ accountId, alertId }: Named, body: string, wanted?: Wanted) {
  return {
    accountId,
    alertId,
    profile: "native",
    // As it came; not so where secrets were masked in it, or where it was cut.
    bodyBytes: Buffer.byteLength(body),
    fingerprint: hash("sha256", body.trim(), "base64url"),
    unread: [],
    decisions: [],
    senderAlertId: idInBody(body),
    ...(wanted && {
      userId: wanted.userId,
      webhookId: wanted.source.credentialId,
      requestId: wanted.requestId,
      test: wanted.test,
      contract: contractOf(wanted.intent),
    }),
  };
}

/** A sender's own id where most write it. */
const ID_IN_BODY = /"alertId"\s*:\s*"([^"\\]*)"/;

const idInBody = (body: string): string | undefined => ID_IN_BODY.exec(body)?.[1];

function contractOf(intent: Intent): ContractCode | undefined {
  if (intent.kind === "PLACE") return intent.order.contract;
  return "contract" in intent ? intent.contract : undefined;
}

type Request = Readonly<Record<string, unknown>>;

/**
 * What a request says beyond the intent that was made of it. What has its kind is all of it: a
 * request must come back in the same order too, since alerts are told apart by a hash of it.
 */
function beyondExpected(request: AlertRequest, expected: Request | undefined): object {
  if (expected?.["kind"] !== request.kind || !keepsOrder(expected, request)) return request;
  return differencesFrom(expected, request);
}

function readRequest(stored: Request, expected: Request | undefined): Request {
  if (expected === undefined || stored["kind"] !== undefined) return stored;
  return withDifferences(expected, stored);
}

type SymbolOf = (contract: ContractCode, isFrontMonth: true | undefined) => string;

/** How most write a contract. */
const symbolOf: SymbolOf = (contract, isFrontMonth) =>
  isFrontMonth === true ? `${rootOfCode(contract)}1!` : contract;

/** What earlier versions expected of all. */
const contractAsSymbol: SymbolOf = (contract) => contract;

/** The request that an intent was probably made of. */
function requestOf(intent: Intent, symbolFor: SymbolOf): Request | undefined {
  if (intent.kind === "PLACE") {
    const { contract, side, orderQty } = intent.order;
    const symbol = symbolFor(contract, intent.isFrontMonth);
    const ticket = { symbol, side, orderQty, ...termsOf(intent.order) };
    return { kind: "order", ticket };
  }
  if (intent.kind !== "ADJUST") return undefined;
  const { contract, isFrontMonth, aim, terms, cancelFirst, onlyWhen } = intent;
  const symbol = symbolFor(contract, isFrontMonth);
  return { kind: "adjust", symbol, aim, terms: termsOf(terms), cancelFirst, onlyWhen };
}

function termsOf({ ordType, timeInForce, bracket }: PreparedTerms) {
  return { ordType, timeInForce, bracket: bracket && legsOf(bracket) };
}

function legsOf({ takeProfit, stopLoss }: Bracket): BracketTicket {
  return {
    ...(takeProfit && { takeProfit: legOf(takeProfit) }),
    ...(stopLoss && { stopLoss: legOf(stopLoss) }),
  };
}

/** A price is written by its sender, and stored as it was. */
const legOf = (level: LegLevel): LegTicket =>
  level.by === "distance" ? { ticks: level.distance } : {};
