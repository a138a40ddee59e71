import { type ContractCode, isUnnamed } from "../../domain/contract.ts";
import type { AccountId } from "../../domain/ids.ts";
import {
  isOpaque,
  mayBeIn,
  type OpaqueOrder,
  type OrderReport,
  understood,
} from "../../domain/order.ts";
import type { Broker, BrokerPosition } from "../ports.ts";

/** What works for an account, and what it held right after that. */
export interface Standing {
  readonly positions: readonly BrokerPosition[];
  readonly working: readonly OrderReport[];
  /** What works as well, and is not understood. */
  readonly opaque: readonly OpaqueOrder[];
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

/**
 * Why nobody can say how large the position in a contract could grow: an order that may be in it, or
 * a position that may be it, is not understood. Undefined where all of it is.
 */
export function doubtAbout(
  { positions, working, opaque }: Standing,
  contract: ContractCode,
): string | undefined {
  const order = opaque.find((one) => mayBeIn(one, contract));
  if (order !== undefined) return `order ${order.orderId} is not understood (${order.problem})`;
  const nameless = working.find((one) => isUnnamed(one.contract));
  if (nameless !== undefined) {
    return `order ${nameless.orderId} is in a contract whose name the broker does not tell`;
  }
  const position = positions.find((one) => isUnnamed(one.contract));
  if (position === undefined) return undefined;
  return `the account holds ${position.netQty} of a contract whose name the broker does not tell (${position.contract})`;
}
