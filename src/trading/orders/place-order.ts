import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { AnswerKeyedIntent } from "./answer-intent.ts";
import type { RequireConnection } from "../connections/require-connection.ts";
import { resolveOrder } from "./resolve.ts";
import type { OrderUses } from "./order-uses.ts";

export interface PlaceOrderDeps {
  readonly accounts: AccountDirectory;
  readonly contracts: ContractDirectory;
  readonly requireConnection: RequireConnection;
  readonly answerKeyed: AnswerKeyedIntent;
}

export function createPlaceOrder(deps: PlaceOrderDeps): OrderUses["placeOrder"] {
  const { accounts, contracts, requireConnection, answerKeyed } = deps;

  return async function placeOrder(caller, accountId, ticket, idempotency) {
    const { userId, receivedAt } = caller;
    await accounts.require(userId, accountId);
    return await answerKeyed(caller, {
      accountId,
      idempotency,
      prepare: async () => {
        const account = await accounts.requireActive(userId, accountId);
        const intent = resolveOrder(contracts, ticket, receivedAt);
        requireConnection(account.connectionId);
        return intent;
      },
    });
  };
}
