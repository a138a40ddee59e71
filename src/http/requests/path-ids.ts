import {
  type AccountGroupId,
  accountGroupId,
  type AccountId,
  type CopyGroupId,
  copyGroupId,
  type CredentialId,
  credentialId,
  type IntentId,
  intentId,
  type OrderId,
  orderId,
  parseAccountId,
  type PasskeyId,
  passkeyId,
  type StrategyId,
  strategyId,
} from "../../domain/ids.ts";
import type { DestinationId } from "../../domain/notify/destination.ts";
import { errors } from "../../errors.ts";

type Params = Readonly<Record<string, string>>;

const OUR_ID = /^[A-Za-z0-9_.:-]{1,128}$/;
const BROKER_ID = /^[\x21-\x7e]{1,128}$/;

/** Ids that can be none of ours are not looked up: they answer as one that does not exist. */
export function accountOf(text: string | undefined): AccountId {
  const account = parseAccountId(text ?? "");
  if (account === undefined) throw errors.notFound("account");
  return account;
}

export const intentOf = (params: Params): IntentId => intentId(ourId(params["intentId"], "intent"));

export const alertOf = (params: Params): IntentId => intentId(ourId(params["alertId"], "alert"));

export const keyOf = (params: Params): CredentialId => credentialId(ourId(params["id"], "API key"));

export const passkeyOf = (params: Params): PasskeyId => passkeyId(ourId(params["id"], "passkey"));

export const strategyOf = (params: Params): StrategyId =>
  strategyId(ourId(params["id"], "strategy"));

export const destinationOf = (params: Params): DestinationId =>
  ourId(params["id"], "destination") as DestinationId;

export const webhookOf = (params: Params): CredentialId =>
  credentialId(ourId(params["id"], "webhook"));

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$/;

export const calendarOf = (params: Params): string => chosenName(params);

export const exitPlanOf = (params: Params): string => chosenName(params);

/** A name that the user chooses. */
function chosenName(params: Params): string {
  const name = params["name"] ?? "";
  if (NAME.test(name)) return name;
  const message = "must be 1 to 40 letters, digits, dots, hyphens and underscores";
  throw errors.validationFailed([{ path: "name", message }]);
}

function ourId(text: string | undefined, what: string): string {
  if (text !== undefined && OUR_ID.test(text)) return text;
  throw errors.notFound(what);
}

export function groupOf(params: Params): CopyGroupId {
  const text = params["groupId"] ?? "";
  if (!OUR_ID.test(text)) throw errors.notFound("copy group");
  return copyGroupId(text);
}

export function accountGroupOf(params: Params): AccountGroupId {
  return accountGroupId(ourId(params["groupId"], "account group"));
}

/** What an order's id looks like is the broker's business, within reason. */
export function orderOf(params: Params): OrderId {
  const text = params["orderId"] ?? "";
  if (BROKER_ID.test(text)) return orderId(text);
  const message = "must be 1 to 128 visible ASCII characters";
  throw errors.validationFailed([{ path: "orderId", message }]);
}
