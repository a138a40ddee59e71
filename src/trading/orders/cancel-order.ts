import type { AccountDirectory } from "../connections/account-directory.ts";
import type { AnswerIntent } from "./answer-intent.ts";
import type { RequireConnection } from "../connections/require-connection.ts";
import type { OrderUses } from "./order-uses.ts";

export interface CancelOrderDeps {
  readonly accounts: AccountDirectory;
  readonly requireConnection: RequireConnection;
  readonly answer: AnswerIntent;
}

/** Cancels one order and never flattens a position (specification 4.2 rule 3). */
export function createCancelOrder(deps: CancelOrderDeps): OrderUses["cancelOrder"] {
  const { accounts, requireConnection, answer } = deps;

  return async function cancelOrder(caller, accountId, orderId) {
    const account = await accounts.requireActive(caller.userId, accountId);
    requireConnection(account.connectionId);
    return await answer(caller, { accountId, intent: { kind: "CANCEL", orderId } });
  };
}
