import type { ContractCode } from "../../domain/contract.ts";
import type { AccountId } from "../../domain/ids.ts";
import { isOpaque, understood } from "../../domain/order.ts";
import type { Standing as ShownStanding } from "../../domain/reckoning.ts";
import type { Broker, BrokerPosition } from "../ports.ts";

/** What works for an account, and what it held right after that. */
export interface Standing extends ShownStanding {
  readonly positions: readonly BrokerPosition[];
}

/** Signed; 0 where nothing is held. */
export const heldOf = (
  { positions }: Pick<Standing, "positions">,
  contract: ContractCode,
): number => positions.find((one) => one.contract === contract)?.netQty ?? 0;

/** Throws `BrokerReadError` when either cannot be read: an empty account is a statement. */
export async function readStanding(account: AccountId, broker: Broker): Promise<Standing> {
  // Orders first: one that fills in between is then in both, and never in neither.
  const all = await broker.workingOrders(account);
  const positions = await broker.positions(account);
  return { positions, working: understood(all), opaque: all.filter(isOpaque) };
}
