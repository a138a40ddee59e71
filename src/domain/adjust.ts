import {
  move,
  type Moves,
  type MoveSteps,
  type Planning,
  refuse,
  steps,
  type SymbolOf,
} from "./adjust-moves.ts";
import type { Aim, Holding } from "./alert.ts";
import { toProtect } from "./asked-exits.ts";
import { wrongSides } from "./bracket-sides.ts";
import { type ContractCode, rootOfCode } from "./contracts/contract.ts";
import {
  holdingOf,
  monthOf,
  type OpenPosition,
  positionsInWords,
  totalQty,
} from "./contracts/exit-contract.ts";
import type { Intent } from "./intent.ts";
import { contradiction, contradicts } from "./strategy-move.ts";
import { entriesOn, restingBeside, supersededBy } from "./superseded-orders.ts";
import { endsAtOnce, type OrderReport, sign } from "./order.ts";
import { type ExitCut, exposuresOf, isFilling } from "./exposure.ts";

export type AdjustIntent = Extract<Intent, { kind: "ADJUST" }>;

/** What is to be done for an adjustment. */
export interface AdjustSteps extends MoveSteps {
  /** Orders to cancel before anything else. */
  readonly cancels: readonly OrderReport[];
  /** Exits to cut to what stays open, after everything else. */
  readonly cuts: readonly ExitCut[];
}

export type AdjustPlan = AdjustSteps | Exclude<Moves, MoveSteps>;

/** What an account holds and what works there. Positions of 0 contracts are left out. */
export interface AdjustSnapshot {
  readonly positions: readonly OpenPosition[];
  readonly working: readonly OrderReport[];
}

/**
 * What brings the position in one symbol where it is to be. What is held is closed in the month that
 * it is held in, and a new position opens in the intent's own contract; through zero it is always a
 * close and then an order. Two months are never left open: that is refused, with the months named.
 */
export function planAdjust(
  intent: AdjustIntent,
  snapshot: AdjustSnapshot,
  symbolOf: SymbolOf,
): AdjustPlan {
  const asShown = planningOf(intent, snapshot, symbolOf);
  const superseded = new Set(supersededBy(intent, asShown.exposures));
  const working = snapshot.working.filter((order) => !superseded.has(order));
  const planning = planningOf(intent, { ...snapshot, working }, symbolOf);
  const moves =
    checkWorking(asShown, intent) ??
    checkOnlyWhen(asShown, intent.onlyWhen) ??
    checkBracket(withProtection(planning, intent.aim, asStrategyWent(planning, intent.aim)));
  const resting = intent.cancelFirst === true ? restingFor(planning, moves) : [];
  const [gone, smaller] = [resting.filter(isAll), resting.filter((cut) => !isAll(cut))];
  const mustGo = new Set([...superseded, ...gone.map(({ order }) => order)]);
  const cancels = snapshot.working.filter((order) => mustGo.has(order));
  const cuts = moves.kind === "steps" ? smaller : [];
  if (moves.kind === "steps") return { ...moves, cancels, cuts };
  if (cancels.length === 0) return moves;
  if (moves.kind === "nothing") return { kind: "steps", cancels, closes: [], cuts };
  // An exit also ends what rests, even where nothing is held yet.
  const mayStillCancel = intent.aim.to === "close" && moves.code === "NO_POSITION";
  if (!mayStillCancel) return moves;
  return { kind: "steps", cancels, closes: [], cuts, problem: moves.reason };
}

/** The steps of a strategy's message, without any that opens or grows a position against its own order. */
function asStrategyWent(planning: Planning, aim: Aim): Moves {
  const moves = move(planning, aim);
  if (aim.to !== "position" || moves.kind !== "steps") return moves;
  const held = heldIn(planning);
  if (!contradicts(aim, held)) return moves;
  const problem = contradiction(aim, held);
  const { entry: _, ...exits } = moves;
  if (exits.closes.length > 0 || exits.reduce !== undefined) {
    return { ...exits, problem, contradicts: true };
  }
  const reason = `${problem}; nothing was sent`;
  return { kind: "refuse", code: "POSITION_MISMATCH", reason, contradicts: true };
}

const isAll = ({ leavesQty }: ExitCut): boolean => leavesQty === 0;

function planningOf(
  intent: Planning["intent"],
  { positions, working }: AdjustSnapshot,
  symbolOf: SymbolOf,
): Planning {
  const all = exposuresOf({ positions, working, opaque: [], opaquePositions: [] });
  const exposures = all
    .filter(({ contract }) => isMeantBy(intent, contract))
    .toSorted((one, other) => monthOf(one) - monthOf(other));
  const held = exposures.map(({ contract, expectedQty }) => ({ contract, netQty: expectedQty }));
  const open = exposures.filter(
    ({ netQty, expectedQty, working: orders }) =>
      netQty !== 0 || expectedQty !== 0 || orders.some((order) => isFilling(order, orders)),
  );
  return {
    intent,
    exposures,
    held: held.filter(({ netQty }) => netQty !== 0),
    open: open.map(({ contract, netQty, expectedQty }) => ({
      contract,
      netQty: expectedQty === 0 ? netQty : expectedQty,
    })),
    symbolOf,
  };
}

/** Signed: what is held of an adjustment's symbol once everything has filled that fills at the market. */
export function heldQtyOf(intent: AdjustIntent, snapshot: AdjustSnapshot): number {
  return heldIn(planningOf(intent, snapshot, String));
}

const heldIn = ({ held }: Pick<Planning, "held">): number =>
  held.reduce((sum, { netQty }) => sum + netQty, 0);

/** Whether an adjustment may lead to a larger position, or to one on the other side. */
export function mayOpen(aim: Aim): boolean {
  return aim.to !== "close" && !(aim.to === "position" && aim.netQty === 0);
}

/** The positions that an adjustment's symbol means, the nearest expiry first. */
export function positionsFor<Held extends OpenPosition>(
  intent: Planning["intent"] | Pick<AdjustIntent, "contract" | "isFrontMonth">,
  positions: readonly Held[],
): readonly Held[] {
  return positions
    .filter((one) => one.netQty !== 0 && isMeantBy(intent, one.contract))
    .toSorted((one, other) => monthOf(one) - monthOf(other));
}

/** Whether a contract is the one that an order or adjustment names, in any month where it names none. */
export function isMeantBy(
  { contract, isFrontMonth }: Pick<AdjustIntent, "contract" | "isFrontMonth">,
  code: ContractCode,
): boolean {
  return isFrontMonth === true ? rootOfCode(code) === rootOfCode(contract) : code === contract;
}

/** What rests in the symbol, but for legs, what was placed by hand, and exits of what stays open. */
function restingFor({ exposures }: Planning, moves: Moves): readonly ExitCut[] {
  return exposures.flatMap((exposure) => {
    const { contract, netQty, expectedQty } = exposure;
    const stays = staysAfter(expectedQty, contract, moves);
    // What is being filled may end unfilled: exits of what is held stay as well until then.
    const stillOpen = staysAfter(netQty, contract, moves);
    return restingBeside(exposure, stillOpen * netQty > 0 ? [stays, stillOpen] : [stays]);
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

/** What is opened brings its own exits; what stands beside it is to have them too. */
function withProtection({ held, intent }: Planning, aim: Aim, moves: Moves): Moves {
  if (intent.terms.bracket === undefined || moves.kind === "refuse") return moves;
  const { kind: _, ...made } = { closes: [], ...moves };
  const protect = toProtect(aim, held, made);
  return protect === undefined ? moves : steps({ ...made, protect });
}

function checkOnlyWhen(
  { held, intent, symbolOf }: Planning,
  onlyWhen: readonly Holding[] | undefined,
): Moves | undefined {
  if (onlyWhen === undefined) return undefined;
  const shown: readonly Holding[] = held.length === 0 ? ["FLAT"] : held.map(holdingOf);
  if (shown.every((holding) => onlyWhen.includes(holding))) return undefined;
  const what =
    held.length === 0
      ? `nothing in ${symbolOf(intent.contract)}`
      : positionsInWords(held, symbolOf);
  const asked = onlyWhen.map((holding) => holding.toLowerCase()).join(" or ");
  return refuse("POSITION_MISMATCH", `The account holds ${what}, and was to be ${asked}`);
}

/** An entry that is on its way already would come twice. */
function checkWorking({ exposures, symbolOf }: Planning, { aim }: AdjustIntent): Moves | undefined {
  if (aim.to !== "enter" || aim.whenWorking !== "refuse") return undefined;
  const [resting] = exposures.flatMap((exposure) => entriesOn(aim.side, exposure));
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

/**
 * What of an aim closes something, as its steps say: in absolute terms, so that it can be asked for
 * again once a part is done. Undefined where nothing is to be closed.
 */
export function closingAim(aim: Aim, { closes, reduce }: AdjustSteps): Aim | undefined {
  if (aim.to === "position") return aim;
  if (aim.to === "close" && ("qty" in aim || aim.percent === 100)) return aim;
  if (reduce !== undefined) {
    const holding = reduce.side === "SELL" ? ("LONG" as const) : ("SHORT" as const);
    return { to: "close", qty: totalQty(closes) + reduce.orderQty, holding };
  }
  const [first] = closes;
  return first && { to: "close", percent: 100, holding: holdingOf(first) };
}

/** What is left of such an aim once so many contracts are closed; undefined where nothing is. */
export function leftOf(aim: Aim, closedQty: number): Aim | undefined {
  if (aim.to === "position") return aim;
  if (aim.to !== "close") return undefined;
  if (!("qty" in aim)) return aim;
  return aim.qty > closedQty ? { ...aim, qty: aim.qty - closedQty } : undefined;
}
