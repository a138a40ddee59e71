import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { AnswerIntent } from "./answer-intent.ts";
import type { OpenContracts } from "./open-contracts.ts";
import { resolvePosition } from "./resolve.ts";
import type { RequireConnection } from "../connections/require-connection.ts";
import type { OrderUses } from "./order-uses.ts";

export interface FlattenAccountDeps {
  readonly accounts: AccountDirectory;
  readonly contracts: ContractDirectory;
  readonly requireConnection: RequireConnection;
  readonly openContracts: OpenContracts;
  readonly answer: AnswerIntent;
}

/** Closes positions and the legs that belong to them; resting entries stay (`/v1`). */
export function createFlattenAccount(deps: FlattenAccountDeps): OrderUses["flattenAccount"] {
  const { accounts, contracts, requireConnection, openContracts, answer } = deps;

  return async function flattenAccount(caller, accountId, symbol) {
    const account = await accounts.requireActive(caller.userId, accountId);
    requireConnection(account.connectionId);
    const open = await openContracts(account, symbol, caller.receivedAt);
    const meant =
      symbol === undefined
        ? undefined
        : resolvePosition(contracts, symbol, caller.receivedAt, open);
    return await answer(caller, {
      accountId,
      intent: { kind: "FLATTEN", ...meant, cancelResting: false },
    });
  };
}
