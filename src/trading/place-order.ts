import type { ContractDirectory } from "../domain/contract-directory.ts";
import type { AccountDirectory } from "./account-directory.ts";
import type { AnswerIntent } from "./answer-intent.ts";
import type { Gateway } from "./gateway.ts";
import type { RequireConnection } from "./require-connection.ts";
import { resolveOrder } from "./resolve.ts";

export interface PlaceOrderDeps {
  readonly accounts: AccountDirectory;
  readonly contracts: ContractDirectory;
  readonly requireConnection: RequireConnection;
  readonly answer: AnswerIntent;
}

export function createPlaceOrder(deps: PlaceOrderDeps): Gateway["placeOrder"] {
  const { accounts, contracts, requireConnection, answer } = deps;

  return async function placeOrder(caller, accountId, ticket, idempotency) {
    const account = await accounts.requireActive(caller.userId, accountId);
    const intent = resolveOrder(contracts, ticket, caller.receivedAt);
    requireConnection(account.connectionId);
    return await answer(caller, {
      accountId,
      intent,
      ...(idempotency !== undefined && {
        // The key belongs to the API key that sent it; the account is part of its place in the store.
        idempotency: { ...idempotency, key: `${caller.credentialId}:${idempotency.key}` },
      }),
    });
  };
}
