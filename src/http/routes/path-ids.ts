import {
  type AccountId,
  type CredentialId,
  credentialId,
  type IntentId,
  intentId,
  type OrderId,
  orderId,
  parseAccountId,
  type PasskeyId,
  passkeyId,
} from "../../domain/ids.ts";
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

export function intentOf(params: Params): IntentId {
  const text = params["intentId"] ?? "";
  if (!OUR_ID.test(text)) throw errors.notFound("intent");
  return intentId(text);
}

export function alertOf(params: Params): IntentId {
  const text = params["alertId"] ?? "";
  if (!OUR_ID.test(text)) throw errors.notFound("alert");
  return intentId(text);
}

export function keyOf(params: Params): CredentialId {
  const text = params["id"] ?? "";
  if (!OUR_ID.test(text)) throw errors.notFound("API key");
  return credentialId(text);
}

export function passkeyOf(params: Params): PasskeyId {
  const text = params["id"] ?? "";
  if (!OUR_ID.test(text)) throw errors.notFound("passkey");
  return passkeyId(text);
}

export function webhookOf(params: Params): CredentialId {
  const text = params["id"] ?? "";
  if (!OUR_ID.test(text)) throw errors.notFound("webhook");
  return credentialId(text);
}

/** What an order's id looks like is the broker's business, within reason. */
export function orderOf(params: Params): OrderId {
  const text = params["orderId"] ?? "";
  if (BROKER_ID.test(text)) return orderId(text);
  const message = "must be 1 to 128 visible ASCII characters";
  throw errors.validationFailed([{ path: "orderId", message }]);
}
