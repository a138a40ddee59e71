import type { Brand } from "./brand.ts";

/** FIX tag 11: the identifier we choose for an order before the broker has seen it. */
export type ClOrdId = Brand<string, "ClOrdId">;

/** FIX tag 37: the identifier the broker chooses once it accepts the order. */
export type OrderId = Brand<string, "OrderId">;

/** FIX tag 17: one fill. Unique within its account. */
export type ExecId = Brand<string, "ExecId">;

/**
 * Our name of one account at one broker connection, `<connection>-<account>`, for example
 * `paper-1`. Letters, digits, `_`, `.` and `-` only, so that it fits URLs, Redis keys and queue names.
 */
export type AccountId = Brand<string, "AccountId">;

/** One session with one broker. */
export type ConnectionId = Brand<string, "ConnectionId">;

/** What one alert or API call wants of one account; also the id of its job on the lane. */
export type IntentId = Brand<string, "IntentId">;

/** One person of this appliance. Nothing crosses users. */
export type UserId = Brand<string, "UserId">;

/** An API key's, webhook token's or session's public name. Never its secret value. */
export type CredentialId = Brand<string, "CredentialId">;

/** A leader account with the accounts that follow it: `cg_` and letters and digits. */
export type CopyGroupId = Brand<string, "CopyGroupId">;

/** Accounts that one alert or call goes to: `ag_` and letters and digits. */
export type AccountGroupId = Brand<string, "AccountGroupId">;

/** A rule that trades an account by itself: `st_` and letters and digits. */
export type StrategyId = Brand<string, "StrategyId">;

/** Our public name of a person's passkey. */
export type PasskeyId = Brand<string, "PasskeyId">;

export const clOrdId = (value: string): ClOrdId => value as ClOrdId;
export const orderId = (value: string): OrderId => value as OrderId;
export const execId = (value: string): ExecId => value as ExecId;
export const accountId = (value: string): AccountId => value as AccountId;
export const connectionId = (value: string): ConnectionId => value as ConnectionId;
export const intentId = (value: string): IntentId => value as IntentId;
export const userId = (value: string): UserId => value as UserId;
export const credentialId = (value: string): CredentialId => value as CredentialId;
export const copyGroupId = (value: string): CopyGroupId => value as CopyGroupId;
export const accountGroupId = (value: string): AccountGroupId => value as AccountGroupId;
export const strategyId = (value: string): StrategyId => value as StrategyId;
export const passkeyId = (value: string): PasskeyId => value as PasskeyId;

const ACCOUNT_ID = /^[A-Za-z0-9_.-]{1,64}$/;

/** Returns undefined for text that can be no account of ours; such an id is never looked up. */
export function parseAccountId(text: string): AccountId | undefined {
  return ACCOUNT_ID.test(text) ? (text as AccountId) : undefined;
}

const OWN_CLORDID = /^(i[0-9a-f]{28})-[1-9]\d*(?:-TP|-SL)?$/;

const LEG_ENDINGS = { TAKE_PROFIT: "-TP", STOP_LOSS: "-SL" } as const;

/** The identifier of one leg of a pair, from the identifier that the pair was written ahead with. */
export function legIdOf(pair: ClOrdId, leg: keyof typeof LEG_ENDINGS): ClOrdId {
  return `${pair}${LEG_ENDINGS[leg]}` as ClOrdId;
}

/** Which leg an identifier of ours was made for; undefined for a plain order. */
export function legOf(id: ClOrdId): keyof typeof LEG_ENDINGS | undefined {
  if (id.endsWith(LEG_ENDINGS.TAKE_PROFIT)) return "TAKE_PROFIT";
  return id.endsWith(LEG_ENDINGS.STOP_LOSS) ? "STOP_LOSS" : undefined;
}

/** What was written ahead: of a leg, its pair's identifier. */
export function sentIdOf(id: ClOrdId): ClOrdId {
  return id.replace(/-(?:TP|SL)$/, "") as ClOrdId;
}

/**
 * The intent that an identifier of ours was made for, legs (`-TP`, `-SL`) included; undefined for an identifier that another program chose.
 */
export function intentIdOf(id: ClOrdId): IntentId | undefined {
  return OWN_CLORDID.exec(id)?.[1] as IntentId | undefined;
}

/** Whether this appliance chose the identifier. */
export function isOwnClOrdId(id: ClOrdId): boolean {
  return OWN_CLORDID.test(id);
}
