import type { AccountOrders } from "../../domain/copying/copy-mirror.ts";
import type { Quantities } from "../../domain/holdings.ts";
import type { AccountId } from "../../domain/ids.ts";
import { isOpaque, understood } from "../../domain/order.ts";
import { BrokerReadError, type BrokerReads } from "../ports.ts";
import { connectionOf, holdsAtBroker, type HoldsAtBrokerDeps } from "./read-holds.ts";

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
