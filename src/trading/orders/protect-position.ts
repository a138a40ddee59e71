import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { AnswerIntent } from "./answer-intent.ts";
import type { OpenContracts } from "./open-contracts.ts";
import type { RequireConnection } from "../connections/require-connection.ts";
import { resolveProtection } from "./resolve-protection.ts";
import type { OrderUses } from "./order-uses.ts";

export interface ProtectPositionDeps {
  readonly accounts: AccountDirectory;
  readonly contracts: ContractDirectory;
  readonly openContracts: OpenContracts;
  readonly requireConnection: RequireConnection;
  readonly answer: AnswerIntent;
}

/** Attaches or replaces a position's take-profit and stop-loss (specification 4.2 rule 4). */
export function createProtectPosition(deps: ProtectPositionDeps): OrderUses["protectPosition"] {
  const { accounts, contracts, openContracts, requireConnection, answer } = deps;

  return async function protectPosition(caller, accountId, { symbol, ...legs }) {
    const { userId, receivedAt } = caller;
    const account = await accounts.requireActive(userId, accountId);
    requireConnection(account.connectionId);
    const open = await openContracts(account, symbol, receivedAt);
    const request = { legs, ...(symbol !== undefined && { symbol }) };
    const intent = resolveProtection(request, contracts, receivedAt, open);
    return await answer(caller, { accountId, intent });
  };
}
