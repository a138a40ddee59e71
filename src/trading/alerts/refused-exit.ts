import type { AlertRequest } from "../../domain/alert.ts";
import { holdsClosingWord } from "../../domain/closing-words.ts";
import { declaredEvent } from "../../domain/notify/event.ts";
import type { Severity } from "../../domain/severity.ts";
import { onlyTookOut } from "../../domain/strategy-move.ts";
import { ALARMS } from "../alarms/declared-alarms.ts";
import type { AlertEntry, AlertEnding } from "./alert-log.ts";
import { onlyReduces } from "./webhook-options.ts";

/**
 * Whether something may stay open, or lack its exits, because an alert was refused: it asked for a way
 * out, or could not be read and has a word for one. A thing that a person has switched off is as they want it.
 */
export function isRefusedExit(
  { request, body, test }: Pick<AlertEntry, "request" | "body" | "test">,
  ending: AlertEnding,
): boolean {
  if (ending.kind !== "refused" || ending.status === SWITCHED_OFF || test === true) return false;
  return request === undefined ? holdsClosingWord(body) : takesOut(request);
}

/** Whether it takes something out by its own words, whatever is held: a turn does, before it opens. */
function takesOut(request: AlertRequest): boolean {
  if (onlyReduces(request)) return true;
  if (request.kind !== "adjust") return false;
  const { aim } = request;
  if (aim.to !== "position") return aim.to === "reverse";
  const { from = 0 } = aim.strategy ?? {};
  return onlyTookOut(aim) || from * aim.netQty < 0;
}

/** A webhook that is paused, an account that is inactive, an address that may not send. */
const SWITCHED_OFF = 403;

/** The severity of a refusal, in its notification and in the alert log. */
export const severityOfRefusal = (isExit: boolean): Severity =>
  isExit ? ALARMS.exitAlertRefused.severity : declaredEvent("alert.refused").severity;
