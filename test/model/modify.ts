import { refused } from "./place.ts";
import { toPrice, toTicks, type WorkingOrder } from "./view.ts";
import { claim, type Trader, type World } from "./world.ts";

export interface ModifyWish {
  /** Also where there is nothing to ask it of. */
  readonly anyway: boolean;
  readonly nth: number;
  readonly field: number;
  /** Contracts or ticks more than now. */
  readonly by: number;
}

/** Changes one working order in one field, and checks that just this field is another one. */
export async function modify(world: World, trader: Trader, wish: ModifyWish): Promise<void> {
  const { book, view: before } = trader;
  const order = before.working[wish.nth % Math.max(1, before.working.length)];
  const change = order === undefined ? { qty: 1 } : changeOf(order, wish);
  const path = `orders/${order?.orderId ?? "999999999"}`;
  const answer = await world.patch(trader, path, change);
  if (order === undefined || !answer.isDone) return await refused(world, trader, before, answer);

  const isLegQty = order.role !== "entry" && change.qty !== undefined;
  claim(!isLegQty, "a leg's quantity follows its position", { order, change, answer });
  enter(trader, order, change);
  await world.settle();
  // Otherwise it has traded at once, which the history tells.
  const after = trader.view.working.find(({ orderId }) => orderId === order.orderId);
  if (after === undefined || after.filledQty !== order.filledQty) return;
  const facts = { order, change, after, pairs: book.pairs };
  const { qty = order.qty, limitPrice, stopPrice, trailOffset } = change;
  claim(after.qty === qty, "a quantity is as asked, or as it was", facts);
  const limit = limitPrice === undefined ? order.limitTicks : toTicks(limitPrice);
  claim(after.limitTicks === limit, "a limit is as asked, or as it was", facts);
  if (trailOffset !== undefined) {
    claim(after.trailTicks === toTicks(trailOffset), "a trail is as asked", facts);
  } else if (stopPrice !== undefined && after.stopTicks !== null) {
    claim(toPrice(after.stopTicks) === stopPrice, "a stop is as asked", facts);
  }
}

interface Change {
  qty?: number;
  limitPrice?: number;
  stopPrice?: number;
  trailOffset?: number;
}

const FIELDS = ["qty", "limitPrice", "stopPrice", "trailOffset"] as const;

function changeOf(order: WorkingOrder, wish: ModifyWish): Change {
  const { by } = wish;
  const fields = wish.anyway ? FIELDS : fieldsOf(order);
  const field = fields[wish.field % fields.length] ?? "qty";
  if (field === "qty") return { qty: Math.max(1, order.qty + by) };
  const { limitTicks: limitPrice, stopTicks: stopPrice, trailTicks: trailOffset } = order;
  const now = { limitPrice, stopPrice, trailOffset }[field];
  // A price that the order does not have is refused, wherever it is.
  return { [field]: toPrice((now ?? 27_400) + by) };
}

/** What can be changed of it. */
function fieldsOf({ role, limitTicks, stopTicks, trailTicks }: WorkingOrder) {
  return FIELDS.filter(
    (field) =>
      (field === "qty" && role === "entry") ||
      (field === "limitPrice" && limitTicks !== null) ||
      (field === "stopPrice" && stopTicks !== null) ||
      (field === "trailOffset" && trailTicks !== null),
  );
}

function enter({ book }: Trader, order: WorkingOrder, change: Change): void {
  const { orderId } = order;
  const entry = book.entries.get(orderId);
  const ticksOf = (price: number | undefined) => (price === undefined ? undefined : toTicks(price));
  if (entry !== undefined) {
    entry.qty = change.qty ?? entry.qty;
    entry.limitTicks = ticksOf(change.limitPrice) ?? entry.limitTicks;
    // A trailing stop moves on by itself.
    if (order.trailTicks === null) entry.stopTicks = ticksOf(change.stopPrice) ?? entry.stopTicks;
    return;
  }
  const leg = book.pairOf(orderId)?.legs.find((one) => one.orderId === orderId);
  const ticks = ticksOf(change.limitPrice) ?? ticksOf(change.stopPrice);
  if (leg !== undefined && ticks !== undefined) leg.level = { ticks };
}
