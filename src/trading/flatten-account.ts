import type { ContractDirectory } from "../domain/contract-directory.ts";
import type { AccountDirectory } from "./account-directory.ts";
import type { AnswerIntent } from "./answer-intent.ts";
import type { Gateway } from "./gateway.ts";
import { resolveHeld } from "./resolve.ts";
import type { RequireConnection } from "./require-connection.ts";

export interface FlattenAccountDeps {
  readonly accounts: AccountDirectory;
  readonly contracts: ContractDirectory;
  readonly requireConnection: RequireConnection;
  readonly answer: AnswerIntent;
}

/** Closes positions and the legs that belong to them; resting entries stay (`/v1`). */
export function createFlattenAccount(deps: FlattenAccountDeps): Gateway["flattenAccount"] {
  const { accounts, contracts, requireConnection, answer } = deps;

  return async function flattenAccount(caller, accountId, symbol) {
    const account = await accounts.requireActive(caller.userId, accountId);
    const meant =
      symbol === undefined ? undefined : resolveHeld(contracts, symbol, caller.receivedAt);
    requireConnection(account.connectionId);
    return await answer(caller, {
      accountId,
      intent: { kind: "FLATTEN", ...meant, cancelResting: false },
    });
  };
}
