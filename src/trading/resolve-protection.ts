import type { ContractDirectory } from "../domain/contract-directory.ts";
import type { AccountId, ConnectionId } from "../domain/ids.ts";
import type { Intent } from "../domain/intent.ts";
import { prepareLegs } from "../domain/order-ticket.ts";
import { tickSize as sizeOf } from "../domain/price.ts";
import type { BracketTicket } from "../domain/tick-reader.ts";
import { errors } from "../errors.ts";
import { heldPosition } from "./held-position.ts";
import type { DescribeContract } from "./gateway.ts";
import type { OpenContracts } from "./open-contracts.ts";
import type { BrokerReads } from "./ports.ts";
import { firstStep } from "./public-error.ts";
import type { RequireConnection } from "./require-connection.ts";
import { resolveHeld } from "./resolve.ts";

export interface ResolveProtectionDeps {
  readonly contracts: ContractDirectory;
  readonly describe: DescribeContract;
  readonly requireConnection: RequireConnection;
  readonly openContracts: OpenContracts;
  readonly reads: BrokerReads;
}

interface ProtectRequest {
  /** When it came in, Unix ms. */
  readonly receivedAt: number;
  /** Absent: the one position that is open. */
  readonly symbol?: string;
  readonly legs: BracketTicket;
}

export type ResolveProtection = (
  account: { readonly accountId: AccountId; readonly connectionId: ConnectionId },
  request: ProtectRequest,
) => Promise<Intent>;

/** Levels in ticks of the contract that is held, which only the broker knows: it is asked now. */
export function createResolveProtection(deps: ResolveProtectionDeps): ResolveProtection {
  const { contracts, describe, requireConnection, openContracts, reads } = deps;

  return async function resolveProtection(account, request) {
    const { accountId, connectionId } = account;
    const { symbol, legs, receivedAt } = request;
    requireConnection(connectionId);
    const open = await openContracts(account, symbol, receivedAt);
    const meant =
      symbol === undefined ? undefined : resolveHeld(contracts, symbol, receivedAt, open);

    const held = await firstStep("reads", () => reads.positions(connectionId, accountId));
    const { contract, netQty, terms } = heldPosition(held, meant);
    const { tickSize, symbol: name } = describe(contract, terms);
    if (tickSize === undefined) throw untold(name);
    const prepared = prepareLegs(legs, sizeOf(tickSize), netQty > 0 ? "BUY" : "SELL");
    if (!prepared.ok) throw errors.validationFailed(prepared.problems);
    return { kind: "PROTECT", contract, levels: prepared.value };
  };
}

function untold(symbol: string) {
  const message = `is in ${symbol}, of which neither the contract table nor the broker tells a tick: protect it at the broker`;
  return errors.validationFailed([{ path: "symbol", message }]);
}
