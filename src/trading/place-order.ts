import { contractCode } from "../domain/contract.ts";
import type { ContractDirectory } from "../domain/contract-directory.ts";
import { type OrderTicket, prepareOrder, type PreparedOrder } from "../domain/order-ticket.ts";
import { errors } from "../errors.ts";
import type { AccountDirectory } from "./account-directory.ts";
import type { AnswerIntent } from "./answer-intent.ts";
import type { Gateway } from "./gateway.ts";
import type { RequireConnection } from "./require-connection.ts";

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
    const order = resolveOrder(contracts, ticket, caller.receivedAt);
    requireConnection(account.connectionId);
    return await answer(caller, {
      accountId,
      intent: { kind: "PLACE", order },
      ...(idempotency !== undefined && {
        // The key belongs to the API key that sent it; the account is part of its place in the store.
        idempotency: { ...idempotency, key: `${caller.credentialId}:${idempotency.key}` },
      }),
    });
  };
}

/** The order on its resolved contract; fails before anything is sent (specification 2.3). */
export function resolveOrder(
  contracts: ContractDirectory,
  ticket: OrderTicket,
  nowMs: number,
): PreparedOrder {
  const resolution = contracts.resolve(ticket.symbol, nowMs);
  if (resolution.kind === "unknown") throw errors.unknownSymbol(ticket.symbol, resolution.reason);

  const { contract, product } = resolution;
  const prepared = prepareOrder(ticket, contractCode(contract), product.tickSize);
  if (!prepared.ok) throw errors.validationFailed(prepared.problems);
  return prepared.value;
}
