import { type AccountId, intentId, type IntentId, type UserId } from "../../domain/ids.ts";
import { errors } from "../../errors.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import { readCursor, requireWithin, writeCursor } from "../reads/page-cursor.ts";
import type { AlertLog, AlertPosition, LoggedAlert } from "./alert-log.ts";
import { alertOutcome } from "./alert-outcome.ts";
import type { AlertsRequest, AlertUses } from "./alert-uses.ts";
import type { CredentialStore } from "../people/ports.ts";

export interface AlertHistoryDeps {
  readonly accounts: AccountDirectory;
  readonly credentials: Pick<CredentialStore, "alertAccounts">;
  readonly alerts: AlertLog;
}

/** What became of every alert of a user, as far back as the store keeps them. */
export function createAlertHistory(
  deps: AlertHistoryDeps,
): Pick<AlertUses, "listAlerts" | "findAlert"> {
  const { accounts, credentials, alerts } = deps;
  return {
    listAlerts: async ({ userId }, request) => {
      const asked = await accountsOf(userId, request.accountId);
      const { limit, cursor, fromAt, beforeAt, outcome } = request;
      const filters = filtersOf(request);
      const range = {
        ...(fromAt !== undefined && { fromAt }),
        ...(beforeAt !== undefined && { beforeAt }),
      };
      const after = cursor === undefined ? undefined : readPosition(cursor, filters, range);
      const { items, next } = await alerts.list(asked, {
        limit,
        ...range,
        ...(outcome !== undefined && { outcome }),
        matches: (alert) => alert.entry.userId === userId && matches(alert, request),
        ...(after !== undefined && { after }),
      });
      if (next === undefined) return { items };
      const position = { at: next.at, id: next.alertId };
      return { items, nextCursor: writeCursor(position, filters) };
    },

    findAlert: async ({ userId }, alertId) => await findAlert(deps, userId, alertId),
  };

  async function accountsOf(user: UserId, account: AccountId | undefined) {
    if (account === undefined) return await credentials.alertAccounts(user);
    await accounts.require(user, account);
    return [account];
  }
}

/** One alert of a user; NOT_FOUND for another's too. */
export async function findAlert(
  { credentials, alerts }: Pick<AlertHistoryDeps, "credentials" | "alerts">,
  user: UserId,
  alertId: IntentId,
): Promise<LoggedAlert> {
  const found = await alerts.find(await credentials.alertAccounts(user), alertId);
  if (found?.entry.userId !== user) throw errors.notFound("alert");
  return found;
}

function matches(alert: LoggedAlert, { accountId, webhookId, outcome }: AlertsRequest): boolean {
  // Of an alert for a group an account has its part.
  const { groupId, partOf } = alert.entry;
  const isOfGroup = groupId !== undefined && partOf === undefined;
  if (accountId !== undefined && isOfGroup) return false;
  if (webhookId !== undefined && alert.entry.webhookId !== webhookId) return false;
  return outcome === undefined || alertOutcome(alert) === outcome;
}

const filtersOf = ({ accountId, webhookId, outcome, fromAt, beforeAt }: AlertsRequest) => [
  "alerts",
  accountId,
  webhookId,
  outcome,
  fromAt,
  beforeAt,
];

function readPosition(
  cursor: string,
  filters: ReturnType<typeof filtersOf>,
  range: { readonly fromAt?: number; readonly beforeAt?: number },
): AlertPosition {
  const position = readCursor(cursor, filters);
  requireWithin(position, range);
  return { at: position.at, alertId: intentId(position.id) };
}
