import { standing } from "./book.ts";
import { refused } from "./place.ts";
import { closableBy, isLiveLeg, type View, type WorkingOrder } from "./view.ts";
import { claim, rootOf, type Trader, type World } from "./world.ts";

export type CancelTarget = "entry" | "leg" | "ended" | "unknown";

export interface CancelWish {
  readonly of: CancelTarget;
  readonly nth: number;
}

/** Cancels one order and checks that the position is what it was. */
export async function cancel(world: World, trader: Trader, wish: CancelWish): Promise<void> {
  const { view: before } = trader;
  const order = pick(candidates(before, wish.of), wish.nth);
  const isGrowing = before.working.some(({ orderId }) => orderId === order?.parentOrderId);
  if (order !== undefined && isLiveLeg(order) && !isGrowing) await cancelLeg(world, trader, order);
  else if (order?.role === "entry") await cancelEntry(world, trader, order);
  else await cancelNothing(world, trader, order?.orderId ?? idOfNothing(trader, wish));
  const { positions, trades } = trader.view;
  claim(
    JSON.stringify([positions, trades]) === JSON.stringify([before.positions, before.trades]),
    "a cancel never changes a position",
    { before, after: trader.view },
  );
}

export function candidates({ working }: View, of: CancelTarget): readonly WorkingOrder[] {
  if (of === "entry") return working.filter(({ role }) => role === "entry");
  return of === "leg" ? working.filter(({ role }) => role !== "entry") : [];
}

function pick<Item>(items: readonly Item[], nth: number): Item | undefined {
  return items[nth % Math.max(1, items.length)];
}

function idOfNothing({ book, view }: Trader, { of, nth }: CancelWish): string {
  const works = new Set(view.working.map(({ orderId }) => orderId));
  const ended = [...book.entries.keys()].filter((id) => !works.has(id));
  return (of === "ended" ? pick(ended, nth) : undefined) ?? "999999999";
}

async function cancelNothing(world: World, trader: Trader, orderId: string): Promise<void> {
  const { view: before } = trader;
  const answer = await world.delete(trader, `orders/${orderId}`);
  claim(
    answer.status === 409 && answer.code === "CANCEL_REJECTED",
    "a cancel of what cannot be canceled is a 409",
    { orderId, answer },
  );
  await refused(world, trader, before, answer);
}

async function cancelEntry(world: World, trader: Trader, { orderId }: WorkingOrder): Promise<void> {
  const { book, view: before } = trader;
  const answer = await world.delete(trader, `orders/${orderId}`);
  claim(
    answer.isDone && answer.body.orderId === orderId,
    "an entry that rests is canceled",
    answer,
  );
  claim(answer.body.replacedLeg === null, "an entry's cancel replaces no leg", answer.body);
  book.cancelEntry(orderId, before);
  await world.settle();
}

async function cancelLeg(world: World, trader: Trader, leg: WorkingOrder): Promise<void> {
  const { book, view: before } = trader;
  const pair = book.pairOf(leg.orderId);
  if (pair === undefined) throw new Error(`Leg ${leg.orderId} is in no pair`);
  const survivor = standing(pair, before).legs.find(({ orderId }) => orderId !== leg.orderId);
  const answer = await world.delete(trader, `orders/${leg.orderId}`);
  pair.hasEnded = true;

  if (answer.code === "PROTECTION_REPLACE_FAILED" && survivor !== undefined) {
    world.tally.add("survivor refused");
    const facts = { answer, survivor };
    claim(isReached(world, survivor), "a leg that the market has not reached stands again", facts);
  } else {
    claim(answer.isDone, "a leg that works is canceled", { answer, leg });
    const { replacedLeg } = answer.body;
    const size =
      survivor === undefined
        ? 0
        : Math.min(survivor.remainingQty, closableBy(before, leg.symbol, leg.action));
    const facts = { answer, survivor, size, before };
    claim((size === 0) === (replacedLeg === null), "the other leg stands, or there is none", facts);
    if (survivor !== undefined && replacedLeg !== null) {
      replaced(trader, survivor, { replacedLeg, size });
    }
  }
  await world.settle();
}

/** The one leg that is left, under its new id, for the same contracts at the same level. */
function replaced(
  { book }: Trader,
  survivor: WorkingOrder,
  { replacedLeg, size }: { replacedLeg: { role: string; orderId: string }; size: number },
): void {
  const { symbol, action, role, limitTicks, stopTicks } = survivor;
  const ticks = limitTicks ?? stopTicks;
  if (role === "entry" || ticks === null) throw new Error(`${survivor.orderId} is no leg`);
  claim(
    replacedLeg.role === role && !book.knows(replacedLeg.orderId),
    "the leg that is left stands under a new id",
    { replacedLeg, survivor },
  );
  const legs = [{ role, orderId: replacedLeg.orderId, level: { ticks } }];
  book.addPair({ symbol, exit: action, legs, size, parentId: undefined, parentFilled: 0 });
}

/** Whether the market has come to a stop, so that nobody takes it as a new one. */
function isReached(world: World, { symbol, action, stopTicks }: WorkingOrder): boolean {
  if (stopTicks === null) return false;
  const touch = world.touch(rootOf(symbol), action);
  return action === "sell" ? touch <= stopTicks : touch >= stopTicks;
}
