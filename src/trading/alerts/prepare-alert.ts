import type { AlertRequest, ReadAlert, WebhookOptions } from "../../domain/alert.ts";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";
import type { Draft } from "../../domain/draft.ts";
import type { IntentId } from "../../domain/ids.ts";
import type { Intent } from "../../domain/intent.ts";
import type { Webhook } from "../../domain/people/credential.ts";
import { GatewayError } from "../../errors.ts";
import { applyMember } from "../account-groups/apply-member.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { NamedPlanStore } from "../exits/named-plan-store.ts";
import { withOwnPlan, withPlanOfEntries } from "./plan-of-entries.ts";
import type { AnswerTimes } from "../orders/answer-times.ts";
import type { OpenContracts } from "../orders/open-contracts.ts";
import type { Submission } from "../orders/submit-intent.ts";
import type { AlertEntry } from "./alert-log.ts";
import type { Message } from "./alert-message.ts";
import { contractOf, resolveAlert } from "./resolve-alert.ts";
import { sameAlert, type SameAlertDeps } from "./same-alert.ts";
import { applyOptions, onlyReduces } from "./webhook-options.ts";

/** Charting platforms hang up after 3 s, so they get an answer within 2 s whatever the broker does. */
const ANSWER_WITHIN_MS = 1_500;

export interface PrepareAlertDeps extends SameAlertDeps {
  readonly accounts: AccountDirectory;
  readonly contracts: ContractDirectory;
  readonly openContracts: OpenContracts;
  readonly namedPlans: Pick<NamedPlanStore, "find" | "all">;
  readonly defaults: AlertDefaults;
  readonly answerTimes?: AnswerTimes | undefined;
  /** A monotonic clock, ms. */
  readonly elapsed: () => number;
}

/** Defaults of webhook options, ms. */
export interface AlertDefaults {
  /** How long an alert's order may wait unsent: an entry, and what reduces a position. */
  readonly entryMaxAgeMs: number;
  readonly exitMaxAgeMs: number;
  readonly duplicateWindowMs: number;
}

/** Everything that is decided before the lane. Throws the error that the alert is refused with. */
export async function prepareAlert(
  deps: PrepareAlertDeps,
  { webhook, delivery, beganAt, refusal, group }: Message,
  alert: ReadAlert,
  entry: AlertEntry,
  follows: IntentId | undefined,
): Promise<Submission> {
  const refused = refusal ?? delivery.refusalOf?.(alert);
  if (refused !== undefined) throw refused;
  const { contracts, defaults, namedPlans: plans } = deps;
  const { options, accountId, userId, id } = webhook;
  const { receivedAt, requestId } = delivery;
  const ages = agesOf(alert, options, defaults, receivedAt);
  const asked = applyOptions(alert.request, options, contracts, receivedAt);
  const member = group?.part?.member;
  const traded = member === undefined ? asked : applyMember(asked, member, contracts, receivedAt);
  const applied = await withPlanOfEntries(await withOwnPlan(plans, userId, traded), {
    plans,
    user: userId,
    name: options.exitPlan,
    contracts,
    nowMs: receivedAt,
  });
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
    acceptMs: deps.answerTimes?.acceptMs,
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
  { accounts, openContracts }: PrepareAlertDeps,
  { userId, accountId }: Webhook,
  request: OfOpen,
  receivedAt: number,
): Promise<readonly ContractCode[]> {
  const account = await accounts.requireActive(userId, accountId);
  return await openContracts(account, request.symbol, receivedAt);
}

export function leftToWait({ elapsed, answerTimes }: PrepareAlertDeps, beganAt: number): number {
  const withinMs = answerTimes?.alertMs ?? ANSWER_WITHIN_MS;
  return Math.max(0, withinMs - (elapsed() - beganAt));
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
