import type { AccountOrders } from "../../domain/copy-mirror.ts";
import type { Quantities } from "../../domain/holdings.ts";
import type { AccountId, ConnectionId } from "../../domain/ids.ts";
import type { AccountDirectory } from "../account-directory.ts";
import { BrokerReadError, type BrokerReads } from "../ports.ts";

export interface ReadOrdersDeps {
  readonly accounts: Pick<AccountDirectory, "find">;
  readonly reads: BrokerReads;
}

const ATTEMPTS = 3;

/**
 * What works for an account and what it holds, as they stood together: nothing was filled between the
 * two. Throws `BrokerReadError` when the broker cannot be asked, or too much is filled.
 */
export async function readOrders(deps: ReadOrdersDeps, account: AccountId): Promise<AccountOrders> {
  const { reads } = deps;
  const connection = connectionOf(deps, account);
  const readHolds = async (): Promise<Quantities> => {
    const positions = await reads.positions(connection, account);
    return new Map(positions.map(({ contract, netQty }) => [contract, netQty]));
  };
  let before = await readHolds();
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const working = await reads.workingOrders(connection, account);
    const holds = await readHolds();
    if (areSame(before, holds)) return { working, holds };
    before = holds;
  }
  throw new BrokerReadError(`What ${account} holds changes while it is read`);
}

/** What works for an account, by itself. Throws `BrokerReadError` when the broker cannot be asked. */
export async function readWorking(
  deps: ReadOrdersDeps,
  account: AccountId,
): Promise<AccountOrders["working"]> {
  return await deps.reads.workingOrders(connectionOf(deps, account), account);
}

function connectionOf({ accounts }: ReadOrdersDeps, account: AccountId): ConnectionId {
  const connection = accounts.find(account)?.connectionId;
  if (connection === undefined) throw new BrokerReadError(`${account} is not known`);
  return connection;
}

const areSame = (one: Quantities, other: Quantities): boolean =>
  one.size === other.size && [...one].every(([contract, qty]) => other.get(contract) === qty);
