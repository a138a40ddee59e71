import type { ApiClient } from "../support/http-client.ts";

export type Action = "buy" | "sell";
export type Role = "entry" | "takeProfit" | "stopLoss";

/** A working order in the API's words, with prices in ticks. */
export interface WorkingOrder {
  readonly orderId: string;
  readonly symbol: string;
  readonly action: Action;
  readonly type: string;
  readonly qty: number;
  readonly filledQty: number;
  readonly remainingQty: number;
  readonly limitTicks: number | null;
  readonly stopTicks: number | null;
  readonly trailTicks: number | null;
  readonly status: string;
  readonly role: Role;
  readonly parentOrderId: string | null;
  readonly linkedOrderId: string | null;
}

export interface Trade {
  readonly id: string;
  readonly orderId: string;
  readonly symbol: string;
  readonly side: Action;
  readonly qty: number;
  readonly ticks: number;
}

/** One account as three answers of the API show it at one moment; trades come oldest first. */
export interface View {
  /** Signed: positive is long. Only what is not flat. */
  readonly positions: Readonly<Record<string, number>>;
  readonly working: readonly WorkingOrder[];
  readonly trades: readonly Trade[];
  readonly unsettled: number;
}

/** The tick of ES and of NQ alike. */
const TICKS_PER_POINT = 4;

export const toTicks = (price: number): number => price * TICKS_PER_POINT;
export const toPrice = (ticks: number): number => ticks / TICKS_PER_POINT;

export const opposite = (action: Action): Action => (action === "buy" ? "sell" : "buy");
export const direction = (action: Action): 1 | -1 => (action === "buy" ? 1 : -1);

export const pathOf = (account: string, rest: string): string => `/v1/accounts/${account}/${rest}`;

export async function readView(api: ApiClient, account: string): Promise<View> {
  const [positions, working, trades, intents] = await Promise.all([
    read(api, pathOf(account, "positions")),
    read(api, pathOf(account, "working-orders")),
    readTrades(api, account),
    read(api, pathOf(account, "intents?state=unsettled")),
  ]);
  return {
    positions: Object.fromEntries(positions.positions.map(toHolding)),
    working: working.orders.map(toWorkingOrder),
    trades,
    unsettled: intents.intents.length,
  };
}

// oxlint-disable-next-line typescript/no-explicit-any -- the bodies of answers are read freely
async function read(api: ApiClient, path: string): Promise<any> {
  const { status, text, body } = await api.get(path);
  if (status !== 200) throw new Error(`GET ${path} was answered ${status}: ${text}`);
  return body;
}

async function readTrades(api: ApiClient, account: string): Promise<Trade[]> {
  const newestFirst: Trade[] = [];
  let cursor: string | null = null;
  do {
    const from: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const page = await read(api, pathOf(account, `orders?limit=500${from}`));
    newestFirst.push(...page.trades.map(toTrade));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return newestFirst.reverse();
}

// oxlint-disable-next-line typescript/no-explicit-any -- a row of an answer
function toHolding({ symbol, side, qty }: any): [string, number] {
  return [symbol, side === "long" ? qty : -qty];
}

// oxlint-disable-next-line typescript/no-explicit-any -- a row of an answer
function toWorkingOrder(row: any): WorkingOrder {
  const { limitPrice, stopPrice, trailOffset, ...same } = row;
  const { orderId, symbol, action, type, qty, filledQty, remainingQty } = same;
  const { status, role, parentOrderId, linkedOrderId } = same;
  return {
    orderId,
    symbol,
    action,
    type,
    qty,
    filledQty,
    remainingQty,
    limitTicks: ticksOrNull(limitPrice),
    stopTicks: ticksOrNull(stopPrice),
    trailTicks: ticksOrNull(trailOffset),
    status,
    role,
    parentOrderId,
    linkedOrderId,
  };
}

// oxlint-disable-next-line typescript/no-explicit-any -- a row of an answer
function toTrade({ id, orderId, symbol, side, qty, price }: any): Trade {
  return { id, orderId, symbol, side, qty, ticks: toTicks(price) };
}

const ticksOrNull = (price: number | null): number | null =>
  price === null ? null : toTicks(price);

export function filledOf({ trades }: View, orderId: string): number {
  return trades.filter((trade) => trade.orderId === orderId).reduce((sum, { qty }) => sum + qty, 0);
}

export function filledInAll({ trades }: View): number {
  return trades.reduce((sum, { qty }) => sum + qty, 0);
}

export const heldOf = ({ positions }: View, symbol: string): number => positions[symbol] ?? 0;

/** How much of a position an exit on this side could close. */
export function closableBy(view: View, symbol: string, exit: Action): number {
  return Math.max(0, -heldOf(view, symbol) * direction(exit));
}

const hasBegun = ({ type, filledQty }: WorkingOrder): boolean =>
  filledQty > 0 && (type === "stop" || type === "trailingStop");

/** It fills at the market: also a stop that has begun to. */
const isFilling = (order: WorkingOrder): boolean =>
  order.type === "market" || (order.role === "entry" && hasBegun(order));

/** Something fills at the market in the contract: a leg too, once its entry works no more. */
export const isAnyFilling = ({ working }: View, symbol: string): boolean =>
  working.some(
    (one) =>
      one.symbol === symbol &&
      (isFilling(one) ||
        (hasBegun(one) && working.every(({ orderId }) => orderId !== one.parentOrderId))),
  );

/** The same; where nothing is held of it yet, what is being filled at the market will be. */
export function closableSoon(view: View, symbol: string, exit: Action): number {
  const filling = view.working
    .filter((order) => order.symbol === symbol && isFilling(order))
    .reduce((net, { action, remainingQty }) => net + direction(action) * remainingQty, 0);
  const soon = -(heldOf(view, symbol) + filling) * direction(exit);
  return closableBy(view, symbol, exit) || Math.max(0, soon);
}

export const isLiveLeg = ({ role, status }: WorkingOrder): boolean =>
  role !== "entry" && status !== "held";

/** What the trades leave, by symbol: the signed size, and the average price in ticks, oldest out first. */
export function netOfTrades({ trades }: View): Record<string, { net: number; average: number }> {
  const lots: Record<string, { qty: number; ticks: number }[]> = {};
  for (const { symbol, side, qty, ticks } of trades) {
    const open = (lots[symbol] ??= []);
    let left = qty * direction(side);
    while (left !== 0 && open[0] !== undefined && open[0].qty * left < 0) {
      const closed = Math.sign(left) * Math.min(Math.abs(left), Math.abs(open[0].qty));
      open[0].qty += closed;
      left -= closed;
      if (open[0].qty === 0) open.shift();
    }
    if (left !== 0) open.push({ qty: left, ticks });
  }
  return Object.fromEntries(
    Object.entries(lots).map(([symbol, open]) => {
      const net = open.reduce((sum, { qty }) => sum + qty, 0);
      const worth = open.reduce((sum, { qty, ticks }) => sum + qty * ticks, 0);
      return [symbol, { net, average: net === 0 ? 0 : worth / net }];
    }),
  );
}
