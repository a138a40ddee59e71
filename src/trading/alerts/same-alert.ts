import type { AlertRequest, ReadAlert } from "../../domain/alert.ts";
import type { Draft } from "../../domain/draft.ts";
import type { Webhook } from "../../domain/people/credential.ts";
import { type StandsUntil, standsUntil } from "../../domain/repeat.ts";
import type { AlertEntry, SameAlert } from "./alert-log.ts";
import type { Delivery } from "./alert-uses.ts";

export interface SameAlertDeps {
  /** A hash that is the same for texts that are the same. */
  readonly fingerprint: (text: string) => string;
  readonly defaults: { readonly duplicateWindowMs: number };
}

/** How the alert is told from earlier ones (decision "duplicates"). A test is compared with none. */
export function sameAlert(
  { fingerprint, defaults }: SameAlertDeps,
  { options }: Webhook,
  { fingerprint: body, replayOf }: Delivery,
  { senderAlertId, request, test }: ReadAlert,
  { place }: AlertEntry,
): SameAlert | undefined {
  if (test === true) return undefined;
  const seconds = options.duplicateWindowSeconds;
  const windowMs = seconds === undefined ? defaults.duplicateWindowMs : seconds * 1000;
  const same: Draft<SameAlert> = {
    body,
    place: place ?? 0,
    windowMs: body === "" ? 0 : windowMs,
    until: untilIn(request, place !== undefined),
  };
  if (senderAlertId !== undefined) {
    // The meaning belongs to the id: many ids hold a second only, and two alerts can share it.
    same.id = fingerprint(JSON.stringify(["alert", senderAlertId, request]));
  }
  if (replayOf !== undefined) same.replayOf = replayOf.alertId;
  return same;
}

/** What stands beside an exit in its message may follow from it: done again, it would undo that. */
function untilIn(request: AlertRequest, isArray: boolean): StandsUntil {
  const until = standsUntil(request);
  return isArray && until === "ended" ? "otherIntent" : until;
}
