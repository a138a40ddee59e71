import { type AccountId, type ClOrdId, type IntentId, legIdOf } from "../../../domain/ids.ts";
import { clOrdIdOf, type IntentRecord } from "../../../domain/intent.ts";
import type { LegPlan } from "../../../domain/carried-plan.ts";
import { areOnePair } from "../../../domain/legs.ts";
import { isClosed, isForeign, type OrderReport, type Side } from "../../../domain/order.ts";
import { formatTicks, tickSize as sizeOf } from "../../../domain/contracts/price.ts";
import type { Broker, BrokerPosition } from "../../ports.ts";
import type { LaneDeps, LaneTask } from "../lane-deps.ts";
import { readHeld, requireRead } from "../read-snapshot.ts";

/** Of a plan or a leg: what it closes, and on which side. */
export type Exits = Pick<LegPlan, "contract" | "side">;

/** Beyond the cancels and closes of an adjustment, which are counted from 1. */
export const LEGS_NTH = 50;

/** The identifier of the nth thing that is sent for exits, the same on every run of the intent. */
export const legsIdOf = ({ intentId, intent }: IntentRecord, nth: number): ClOrdId =>
  clOrdIdOf(intentId, intent.kind === "ADJUST" ? LEGS_NTH + nth : nth);

/** The nth thing that a protection sends is the exits that replace those that stood. */
export const PLACED_NTH = 2;

/** The leg that a cancel leaves of a pair is placed again as the second thing that its intent sends. */
export const SURVIVOR_NTH = 2;

export const survivorIdOf = (intentId: IntentId): ClOrdId => clOrdIdOf(intentId, SURVIVOR_NTH);

/** The exits of a position that can fill now and are not about to end, as far as they are ours. */
export function liveLegs(
  working: readonly OrderReport[],
  { contract, side }: Exits,
): OrderReport[] {
  return working.filter(
    (order) =>
      order.contract === contract &&
      order.side === side &&
      order.role !== "ORDER" &&
      !isForeign(order) &&
      order.ordStatus !== "HELD" &&
      isWorking(order),
  );
}

/** Whether an order works, and is not about to end. */
export const isWorking = ({ ordStatus }: Pick<OrderReport, "ordStatus">): boolean =>
  ordStatus !== "PENDING_CANCEL" && !isClosed(ordStatus);

/** The other leg of the pair, as long as it works. */
export function linkedLeg(
  leg: OrderReport,
  working: readonly OrderReport[],
): OrderReport | undefined {
  if (leg.role === "ORDER") return undefined;
  return working.find(
    (other) =>
      other.orderId !== leg.orderId &&
      other.role !== "ORDER" &&
      !isClosed(other.ordStatus) &&
      areOnePair(leg, other),
  );
}

/** The exits that were placed under a common identifier, whatever has become of them. */
export async function findPlacedLegs(
  accountId: AccountId,
  pairId: ClOrdId,
  broker: Pick<Broker, "findOrder">,
): Promise<readonly OrderReport[]> {
  const found = await Promise.all([
    broker.findOrder(accountId, legIdOf(pairId, "TAKE_PROFIT")),
    broker.findOrder(accountId, legIdOf(pairId, "STOP_LOSS")),
  ]);
  return found.flatMap((leg) => (leg === undefined || leg.ordStatus === "REJECTED" ? [] : [leg]));
}

/** The position that exits of this side close, as the broker has it now; undefined when flat. */
export async function readPosition(
  { record, broker }: LaneTask,
  { contract, side }: Exits,
): Promise<BrokerPosition | undefined> {
  const held = await readHeld(record.accountId, broker);
  requireRead(held, (code) => code === contract);
  return held.positions.find(
    (position) => position.contract === contract && exitSide(position) === side,
  );
}

/**
 * Whether one of the legs has filled that closed all that is still shown as held: a broker's positions
 * may lag behind its orders.
 */
export async function haveClosed(
  { record, broker }: LaneTask,
  legs: readonly Pick<OrderReport, "clOrdId">[],
  { netQty }: Pick<BrokerPosition, "netQty">,
): Promise<boolean> {
  const shown = await Promise.all(
    legs.map(async ({ clOrdId }) =>
      clOrdId === undefined ? undefined : await broker.findOrder(record.accountId, clOrdId),
    ),
  );
  return shown.some((leg) => leg?.ordStatus === "FILLED" && leg.orderQty >= Math.abs(netQty));
}

/** A leg in words, for telling a person which protection is gone. */
export function describeLeg(
  { describe }: LaneDeps,
  leg: Pick<OrderReport, "contract" | "terms" | "role" | "leavesQty" | "price" | "stopPx">,
): string {
  const { symbol, tickSize } = describe(leg.contract, leg.terms);
  const level = leg.price ?? leg.stopPx;
  const isKnown = level !== undefined && tickSize !== undefined;
  const price = isKnown ? formatTicks(level, sizeOf(tickSize)) : "its level";
  return `${nameOf(leg)} of ${leg.leavesQty} ${symbol} at ${price}`;
}

export function describeLegs(deps: LaneDeps, legs: readonly OrderReport[]): string {
  return legs.map((leg) => describeLeg(deps, leg)).join(" and ");
}

export const nameOf = ({ role }: Pick<OrderReport, "role">): string =>
  role === "TAKE_PROFIT" ? "take-profit" : "stop-loss";

/** The side that closes a position. */
export const exitSide = ({ netQty }: Pick<BrokerPosition, "netQty">): Side =>
  netQty > 0 ? "SELL" : "BUY";
