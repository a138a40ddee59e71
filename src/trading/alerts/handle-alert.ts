import type { ReadAlert } from "../../domain/alert.ts";
import type { Draft } from "../../domain/draft.ts";
import type { IntentId } from "../../domain/ids.ts";
import type { Webhook } from "../../domain/people/credential.ts";
import { errors, GatewayError } from "../../errors.ts";
import type { Settled } from "../orders/order-uses.ts";
import type { IntentStore } from "../orders/ports.ts";
import { isLost, type RepeatIntent, type Submitted } from "../orders/repeat-intent.ts";
import { AdmitFirstError, type Submission, type SubmitIntent } from "../orders/submit-intent.ts";
import { firstStep, publicError } from "../public-error.ts";
import type { AlertEntry, AlertOutcome } from "./alert-log.ts";
import { entryOf, idAt, type Message } from "./alert-message.ts";
import { outcomeOf } from "./alert-outcome.ts";
import type { AcceptedAlert, HandledAlert } from "./alert-uses.ts";
import { leftToWait, prepareAlert, type PrepareAlertDeps } from "./prepare-alert.ts";
import type { RecordAlertOutcome } from "./record-alert-outcome.ts";
import type { TellRepeatedExit } from "./repeated-exit.ts";
import { sameAlert } from "./same-alert.ts";

export interface HandleAlertDeps extends PrepareAlertDeps {
  readonly intents: Pick<IntentStore, "findSameAlert">;
  readonly submit: SubmitIntent;
  readonly repeat: RepeatIntent;
  readonly recordAlertOutcome: RecordAlertOutcome;
  readonly tellRepeatedExit: TellRepeatedExit;
  readonly observer: AlertObserver;
}

/** Observes how each alert was answered. */
export interface AlertObserver {
  readonly alertAnswered: (outcome: AlertOutcome) => void;
}

export type HandleAlert = ReturnType<typeof createHandleAlert>;

/** One alert for one account, in steps: whoever receives it puts them together. */
export function createHandleAlert(deps: HandleAlertDeps) {
  const { accounts, intents, submit, repeat, recordAlertOutcome, observer } = deps;
  const { tellRepeatedExit } = deps;
  return { refusalOf, refuseAll, refuse, settleOne, carryOut, submit, repeatEarlier };

  /** Why every alert of the token is refused, whatever its content (specification 4.3.6). */
  function refusalOf(webhook: Webhook): GatewayError | undefined {
    const { userId, accountId } = webhook;
    const paused = whyPaused(webhook);
    if (paused !== undefined) return paused;
    // The token outlives its account: a removed account counts as inactive.
    const account = accounts.find(accountId);
    return account?.userId === userId && account.active ? undefined : errors.accountInactive();
  }

  /** The message gets one answer; each alert that could be read gets its own line in the log. */
  async function refuseAll(
    message: Message,
    alerts: readonly ReadAlert[],
    error: GatewayError,
  ): Promise<HandledAlert> {
    const places: readonly (ReadAlert | undefined)[] = alerts.length > 0 ? alerts : [undefined];
    const entries = places.map((alert, place) => entryOf(message, alert, place));
    await Promise.all(entries.map((entry) => refuse(entry, error)));
    return { alertId: idAt(message, 0), error };
  }

  async function refuse(entry: AlertEntry, error: GatewayError): Promise<void> {
    observer.alertAnswered(refusedAs(error));
    const { code, status } = error.spec;
    const { message, details } = error;
    await recordAlertOutcome(entry, { kind: "refused", code, status, message, details });
  }

  /** Writes down what became of it, unless its intent does, and answers it. */
  async function settleOne(
    alert: ReadAlert,
    entry: AlertEntry,
    carryOut: () => Promise<Submitted>,
  ): Promise<HandledAlert> {
    const { unread, notes } = alert;
    const { alertId } = entry;
    try {
      const { intentId: id, settled } = await carryOut();
      const isFirst = id === alertId;
      observer.alertAnswered(isFirst ? answeredAs(settled) : "duplicate");
      if (!isFirst) {
        tellRepeatedExit(alert, entry, settled);
        await recordAlertOutcome(entry, { kind: "duplicate", of: id });
      }
      const handled: Draft<AcceptedAlert> = { alertId: id, unread };
      if (notes !== undefined) handled.notes = notes;
      if (settled !== undefined) handled.settled = settled;
      if (!isFirst) handled.duplicate = true;
      return handled;
    } catch (cause) {
      if (cause instanceof AdmitFirstError) throw cause;
      const error = publicError(cause, { changesNothing: false });
      const known = error instanceof GatewayError ? error : errors.internal(error);
      await refuse(entry, known);
      if (error !== known) throw error;
      return { alertId, error: known };
    }
  }

  /** An alert that is refused now may repeat one that was carried out: then that one's answer stands. */
  async function carryOut(
    message: Message,
    alert: ReadAlert,
    entry: AlertEntry,
    follows: IntentId | undefined,
  ) {
    let submission: Submission;
    try {
      submission = await firstStep("reads", () =>
        prepareAlert(deps, message, alert, entry, follows),
      );
    } catch (refusal) {
      // What is refused is written down, and nothing is for who may not be here at all.
      if (message.delivery.admission !== undefined) throw new AdmitFirstError();
      const earlier = await repeatEarlier(message, alert, entry);
      if (earlier === undefined) throw refusal;
      return earlier;
    }
    return await submit(submission);
  }

  async function repeatEarlier(
    message: Message,
    alert: ReadAlert,
    entry: AlertEntry,
  ): Promise<Submitted | undefined> {
    const { accountId, id } = message.webhook;
    const sameAs = sameAlert(deps, message, alert, entry);
    if (sameAs === undefined) return undefined;
    const find = () => intents.findSameAlert(accountId, id, sameAs);
    const earlier = await firstStep("reads", find);
    if (earlier === undefined) return undefined;
    const repeated = await repeat(accountId, earlier, leftToWait(deps, message.beganAt));
    return isLost(repeated) ? undefined : repeated;
  }
}

export function whyPaused({ paused }: Webhook): GatewayError | undefined {
  return paused ? new GatewayError("WEBHOOK_PAUSED", "The webhook is paused") : undefined;
}

function answeredAs(settled: Settled | undefined): AlertOutcome {
  return settled === undefined ? "pending" : outcomeOf(settled.record);
}

/** The outcome as the sender's answer gives it. */
function refusedAs({ spec }: GatewayError): AlertOutcome {
  if (spec.status === 503) return "notSent";
  return spec.status === 500 ? "unknown" : "refused";
}
