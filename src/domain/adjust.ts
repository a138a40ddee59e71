import type { Aim, Holding } from "./alert.ts";
import { toProtect } from "./asked-exits.ts";
import { wrongSides } from "./bracket-sides.ts";
import { type ContractCode, rootOfCode } from "./contract.ts";
import {
  closingPart,
  exitContract,
  type HeldContract,
  mismatchReason,
  monthOf,
} from "./exit-contract.ts";
import { fitBracket, OPENS_NOTHING } from "./fit-bracket.ts";
import { heldInWords, holdingOf, isHeldAs, sideOf, totalOf } from "./held-months.ts";
import type { DenialCode, Intent } from "./intent.ts";
import { entriesOn, restingBeside, supersededBy } from "./making-way.ts";
import { endsAtOnce, opposite, type OrderReport, type Side, sign } from "./order.ts";
import type { PreparedOrder, PreparedTerms } from "./order-ticket.ts";
import { partOf } from "./part-of.ts";
import { type ExitCut, isFilling, type Reckoning, reckonAll } from "./reckoning.ts";

export type AdjustIntent = Extract<Intent, { kind: "ADJUST" }>;

/** What is to be done for an adjustment, in this order. */
export interface AdjustSteps {
  readonly kind: "steps";
  /** Orders to cancel before anything else. */
  readonly cancels: readonly OrderReport[];
  /** Exits to cut to what stays open, after everything else. */
  readonly cuts: readonly ExitCut[];
  /** Positions to close wholly, each with its legs. */
  readonly closes: readonly HeldContract[];
  /** Closes one position or a part of it at the market, and leaves its legs until it has. */
  readonly reduce?: PreparedOrder;
  /** What stands then, before anything is opened, and is to have the exits that were asked for. */
  readonly protect?: HeldContract;
  /** Opens or grows; with the aim `order` exactly that order, whatever it does. */
  readonly entry?: PreparedOrder;
  /** What of the aim cannot be done, in words. */
  readonly problem?: string;
}

export type AdjustPlan =
  /** All is as it is to be, or on its way there. */
  | { readonly kind: "nothing"; readonly problem?: string }
  | { readonly kind: "refuse"; readonly code: DenialCode; readonly reason: string }
  | AdjustSteps;

/** What an account holds and what works there. Positions of 0 contracts are left out. */
export interface AdjustStanding {
  readonly positions: readonly HeldContract[];
  readonly working: readonly OrderReport[];
}

type SymbolOf = (contract: ContractCode) => string;

/** What one planning has at hand. */
interface Planning {
  readonly intent: Pick<AdjustIntent, "contract" | "isFrontMonth" | "terms">;
  /** Everything that the symbol means, the nearest expiry first. */
  readonly reckonings: readonly Reckoning[];
  /** What of it is held once everything has filled that fills at the market. */
  readonly held: readonly HeldContract[];
  /** What of it a close of everything has to end: also what has not filled yet. */
  readonly open: readonly HeldContract[];
  readonly symbolOf: SymbolOf;
}

/** What is to be done without what has to make way. */
type Moves = Omit<AdjustSteps, "cancels" | "cuts"> | Exclude<AdjustPlan, AdjustSteps>;

/**
 * What brings the position in one symbol where it is to be. What is held is closed in the month that
 * it is held in, and a new position opens in the intent's own contract; through zero it is always a
 * close and then an order. Two months are never left open: that is refused, with the months named.
 */
export function planAdjust(
  intent: AdjustIntent,
  standing: AdjustStanding,
  symbolOf: SymbolOf,
): AdjustPlan {
  const asShown = planningOf(intent, standing, symbolOf);
  const superseded = new Set(supersededBy(intent, asShown.reckonings));
  const working = standing.working.filter((order) => !superseded.has(order));
  const planning = planningOf(intent, { ...standing, working }, symbolOf);
  const moves =
    checkWorking(asShown, intent) ??
    checkOnlyWhen(asShown, intent.onlyWhen) ??
    checkBracket(withProtection(planning, intent.aim, move(planning, intent.aim)));
  const resting = intent.cancelFirst === true ? restingFor(planning, moves) : [];
  const [gone, smaller] = [resting.filter(isAll), resting.filter((cut) => !isAll(cut))];
  const mustGo = new Set([...superseded, ...gone.map(({ order }) => order)]);
  const cancels = standing.working.filter((order) => mustGo.has(order));
  const cuts = moves.kind === "steps" ? smaller : [];
  if (moves.kind === "steps") return { ...moves, cancels, cuts };
  if (cancels.length === 0) return moves;
  if (moves.kind === "nothing") return { kind: "steps", cancels, closes: [], cuts };
  // Who wants out wants what rests to be gone too, even where nothing is held yet.
  const mayStillCancel = intent.aim.to === "close" && moves.code === "NO_POSITION";
  if (!mayStillCancel) return moves;
  return { kind: "steps", cancels, closes: [], cuts, problem: moves.reason };
}

const isAll = ({ leavesQty }: ExitCut): boolean => leavesQty === 0;

function planningOf(
  intent: Planning["intent"],
  { positions, working }: AdjustStanding,
  symbolOf: SymbolOf,
): Planning {
  const all = reckonAll({ positions, working, opaque: [] });
  const reckonings = all
    .filter(({ contract }) => isMeantBy(intent, contract))
    .toSorted((one, other) => monthOf(one) - monthOf(other));
  const held = reckonings.map(({ contract, expectedQty }) => ({ contract, netQty: expectedQty }));
  const open = reckonings.filter(
    ({ netQty, expectedQty, working: orders }) =>
      netQty !== 0 || expectedQty !== 0 || orders.some((order) => isFilling(order, orders)),
  );
  return {
    intent,
    reckonings,
    held: held.filter(({ netQty }) => netQty !== 0),
    open: open.map(({ contract, netQty, expectedQty }) => ({
      contract,
      netQty: expectedQty === 0 ? netQty : expectedQty,
    })),
    symbolOf,
  };
}

/** Whether an adjustment may lead to a larger position, or to one on the other side. */
export function mayOpen(aim: Aim): boolean {
  return aim.to !== "close" && !(aim.to === "position" && aim.netQty === 0);
}

/** The positions that an adjustment's symbol means, the nearest expiry first. */
export function heldFor<Held extends HeldContract>(
  intent: Planning["intent"] | Pick<AdjustIntent, "contract" | "isFrontMonth">,
  positions: readonly Held[],
): readonly Held[] {
  return positions
    .filter((one) => one.netQty !== 0 && isMeantBy(intent, one.contract))
    .toSorted((one, other) => monthOf(one) - monthOf(other));
}

function isMeantBy(
  { contract, isFrontMonth }: Pick<AdjustIntent, "contract" | "isFrontMonth">,
  code: ContractCode,
): boolean {
  return isFrontMonth === true ? rootOfCode(code) === rootOfCode(contract) : code === contract;
}

/** What rests in the symbol, but for legs, what was placed by hand, and exits of what stays open. */
function restingFor({ reckonings }: Planning, moves: Moves): readonly ExitCut[] {
  return reckonings.flatMap((reckoning) => {
    const { contract, netQty, expectedQty } = reckoning;
    const stays = staysAfter(expectedQty, contract, moves);
    // What is being filled may end unfilled: exits of what is held stay as well until then.
    const stillHeld = staysAfter(netQty, contract, moves);
    return restingBeside(reckoning, stillHeld * netQty > 0 ? [stays, stillHeld] : [stays]);
  });
}

/**
 * What stays open of so many of a contract once the moves are done; what only comes to rest moves
 * nothing yet.
 */
function staysAfter(held: number, contract: ContractCode, moves: Moves): number {
  if (moves.kind !== "steps") return held;
  const { closes, reduce, entry } = moves;
  const isClosed = closes.some((one) => one.contract === contract);
  return [reduce, entry].reduce(
    (qty, order) => {
      if (order?.contract !== contract || !endsAtOnce(order)) return qty;
      return qty + sign(order.side) * order.orderQty;
    },
    isClosed ? 0 : held,
  );
}

function move(planning: Planning, aim: Aim): Moves {
  switch (aim.to) {
    case "position":
      return toPosition(planning, aim.netQty);
    case "order":
      return toOrder(planning, aim.side, aim.qty);
    case "reverse":
      return toReverse(planning, aim.qty);
    case "close":
      return toClose(planning, aim);
    case "add":
      return toAdd(planning, aim.qty);
    case "enter":
      return toEnter(planning, aim);
  }
}

function toPosition(planning: Planning, netQty: number): Moves {
  const { held, open, intent } = planning;
  const [first, other] = held;
  if (netQty === 0) return open.length === 0 ? NOTHING : steps({ closes: open });
  const entry = entryOf(intent, sideOf(netQty), netQty);
  if (first === undefined) return steps({ entry });
  if (held.every((one) => one.netQty * netQty < 0)) return steps({ closes: open, entry });
  if (other !== undefined) return severalMonths(planning);
  const missing = netQty - first.netQty;
  if (missing === 0) return onItsWay(planning);
  if (missing * netQty < 0) return steps({ reduce: reduceOf(first, Math.abs(missing)) });
  return grow(planning, first, entryOf(intent, sideOf(netQty), missing));
}

/** All of it is there, or is being filled. */
function onItsWay({ reckonings, symbolOf }: Planning): Moves {
  const late = reckonings.find(({ netQty, expectedQty }) => netQty !== expectedQty);
  if (late === undefined) return NOTHING;
  const { contract, netQty, expectedQty } = late;
  const problem = `Of ${Math.abs(expectedQty)} ${symbolOf(contract)} ${Math.abs(netQty)} are held yet, and the rest is being filled`;
  return { kind: "nothing", problem };
}

/** An exit goes to the month that is held, as one that came as a plain order does. */
function toOrder(planning: Planning, side: Side, qty: number): Moves {
  const { intent, held, reckonings } = planning;
  const entry = entryOf(intent, side, qty);
  const exit = intent.isFrontMonth === true ? exitContract(entry, held) : undefined;
  if (exit?.kind === "turn") return toTurn(planning, entry, exit.held);
  const { contract } = exit ?? entry;
  const reckoning = reckonings.find((one) => one.contract === contract) ?? NOTHING_HELD;
  const fitted = fitBracket({ ...entry, contract }, reckoning);
  if (fitted.kind === "unfit") return refuse("POSITION_HELD", fitted.reason);
  const { order, problem } = fitted;
  return steps({ entry: order, ...(problem !== undefined && { problem }) });
}

/** Out of the month that is held, and with what is left into the front month. */
function toTurn({ symbolOf }: Planning, order: PreparedOrder, held: HeldContract): Moves {
  if (order.ordType !== "MARKET") {
    const { order: entry, problem } = closingPart(order, held, symbolOf);
    return steps({ entry, problem });
  }
  const closable = Math.abs(held.netQty);
  const entry = { ...order, orderQty: order.orderQty - closable };
  return steps({ reduce: reduceOf(held, closable), entry });
}

function toReverse(planning: Planning, qty: number | undefined): Moves {
  const { held, open, intent } = planning;
  const [first] = held;
  if (first === undefined) return noPosition(planning, "reverse");
  if (held.some((one) => one.netQty * first.netQty < 0)) return severalMonths(planning);
  const entry = entryOf(intent, opposite(sideOf(first.netQty)), qty ?? totalOf(held));
  return steps({ closes: open, entry });
}

function toClose(planning: Planning, aim: Extract<Aim, { to: "close" }>): Moves {
  const isMeant = (one: HeldContract) => isHeldAs(one, aim.holding);
  const [open, meant] = [planning.open.filter(isMeant), planning.held.filter(isMeant)];
  const [first] = meant;
  if (open.length === 0) return noPosition(planning, "close", aim.holding);
  const total = totalOf(meant);
  const qty = "qty" in aim ? aim.qty : partOf(total, aim.percent);
  if (first === undefined || qty >= total) return steps({ closes: open });
  if (meant.some((one) => one.netQty * first.netQty < 0)) return severalMonths(planning);
  return closePart(meant, qty);
}

/** Of several months the nearest ones go first. `qty` is less than all that is held. */
function closePart(held: readonly HeldContract[], qty: number): Moves {
  const closes: HeldContract[] = [];
  let left = qty;
  for (const one of held) {
    const size = Math.abs(one.netQty);
    if (size > left) return steps({ closes, ...(left > 0 && { reduce: reduceOf(one, left) }) });
    closes.push(one);
    left -= size;
  }
  return steps({ closes });
}

function toAdd(planning: Planning, qty: number): Moves {
  const [first, other] = planning.held;
  if (first === undefined) return noPosition(planning, "add to");
  if (other !== undefined) return severalMonths(planning);
  return grow(planning, first, entryOf(planning.intent, sideOf(first.netQty), qty));
}

function toEnter(planning: Planning, aim: Extract<Aim, { to: "enter" }>): Moves {
  const { held, open, intent, symbolOf } = planning;
  const { side, qty, whenHeld, whenOpposite } = aim;
  const entry = entryOf(intent, side, qty);
  const [first, other] = held.filter((one) => one.netQty * sign(side) > 0);
  const isPart = first === undefined && whenOpposite === "reduceIfLess" && qty < totalOf(held);
  if (isPart) return withoutBracket(intent, closePart(held, qty));
  if (first === undefined && held.length > 0 && aim.swap !== undefined) {
    const left = aim.swap === "never" ? 0 : qty - totalOf(held);
    if (left <= 0) return withoutBracket(intent, steps({ closes: open }));
    return steps({ closes: open, entry: entryOf(intent, side, left) });
  }
  if (first === undefined || whenHeld === "replace") {
    return steps({ closes: held.length === 0 ? [] : open, entry });
  }
  if (whenHeld === "refuse") {
    const reason = `The account holds ${heldInWords([first], symbolOf)} already; nothing was sent`;
    return refuse("POSITION_HELD", reason);
  }
  if (other !== undefined || held.length > 1) return severalMonths(planning);
  return grow(planning, first, entry);
}

/** What is opened brings its own exits; what stands beside it is to have them too. */
function withProtection({ held, intent }: Planning, aim: Aim, moves: Moves): Moves {
  if (intent.terms.bracket === undefined || moves.kind === "refuse") return moves;
  const { kind: _, ...made } = { closes: [], ...moves };
  const protect = toProtect(aim, held, made);
  return protect === undefined ? moves : steps({ ...made, protect });
}

/** Exits are for what is opened: a trade that only takes something off brings none. */
function withoutBracket({ terms }: Planning["intent"], moves: Moves): Moves {
  if (terms.bracket === undefined || moves.kind !== "steps") return moves;
  return { ...moves, problem: OPENS_NOTHING };
}

function grow({ intent, symbolOf }: Planning, held: HeldContract, entry: PreparedOrder): Moves {
  if (held.contract === intent.contract) return steps({ entry });
  return refuse("SYMBOL_MISMATCH", mismatchReason(entry, held, symbolOf));
}

function checkOnlyWhen(
  { held, intent, symbolOf }: Planning,
  onlyWhen: readonly Holding[] | undefined,
): Moves | undefined {
  if (onlyWhen === undefined) return undefined;
  const shown: readonly Holding[] = held.length === 0 ? ["FLAT"] : held.map(holdingOf);
  if (shown.every((holding) => onlyWhen.includes(holding))) return undefined;
  const what =
    held.length === 0 ? `nothing in ${symbolOf(intent.contract)}` : heldInWords(held, symbolOf);
  const asked = onlyWhen.map((holding) => holding.toLowerCase()).join(" or ");
  return refuse("POSITION_MISMATCH", `The account holds ${what}, and was to be ${asked}`);
}

/** An entry that is on its way already would come twice. */
function checkWorking(
  { reckonings, symbolOf }: Planning,
  { aim }: AdjustIntent,
): Moves | undefined {
  if (aim.to !== "enter" || aim.whenWorking !== "refuse") return undefined;
  const [resting] = reckonings.flatMap((reckoning) => entriesOn(aim.side, reckoning));
  if (resting === undefined) return undefined;
  const symbol = symbolOf(resting.contract);
  return refuse(
    "POSITION_HELD",
    `An order in ${symbol} works on that side already; nothing was sent`,
  );
}

/** The order's side may not have been known before, and with it where its levels belong. */
function checkBracket(moves: Moves): Moves {
  const { entry } = moves.kind === "steps" ? moves : {};
  if (entry?.bracket === undefined) return moves;
  const [wrong] = wrongSides(entry.side, entry, entry.bracket);
  if (wrong === undefined) return moves;
  return refuse("VALIDATION_FAILED", `${wrong.leg}.price ${wrong.message}; nothing was sent`);
}

function entryOf(
  { contract, terms }: { readonly contract: ContractCode; readonly terms: PreparedTerms },
  side: Side,
  qty: number,
): PreparedOrder {
  return { ...terms, contract, side, orderQty: Math.abs(qty) };
}

function reduceOf({ contract, netQty }: HeldContract, orderQty: number): PreparedOrder {
  const side = opposite(sideOf(netQty));
  return { contract, side, orderQty, ordType: "MARKET", timeInForce: "DAY" };
}

const NOTHING = { kind: "nothing" } as const;
const NOTHING_HELD = { netQty: 0, expectedQty: 0 } as const;

function steps(moves: Partial<Omit<AdjustSteps, "kind" | "cancels" | "cuts">>): Moves {
  return { kind: "steps", closes: [], ...moves };
}

const refuse = (code: DenialCode, reason: string): Moves => ({ kind: "refuse", code, reason });

function noPosition({ intent, symbolOf }: Planning, what: string, holding?: Holding): Moves {
  const kind = holding === undefined ? "open" : holding.toLowerCase();
  const symbol = symbolOf(intent.contract);
  const reason = `The account holds no ${kind} position in ${symbol}, so there is nothing to ${what}`;
  return refuse("NO_POSITION", reason);
}

function severalMonths({ held, symbolOf }: Planning): Moves {
  const reason =
    `The account holds ${heldInWords(held, symbolOf)}: which of them is meant is not clear, ` +
    "and another order could leave several months open. Close all but one, or name a contract";
  return refuse("SYMBOL_MISMATCH", reason);
}
