import type { ContractCode } from "../../domain/contract.ts";
import type { AccountId } from "../../domain/ids.ts";
import { isOpaque, understood } from "../../domain/order.ts";
import { isFilling, type Standing as ShownStanding } from "../../domain/reckoning.ts";
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

/** So often it is read before what is shown has to do. */
const LOOKS = 3;

/**
 * Throws `BrokerReadError` when either cannot be read: an empty account is a statement. What fills at
 * the market between orders and positions would count twice, as filled and as still to fill: then
 * both are read again.
 */
export async function readStanding(account: AccountId, broker: Broker): Promise<Standing> {
  let standing = await readOnce(account, broker);
  for (let look = 1; look < LOOKS && (await hasFilled(account, standing, broker)); look += 1) {
    standing = await readOnce(account, broker);
  }
  return standing;
}

async function readOnce(account: AccountId, broker: Broker): Promise<Standing> {
  // Orders first: one that fills in between is then in both, and never in neither.
  const all = await broker.workingOrders(account);
  const positions = await broker.positions(account);
  return { positions, working: understood(all), opaque: all.filter(isOpaque) };
}

async function hasFilled(
  account: AccountId,
  { working }: Standing,
  broker: Broker,
): Promise<boolean> {
  const filling = working.filter((order) => isFilling(order, working));
  if (filling.length === 0) return false;
  const now = understood(await broker.workingOrders(account));
  const leavesNow = new Map(now.map(({ orderId, leavesQty }) => [orderId, leavesQty]));
  return filling.some(({ orderId, leavesQty }) => leavesNow.get(orderId) !== leavesQty);
}
