import type { AlertRequest, ReadAlert } from "../../domain/alert.ts";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";
import type { Draft } from "../../domain/draft.ts";
import type { IntentId } from "../../domain/ids.ts";
import type { Intent } from "../../domain/intent.ts";
import type { Webhook } from "../../domain/people/credential.ts";
import { withCodePoints } from "../../domain/visible-text.ts";
import { applyMember } from "../account-groups/apply-member.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { NamedPlanStore } from "../exits/named-plan-store.ts";
import { withOwnPlan, withPlanOfEntries } from "./plan-of-entries.ts";
import { orderOfSender } from "./order-of-sender.ts";
import type { AnswerTimes } from "../orders/answer-times.ts";
import type { OpenContracts } from "../orders/open-contracts.ts";
import type { Submission } from "../orders/submit-intent.ts";
import type { AlertEntry } from "./alert-log.ts";
import { agesOf, type DefaultAges } from "./alert-ages.ts";
import type { Message } from "./alert-message.ts";
import { contractOf, resolveAlert } from "./resolve-alert.ts";
import { sameAlert, type SameAlertDeps } from "./same-alert.ts";
import { applyOptions, onlyReduces, symbolOf } from "./webhook-options.ts";

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
export interface AlertDefaults extends DefaultAges {
  readonly duplicateWindowMs: number;
}

/** Everything that is decided before the lane. Throws the error that the alert is refused with. */
export async function prepareAlert(
  deps: PrepareAlertDeps,
  message: Message,
  alert: ReadAlert,
  entry: AlertEntry,
  follows: IntentId | undefined,
): Promise<Submission> {
  const { webhook, delivery, beganAt, refusal, group } = message;
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
  const { request } = applied;
  const decisions = [...applied.decisions, ...passedOver(alert.request, contracts)];
  const open = namesOpen(request) ? await openFor(deps, webhook, request, receivedAt) : [];
  const resolvedIntent = resolveAlert(request, contracts, receivedAt, open);
  const ordered = orderOfSender(resolvedIntent, request, options.sentBy);
  const intent = whenClosed(ordered.intent, options.exitsWhenClosed);
  const forbidden = applied.exitsOnly === undefined ? ordered : applied;
  const { exitsOnly, exitsOnlyCode } =
    ages.tooOld === undefined ? forbidden : onlyExits(ages.tooOld);
  const sameAs = sameAlert(deps, message, alert, entry);
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

/** An exit is kept until its market opens, unless the webhook's owner wants it refused. */
const whenClosed = (intent: Intent, asked: string | undefined): Intent =>
  asked === "refuse" && (intent.kind === "FLATTEN" || intent.kind === "ADJUST")
    ? { ...intent, whenClosed: "refuse" }
    : intent;

/** The lane decides by the position of that moment whether it would be an entry. */
const onlyExits = (tooOld: string) =>
  ({ exitsOnly: tooOld, exitsOnlyCode: "ALERT_TOO_OLD" }) as const;

/** An unknown exchange holds no way out back, and is named. */
function passedOver(request: AlertRequest, contracts: ContractDirectory): readonly string[] {
  if (!onlyReduces(request)) return [];
  return contracts
    .unknownExchanges(symbolOf(request) ?? "")
    .map((name) => `No exchange ${withCodePoints(name)} is known: a way out goes on without it`);
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
  const logged = { ...entry, decisions: [...entry.decisions, ...decisions] };
  return contract === undefined ? logged : { contract, ...logged };
}
