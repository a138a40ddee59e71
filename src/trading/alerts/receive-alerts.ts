import type { ReadAlert } from "../../domain/alert.ts";
import type { IntentId } from "../../domain/ids.ts";
import { isTriedAnew } from "../../domain/repeat.ts";
import { GatewayError } from "../../errors.ts";
import { AdmitFirstError } from "../orders/submit-intent.ts";
import type { AlertEntry } from "./alert-log.ts";
import { entryOf, isAlone, type Message, tryRead } from "./alert-message.ts";
import type { AlertUses, Delivery, HandledAlert } from "./alert-uses.ts";
import { createHandleAlert, type HandleAlertDeps } from "./handle-alert.ts";
import { createReceiveForGroup, type ReceiveForGroupDeps } from "./receive-for-group.ts";

export interface ReceiveAlertsDeps extends HandleAlertDeps, ReceiveForGroupDeps {
  readonly newIntentId: () => IntentId;
}

/**
 * Turns what was posted to a webhook's URL into intents of its account (specification 4.3), or of the
 * accounts of its group.
 */
export function createReceiveAlerts(deps: ReceiveAlertsDeps): AlertUses["receiveAlerts"] {
  const { newIntentId, elapsed } = deps;
  const handling = createHandleAlert(deps);
  const { refusalOf, refuseAll, refuse, settleOne, carryOut } = handling;
  const receiveForGroup = createReceiveForGroup(deps, handling);

  return async function receiveAlerts(webhook, delivery) {
    const read = tryRead(delivery);
    const isArray = read.isArray && read.problem === undefined;
    const firstId = newIntentId();
    const { groupId } = webhook;
    if (groupId !== undefined) {
      const group = { groupId };
      const refusal = undefined;
      const asked = { webhook, delivery, isArray, beganAt: elapsed(), firstId, refusal, group };
      return await receiveForGroup(asked, read);
    }
    delivery.stages?.named(firstId);
    const refusal = refusalOf(webhook);
    const message: Message = {
      webhook,
      delivery,
      isArray,
      alerts: read.alerts,
      beganAt: elapsed(),
      firstId,
      refusal,
      ...partOf(delivery),
    };
    if (delivery.admission !== undefined && (refusal !== undefined || !isAlone(read))) {
      throw new AdmitFirstError();
    }
    const atOnce = delivery.refusal ?? (read.problem && (refusal ?? read.problem));
    if (atOnce !== undefined) {
      return { isArray: false, alerts: [await refuseAll(message, read.alerts, atOnce)] };
    }
    const alerts = await handleInOrder(message, read.alerts);
    const isRefused = alerts.every((alert) => "error" in alert && alert.error === refusal);
    return isRefused ? { isArray: false, alerts: alerts.slice(0, 1) } : { isArray, alerts };
  };

  /** One after another: the alerts of one message are accepted in their order. */
  async function handleInOrder(message: Message, alerts: readonly ReadAlert[]) {
    const handled: HandledAlert[] = [];
    for (const [place, alert] of alerts.entries()) {
      const failed = handled.find(isToComeAgain);
      const before = handled.findLast(isNew)?.alertId;
      handled.push(
        failed === undefined
          ? await handleOne(message, alert, entryOf(message, alert, place), before)
          : await refuseOne(message, alert, place),
      );
    }
    return handled;
  }

  /** Once an alert was not accepted, a later one of the message must not overtake it. */
  async function refuseOne(message: Message, alert: ReadAlert, place: number) {
    const error = new GatewayError(
      "STORE_UNAVAILABLE",
      "An alert before this one in the same message was not carried out, so this one was not tried",
    );
    const entry = entryOf(message, alert, place);
    await refuse(entry, error);
    return { alertId: entry.alertId, error };
  }

  async function handleOne(
    message: Message,
    alert: ReadAlert,
    entry: AlertEntry,
    follows: IntentId | undefined,
  ): Promise<HandledAlert> {
    return await settleOne(alert, entry, async () => {
      return await carryOut(message, alert, entry, follows);
    });
  }
}

/** A replay of what went to one account of a group is that account's part again. */
function partOf({ replayOf }: Delivery): Pick<Message, "group"> {
  return replayOf?.group === undefined ? {} : { group: replayOf.group };
}

/** Whether it was accepted with this message, not with an earlier one. */
const isNew = (alert: HandledAlert): boolean =>
  !("error" in alert) && alert.duplicate === undefined;

/** Whether nothing of it was sent, or nobody knows: its sender may send it again, before the rest. */
function isToComeAgain(alert: HandledAlert): boolean {
  // An entry that the store has no room for holds up no exit behind it.
  if ("error" in alert) return alert.error.spec.status >= 500 && alert.error.name !== "STORE_FULL";
  return alert.settled !== undefined && isTriedAnew(alert.settled.record.outcome);
}
