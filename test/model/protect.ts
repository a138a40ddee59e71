import type { Leg, Level } from "./book.ts";
import { type LegWish, legBody, refused } from "./place.ts";
import {
  type Action,
  direction,
  filledOf,
  heldOf,
  isLiveLeg,
  netOfTrades,
  toPrice,
  type View,
  type WorkingOrder,
} from "./view.ts";
import {
  type Answer,
  claim,
  type Root,
  rootOf,
  ROOTS,
  symbolOf,
  type Trader,
  type World,
} from "./world.ts";

export interface ProtectWish {
  /** Also where there is nothing to ask it of. */
  readonly anyway: boolean;
  /** Undefined: no symbol is named. */
  readonly root: Root | undefined;
  readonly takeProfit: LegWish | undefined;
  readonly stopLoss: LegWish | undefined;
}

/** What is held, and what protected it before. */
interface Held {
  readonly symbol: string;
  readonly net: number;
  readonly average: number;
  readonly exit: Action;
  /** What closing at the market would get. */
  readonly touch: number;
  readonly old: readonly WorkingOrder[];
}

const ROLES = ["takeProfit", "stopLoss"] as const;

/** Asks for new levels, and checks that exactly one pair of the full size stands at them. */
export async function protect(world: World, trader: Trader, wish: ProtectWish): Promise<void> {
  const { view: before } = trader;
  const held = heldBy(world, before, wish.root);
  const answer = await world.post(trader, "protect", bodyOf(world, wish, held));
  if (held === undefined) {
    const isNamed = wish.root !== undefined || Object.keys(before.positions).length === 0;
    claim(
      isNamed ? answer.code === "NO_POSITION" : answer.code === "VALIDATION_FAILED",
      isNamed ? "there is nothing to protect" : "of several positions one must be named",
      answer,
    );
    return await refused(world, trader, before, answer);
  }
  if (answer.code === "PROTECTION_REPLACE_FAILED") return await failed(world, trader, held, answer);
  if (!answer.isDone) return await refused(world, trader, before, answer);

  replaceLegs(trader, wish, held, answer);
  await world.settle();
  onePair(trader, held, answer);
}

/** The one position that is meant; undefined when none is, or several could be. */
function heldBy(world: World, view: View, root: Root | undefined): Held | undefined {
  const symbols = Object.keys(view.positions).filter(
    (symbol) => root === undefined || symbol === symbolOf(root),
  );
  const [symbol] = symbols;
  if (symbol === undefined || symbols.length > 1) return undefined;
  const net = heldOf(view, symbol);
  const exit = net > 0 ? "sell" : "buy";
  const old = view.working.filter(
    (order) => isLiveLeg(order) && order.symbol === symbol && order.action === exit,
  );
  const average = netOfTrades(view)[symbol]?.average ?? NaN;
  return { symbol, net, average, exit, touch: world.touch(rootOf(symbol), exit), old };
}

/** Levels at a price count from the market, so that now and then one lies beyond it. */
function bodyOf(
  world: World,
  { root, takeProfit, stopLoss }: ProtectWish,
  held: Held | undefined,
): object {
  const { touch = world.touch(root ?? ROOTS[0], "sell"), exit = "sell" } = held ?? {};
  const wins = -direction(exit);
  return {
    ...(root !== undefined && { symbol: root }),
    ...(takeProfit && { takeProfit: legBody(takeProfit, touch, wins) }),
    ...(stopLoss && { stopLoss: legBody(stopLoss, touch, -wins) }),
  };
}

function replaceLegs(
  { book, view: before }: Trader,
  wish: ProtectWish,
  held: Held,
  { body }: Answer,
) {
  const size = Math.abs(held.net);
  claim(body.qty === size && body.symbol === held.symbol, "a position is protected in full", {
    body,
    held,
  });
  const ids = { takeProfit: body.takeProfitOrderId, stopLoss: body.stopLossOrderId };
  const legs: Leg[] = [];
  for (const role of ROLES) {
    const isKept = wish[role] === undefined && held.old.some((order) => order.role === role);
    const isThere = wish[role] !== undefined || isKept;
    claim(isThere === (ids[role] !== null), "levels are replaced or kept", { body, wish, held });
    if (isThere) legs.push({ role, orderId: ids[role], level: levelOf(role, wish, held) });
  }
  book.endLivePairs(before, new Set([held.symbol]), held.exit);
  // Changed in place, legs keep their ids, what has been filled of them, and their entry.
  const filled = legs.reduce((sum, { orderId }) => sum + filledOf(before, orderId), 0);
  const former = new Set(legs.map(({ orderId }) => book.pairOf(orderId)));
  const [same] = former;
  const parentId = former.size === 1 ? same?.parentId : undefined;
  const parentFilled = parentId === undefined ? 0 : filledOf(before, parentId);
  const { symbol, exit } = held;
  book.addPair({ symbol, exit, legs, size: size + filled, parentId, parentFilled });
}

/** Undefined when there are several right answers. */
function levelOf(role: Leg["role"], wish: ProtectWish, held: Held): Level | undefined {
  const asked = wish[role];
  if (asked === undefined) return keptLevel(role, held);
  const wins = -direction(held.exit) * (role === "takeProfit" ? 1 : -1);
  if (asked.by === "price") return { ticks: held.touch + wins * asked.distance };
  const exact = held.average + wins * asked.distance;
  // Half a tick may be rounded either way.
  const isBetween = Math.abs(Math.abs(exact - Math.trunc(exact)) - 0.5) < 1e-6;
  return isBetween ? undefined : { ticks: Math.round(exact) };
}

function keptLevel(role: Leg["role"], { old }: Held): Level | undefined {
  const same = old.filter((order) => order.role === role);
  const levels = new Set(same.map(({ limitTicks, stopTicks }) => limitTicks ?? stopTicks));
  const [ticks] = levels;
  return levels.size === 1 && typeof ticks === "number" ? { ticks } : undefined;
}

/** Exactly one pair of the position's size, unless some of it has traded at once. */
function onePair({ book, view }: Trader, { symbol, exit }: Held, { body }: Answer): void {
  const live = view.working.filter(
    (order) => isLiveLeg(order) && order.symbol === symbol && order.action === exit,
  );
  const ids = new Set([body.takeProfitOrderId, body.stopLossOrderId]);
  const others = live.filter(({ orderId }) => !ids.has(orderId));
  claim(others.length === 0, "one pair protects the position", { body, live });
  const facts = { body, live, pairs: book.pairs };
  claim(
    live.every(({ role }, at) => live.findIndex((one) => one.role === role) === at),
    "of each leg there is one",
    facts,
  );
}

/** The old levels are gone or back again; the answer says which, and names them. */
async function failed(world: World, trader: Trader, held: Held, answer: Answer): Promise<void> {
  const { book, view: before } = trader;
  const { old, symbol, net, exit } = held;
  const facts = { answer, held };
  claim(old.length > 0, "only what was there can be lost", facts);
  for (const { limitTicks, stopTicks } of old) {
    const price = String(toPrice(limitTicks ?? stopTicks ?? NaN));
    claim(answer.message.includes(price), "a failed replacement names the canceled levels", facts);
  }
  book.endLivePairs(before, new Set([symbol]), exit);
  const restored = book.adoptLegs(await world.lookAt(trader.account));
  world.tally.add(restored === undefined ? "protection lost" : "protection restored");
  const levels = new Set(old.map(({ limitTicks, stopTicks }) => limitTicks ?? stopTicks));
  for (const { level } of restored?.legs ?? []) {
    const isOld = level !== undefined && "ticks" in level && levels.has(level.ticks);
    claim(isOld, "what is put back is what was there", { ...facts, restored });
  }
  const isFull = restored === undefined || restored.size === Math.abs(net);
  claim(isFull, "what is put back is of the position's size", { ...facts, restored });
  await world.settle();
  claim(
    JSON.stringify(trader.view.positions) === JSON.stringify(before.positions),
    "a failed replacement trades nothing",
    { before, after: trader.view },
  );
}
