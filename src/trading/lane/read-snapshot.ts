import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { AccountId } from "../../domain/ids.ts";
import { isOpaque, type OrderReport, understood } from "../../domain/order.ts";
import { isFilling, type AccountSnapshot } from "../../domain/exposure.ts";
import {
  type Broker,
  type BrokerPosition,
  type OpaquePosition,
  OpaquePositionsError,
} from "../ports.ts";

/** What works for an account, and what it held right after that. */
export interface Snapshot extends AccountSnapshot {
  readonly positions: readonly BrokerPosition[];
}

/** Signed; 0 where nothing is held. */
export const netQtyOf = (
  { positions }: Pick<Snapshot, "positions">,
  contract: ContractCode,
): number => positions.find((one) => one.contract === contract)?.netQty ?? 0;

/** So often it is read before what is shown has to do. */
const LOOKS = 3;

/**
 * Throws `BrokerReadError` when either cannot be read: an empty account is a statement. What fills at
 * the market between orders and positions would count twice, as filled and as still to fill: then
 * both are read again.
 */
export async function readSnapshot(account: AccountId, broker: Broker): Promise<Snapshot> {
  return await readStill(account, broker, async () => {
    // Orders first: one that fills in between is then in both, and never in neither.
    const orders = await broker.workingOrders(account);
    const positions = await broker.positions(account);
    return { positions, working: understood(orders), opaque: orders.filter(isOpaque) };
  });
}

/** What an account holds as far as it can be read, and what cannot be read. */
export interface Closable {
  readonly positions: readonly BrokerPosition[];
  readonly opaque: readonly OpaquePosition[];
}

export interface ClosableSnapshot extends Snapshot {
  readonly opaquePositions: readonly OpaquePosition[];
}

/** The same for who closes what can be read: to everybody else an account read in part is unread. */
export async function readForClosing(
  account: AccountId,
  broker: Broker,
): Promise<ClosableSnapshot> {
  return await readStill(account, broker, async () => {
    const orders = await broker.workingOrders(account);
    const { positions, opaque: opaquePositions } = await readClosable(account, broker);
    const opaque = orders.filter(isOpaque);
    return { positions, opaquePositions, working: understood(orders), opaque };
  });
}

export async function readClosable(account: AccountId, broker: Broker): Promise<Closable> {
  try {
    return { positions: await broker.positions(account), opaque: [] };
  } catch (error) {
    if (!(error instanceof OpaquePositionsError)) throw error;
    return { positions: error.readable, opaque: error.opaque };
  }
}

async function readStill<Shown extends Snapshot>(
  account: AccountId,
  broker: Broker,
  read: () => Promise<Shown>,
): Promise<Shown> {
  for (let look = 1; ; look += 1) {
    const snapshot = await read();
    const { working } = snapshot;
    const filling = working.filter((order) => isFilling(order, working));
    if (filling.length === 0 || look === LOOKS) return snapshot;
    if (!(await haveFilled(account, filling, broker))) return snapshot;
  }
}

async function haveFilled(
  account: AccountId,
  filling: readonly OrderReport[],
  broker: Broker,
): Promise<boolean> {
  const now = understood(await broker.workingOrders(account));
  const leavesNow = new Map(now.map(({ orderId, leavesQty }) => [orderId, leavesQty]));
  return filling.some(({ orderId, leavesQty }) => leavesNow.get(orderId) !== leavesQty);
}
