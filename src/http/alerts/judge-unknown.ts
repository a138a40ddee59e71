import type { AlertRequest } from "../../domain/alert.ts";
import type { AlertProfile } from "../../domain/declared/webhook-options.ts";
import { onlyReduces } from "../../trading/alerts/webhook-options.ts";
import type { AlertFields, UnknownField } from "./alert-fields.ts";
import { bareName, concernsEntry, didYouMean, isUnreadByExits, limitsExit } from "./meant-words.ts";

/**
 * Refuses what nobody knows, wherever in the alert it stands: an order must not go without what was
 * meant to protect it, to hold it back or to make it smaller. What only takes out or cancels is
 * carried out all the same, unless the word may say that less is meant, or not now.
 */
export function judgeUnknown(
  fields: AlertFields,
  asked: AlertRequest | undefined,
  dialect: AlertProfile | "csv",
  allowed: readonly string[] = [],
): void {
  // Where it is refused whatever else it says, its sender is told everything.
  const request = asked === undefined || isRefused(fields, asked) ? undefined : asked;
  const unknown = fields.unknown();
  if (unknown.length > 0) {
    const isAllowed = new Set(allowed.map((name) => name.toLowerCase()));
    const mayPass = request !== undefined && onlyTakesOut(request);
    const isMeant = ({ name, value }: UnknownField) =>
      !isAllowed.has(name.trim().toLowerCase()) &&
      (!mayPass || (limitsExit(name, value) && !concernsEntry(name)));
    refuseUnknown(unknown.filter(isMeant), dialect);
  }
  if (request?.kind === "cancel") refuseOneOrder(fields);
  if (request !== undefined) isRefused(fields, request);
}

/**
 * Whether something is wrong with the alert, once it is known what it asks for. A way out is the one
 * place where refusing is the unsafe side: whatever is wrong with what it does not read is passed over
 * there, and named.
 */
function isRefused(fields: AlertFields, request: AlertRequest): boolean {
  if (onlyTakesOut(request)) fields.passOverProblems(isUnreadByExits);
  return fields.problems.length > 0;
}

/** Refuses each, with the word that was meant where that can be told. */
function refuseUnknown(unknown: readonly UnknownField[], dialect: AlertProfile | "csv"): void {
  for (const [place, { name, known, refuse }] of unknown.entries()) {
    // A body full of nonsense is not worth the looking up.
    const meant = place < MOST_MEANT ? didYouMean(name, known, dialect) : undefined;
    refuse(`is not a known field; ${meant === undefined ? LEAVE_OUT : `write ${meant}`}`);
  }
}

const MOST_MEANT = 20;
const LEAVE_OUT = "leave it out, or allow it in the webhook's options if it asks for nothing";

/** Whatever is held, it neither opens nor grows nor leaves a position without its exits. */
export function onlyTakesOut(request: AlertRequest): boolean {
  // With fewer levels than were meant it would take away those that stand.
  return request.kind !== "protect" && onlyReduces(request);
}

/** Beside an entry the sender's own name of an order is no matter; here it says which one is meant. */
function refuseOneOrder(fields: AlertFields): void {
  for (const name of fields.unread()) {
    if (bareName(name) !== "orderid") continue;
    fields.problem(name, "names one order, and this cancels every resting entry: leave it out");
  }
}
