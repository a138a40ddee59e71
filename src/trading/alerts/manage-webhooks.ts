import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";
import type { AccountGroupId, AccountId, CredentialId, UserId } from "../../domain/ids.ts";
import type { Webhook } from "../../domain/people/credential.ts";
import { errors, type GatewayError } from "../../errors.ts";
import { findAccountGroup } from "../account-groups/manage-account-groups.ts";
import type { AccountGroups } from "../account-groups/ports.ts";
import type { WebhookOptions, WebhookOptionsChange } from "../../domain/alert.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import { checkOptions, RISK_TWICE, saysRiskTwice } from "./check-webhook-options.ts";
import type { CredentialStore } from "../people/ports.ts";
import type { NamedPlanStore } from "../exits/named-plan-store.ts";
import { requirePlan } from "../exits/look-up-plan.ts";
import type { Caller } from "../people/caller.ts";
import type { WebhookUses } from "./webhook-uses.ts";

/** More than anybody has, and few enough to be listed at once. */
const MOST_WEBHOOKS = 1_000;

export interface ManageWebhooksDeps {
  readonly accounts: AccountDirectory;
  readonly credentials: CredentialStore;
  readonly contracts: ContractDirectory;
  readonly accountGroups: Pick<AccountGroups, "find">;
  readonly namedPlans: Pick<NamedPlanStore, "find" | "all">;
}

/**
 * Webhook tokens of one user. A token is bound to exactly one account (specification 2.1), or to a group
 * of them.
 */
export function createWebhookUses({
  accounts,
  credentials,
  contracts,
  accountGroups,
  namedPlans,
}: ManageWebhooksDeps): WebhookUses {
  async function check<Options extends WebhookOptions | WebhookOptionsChange>(
    { userId, receivedAt }: Caller,
    options: Options,
  ): Promise<Options> {
    const checked = checkOptions(options, contracts, receivedAt);
    const { exitPlan } = checked;
    if (typeof exitPlan === "string") await requirePlan(namedPlans, userId, exitPlan);
    return checked;
  }

  return {
    createWebhook: async (caller, { name, options = {}, ...asked }) => {
      const { userId } = caller;
      const target = await requireTarget(caller, asked);
      if (target === undefined) throw oneTarget("accountId", "is needed, or groupId");
      const checked = await check(caller, options);
      const { accountId, groupId, called } = target;
      const own = await credentials.webhooks(userId);
      if (own.length >= MOST_WEBHOOKS) throw errors.tooMany("TOO_MANY_WEBHOOKS", MOST_WEBHOOKS);
      return await credentials.createWebhook({
        userId,
        accountId,
        ...(groupId !== null && { groupId }),
        name: name ?? called,
        options: checked,
      });
    },

    listWebhooks: async ({ userId }) => await credentials.webhooks(userId),

    findWebhook: async ({ userId }, id) => {
      const webhook = await credentials.webhook(userId, id);
      if (webhook === undefined) throw errors.notFound("webhook");
      return webhook;
    },

    changeWebhook: async (caller, id, { options = {}, accountId, groupId, ...change }) => {
      const { userId } = caller;
      const asked = { ...(accountId && { accountId }), ...(groupId && { groupId }) };
      const { called: _, ...target } = (await requireTarget(caller, asked)) ?? { called: "" };
      const checked = await check(caller, options);
      await requireOneRisk(userId, id, checked);
      const changed = await credentials.changeWebhook(userId, id, {
        ...change,
        ...target,
        options: checked,
      });
      if (changed === undefined) throw errors.notFound("webhook");
      return changed;
    },

    deleteWebhook: async ({ userId }, id) => {
      if (!(await credentials.deleteWebhook(userId, id))) throw errors.notFound("webhook");
    },
  };

  /** What is set alone goes beside what is saved: with both of them every alert would be refused. */
  async function requireOneRisk(
    userId: UserId,
    id: CredentialId,
    change: WebhookOptionsChange,
  ): Promise<void> {
    if (typeof (change.riskMoney ?? change.riskPercent) !== "string") return;
    const known = await credentials.webhook(userId, id);
    if (saysRiskTwice({ ...known?.options, ...change })) {
      throw errors.validationFailed([RISK_TWICE]);
    }
  }

  /** Where alerts are to go, which has to be there; undefined where nothing is said of it. */
  async function requireTarget(
    caller: Caller,
    { accountId, groupId }: Pick<Webhook, "groupId"> & Partial<Pick<Webhook, "accountId">>,
  ): Promise<Target | undefined> {
    if (groupId === undefined) {
      if (accountId === undefined) return undefined;
      await accounts.requireActive(caller.userId, accountId);
      return { accountId, groupId: null, called: accountId };
    }
    if (accountId !== undefined) throw oneTarget("groupId", "must not be given beside accountId");
    const { name, members } = await findAccountGroup({ accountGroups }, caller, groupId);
    const [home] = members;
    if (home === undefined) throw oneTarget("groupId", "is a group without accounts");
    return { accountId: home.accountId, groupId, called: name };
  }
}

/** Where a webhook lies, and the group that its alerts go to; null: to that account alone. */
interface Target {
  readonly accountId: AccountId;
  readonly groupId: AccountGroupId | null;
  /** What the webhook is called where nobody says so. */
  readonly called: string;
}

const oneTarget = (path: string, message: string): GatewayError =>
  errors.validationFailed([{ path, message }]);
