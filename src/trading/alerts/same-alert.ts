import type { AlertRequest, ReadAlert } from "../../domain/alert.ts";
import type { Draft } from "../../domain/draft.ts";
import { type StandsUntil, standsUntil } from "../../domain/repeat.ts";
import type { AlertEntry, SameAlert } from "./alert-log.ts";
import type { Message } from "./alert-message.ts";

export interface SameAlertDeps {
  /** A hash that is the same for texts that are the same. */
  readonly fingerprint: (text: string) => string;
  readonly defaults: { readonly duplicateWindowMs: number };
}

/** How the alert is told from earlier ones (decision "duplicates"). A test is compared with none. */
export function sameAlert(
  { fingerprint, defaults }: SameAlertDeps,
  { webhook: { options }, delivery: { fingerprint: body, replayOf }, alerts = [] }: Message,
  { senderAlertId, request, saidPosition, test }: ReadAlert,
  { place = 0 }: AlertEntry,
): SameAlert | undefined {
  if (test === true) return undefined;
  const seconds = options.duplicateWindowSeconds;
  const windowMs = seconds === undefined ? defaults.duplicateWindowMs : seconds * 1000;
  const same: Draft<SameAlert> = {
    body,
    place,
    windowMs: body === "" ? 0 : windowMs,
    until: untilIn(request, alerts.slice(place + 1)),
  };
  if (senderAlertId !== undefined) {
    // The meaning belongs to the id: many ids hold a second only, and two alerts can share it.
    const hash = (...meaning: readonly unknown[]) =>
      fingerprint(JSON.stringify(["alert", senderAlertId, ...meaning]));
    const asked = asAsked(request);
    same.id = hash(asked);
    // Nor does an order's quantity say which fill it was: the position after it does.
    if (saidPosition !== undefined && asked === request) {
      same.formerId = same.id;
      same.id = hash(request, saidPosition);
    }
  }
  if (replayOf !== undefined) same.replayOf = replayOf.alertId;
  return same;
}

/** A target names its position itself; how the strategy got there is no part of what it asks for. */
function asAsked(request: AlertRequest): AlertRequest {
  if (request.kind !== "adjust" || request.aim.to !== "position") return request;
  const { strategy: _, ...aim } = request.aim;
  return { ...request, aim };
}

/** Alerts behind an exit in its message may follow from it: done again, it would undo them. */
function untilIn(request: AlertRequest, behind: readonly ReadAlert[]): StandsUntil {
  const until = standsUntil(request);
  const mayFollow = behind.some((alert) => standsUntil(alert.request) !== "ended");
  return mayFollow && until === "ended" ? "otherIntent" : until;
}
