import type { Quantities } from "../../domain/holdings.ts";
import type { AccountId, ConnectionId } from "../../domain/ids.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import { type BrokerPosition, BrokerReadError, type BrokerReads } from "../ports.ts";
import type { AccountViews } from "../reads/ports.ts";
import type { AccountOrders } from "../../domain/copying/copy-mirror.ts";
import { isOpaque, understood } from "../../domain/order.ts";

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

export interface ReadOrdersDeps extends HoldsAtBrokerDeps {
  readonly reads: Pick<BrokerReads, "positions" | "workingOrders">;
}

const ATTEMPTS = 3;

/**
 * What works for an account and what it holds, as they stood together: nothing was filled between the
 * two. Throws `BrokerReadError` when the broker cannot be asked, or too much is filled.
 */
export async function readOrders(deps: ReadOrdersDeps, account: AccountId): Promise<AccountOrders> {
  let before = await holdsAtBroker(deps, account);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const orders = await readWorking(deps, account);
    const holds = await holdsAtBroker(deps, account);
    if (areSame(before, holds)) return { ...orders, holds };
    before = holds;
  }
  throw new BrokerReadError(`What ${account} holds changes while it is read`);
}

/** What works for an account, by itself. Throws `BrokerReadError` when the broker cannot be asked. */
export async function readWorking(
  deps: ReadOrdersDeps,
  account: AccountId,
): Promise<Omit<AccountOrders, "holds">> {
  const all = await deps.reads.workingOrders(connectionOf(deps, account), account);
  const working = understood(all).filter(({ terms }) => terms === undefined);
  return { working, opaque: all.filter(isOpaque) };
}

const areSame = (one: Quantities, other: Quantities): boolean =>
  one.size === other.size && [...one].every(([contract, qty]) => other.get(contract) === qty);
