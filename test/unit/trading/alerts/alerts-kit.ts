import type { RecordAlertOutcome } from "../../../../src/trading/alerts/record-alert-outcome.ts";
import type { TellRepeatedExit } from "../../../../src/trading/alerts/repeated-exit.ts";
import { createHash } from "node:crypto";
import { contracts as products } from "../../../../config/contracts.ts";
import { closures, holidays } from "../../../../config/holidays.ts";
import { otherExchanges } from "../../../../config/other-exchanges.ts";
import type { AccountGroup } from "../../../../src/domain/account-groups/account-group.ts";
import type { WebhookOptions } from "../../../../src/domain/alert.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { createContractDirectory } from "../../../../src/domain/contracts/contract-directory.ts";
import type { NamedExitPlan } from "../../../../src/domain/exits/named-plan.ts";
import type { Webhook } from "../../../../src/domain/people/credential.ts";
import {
  accountId,
  connectionId,
  credentialId,
  intentId,
  orderId,
  userId,
} from "../../../../src/domain/ids.ts";
import type { IntentRecord, IntentState, Outcome } from "../../../../src/domain/intent.ts";
import { type Received, toDelivery } from "../../../../src/http/alerts/delivery.ts";
import { AccountDirectory } from "../../../../src/trading/connections/account-directory.ts";
import type { AlertOutcome } from "../../../../src/trading/alerts/alert-log.ts";
import { createReceiveAlerts } from "../../../../src/trading/alerts/receive-alerts.ts";
import type { Submission, SubmitIntent } from "../../../../src/trading/orders/submit-intent.ts";
import type { AccountViews } from "../../../../src/trading/reads/ports.ts";
import type { IntentStore } from "../../../../src/trading/orders/ports.ts";

export const NOW = Date.UTC(2026, 8, 21, 14, 30);
export const USER = userId("u_1");
export const STRANGER = userId("u_2");
export const ACCOUNT = accountId("paper-1");
export const STOPPED = accountId("paper-2");
export const FOREIGN = accountId("paper-3");
export const ES = "ESZ2026" as ContractCode;

export const contracts = createContractDirectory({
  products,
  holidays,
  closures,
  otherExchanges,
});

const stored = (account: typeof ACCOUNT, change: object) => ({
  accountId: account,
  userId: USER,
  name: account,
  connectionId: connectionId("paper"),
  broker: "paper",
  environment: "demo" as const,
  currency: "USD",
  active: true,
  ...change,
});

export async function openAccounts(): Promise<AccountDirectory> {
  const known = [
    stored(ACCOUNT, {}),
    stored(STOPPED, { active: false }),
    stored(FOREIGN, { userId: STRANGER }),
  ];
  const views = { accounts: async () => known } as Partial<AccountViews> as AccountViews;
  const accounts = new AccountDirectory({ views, now: () => NOW });
  await accounts.load();
  return accounts;
}

export const webhook: Webhook = {
  id: credentialId("wh_1"),
  userId: USER,
  accountId: ACCOUNT,
  name: "Alerts",
  paused: false,
  options: {},
  createdAt: NOW,
};

export const withOptions = (options: WebhookOptions): Webhook => ({ ...webhook, options });

/** A body as the HTTP side hands it over. */
export function delivery(body: unknown, change: Partial<Received> = {}) {
  return toDelivery({
    webhook,
    receivedAt: NOW,
    requestId: "r_1",
    sender: "192.0.2.1",
    text: typeof body === "string" ? body : JSON.stringify(body),
    ...change,
  });
}

export const FILLED: Outcome = {
  kind: "done",
  result: {
    kind: "PLACE",
    contract: ES,
    order: { orderId: orderId("4000001"), ordStatus: "FILLED", cumQty: 1 },
  },
};

/** How a scripted submission ends: nothing known in time, or an outcome, of an earlier one or not. */
export interface Ending {
  readonly outcome?: Outcome;
  /** The alert that stands for it. */
  readonly of?: string;
  readonly error?: Error;
}

const isOf = (group: AccountGroup, user: string, id: string) =>
  group.userId === user && group.groupId === id;

/** The real reception with a scripted lane behind it, and the earlier alert that stands for any. */
export async function openReception(
  script: (place: number) => Ending = () => ({}),
  findSameAlert: IntentStore["findSameAlert"] = async () => undefined,
  groups: readonly AccountGroup[] = [],
  plans: readonly NamedExitPlan[] = [],
) {
  const sought: string[] = [];
  const submissions: Submission[] = [];
  const endings: { readonly entry: Parameters<RecordAlertOutcome>[0]; readonly ending: object }[] =
    [];
  const answered: AlertOutcome[] = [];
  const repeats: Parameters<TellRepeatedExit>[] = [];
  const looked: object[] = [];
  const clock = { elapsed: 0 };
  let last = 0;

  const submit: SubmitIntent = async (submission) => {
    const { outcome, of, error } = script(submissions.push(submission) - 1);
    if (error !== undefined) throw error;
    const id = of === undefined ? submission.alert?.entry.alertId : intentId(of);
    if (id === undefined) throw new Error("an alert is submitted with its entry");
    if (outcome === undefined) return { intentId: id };
    const record = { ...recordOf(submission, outcome), intentId: id };
    return { intentId: id, settled: { record, replayed: of !== undefined } };
  };

  const receiveAlerts = createReceiveAlerts({
    accounts: await openAccounts(),
    contracts,
    openContracts: async () => [],
    namedPlans: {
      all: async () => plans,
      find: async (_, name) => {
        sought.push(name);
        return plans.find((one) => one.name === name);
      },
    },
    intents: {
      findSameAlert: async (...asked) => {
        looked.push(asked);
        return await findSameAlert(...asked);
      },
    },
    submit,
    repeat: async (_, id) => ({ intentId: id }),
    recordAlertOutcome: async (entry, ending) => void endings.push({ entry, ending }),
    tellRepeatedExit: (...repeated) => void repeats.push(repeated),
    observer: { alertAnswered: (outcome) => void answered.push(outcome) },
    defaults: { entryMaxAgeMs: 60_000, exitMaxAgeMs: 600_000, duplicateWindowMs: 30_000 },
    newIntentId: () => intentId(`a${(last += 1)}`),
    accountGroups: { find: async (user, id) => groups.find((one) => isOf(one, user, id)) },
    memberIdOf: (alert, account) => intentId(`${alert}-${account}`),
    fingerprint: (text) => createHash("sha256").update(text).digest("base64url"),
    elapsed: () => clock.elapsed,
  });
  return { receiveAlerts, submissions, endings, answered, repeats, looked, sought, clock };
}

export function recordOf(submission: Submission, outcome: Outcome) {
  const { accountId: account, userId: owner, source, requestId, intent, test } = submission;
  return {
    intentId: submission.alert?.entry.alertId ?? intentId("none"),
    accountId: account,
    userId: owner,
    source,
    requestId,
    intent,
    ...(test !== undefined && { test }),
    state: outcome.kind.toUpperCase() as IntentState,
    clOrdIds: [],
    acceptedAt: NOW,
    entryExpiresAt: NOW + 60_000,
    exitExpiresAt: NOW + 600_000,
    sentAt: NOW + 5,
    settledAt: NOW + 50,
    outcome,
  } satisfies IntentRecord;
}
