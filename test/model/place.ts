import type { Level, Pair } from "./book.ts";
import {
  type Action,
  closableBy,
  isAnyFilling,
  direction,
  filledOf,
  heldOf,
  opposite,
  toPrice,
  type View,
} from "./view.ts";
import { type Answer, claim, type Root, symbolOf, type Trader, type World } from "./world.ts";

/** How far away from where the entry is expected, and in which words. */
export interface LegWish {
  readonly by: "price" | "ticks" | "offset";
  readonly distance: number;
}

export interface PlaceWish {
  readonly root: Root;
  readonly action: Action;
  readonly qty: number;
  readonly type: "market" | "limit" | "stop" | "stopLimit" | "trailingStop";
  readonly timeInForce: "gtc" | "ioc" | "fok";
  /** Ticks from the market: a limit through it is positive, a stop beyond it too. */
  readonly away: number;
  readonly trail: number;
  readonly takeProfit: LegWish | undefined;
  readonly stopLoss: LegWish | undefined;
  readonly via: "api" | "webhook";
}

interface Prices {
  readonly limit: number | undefined;
  readonly stop: number | undefined;
  /** Where the entry is expected: legs at a price count from here. */
  readonly entry: number;
}

/** Places one order, and holds its answer against what is seen afterwards. */
export async function place(world: World, trader: Trader, wish: PlaceWish): Promise<void> {
  const { book, view: before } = trader;
  const prices = pricesOf(world, wish);
  const body = bodyOf(wish, prices);
  const answer =
    wish.via === "api" ? await world.post(trader, "orders", body) : await world.alert(trader, body);
  if (!answer.isDone) return await refused(world, trader, before, answer);

  enter(trader, wish, prices, answer);
  await world.settle();
  judge(answer, trader.view, wish);
  claim(book.knows(answer.body.orderId), "an answer names its order", answer.body);
}

/** Nothing at all is different after a refusal. */
export async function refused(
  world: World,
  trader: Trader,
  before: View,
  answer: Answer,
): Promise<void> {
  const isRefusal = [400, 403, 409, 422, 502].includes(answer.status);
  claim(isRefusal, "what is not done is refused with a reason", answer);
  await world.settle();
  const isSame = JSON.stringify(trader.view) === JSON.stringify(before);
  claim(isSame, "a refusal changes nothing", { answer, before, after: trader.view });
}

function pricesOf(world: World, { root, action, type, away }: PlaceWish): Prices {
  const touch = world.touch(root, action);
  const there = touch + direction(action) * away;
  if (type === "limit") return { limit: there, stop: undefined, entry: there };
  if (type === "stop") return { limit: undefined, stop: there, entry: there };
  if (type !== "stopLimit") return { limit: undefined, stop: undefined, entry: touch };
  const limit = there + 2 * direction(action);
  return { limit, stop: there, entry: limit };
}

function bodyOf(wish: PlaceWish, { limit, stop, entry }: Prices): object {
  const { root, action, qty, type, timeInForce, trail, takeProfit, stopLoss } = wish;
  const wins = direction(action);
  const legs = {
    ...(takeProfit && { takeProfit: legBody(takeProfit, entry, wins) }),
    ...(stopLoss && { stopLoss: legBody(stopLoss, entry, -wins) }),
  };
  return {
    symbol: `${root}1!`,
    action,
    qty,
    type,
    timeInForce,
    ...(limit !== undefined && { limitPrice: toPrice(limit) }),
    ...(stop !== undefined && { stopPrice: toPrice(stop) }),
    ...(type === "trailingStop" && { trailOffset: toPrice(trail) }),
    ...(Object.keys(legs).length > 0 && { bracket: legs }),
  };
}

/** `wins` is the direction in which the leg lies. */
export function legBody({ by, distance }: LegWish, from: number, wins: number): object {
  if (by === "ticks") return { ticks: distance };
  return by === "offset"
    ? { offset: toPrice(distance) }
    : { price: toPrice(from + wins * distance) };
}

function levelOf({ by, distance }: LegWish, from: number, wins: number): Level {
  return by === "price" ? { ticks: from + wins * distance } : { distance };
}

function enter({ book, view }: Trader, wish: PlaceWish, prices: Prices, { body }: Answer): void {
  const { root, action, qty, timeInForce } = wish;
  const { orderId, bracket } = body;
  claim(!book.knows(orderId), "every order has an id of its own", body);
  const symbol = symbolOf(root);
  claim(body.symbol === symbol, "an answer names the contract", body);
  book.addEntry({
    orderId,
    symbol,
    action,
    qty,
    endsAtOnce: timeInForce !== "gtc",
    limitTicks: prices.limit,
    stopTicks: prices.stop,
    isCanceled: false,
  });
  const { takeProfit, stopLoss } = mayBring(view, wish, body) ? wish : WITHOUT_LEGS;
  const wins = direction(action);
  const ids = { takeProfit: bracket?.takeProfitOrderId, stopLoss: bracket?.stopLossOrderId };
  const legs: Pair["legs"][number][] = [];
  for (const [role, leg, side] of [
    ["takeProfit", takeProfit, wins],
    ["stopLoss", stopLoss, -wins],
  ] as const) {
    claim((leg === undefined) === !ids[role], "an answer names the legs asked for", body);
    if (leg === undefined) continue;
    legs.push({ role, orderId: ids[role], level: levelOf(leg, prices.entry, side) });
  }
  if (legs.length === 0) return;
  book.addPair({
    symbol,
    exit: opposite(action),
    legs,
    size: 0,
    parentId: orderId,
    parentFilled: 0,
  });
}

/** What only takes something off brings no legs, and says so. */
function mayBring(before: View, wish: PlaceWish, body: Answer["body"]): boolean {
  const { root, action, qty } = wish;
  if (wish.takeProfit === undefined && wish.stopLoss === undefined) return true;
  const symbol = symbolOf(root);
  const reduces = qty <= closableBy(before, symbol, action);
  const goesWithout = (body.problems ?? []).length > 0;
  // What is being filled may be counted or not.
  const isEither = isAnyFilling(before, symbol);
  claim(isEither || goesWithout === reduces, "only what opens brings legs", { body, before });
  return !goesWithout;
}

const WITHOUT_LEGS = { takeProfit: undefined, stopLoss: undefined } as const;

/** Nothing moves between the answer and the look: so they say the same. */
function judge({ body }: Answer, view: View, { qty, timeInForce }: PlaceWish) {
  const { orderId, status, filledQty } = body;
  const filled = filledOf(view, orderId);
  const order = view.working.find((one) => one.orderId === orderId);
  const facts = { body, filled, order };
  claim(filledQty === filled, "an answer tells what is filled", facts);
  const isWhole = timeInForce !== "fok" || filled === 0 || filled === qty;
  claim(isWhole, "fill or kill is all or nothing", facts);
  const expected = order?.status ?? (filled === qty ? "filled" : "canceled");
  claim(status === expected, "an answer tells how the order stands", facts);
}

/** An order against the position at the market: closes a part, all, or turns it around. */
export async function exit(
  world: World,
  trader: Trader,
  { root, more, via }: { root: Root; more: number; via: "api" | "webhook" },
): Promise<void> {
  const held = heldOf(trader.view, symbolOf(root));
  const action = held > 0 ? "sell" : "buy";
  await place(world, trader, {
    ...MARKET_ORDER,
    root,
    action,
    qty: Math.max(1, Math.abs(held) + more),
    via,
  });
}

/** Buys one ES at the market; the rest of it waits where there are too few to trade with. */
export const MARKET_ORDER: PlaceWish = {
  root: "ES",
  action: "buy",
  qty: 1,
  type: "market",
  timeInForce: "gtc",
  away: 0,
  trail: 1,
  takeProfit: undefined,
  stopLoss: undefined,
  via: "api",
};
