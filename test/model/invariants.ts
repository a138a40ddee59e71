import { type Book, type Entry, type Leg, type Pair, standing } from "./book.ts";
import {
  type Action,
  closableBy,
  closableSoon,
  direction,
  filledOf,
  isLiveLeg,
  netOfTrades,
  type View,
  type WorkingOrder,
} from "./view.ts";

/** One promise that does not hold; the name is the promise. */
export interface Broken {
  readonly name: string;
  readonly what: string;
  /** It is kept by somebody who looks after legs a moment later. */
  readonly mayTakeTime: boolean;
}

type Check = (book: Book, view: View) => readonly string[];

/** What holds whenever an account is quiet. */
const ALWAYS: Readonly<Record<string, Check>> = {
  "the position is the sum of the fills": positionsAreFills,
  "every order and every fill belongs to one accepted call": nothingIsDoubled,
  "an entry is filled as asked, and rests until it is filled or canceled": entriesAreAsAsked,
  "the legs of a pair are one": pairsAreOne,
  "a leg stands where it was asked": levelsAreAsAsked,
  "a pair protects no more than its entry filled": pairsAreNoLarger,
  "nothing is unsettled": (_, { unsettled }) => (unsettled === 0 ? [] : [`${unsettled} intents`]),
};

/** Who keeps legs in step with the position ends and shrinks them a moment later. */
const WITH_KEEPER: Readonly<Record<string, Check>> = {
  "no leg outlives its position": noOrphans,
  "legs close no more than the position": exitsAreNoLarger,
  "what is to be protected is, up to the position": protectionIsKept,
};

/** Without a keeper nothing ever takes anything off a pair. */
const WITHOUT_KEEPER: Readonly<Record<string, Check>> = {
  "a pair protects all that its entry filled": pairsAreWhole,
};

export function brokenPromises(book: Book, view: View, hasKeeper: boolean): Broken[] {
  const checks = { ...ALWAYS, ...(hasKeeper ? WITH_KEEPER : WITHOUT_KEEPER) };
  return Object.entries(checks).flatMap(([name, check]) =>
    check(book, view).map((what) => ({ name, what, mayTakeTime: name in WITH_KEEPER })),
  );
}

function positionsAreFills(_: Book, view: View): string[] {
  const fills = netOfTrades(view);
  const symbols = new Set([...Object.keys(fills), ...Object.keys(view.positions)]);
  return [...symbols]
    .filter((symbol) => (fills[symbol]?.net ?? 0) !== (view.positions[symbol] ?? 0))
    .map((symbol) => `${symbol}: fills ${fills[symbol]?.net ?? 0}, held ${view.positions[symbol]}`);
}

function nothingIsDoubled(book: Book, { working, trades }: View): string[] {
  const unknown = [...working, ...trades].filter(({ orderId }) => !book.knows(orderId));
  const tradeIds = trades.map(({ id }) => id);
  const twice = tradeIds.filter((id, at) => tradeIds.indexOf(id) !== at);
  return [
    ...unknown.map((one) => `nobody was told of ${JSON.stringify(one)}`),
    ...twice.map((id) => `trade ${id} is listed twice`),
  ];
}

function entriesAreAsAsked({ entries }: Book, view: View): string[] {
  return [...entries.values()].flatMap((entry) => {
    const order = view.working.find(({ orderId }) => orderId === entry.orderId);
    const filled = filledOf(view, entry.orderId);
    const wrong =
      order === undefined ? goneTooEarly(entry, filled) : notAsAsked(entry, order, filled);
    const isOver = entry.qty !== undefined && filled > entry.qty;
    return [...wrong, ...(isOver ? ["more is filled than was asked"] : [])].map(
      (what) => `${entry.orderId}: ${what} (asked ${entry.qty}, filled ${filled})`,
    );
  });
}

function goneTooEarly({ qty, endsAtOnce, isCanceled }: Entry, filled: number): string[] {
  const mayBeGone = endsAtOnce || isCanceled || qty === undefined || filled === qty;
  return mayBeGone ? [] : ["it is gone, and was neither filled nor canceled"];
}

function notAsAsked(entry: Entry, order: WorkingOrder, filled: number): string[] {
  const { qty = order.qty, limitTicks, stopTicks } = entry;
  const expected = { qty, filledQty: filled, remainingQty: qty - filled };
  const { filledQty, remainingQty } = order;
  const isSame =
    JSON.stringify({ qty: order.qty, filledQty, remainingQty }) === JSON.stringify(expected);
  return [
    ...(entry.isCanceled ? ["it works on, although it was canceled"] : []),
    ...(entry.endsAtOnce ? ["it rests, although it ends at once"] : []),
    ...(isSame ? [] : [`it shows ${JSON.stringify(order)}`]),
    ...differs("its limit", limitTicks, order.limitTicks),
    ...differs("its stop", stopTicks, order.stopTicks),
  ];
}

function differs(what: string, asked: number | undefined, shown: number | null): string[] {
  return asked === undefined || asked === shown ? [] : [`${what} is ${shown}, not ${asked}`];
}

function pairsAreOne(book: Book, view: View): string[] {
  return book.pairs.flatMap((pair) => {
    const { legs, left } = standing(pair, view);
    const wrong: string[] = [];
    const states = new Set(legs.map((leg) => `${leg.remainingQty} ${isLiveLeg(leg)}`));
    if (states.size > 1) wrong.push("its legs differ");
    if (legs.length > 0 && legs.length !== pair.legs.length) wrong.push("one leg stands alone");
    if (legs.some(({ action }) => action !== pair.exit)) wrong.push("a leg is on the wrong side");
    const waits = entryWorks(book, pair.parentId, view);
    if (legs.length > 0 && left === 0 && !legs.every((leg) => waits && leg.status === "held")) {
      wrong.push("its legs work, although nothing is left of it");
    }
    const unfilled = waits && !pair.hasEnded && filledOf(view, pair.parentId ?? "") === 0;
    if (unfilled && legs.length !== pair.legs.length) wrong.push("a leg that waits is not there");
    return wrong.map((what) => `${what}: ${describe(pair, legs)}`);
  });
}

function entryWorks({ entries }: Book, id: string | undefined, { working }: View): boolean {
  return id !== undefined && entries.has(id) && working.some(({ orderId }) => orderId === id);
}

function levelsAreAsAsked({ pairs }: Book, view: View): string[] {
  return pairs.flatMap((pair) =>
    pair.legs.flatMap((leg) => {
      const order = view.working.find(({ orderId }) => orderId === leg.orderId);
      const level = levelOf(pair, leg, view);
      if (order === undefined || pair.hasEnded || level === undefined) return [];
      const shown = leg.role === "takeProfit" ? order.limitTicks : order.stopTicks;
      return shown === level ? [] : [`${leg.role} ${leg.orderId} is at ${shown}, not at ${level}`];
    }),
  );
}

/** Where a leg belongs; undefined while its entry has not filled, or when it was not told. */
function levelOf({ parentId, exit }: Pair, { role, level }: Leg, view: View): number | undefined {
  if (level === undefined) return undefined;
  if ("ticks" in level) return level.ticks;
  const first = view.trades.find(({ orderId }) => orderId === parentId);
  if (first === undefined) return undefined;
  const wins = -direction(exit) * (role === "takeProfit" ? 1 : -1);
  return first.ticks + wins * level.distance;
}

function pairsAreNoLarger({ pairs }: Book, view: View): string[] {
  return pairs.flatMap((pair) => {
    const { left, legs } = standing(pair, view);
    const larger = legs.filter((leg) => isLiveLeg(leg) && leg.remainingQty > left);
    return larger.length === 0 ? [] : [`${left} are left of ${describe(pair, legs)}`];
  });
}

function pairsAreWhole({ pairs }: Book, view: View): string[] {
  return pairs.flatMap((pair) => {
    const { left, legs } = standing(pair, view);
    const whole = legs.filter((leg) => isLiveLeg(leg) && leg.remainingQty === left);
    const isWhole = left === 0 || whole.length === pair.legs.length;
    return isWhole ? [] : [`${left} should stand of ${describe(pair, legs)}`];
  });
}

function noOrphans(_: Book, view: View): string[] {
  return view.working
    .filter(isLiveLeg)
    .filter(({ symbol, action }) => closableSoon(view, symbol, action) === 0)
    .map((leg) => `${JSON.stringify(leg)} with positions ${JSON.stringify(view.positions)}`);
}

/** What the pairs of one symbol and side close, and what they were to close. */
interface Protection {
  readonly symbol: string;
  readonly exit: Action;
  stands: number;
  asked: number;
}

function protections({ pairs }: Book, view: View): Protection[] {
  const all = new Map<string, Protection>();
  for (const pair of pairs) {
    const { symbol, exit } = pair;
    const { left, legs } = standing(pair, view);
    const sum = all.get(`${symbol} ${exit}`) ?? { symbol, exit, stands: 0, asked: 0 };
    sum.stands += Math.max(0, ...legs.filter(isLiveLeg).map(({ remainingQty }) => remainingQty));
    sum.asked += left;
    all.set(`${symbol} ${exit}`, sum);
  }
  return [...all.values()];
}

function exitsAreNoLarger(book: Book, view: View): string[] {
  return protections(book, view)
    .filter(({ symbol, exit, stands }) => stands > closableSoon(view, symbol, exit))
    .map((sum) => `${JSON.stringify(sum)} with positions ${JSON.stringify(view.positions)}`);
}

function protectionIsKept(book: Book, view: View): string[] {
  return protections(book, view)
    .filter(
      ({ symbol, exit, stands, asked }) => stands < Math.min(asked, closableBy(view, symbol, exit)),
    )
    .map((sum) => `${JSON.stringify(sum)} with positions ${JSON.stringify(view.positions)}`);
}

function describe({ symbol, exit, legs, parentId, size, cut, hasEnded }: Pair, now: unknown) {
  const ids = legs.map(({ role, orderId }) => `${role} ${orderId}`);
  return JSON.stringify({ symbol, exit, ids, parentId, size, cut, hasEnded, now });
}
