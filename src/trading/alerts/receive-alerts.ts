import type { RecordAlertOutcome } from "./record-alert-outcome.ts";
import type { AlertRequest, ReadAlert, WebhookOptions } from "../../domain/alert.ts";
import type { Draft } from "../../domain/draft.ts";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";
import type { Webhook } from "../../domain/people/credential.ts";
import { intentId, type IntentId } from "../../domain/ids.ts";
import type { Intent } from "../../domain/intent.ts";
import { TRIED_ANEW } from "../../domain/repeat.ts";
import { errors, GatewayError } from "../../errors.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import { firstStep, publicError } from "../public-error.ts";
import type { OpenContracts } from "../orders/open-contracts.ts";
import type { AlertEntry, AlertOutcome } from "./alert-log.ts";
import { isLost, type RepeatIntent, type Submitted } from "../orders/repeat-intent.ts";
import { AdmitFirstError, type Submission, type SubmitIntent } from "../orders/submit-intent.ts";
import { applyOptions, onlyReduces } from "./webhook-options.ts";
import { outcomeOf } from "./alert-outcome.ts";
import { contractOf, resolveAlert } from "./resolve-alert.ts";
import { sameAlert, type SameAlertDeps } from "./same-alert.ts";
import type { AcceptedAlert, Delivery, HandledAlert, AlertUses } from "./alert-uses.ts";
import type { Settled } from "../orders/order-uses.ts";
import type { IntentStore } from "../orders/ports.ts";

/** Charting platforms hang up after 3 s, so they get an answer within 2 s whatever the broker does. */
const ANSWER_WITHIN_MS = 1_500;

export interface ReceiveAlertsDeps extends SameAlertDeps {
  readonly accounts: AccountDirectory;
  readonly contracts: ContractDirectory;
  readonly openContracts: OpenContracts;
  readonly intents: Pick<IntentStore, "findSameAlert">;
  readonly submit: SubmitIntent;
  readonly repeat: RepeatIntent;
  readonly recordAlertOutcome: RecordAlertOutcome;
  readonly observer: AlertObserver;
  readonly defaults: AlertDefaults;
  readonly newIntentId: () => IntentId;
  /** A monotonic clock, ms. */
  readonly elapsed: () => number;
}

/** Observes how each alert was answered. */
export interface AlertObserver {
  readonly alertAnswered: (outcome: AlertOutcome) => void;
}

/** Defaults of webhook options, ms. */
export interface AlertDefaults {
  /** How long an alert's order may wait unsent: an entry, and what reduces a position. */
  readonly entryMaxAgeMs: number;
  readonly exitMaxAgeMs: number;
  readonly duplicateWindowMs: number;
}

/** What all alerts of one message share. */
interface Message {
  readonly webhook: Webhook;
  readonly delivery: Delivery;
  readonly isArray: boolean;
  readonly beganAt: number;
  /** The id of its first alert; the ids of the others sort after it in their order. */
  readonly firstId: IntentId;
  /** Why each of them is refused, unless it was carried out before. */
  readonly refusal: GatewayError | undefined;
}

/** Turns what was posted to a webhook's URL into intents of its account (specification 4.3). */
export function createReceiveAlerts(deps: ReceiveAlertsDeps): AlertUses["receiveAlerts"] {
  const { accounts, intents, submit, repeat, recordAlertOutcome, observer, newIntentId, elapsed } =
    deps;

  return async function receiveAlerts(webhook, delivery) {
    const read = tryRead(delivery);
    const isArray = read.isArray && read.problem === undefined;
    const firstId = newIntentId();
    delivery.stages?.named(firstId);
    const refusal = refusalOf(webhook);
    const message: Message = { webhook, delivery, isArray, beganAt: elapsed(), firstId, refusal };
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

  /** Why every alert of the token is refused, whatever its content (specification 4.3.6). */
  function refusalOf({ userId, accountId, paused }: Webhook): GatewayError | undefined {
    if (paused) return new GatewayError("WEBHOOK_PAUSED", "The webhook is paused");
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

  /** One after another: the alerts of one message are accepted in their order. */
  async function handleInOrder(message: Message, alerts: readonly ReadAlert[]) {
    const handled: HandledAlert[] = [];
    for (const [place, alert] of alerts.entries()) {
      const failed = handled.find(isToComeAgain);
      handled.push(
        failed === undefined
          ? await handleOne(message, alert, entryOf(message, alert, place), handled.findLast(isNew))
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
    before: HandledAlert | undefined,
  ): Promise<HandledAlert> {
    const { alertId } = entry;
    try {
      const { intentId: id, settled } = await carryOut(message, alert, entry, before?.alertId);
      const isFirst = id === alertId;
      observer.alertAnswered(isFirst ? answeredAs(settled) : "duplicate");
      if (!isFirst) await recordAlertOutcome(entry, { kind: "duplicate", of: id });
      const handled: Draft<AcceptedAlert> = { alertId: id, unread: alert.unread };
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
      submission = await firstStep("reads", () => prepare(deps, message, alert, entry, follows));
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
    { webhook, delivery, beganAt }: Message,
    alert: ReadAlert,
    entry: AlertEntry,
  ): Promise<Submitted | undefined> {
    const { accountId, id } = webhook;
    const sameAs = sameAlert(deps, webhook, delivery, alert, entry);
    if (sameAs === undefined) return undefined;
    const find = () => intents.findSameAlert(accountId, id, sameAs);
    const earlier = await firstStep("reads", find);
    if (earlier === undefined) return undefined;
    const repeated = await repeat(accountId, earlier, leftToWait(deps, beganAt));
    return isLost(repeated) ? undefined : repeated;
  }
}

/** Reads a body once; its problem is reported only where it decides the answer. */
function tryRead({ read }: Delivery): {
  readonly isArray: boolean;
  readonly alerts: readonly ReadAlert[];
  readonly problem?: GatewayError;
} {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { isArray: false, alerts: [], problem: error };
  }
}

/** One alert that asks for a trade: most messages are no more than that. */
const isAlone = ({ isArray, alerts, problem }: ReturnType<typeof tryRead>): boolean =>
  !isArray && problem === undefined && alerts.length === 1 && alerts[0]?.test !== true;

/** Whether it was accepted with this message, not with an earlier one. */
const isNew = (alert: HandledAlert): boolean =>
  !("error" in alert) && alert.duplicate === undefined;

/** Whether nothing of it was sent, or nobody knows: its sender may send it again, before the rest. */
function isToComeAgain(alert: HandledAlert): boolean {
  if ("error" in alert) return alert.error.spec.status >= 500;
  return alert.settled !== undefined && TRIED_ANEW[alert.settled.record.outcome.kind];
}

function answeredAs(settled: Settled | undefined): AlertOutcome {
  return settled === undefined ? "pending" : outcomeOf(settled.record);
}

/** The outcome as the sender's answer gives it. */
function refusedAs({ spec }: GatewayError): AlertOutcome {
  if (spec.status === 503) return "notSent";
  return spec.status === 500 ? "unknown" : "refused";
}

/** Alerts of one message have the same time: only their ids give their order. */
function idAt({ firstId, isArray }: Message, place: number): IntentId {
  if (!isArray) return firstId;
  return intentId(`${firstId.slice(0, -2)}${place.toString(16).padStart(2, "0")}`);
}

function entryOf(message: Message, alert: ReadAlert | undefined, place: number): AlertEntry {
  const { webhook, delivery, isArray } = message;
  const { requestId, receivedAt, sender, body, bodyBytes, fingerprint, replayOf } = delivery;
  const entry: Draft<AlertEntry> = {
    alertId: idAt(message, place),
    accountId: webhook.accountId,
    userId: webhook.userId,
    webhookId: webhook.id,
    requestId,
    receivedAt,
    sender,
    profile: webhook.options.profile ?? "native",
    body,
    bodyBytes,
    unread: alert?.unread ?? [],
    decisions: [],
  };
  if (fingerprint !== "") entry.fingerprint = fingerprint;
  const placed = replayOf?.place ?? (isArray ? place : undefined);
  if (placed !== undefined) entry.place = placed;
  if (alert !== undefined) entry.request = alert.request;
  if (alert?.senderAlertId !== undefined) entry.senderAlertId = alert.senderAlertId;
  if (alert?.test === true) entry.test = true;
  if (replayOf !== undefined) entry.replayOf = replayOf.alertId;
  return entry;
}

/** Everything that is decided before the lane. Throws the error that the alert is refused with. */
async function prepare(
  deps: ReceiveAlertsDeps,
  { webhook, delivery, beganAt, refusal }: Message,
  alert: ReadAlert,
  entry: AlertEntry,
  follows: IntentId | undefined,
): Promise<Submission> {
  const refused = refusal ?? delivery.refusalOf?.(alert);
  if (refused !== undefined) throw refused;
  const { contracts, defaults } = deps;
  const { options, accountId, userId, id } = webhook;
  const { receivedAt, requestId } = delivery;
  const ages = agesOf(alert, options, defaults, receivedAt);
  const applied = applyOptions(alert.request, options, contracts, receivedAt);
  const { request, decisions, exitsOnly, exitsOnlyCode } = applied;
  const open = namesOpen(request) ? await openFor(deps, webhook, request, receivedAt) : [];
  const intent = resolveAlert(request, contracts, receivedAt, open);
  const sameAs = sameAlert(deps, webhook, delivery, alert, entry);
  const logged: Draft<NonNullable<Submission["alert"]>> = {
    entry: resolved(entry, intent, decisions),
  };
  if (sameAs !== undefined) logged.sameAs = sameAs;
  if (follows !== undefined) logged.follows = follows;
  const submission: Draft<Submission> = {
    accountId,
    userId,
    requestId,
    receivedAt,
    source: { kind: "webhook", credentialId: id },
    intent,
    entryMaxAgeMs: ages.entryMaxAgeMs,
    exitMaxAgeMs: ages.exitMaxAgeMs,
    alert: logged,
    waitMs: leftToWait(deps, beganAt),
  };
  if (alert.test === true) submission.test = true;
  if (delivery.stages !== undefined) submission.stages = delivery.stages;
  if (alert.signalPrice !== undefined) submission.signalPrice = alert.signalPrice;
  if (delivery.admission !== undefined) submission.admission = delivery.admission;
  if (options.allowedSide !== undefined) submission.entrySide = options.allowedSide;
  if (exitsOnly !== undefined) submission.exitsOnly = exitsOnly;
  if (exitsOnlyCode !== undefined) submission.exitsOnlyCode = exitsOnlyCode;
  return submission;
}

type OfOpen = Exclude<AlertRequest, { kind: "order" }>;

/** Only an exit may name a contract that is just open in the account; an entry needs a listed one. */
const namesOpen = (request: AlertRequest): request is OfOpen =>
  request.kind !== "order" && onlyReduces(request);

async function openFor(
  { accounts, openContracts }: ReceiveAlertsDeps,
  { userId, accountId }: Webhook,
  request: OfOpen,
  receivedAt: number,
): Promise<readonly ContractCode[]> {
  const account = await accounts.requireActive(userId, accountId);
  return await openContracts(account, request.symbol, receivedAt);
}

function leftToWait({ elapsed }: ReceiveAlertsDeps, beganAt: number): number {
  return Math.max(0, ANSWER_WITHIN_MS - (elapsed() - beganAt));
}

function resolved(entry: AlertEntry, intent: Intent, decisions: readonly string[]): AlertEntry {
  const contract = contractOf(intent);
  return contract === undefined ? { ...entry, decisions } : { contract, ...entry, decisions };
}

/**
 * How long the alert's order may wait unsent. The sender's own limit counts from the time when the
 * alert fired, where it gives that time.
 */
function agesOf(
  { maxAgeMs = Infinity, firedAt }: ReadAlert,
  options: WebhookOptions,
  defaults: AlertDefaults,
  receivedAt: number,
): Pick<Submission, "entryMaxAgeMs" | "exitMaxAgeMs"> {
  const age = firedAt === undefined ? 0 : Math.max(0, receivedAt - firedAt);
  const left = maxAgeMs - age;
  if (left <= 0) {
    const seconds = (ms: number) => Math.round(ms / 1000);
    throw new GatewayError(
      "ALERT_TOO_OLD",
      `The alert fired ${seconds(age)} s before it came, and may be at most ${seconds(maxAgeMs)} s old`,
    );
  }
  const entry = limitOf(options.entryMaxAgeSeconds, defaults.entryMaxAgeMs);
  const exit = limitOf(options.exitMaxAgeSeconds, defaults.exitMaxAgeMs);
  // An exit never expires sooner than an entry.
  return { entryMaxAgeMs: Math.min(left, entry, exit), exitMaxAgeMs: Math.min(left, exit) };
}

const limitOf = (seconds: number | undefined, byDefaultMs: number): number =>
  seconds === undefined ? byDefaultMs : seconds * 1000;
