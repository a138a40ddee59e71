import type { Aim, Holding } from "./alert.ts";
import type { ContractCode } from "./contracts/contract.ts";
import {
  closingPart,
  exitContract,
  isOnSide,
  mismatchReason,
  type OpenPosition,
  positionsInWords,
  sideOf,
  totalQty,
} from "./contracts/exit-contract.ts";
import { parseDecimal } from "./contracts/decimal.ts";
import { fitBracket, OPENS_NOTHING } from "./fit-bracket.ts";
import type { DenialCode } from "./denials.ts";
import type { Intent } from "./intent.ts";
import { opposite, type Side, sign } from "./order.ts";
import type { PreparedOrder, PreparedTerms } from "./order-ticket.ts";
import type { Exposure } from "./exposure.ts";

/** What closes and opens, without what has to make way for it. In this order: */
export interface MoveSteps {
  readonly kind: "steps";
  /** Positions to close wholly, each with its legs. */
  readonly closes: readonly OpenPosition[];
  /** Closes one position or a part of it at the market, and leaves its legs until it has. */
  readonly reduce?: PreparedOrder;
  /** What stands then, before anything is opened, and is to have the exits that were asked for. */
  readonly protect?: OpenPosition;
  /** Opens or grows; with the aim `order` exactly that order, whatever it does. */
  readonly entry?: PreparedOrder;
  /** What of the aim cannot be done, in words. */
  readonly problem?: string;
  /** They go against the strategy's own order, and only take out; `problem` says how. */
  readonly contradicts?: true;
}

export type Moves =
  | MoveSteps
  /** All is as it is to be, or on its way there. */
  | { readonly kind: "nothing"; readonly problem?: string }
  | {
      readonly kind: "refuse";
      readonly code: DenialCode;
      readonly reason: string;
      readonly contradicts?: true;
    };

export type SymbolOf = (contract: ContractCode) => string;

/** What one planning has at hand. */
export interface Planning {
  readonly intent: Pick<
    Extract<Intent, { kind: "ADJUST" }>,
    "contract" | "isFrontMonth" | "terms" | "handling"
  >;
  /** Everything that the symbol means, the nearest expiry first. */
  readonly exposures: readonly Exposure[];
  /** What of it is held once everything has filled that fills at the market. */
  readonly held: readonly OpenPosition[];
  /** What of it a close of everything has to end: also what has not filled yet. */
  readonly open: readonly OpenPosition[];
  readonly symbolOf: SymbolOf;
}

/** What brings the position in one symbol to the aim, by what is held and expected. */
export function move(planning: Planning, aim: Aim): Moves {
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
  if (isSized(planning) && netQty !== 0) return refuse("VALIDATION_FAILED", TARGET_SIZED);
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
function onItsWay({ exposures, symbolOf }: Planning): Moves {
  const late = exposures.find(({ netQty, expectedQty }) => netQty !== expectedQty);
  if (late === undefined) return NOTHING;
  const { contract, netQty, expectedQty } = late;
  const problem = `Of ${Math.abs(expectedQty)} ${symbolOf(contract)} ${Math.abs(netQty)} are held yet, and the rest is being filled`;
  return { kind: "nothing", problem };
}

/** An exit goes to the month that is held, as one that came as a plain order does. */
function toOrder(planning: Planning, side: Side, qty: number): Moves {
  const { intent, held, exposures } = planning;
  const entry = entryOf(intent, side, qty);
  if (isSized(planning) && held.some(({ netQty }) => netQty * sign(side) < 0)) {
    if (entry.ordType !== "MARKET") return refuse("POSITION_HELD", SIZED_AGAINST);
    return toEnter(planning, { to: "enter", side, qty, whenHeld: "add", whenOpposite: "close" });
  }
  const exit = intent.isFrontMonth === true ? exitContract(entry, held) : undefined;
  if (exit?.kind === "turn") return toTurn(planning, entry, exit.held);
  const { contract } = exit ?? entry;
  const exposure = exposures.find((one) => one.contract === contract) ?? NOTHING_HELD;
  const fitted = fitBracket({ ...entry, contract }, exposure);
  if (fitted.kind === "unfit") return refuse("POSITION_HELD", fitted.reason);
  const { order, problem } = fitted;
  return steps({ entry: order, ...(problem !== undefined && { problem }) });
}

/** Out of the month that is held, and with what is left into the front month. */
function toTurn({ symbolOf }: Planning, order: PreparedOrder, held: OpenPosition): Moves {
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
  const entry = entryOf(intent, opposite(sideOf(first.netQty)), qty ?? totalQty(held));
  return steps({ closes: open, entry });
}

function toClose(planning: Planning, aim: Extract<Aim, { to: "close" }>): Moves {
  const isMeant = (one: OpenPosition) => isOnSide(one, aim.holding);
  const [open, meant] = [planning.open.filter(isMeant), planning.held.filter(isMeant)];
  const [first] = meant;
  if (open.length === 0) return noPosition(planning, "close", aim.holding);
  const total = totalQty(meant);
  const qty = "qty" in aim ? aim.qty : partOf(total, aim.percent);
  if (first === undefined || qty >= total) return steps({ closes: open });
  if (meant.some((one) => one.netQty * first.netQty < 0)) return severalMonths(planning);
  return closePart(meant, qty);
}

/** Of several months the nearest ones go first. `qty` is less than all that is held. */
function closePart(held: readonly OpenPosition[], qty: number): Moves {
  const closes: OpenPosition[] = [];
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
  const { side, qty, whenHeld } = aim;
  // How many it will be is not known yet: what is held goes as a whole before it.
  const [whenOpposite, swap] = isSized(planning)
    ? (["close", aim.swap === "never" ? aim.swap : undefined] as const)
    : ([aim.whenOpposite, aim.swap] as const);
  const entry = entryOf(intent, side, qty);
  const [first, other] = held.filter((one) => one.netQty * sign(side) > 0);
  const isPart = first === undefined && whenOpposite === "reduceIfLess" && qty < totalQty(held);
  if (isPart) return withoutBracket(intent, closePart(held, qty));
  if (first === undefined && held.length > 0 && swap !== undefined) {
    const left = swap === "never" ? 0 : qty - totalQty(held);
    if (left <= 0) return withoutBracket(intent, steps({ closes: open }));
    return steps({ closes: open, entry: entryOf(intent, side, left) });
  }
  if (first === undefined || whenHeld === "replace") {
    return steps({ closes: held.length === 0 ? [] : open, entry });
  }
  if (whenHeld === "refuse") {
    const reason = `The account holds ${positionsInWords([first], symbolOf)} already; nothing was sent`;
    return refuse("POSITION_HELD", reason);
  }
  if (other !== undefined || held.length > 1) return severalMonths(planning);
  return grow(planning, first, entry);
}

/** Its quantity is worked out after what is held has gone; until then it is no more than a place holder. */
const isSized = ({ intent }: Planning): boolean => intent.handling?.size !== undefined;

const TARGET_SIZED =
  "A target position says its own quantity, so it cannot be sized by its risk; nothing was sent";

/** What of an order that rests, and would turn the other side around, has to be done first. */
export const SIZED_AGAINST =
  "The account holds the other side, and what is sized by its risk opens a position: close that first, or send it at the market";

/** Exits are for what is opened: a trade that only takes something off brings none. */
function withoutBracket({ terms }: Planning["intent"], moves: Moves): Moves {
  if (terms.bracket === undefined || moves.kind !== "steps") return moves;
  return { ...moves, problem: OPENS_NOTHING };
}

function grow({ intent, symbolOf }: Planning, held: OpenPosition, entry: PreparedOrder): Moves {
  if (held.contract === intent.contract) return steps({ entry });
  return refuse("SYMBOL_MISMATCH", mismatchReason(entry, held, symbolOf));
}

function entryOf(
  { contract, terms }: { readonly contract: ContractCode; readonly terms: PreparedTerms },
  side: Side,
  qty: number,
): PreparedOrder {
  return { ...terms, contract, side, orderQty: Math.abs(qty) };
}

function reduceOf({ contract, netQty }: OpenPosition, orderQty: number): PreparedOrder {
  const side = opposite(sideOf(netQty));
  return { contract, side, orderQty, ordType: "MARKET", timeInForce: "DAY" };
}

const NOTHING = { kind: "nothing" } as const;
const NOTHING_HELD = { netQty: 0, expectedQty: 0 } as const;

export function steps(moves: Partial<Omit<MoveSteps, "kind">>): Moves {
  return { kind: "steps", closes: [], ...moves };
}

export const refuse = (code: DenialCode, reason: string): Moves => ({
  kind: "refuse",
  code,
  reason,
});

function noPosition({ intent, symbolOf }: Planning, what: string, holding?: Holding): Moves {
  const kind = holding === undefined ? "open" : holding.toLowerCase();
  const symbol = symbolOf(intent.contract);
  const reason = `The account holds no ${kind} position in ${symbol}, so there is nothing to ${what}`;
  return refuse("NO_POSITION", reason);
}

function severalMonths({ held, symbolOf }: Planning): Moves {
  const reason =
    `The account holds ${positionsInWords(held, symbolOf)}: which of them is meant is not clear, ` +
    "and another order could leave several months open. Close all but one, or name a contract";
  return refuse("SYMBOL_MISMATCH", reason);
}

/** A percentage of a quantity, rounded to whole contracts (halves up), and at least 1. */
export function partOf(total: number, percent: number): number {
  // More places than a percentage needs; `toFixed`, because tiny numbers print with an exponent.
  const { units, scale } = parseDecimal(percent.toFixed(6)) ?? { units: 100n, scale: 0 };
  const whole = 100n * 10n ** BigInt(scale);
  const part = (2n * units * BigInt(total) + whole) / (2n * whole);
  return Math.max(1, Number(part));
}
