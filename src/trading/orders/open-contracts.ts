import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";
import type { AccountId, ConnectionId } from "../../domain/ids.ts";
import type { BrokerReads } from "../ports.ts";
import { firstStep } from "../public-error.ts";

/**
 * The contracts that an account holds or has orders in, as far as they are needed to know what the
 * symbol of an exit means: none where the table knows it.
 */
export type OpenContracts = (
  account: { readonly accountId: AccountId; readonly connectionId: ConnectionId },
  symbol: string | undefined,
  nowMs: number,
) => Promise<readonly ContractCode[]>;

export function createOpenContracts({
  contracts,
  reads,
}: {
  readonly contracts: ContractDirectory;
  readonly reads: BrokerReads;
}): OpenContracts {
  return async function openContracts({ accountId, connectionId }, symbol, nowMs) {
    if (symbol === undefined || contracts.resolve(symbol, nowMs, "exit").kind === "resolved") {
      return [];
    }
    const [held, working] = await firstStep("reads", () =>
      Promise.all([
        reads.positions(connectionId, accountId, "exit"),
        reads.workingOrders(connectionId, accountId, "exit"),
      ]),
    );
    // What is held first: an exit that names a root means that.
    return [...held, ...working].flatMap(({ contract }) => contract ?? []);
  };
}
