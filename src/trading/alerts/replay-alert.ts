import type { ReadAlert } from "../../domain/alert.ts";
import { errors, GatewayError } from "../../errors.ts";
import type { AccountGroups } from "../account-groups/ports.ts";
import type { AlertEntry, AlertLog, AlertOutcome, LoggedAlert } from "./alert-log.ts";
import { findAlert } from "./alert-history.ts";
import { alertOutcome } from "./alert-outcome.ts";
import type { Delivery, AlertUses } from "./alert-uses.ts";
import type { CredentialStore } from "../people/ports.ts";

export interface ReplayAlertDeps {
  readonly alerts: AlertLog;
  readonly credentials: Pick<CredentialStore, "alertAccounts" | "webhook">;
  readonly accountGroups: Pick<AccountGroups, "find">;
  readonly receiveAlerts: AlertUses["receiveAlerts"];
}

/** Nothing of these reached a broker, and nothing of them still can. */
const NEVER_SENT: ReadonlySet<AlertOutcome> = new Set([
  "refused",
  "denied",
  "notSent",
  "expired",
  "overtaken",
  "withdrawn",
  "lost",
]);

/**
 * Carries out an alert again of which nothing was sent, because a person asks for it: in the account
 * it came for, by its webhook's options as they are now, with its ages counted from now. Asked again
 * it answers with the first replay.
 */
export function createReplayAlert(deps: ReplayAlertDeps): AlertUses["replayAlert"] {
  const { credentials, receiveAlerts } = deps;

  return async function replayAlert({ userId, receivedAt, requestId, stages }, alertId) {
    const alert = await findAlert(deps, userId, alertId);
    const { entry } = alert;
    const read = requireReplayable(alert);
    // A replay's replay stands behind the same alert: of that one at most one is carried out.
    const original = entry.replayOf ?? entry.alertId;
    const webhook = await credentials.webhook(userId, entry.webhookId);
    if (webhook === undefined) throw notReplayable("its webhook was deleted");
    const delivery: Delivery = {
      receivedAt,
      requestId,
      ...(stages !== undefined && { stages }),
      sender: entry.sender,
      body: entry.body,
      bodyBytes: entry.bodyBytes,
      fingerprint: entry.fingerprint ?? "",
      replayOf: {
        alertId: original,
        ...(entry.place !== undefined && { place: entry.place }),
        ...(await partAsItIs(deps, entry)),
      },
      read: () => ({ alerts: [read], isArray: false }),
    };
    // It is a person who asks now, and the alert is this account's wherever the webhook points to.
    const { groupId: _, ...pointed } = webhook;
    const asItWas = { ...pointed, accountId: entry.accountId, paused: false };
    const { alerts } = await receiveAlerts(asItWas, delivery);
    const [handled] = alerts;
    if (handled === undefined) throw errors.internal(new Error("a replay was not answered"));
    if ("error" in handled || handled.duplicate === undefined) return handled;
    if (handled.alertId === original) throw notReplayable(WHY_NOT.found);
    const earlier = await deps.alerts.find([entry.accountId], handled.alertId);
    if (earlier === undefined) {
      throw notReplayable(
        `${handled.alertId}, which stands for it, is not in the alert log any more`,
      );
    }
    if (earlier.entry.replayOf === original) return handled;
    throw notReplayable(`${handled.alertId}, which came with the same alertId, stands for it`);
  };
}

/** What went to one account of a group goes there again on that member's terms as they are now. */
async function partAsItIs(
  { accountGroups }: ReplayAlertDeps,
  { userId, accountId, groupId, partOf }: AlertEntry,
): Promise<Pick<NonNullable<Delivery["replayOf"]>, "group">> {
  if (groupId === undefined || partOf === undefined) return {};
  const group = await accountGroups.find(userId, groupId);
  const member = group?.members.find((one) => one.accountId === accountId && one.enabled);
  if (member === undefined) throw notReplayable("its account is not on in the group any more");
  return { group: { groupId, part: { of: partOf, member } } };
}

function requireReplayable(alert: LoggedAlert): ReadAlert {
  const outcome = alertOutcome(alert);
  if (!NEVER_SENT.has(outcome)) throw notReplayable(whyNot(outcome));
  const { request, unread, test, senderAlertId, groupId, partOf }: AlertEntry = alert.entry;
  if (groupId !== undefined && partOf === undefined) throw notReplayable(REFUSED_FOR_ALL);
  if (test === true) throw notReplayable(WHY_NOT.test);
  if (request === undefined) throw notReplayable("it could not be read");
  return { request, unread, ...(senderAlertId !== undefined && { senderAlertId }) };
}

const REFUSED_FOR_ALL =
  "it was refused for all accounts of its group, so none of them has a part of it";

const WHY_NOT = {
  done: "it was carried out",
  pending: "it is under way",
  unknown: "it may be live at the broker",
  found: "it was looked up again, and it is at the broker, or may be there without its name",
  rejected: "it was sent, and the broker refused it",
  unprotected: "it was carried out in part",
  duplicate: "the alert that it repeats stands for it",
  test: "it was a test",
  split: "it was for a group: what it came to in one of its accounts can be replayed",
} as const satisfies Partial<Record<AlertOutcome | "found", string>>;

const whyNot = (outcome: AlertOutcome): string =>
  outcome in WHY_NOT ? WHY_NOT[outcome as keyof typeof WHY_NOT] : `it is ${outcome}`;

function notReplayable(why: string): GatewayError {
  return new GatewayError("NOT_REPLAYABLE", `The alert cannot be replayed: ${why}`);
}
