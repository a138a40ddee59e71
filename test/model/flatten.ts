import { refused } from "./place.ts";
import {
  type Action,
  direction,
  filledOf,
  isLiveLeg,
  type View,
  type WorkingOrder,
} from "./view.ts";
import { type Answer, claim, type Root, symbolOf, type Trader, type World } from "./world.ts";

export interface FlattenWish {
  readonly via: "api" | "webhook";
  /** Undefined: no symbol is named. */
  readonly root: Root | undefined;
  /** Nobody trades with a part of the closes at first: they rest, and the exit stands until they have filled. */
  readonly isThin?: boolean;
}

/** Closes what is meant, and checks that nothing else is touched. */
export async function flatten(world: World, trader: Trader, wish: FlattenWish): Promise<void> {
  const { via, root, isThin } = wish;
  if (isThin !== true) await world.refill();
  world.isThin = isThin === true;
  const { view: before } = trader;
  const answer =
    via === "api"
      ? await world.delete(trader, `positions${root === undefined ? "" : `?symbol=${root}`}`)
      : await world.alert(trader, { action: "close", ...(root && { symbol: `${root}1!` }) });
  if (via === "webhook") mismatch(before, root, answer);
  if (!answer.isDone) return await refused(world, trader, before, answer);

  const scope = scopeOf(before, wish);
  enter(trader, { wish, scope, answer, after: await world.lookAt(trader.account) });
  await world.settle();
  const { remaining, problems } = answer.body;
  if (remaining.length > 0) {
    world.tally.add("flatten with a rest");
    claim(problems.length > 0, "what remains is explained", answer);
  }
  closed(before, trader.view, { scope, answer });
  canceled(before, trader.view, { wish, scope, answer });
}

/** A webhook's close that names another symbol than is held is a 409, and only that one is. */
function mismatch({ positions }: View, root: Root | undefined, answer: Answer): void {
  const holdsOther =
    root !== undefined && Object.keys(positions).some((symbol) => symbol !== symbolOf(root));
  claim(
    holdsOther === (answer.code === "SYMBOL_MISMATCH"),
    "a close that names another symbol than is held is refused",
    { positions, root, answer },
  );
}

/** With a symbol, `/v1` closes that one only; a webhook closes all or nothing. */
function scopeOf(before: View, { via, root }: FlattenWish): ReadonlySet<string> {
  if (via === "api" && root !== undefined) return new Set([symbolOf(root)]);
  return new Set([...Object.keys(before.positions), ...before.working.map(({ symbol }) => symbol)]);
}

interface Flattened {
  readonly wish: FlattenWish;
  readonly scope: ReadonlySet<string>;
  readonly answer: Answer;
}

function enter(
  { book, view: before }: Trader,
  { wish, scope, answer, after }: Flattened & { readonly after: View },
): void {
  for (const { orderId, symbol, side } of answer.body.closed) {
    claim(!book.knows(orderId), "a close is an order of its own", answer.body);
    const action: Action = side === "long" ? "sell" : "buy";
    const noPrices = { limitTicks: undefined, stopTicks: undefined };
    const rest = { qty: undefined, endsAtOnce: false, isCanceled: false };
    book.addEntry({ orderId, symbol, action, ...noPrices, ...rest });
  }
  if (answer.body.remaining.length > 0) book.adoptCloses(after);
  book.endLivePairs(before, scope);
  for (const order of before.working) {
    const isMeant = scope.has(order.symbol) && goesWithPosition(before, order);
    const isEnded = order.role === "entry" && (wish.via === "webhook" || isMeant);
    if (isEnded) book.cancelEntry(order.orderId, before);
  }
}

/**
 * An entry whose legs are live already: what it fills later would have none. And an exit at the
 * market that is still being filled: beside the close it would turn the position around.
 */
function goesWithPosition({ positions, working }: View, order: WorkingOrder): boolean {
  const net = positions[order.symbol] ?? 0;
  const isExit = order.type === "market" && net * direction(order.action) < 0;
  return isExit || working.some((leg) => leg.parentOrderId === order.orderId && isLiveLeg(leg));
}

/** Flat within its scope, or what remains is told; the answer's closes are the history's. */
function closed(
  before: View,
  after: View,
  { scope, answer }: Pick<Flattened, "scope" | "answer">,
): void {
  const { body } = answer;
  const facts = { before, after, body };
  const told = Object.fromEntries(body.remaining.map(toSigned));
  for (const [symbol, net] of Object.entries(before.positions)) {
    const expected = scope.has(symbol) ? (told[symbol] ?? 0) : net;
    claim((after.positions[symbol] ?? 0) === expected, "flat within its scope", facts);
  }
  for (const { symbol, qty, side, orderId } of body.closed) {
    const { [symbol]: net = 0 } = before.positions;
    claim(
      Math.sign(net) === direction(side === "long" ? "buy" : "sell"),
      "a close names what was held",
      facts,
    );
    claim(filledOf(after, orderId) === qty, "a close tells what it filled", facts);
  }
  for (const symbol of Object.keys(before.positions)) {
    const inScope = scope.has(symbol)
      ? Math.abs((before.positions[symbol] ?? 0) - (told[symbol] ?? 0))
      : 0;
    const named = body.closed
      .filter((one: { symbol: string }) => one.symbol === symbol)
      .reduce((sum: number, one: { qty: number }) => sum + one.qty, 0);
    claim(named === inScope, "the answer names what was closed", facts);
  }
}

function toSigned({ symbol, qty, side }: { symbol: string; qty: number; side: string }) {
  return [symbol, side === "long" ? qty : -qty] as const;
}

/** `/v1` leaves resting entries as they are, a webhook's close leaves nothing. */
function canceled(before: View, after: View, { wish, scope, answer }: Flattened): void {
  const facts = { before, after, body: answer.body, wish };
  const isEnded = (order: WorkingOrder) =>
    scope.has(order.symbol) &&
    (isLiveLeg(order) ||
      (order.role === "entry" && (wish.via === "webhook" || goesWithPosition(before, order))));
  const named = new Set<string>(answer.body.canceledOrders);
  const ended = before.working.filter(isEnded);
  claim(
    ended.every(({ orderId }) => named.has(orderId)),
    "the answer names what was canceled",
    facts,
  );
  const known = new Set(before.working.map(({ orderId }) => orderId));
  claim(
    [...named].every((id) => known.has(id)),
    "only what worked is named as canceled",
    facts,
  );

  const still = new Map(after.working.map((order) => [order.orderId, order]));
  claim(
    ended.every(({ orderId }) => !still.has(orderId)),
    "what was canceled is gone",
    facts,
  );
  if (wish.via === "webhook") return;
  const kept = before.working.filter((order) => !isEnded(order));
  const isSame = ({ orderId }: WorkingOrder) => still.has(orderId);
  claim(kept.every(isSame), "resting entries and what waits with them stay", facts);
}
