import { isMeantBy } from "../../../domain/adjust.ts";
import type { ContractCode } from "../../../domain/contracts/contract.ts";
import type { Ticks } from "../../../domain/contracts/price.ts";
import type { OrdType } from "../../../domain/declared/order-types.ts";
import type { OrderId } from "../../../domain/ids.ts";
import type { IntentRecord } from "../../../domain/intent.ts";
import {
  counted,
  type Fill,
  isOpaque,
  type Side,
  type TimeInForce,
  type WorkingOrder,
} from "../../../domain/order.ts";
import type { Broker } from "../../ports.ts";
import { exitSide } from "../legs/legs.ts";

/** Clocks differ: a look-up begins a little before the order, or its cancel, was sent. */
export const CLOCK_SLACK_MS = 60_000;

/** An order that may not rest has filled so long after its sending, by either clock. */
const FILLS_WITHIN_MS = 2 * CLOCK_SLACK_MS;

/** An order that was sent, and that the broker does not show by its name. An absent field may be anything. */
export interface SoughtOrder {
  readonly contract: ContractCode;
  /** Only the root was named: it may be in any month. */
  readonly isFrontMonth?: true;
  readonly side?: Side | undefined;
  readonly orderQty?: number | undefined;
  readonly ordType?: OrdType;
  readonly timeInForce?: TimeInForce;
  /** The price of an exit. */
  readonly level?: Ticks;
}

/** An order that the broker shows without a name, and that may be a sought one. */
export interface Nameless {
  readonly orderId: OrderId;
  /** Only its fills are left: it fills no more. */
  readonly isOver: boolean;
}

/**
 * Orders without a name that may be a sought one, working or ended. A broker may have forgotten a name.
 * While one of these orders fits, a name that is not found proves no absence. The only place that decides
 * this.
 */
export async function findNameless(
  { accountId, sentAt, acceptedAt }: Pick<IntentRecord, "accountId" | "sentAt" | "acceptedAt">,
  sought: readonly SoughtOrder[],
  broker: Pick<Broker, "workingOrders" | "fills">,
): Promise<readonly Nameless[]> {
  if (sought.length === 0) return [];
  const at = sentAt ?? acceptedAt;
  const working = await broker.workingOrders(accountId);
  const known = new Set(working.map(({ orderId }) => orderId));
  const fills = await broker.fills(accountId, at - CLOCK_SLACK_MS);
  const ended = byOrder(fills.filter(({ clOrdId }) => clOrdId === undefined));
  return [
    ...working
      .filter(({ clOrdId }) => clOrdId === undefined)
      .filter((order) => sought.some((one) => mayBe(one, order, at)))
      .map(({ orderId }) => ({ orderId, isOver: false })),
    ...ended
      .filter(([{ orderId }]) => !known.has(orderId))
      .filter((own) => sought.some((one) => mayHaveFilled(one, own, at)))
      .map(([{ orderId }]) => ({ orderId, isOver: true })),
  ];
}

/** A field that an unreadable order does not have may be as sought. */
function mayBe(sought: SoughtOrder, order: WorkingOrder, at: number): boolean {
  const { contract, side } = order;
  if (contract !== undefined && !isMeantBy(sought, contract)) return false;
  if (sought.side !== undefined && side !== undefined && side !== sought.side) return false;
  if (isOpaque(order)) return true;
  const { level, orderQty = order.orderQty, ordType = order.ordType } = sought;
  const isThere = level === undefined || order.price === level || order.stopPx === level;
  const isAsLarge = order.orderQty === orderQty && order.ordType === ordType;
  return isAsLarge && isThere && order.transactTimeAt >= at - CLOCK_SLACK_MS;
}

/** The fills of an ended order: it may have ended before all of it was filled. */
function mayHaveFilled(sought: SoughtOrder, fills: Filled, at: number): boolean {
  const [{ contract, side, transactTimeAt }] = fills;
  if (!isMeantBy(sought, contract)) return false;
  if (sought.side !== undefined && side !== sought.side) return false;
  if (hasEndedBy(sought, at, transactTimeAt)) return false;
  const cumQty = counted(fills).reduce((sum, { lastQty }) => sum + lastQty, 0);
  return sought.orderQty === undefined || cumQty <= sought.orderQty;
}

/** A market order of a day waits where its market is halted: it may fill at any time. */
const hasEndedBy = ({ timeInForce }: SoughtOrder, at: number, filledAt: number): boolean =>
  (timeInForce === "IOC" || timeInForce === "FOK") && filledAt > at + FILLS_WITHIN_MS;

type Filled = readonly [Fill, ...Fill[]];

function byOrder(fills: readonly Fill[]): readonly Filled[] {
  const orders = new Map<OrderId, [Fill, ...Fill[]]>();
  for (const fill of fills) {
    const own = orders.get(fill.orderId);
    if (own === undefined) orders.set(fill.orderId, [fill]);
    else own.push(fill);
  }
  return [...orders.values()];
}

/** Exits are sought by their prices, since a person may have others of the same size. */
export const soughtLegs = (
  exits: Pick<SoughtOrder, "contract" | "side" | "orderQty">,
  levels: readonly (Ticks | undefined)[],
): readonly SoughtOrder[] =>
  levels.flatMap((level) => (level === undefined ? [] : [{ ...exits, level }]));

/** Closes go at the market. */
export const soughtClose = ({
  contract,
  direction,
}: {
  readonly contract: ContractCode;
  readonly direction: number;
}): SoughtOrder => ({
  contract,
  side: exitSide({ netQty: direction }),
  ordType: "MARKET",
  timeInForce: "DAY",
});
