import type { Quantities } from "../../domain/holdings.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { AccountDirectory } from "../account-directory.ts";
import { type BrokerPosition, BrokerReadError, type BrokerReads } from "../ports.ts";
import type { AccountViews } from "../store-ports.ts";

/** What an account holds by the last word of its broker, in signed quantities. */
export async function readHolds(
  views: Pick<AccountViews, "positions">,
  account: AccountId,
): Promise<Quantities> {
  const { value } = await views.positions(account);
  return toHolds(value);
}

export interface HoldsAtBrokerDeps {
  readonly accounts: AccountDirectory;
  readonly reads: Pick<BrokerReads, "positions">;
}

/** The same, asked of the broker now. Throws `BrokerReadError`. */
export async function holdsAtBroker(
  { accounts, reads }: HoldsAtBrokerDeps,
  account: AccountId,
): Promise<Quantities> {
  const stored = accounts.find(account);
  if (stored === undefined) throw new BrokerReadError(`${account} is not known`);
  return toHolds(await reads.positions(stored.connectionId, account));
}

const toHolds = (positions: readonly BrokerPosition[]): Quantities =>
  new Map(positions.map(({ contract, netQty }) => [contract, netQty]));
