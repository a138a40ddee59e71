import type {
  AlertEnding,
  AlertEntry,
  LoggedAlert,
} from "../../../../src/trading/alerts/alert-log.ts";
import { credentialId, intentId } from "../../../../src/domain/ids.ts";
import type { Intent, IntentRecord, IntentState, Outcome } from "../../../../src/domain/intent.ts";
import { ACCOUNT, ES, NOW, USER } from "./alerts-kit.ts";
import type { Caller } from "../../../../src/trading/people/caller.ts";

export const caller: Caller = {
  userId: USER,
  credentialId: credentialId("key_1"),
  scopes: ["read", "trade"],
  receivedAt: NOW + 3_600_000,
  requestId: "r_2",
};

export const buyIntent: Intent = {
  kind: "PLACE",
  order: { contract: ES, side: "BUY", orderQty: 1, ordType: "MARKET", timeInForce: "DAY" },
};

export function entryOf(id: string, change: Partial<AlertEntry> = {}): AlertEntry {
  return {
    alertId: intentId(id),
    accountId: ACCOUNT,
    userId: USER,
    webhookId: credentialId("wh_1"),
    requestId: "r_1",
    receivedAt: NOW,
    sender: "192.0.2.1",
    profile: "native",
    body: '{"action":"buy","symbol":"ES1!","qty":1}',
    bodyBytes: 40,
    request: {
      kind: "order",
      ticket: { symbol: "ES1!", side: "BUY", orderQty: 1, ordType: "MARKET" },
    },
    unread: [],
    contract: ES,
    decisions: [],
    ...change,
  };
}

export const ended = (
  id: string,
  ending: AlertEnding,
  change?: Partial<AlertEntry>,
): LoggedAlert => ({ entry: entryOf(id, change), ending });

export const REFUSED: AlertEnding = {
  kind: "refused",
  code: "UNKNOWN_SYMBOL",
  status: 400,
  message: "Unknown symbol",
  details: [{ path: "symbol", message: "no such root" }],
};

/** An alert that became an intent; without an outcome it is under way. */
export function accepted(
  id: string,
  outcome?: Outcome,
  change: Partial<AlertEntry> & { readonly intent?: Partial<IntentRecord> } = {},
): LoggedAlert {
  const { intent, ...entry } = change;
  const whole = entryOf(id, entry);
  const { alertId, accountId, userId, requestId, webhookId } = whole;
  return {
    entry: whole,
    intent: {
      intentId: alertId,
      accountId,
      userId,
      source: { kind: "webhook", credentialId: webhookId },
      requestId,
      intent: buyIntent,
      state: (outcome?.kind.toUpperCase() ?? "PREPARED") as IntentState,
      clOrdIds: [],
      acceptedAt: NOW + 1,
      entryExpiresAt: NOW + 60_000,
      exitExpiresAt: NOW + 600_000,
      ...(outcome !== undefined && { outcome, sentAt: NOW + 5, settledAt: NOW + 50 }),
      ...intent,
    },
  };
}
