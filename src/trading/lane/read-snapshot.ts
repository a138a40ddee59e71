import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { AccountId } from "../../domain/ids.ts";
import { isOpaque, type OrderReport, understood } from "../../domain/order.ts";
import { type AccountSnapshot, isFilling, type OpaquePosition } from "../../domain/exposure.ts";
import { type Broker, type BrokerPosition, OpaquePositionsError } from "../ports.ts";

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

/** Whether a contract is one that something is about. */
export type IsMeant = (contract: ContractCode) => boolean;

/**
 * Throws `BrokerReadError` when either cannot be read: an empty account is a statement. What fills at
 * the market between orders and positions would count twice, as filled and as still to fill: then
 * both are read again. A position that cannot be read fails the reading of what it may be, and not of
 * other contracts: no exit waits for it. Without `isMeant` all contracts are meant.
 */
export async function readSnapshot(
  account: AccountId,
  broker: Broker,
  isMeant?: IsMeant,
): Promise<Snapshot> {
  const snapshot = await readAsFarAsShown(account, broker);
  requireRead(snapshot, isMeant);
  return snapshot;
}

/** Throws `OpaquePositionsError` where a position in a contract that is meant may be unread. */
export function requireRead({ positions, opaquePositions }: Held, isMeant?: IsMeant): void {
  const isShown = positions.some(({ contract }) => isMeant?.(contract) === true);
  const mayBeMeant = ({ contract }: OpaquePosition) =>
    contract === undefined ? !isShown : isMeant?.(contract) !== false;
  if (opaquePositions.some(mayBeMeant)) throw new OpaquePositionsError(positions, opaquePositions);
}

/** The same as far as it can be read; the caller leaves alone what may be unread (`isUnread`). */
export async function readAsFarAsShown(account: AccountId, broker: Broker): Promise<Snapshot> {
  return await readStill(account, broker, async () => {
    // Orders first: one that fills in between is then in both, and never in neither.
    const orders = await broker.workingOrders(account);
    const held = await readHeld(account, broker);
    return { ...held, working: understood(orders), opaque: orders.filter(isOpaque) };
  });
}

/** The positions of an account as far as they can be read, and those that cannot. */
export type Held = Pick<Snapshot, "positions" | "opaquePositions">;

export async function readHeld(
  account: AccountId,
  broker: Pick<Broker, "positions">,
): Promise<Held> {
  try {
    return { positions: await broker.positions(account), opaquePositions: [] };
  } catch (error) {
    if (!(error instanceof OpaquePositionsError)) throw error;
    return { positions: error.readable, opaquePositions: error.opaque };
  }
}

async function readStill(
  account: AccountId,
  broker: Broker,
  read: () => Promise<Snapshot>,
): Promise<Snapshot> {
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
