import type { ContractCode } from "../../../domain/contracts/contract.ts";
import type { OrderKey } from "../../../domain/book/lots.ts";
import type { OpenPosition } from "../../../domain/contracts/exit-contract.ts";
import { type OpaqueOrder, type OrderReport, sign } from "../../../domain/order.ts";
import { exitBy } from "../../reads/protection.ts";
import { waitsForEntry } from "../../../domain/legs.ts";
import { isFilling, isUnread, type OpaquePosition } from "../../../domain/exposure.ts";
import type { BrokerPosition } from "../../ports.ts";
import { readAsFarAsShown } from "../read-snapshot.ts";
import type { LaneTask } from "../lane-deps.ts";
import type { Progress } from "./progress.ts";

/** What of an account is to be ended. */
export interface Scope {
  readonly isMeant: (contract: ContractCode) => boolean;
  /** The whole account, including what names no contract. */
  readonly isWhole: boolean;
  /** Cancel every resting order in scope, or only the legs of what is closed. */
  readonly cancelResting: boolean;
}

/** `netQty` is what of it is to be closed. */
export interface RestPosition extends BrokerPosition {
  /** Other contracts on the same side, which stay. */
  readonly beside?: {
    readonly qty: number;
    /** The orders that opened the part that is to be closed, as far as they are known. */
    readonly lots: readonly OrderKey[];
  };
}

/** What is open or resting and is to be ended. */
export interface Rest {
  readonly positions: readonly RestPosition[];
  readonly orders: readonly OrderReport[];
  /** Orders that are not understood; they can be cancelled by their ids. */
  readonly opaque: readonly OpaqueOrder[];
  /** Of these, the ones that stay because it is not known whether they are in scope; they are reported. */
  readonly unclear: readonly OpaqueOrder[];
  /** Positions that cannot be read, let alone closed. */
  readonly opaquePositions: readonly OpaquePosition[];
}

export const NOTHING_LEFT: Rest = {
  positions: [],
  orders: [],
  opaque: [],
  unclear: [],
  opaquePositions: [],
};

export const isClean = ({ positions, orders, opaque }: Rest): boolean =>
  positions.length === 0 && orders.length === 0 && opaque.length === 0;

/** Whether an order, by whomever it was placed, is an exit of one of the positions. */
export function isExitOf(
  positions: readonly OpenPosition[],
  order: Pick<OrderReport, "contract" | "side" | "ordType" | "role">,
): boolean {
  const held = positions.find(({ contract }) => contract === order.contract);
  return held !== undefined && sign(order.side) * held.netQty < 0 && exitBy(order) !== undefined;
}

export const fillingOf = (orders: readonly OrderReport[]): readonly OrderReport[] =>
  orders.filter((order) => isFilling(order, orders));

/** The positions and orders in scope, as the broker has them now. */
export async function readRest(
  { record, broker }: LaneTask,
  { isMeant, isWhole, cancelResting }: Scope,
  { closes }: Pick<Progress, "closes">,
): Promise<Rest> {
  const snapshot = await readAsFarAsShown(record.accountId, broker);
  const { positions: held, working, opaque, opaquePositions } = snapshot;
  const isOwnClose = ({ clOrdId }: OrderReport) =>
    clOrdId !== undefined && closes.some((close) => close.clOrdId === clOrdId);
  // Its legs are cancelled with the position, so what it fills later would have none.
  const isHalfFilled = ({ orderId }: OrderReport) =>
    working.some((leg) => leg.parentOrderId === orderId && leg.ordStatus !== "HELD");
  const goesWithPosition = (order: OrderReport) =>
    order.role !== "ORDER" || isFilling(order, working) || isHalfFilled(order);
  // Legs of an entry that has not filled wait for it, and end with it.
  const ends = (order: OrderReport) =>
    !waitsForEntry(order) &&
    !isOwnClose(order) &&
    // A position that cannot be closed keeps its exits.
    !(order.role !== "ORDER" && isUnread(order.contract, snapshot)) &&
    (cancelResting || (order.ordStatus !== "HELD" && goesWithPosition(order)));
  const isOther = ({ contract }: OpaqueOrder) => contract !== undefined && !isMeant(contract);
  const endsUnread = ({ contract }: OpaqueOrder) =>
    cancelResting && (isWhole || contract !== undefined);
  const unread = opaque.filter((order) => !isOther(order));
  return {
    positions: held.filter(({ contract }) => isMeant(contract)),
    orders: working.filter((order) => isMeant(order.contract) && ends(order)),
    opaque: unread.filter(endsUnread),
    unclear: unread.filter((order) => !endsUnread(order)),
    opaquePositions: opaquePositions.filter(
      ({ contract }) => contract === undefined || isMeant(contract),
    ),
  };
}
