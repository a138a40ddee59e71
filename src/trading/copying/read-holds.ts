import type { Quantities } from "../../domain/holdings.ts";
import type { AccountId, ConnectionId } from "../../domain/ids.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import { type BrokerPosition, BrokerReadError, type BrokerReads } from "../ports.ts";
import type { AccountViews } from "../reads/ports.ts";

/** What an account holds by the last word of its broker, in signed quantities. */
export async function readHolds(
  views: Pick<AccountViews, "positions">,
  account: AccountId,
): Promise<Quantities> {
  const { value } = await views.positions(account);
  return toHolds(value);
}

export interface HoldsAtBrokerDeps {
  readonly accounts: Pick<AccountDirectory, "find">;
  readonly reads: Pick<BrokerReads, "positions">;
}

/** The same, asked of the broker now. Throws `BrokerReadError`. */
export async function holdsAtBroker(
  deps: HoldsAtBrokerDeps,
  account: AccountId,
): Promise<Quantities> {
  return toHolds(await deps.reads.positions(connectionOf(deps, account), account));
}

/** Through which connection its broker is asked. Throws `BrokerReadError`. */
export function connectionOf(
  { accounts }: Pick<HoldsAtBrokerDeps, "accounts">,
  account: AccountId,
): ConnectionId {
  const connection = accounts.find(account)?.connectionId;
  if (connection === undefined) throw new BrokerReadError(`${account} is not known`);
  return connection;
}

const toHolds = (positions: readonly BrokerPosition[]): Quantities =>
  new Map(positions.map(({ contract, netQty }) => [contract, netQty]));
