import type { ContractDirectory } from "../domain/contract-directory.ts";
import { prepareLegs } from "../domain/order-ticket.ts";
import { tickSize } from "../domain/price.ts";
import { errors } from "../errors.ts";
import type { AccountDirectory } from "./account-directory.ts";
import type { AnswerIntent } from "./answer-intent.ts";
import { heldPosition } from "./held-position.ts";
import type { DescribeContract, Gateway } from "./gateway.ts";
import type { BrokerReads } from "./ports.ts";
import type { RequireConnection } from "./require-connection.ts";
import { resolveHeld } from "./resolve.ts";

export interface ProtectPositionDeps {
  readonly accounts: AccountDirectory;
  readonly contracts: ContractDirectory;
  readonly describe: DescribeContract;
  readonly requireConnection: RequireConnection;
  readonly reads: BrokerReads;
  readonly answer: AnswerIntent;
}

/** Attaches or replaces a position's take-profit and stop-loss (specification 4.2 rule 4). */
export function createProtectPosition(deps: ProtectPositionDeps): Gateway["protectPosition"] {
  const { accounts, contracts, describe, requireConnection, reads, answer } = deps;

  return async function protectPosition(caller, accountId, { symbol, ...legs }) {
    const account = await accounts.requireActive(caller.userId, accountId);
    const meant =
      symbol === undefined ? undefined : resolveHeld(contracts, symbol, caller.receivedAt);
    requireConnection(account.connectionId);

    // The levels' tick size is that of the contract held, which only the broker knows.
    const held = await reads.positions(account.connectionId, accountId);
    const { contract, netQty } = heldPosition(held, meant);
    const prepared = prepareLegs(
      legs,
      tickSize(describe(contract).tickSize),
      netQty > 0 ? "BUY" : "SELL",
    );
    if (!prepared.ok) throw errors.validationFailed(prepared.problems);
    return await answer(caller, {
      accountId,
      intent: { kind: "PROTECT", contract, levels: prepared.value },
    });
  };
}
