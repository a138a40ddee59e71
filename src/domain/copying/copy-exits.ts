import type { ContractCode } from "../contracts/contract.ts";
import type { MirrorStep, MirrorView } from "./copy-mirror.ts";
import { inTicksOf, isOnePrice } from "./copy-prices.ts";
import { copiedContract } from "./copy-target.ts";
import { isEntryWorking, isLiveLeg } from "../legs.ts";
import { type Bracket, isClosed, type OrderReport, sign } from "../order.ts";
import type { Ticks } from "../contracts/price.ts";

const ROLES = ["TAKE_PROFIT", "STOP_LOSS"] as const;
type LegRole = (typeof ROLES)[number];

/** One contract that leader and follower hold on the same side. */
interface SharedPosition {
  readonly contract: ContractCode;
  readonly leaderContract: ContractCode;
  readonly heldQty: number;
  readonly leaderQty: number;
}

/** The legs of one kind, the leader's and the follower's. */
interface Legs {
  /** Of those too that wait for their entry, in ticks of the follower's contract. */
  readonly leaderPrices: ReadonlySet<number>;
  /** Of the live ones, where most contracts leave. */
  readonly level: Ticks;
  readonly leaderLeavesQty: number;
  readonly own: readonly OrderReport[];
}

/**
 * What brings the exits of a follower's positions to where its leader's stand. An exit that the
 * leader takes away stays with the follower.
 */
export function planExits(view: MirrorView): readonly MirrorStep[] {
  if (view.rest !== undefined) return [];
  return sharedPositions(view).flatMap((shared) => planExitsOf(view, shared));
}

/** Where several of the leader's contracts become one, the one that most is held of counts. */
function sharedPositions(view: MirrorView): readonly SharedPosition[] {
  const { follower, leader, own, cycleOf } = view;
  const shared = new Map<ContractCode, SharedPosition>();
  for (const [leaderContract, leaderQty] of leader.holds) {
    const copied = copiedContract(follower, leaderContract, cycleOf);
    if (copied.kind === "none" || !isOnePrice(view, leaderContract, copied.contract)) continue;
    const { contract } = copied;
    const heldQty = own.holds.get(contract) ?? 0;
    const larger = Math.abs(shared.get(contract)?.leaderQty ?? 0);
    if (heldQty * leaderQty <= 0 || Math.abs(leaderQty) <= larger) continue;
    shared.set(contract, { contract, leaderContract, heldQty, leaderQty });
  }
  return [...shared.values()];
}

function planExitsOf(view: MirrorView, shared: SharedPosition): readonly MirrorStep[] {
  const { contract, heldQty } = shared;
  const found = new Map(
    ROLES.flatMap((role) => {
      const legs = legsOf(view, shared, role);
      return legs === undefined ? [] : [[role, legs] as const];
    }),
  );
  if (found.size === 0 || view.isBusy(contract)) return [];
  const all = [...found.values()];
  const isMoved = all.some(({ own, leaderPrices }) =>
    own.some((leg) => !leaderPrices.has(levelOf(leg) ?? Number.NaN)),
  );
  const isShort = all.some((legs) => isUncovered(legs, shared));
  if (!isMoved && !isShort) return [];
  if (isGrowing(view, contract, found)) return [];
  const levels = {
    ...levelAt("takeProfit", found.get("TAKE_PROFIT")),
    ...levelAt("stopLoss", found.get("STOP_LOSS")),
  };
  const leaderAt = Math.max(...leaderLegs(view, shared).map((leg) => leg.transactTimeAt));
  return [{ kind: "protect", contract, heldQty, levels, leaderAt, isSure: isMoved }];
}

const levelAt = (leg: keyof Bracket, legs: Legs | undefined): Bracket =>
  legs === undefined ? {} : { [leg]: { by: "price", price: legs.level } };

/** Undefined where the leader has none of the kind. */
function legsOf(view: MirrorView, shared: SharedPosition, role: LegRole): Legs | undefined {
  const { contract, leaderContract, heldQty } = shared;
  const sizes = { from: view.tickSizeOf(leaderContract), to: view.tickSizeOf(contract) };
  const byPrice = new Map<Ticks, { leavesQty: number; newestAt: number }>();
  for (const leg of leaderLegs(view, shared).filter(isLive)) {
    const price = levelOf(leg);
    if (leg.role !== role || price === undefined) continue;
    const converted = inTicksOf(price, sizes);
    const { leavesQty, newestAt } = byPrice.get(converted) ?? { leavesQty: 0, newestAt: 0 };
    byPrice.set(converted, {
      leavesQty: leavesQty + leg.leavesQty,
      newestAt: Math.max(newestAt, leg.transactTimeAt),
    });
  }
  const [first] = [...byPrice].toSorted(
    ([, one], [, other]) => other.leavesQty - one.leavesQty || other.newestAt - one.newestAt,
  );
  if (first === undefined) return undefined;
  const own = view.own.working.filter(
    (leg) =>
      leg.role === role &&
      leg.contract === contract &&
      sign(leg.side) * heldQty < 0 &&
      isLiveLeg(leg),
  );
  const standing = leaderLegs(view, shared).filter((leg) => leg.role === role);
  const prices = standing.map(levelOf).filter((price) => price !== undefined);
  const leaderPrices = new Set(prices.map((price) => inTicksOf(price, sizes)));
  const leaderLeavesQty = [...byPrice.values()].reduce((sum, { leavesQty }) => sum + leavesQty, 0);
  return { leaderPrices, level: first[0], leaderLeavesQty, own };
}

/** The leader's exits of the position, placed by hand ones and waiting ones too. */
function leaderLegs(
  { leader }: MirrorView,
  { leaderContract, leaderQty }: SharedPosition,
): readonly OrderReport[] {
  return leader.working.filter(
    ({ role, contract, side, ordStatus, leavesQty }) =>
      role !== "ORDER" &&
      contract === leaderContract &&
      sign(side) * leaderQty < 0 &&
      ordStatus !== "PENDING_CANCEL" &&
      !isClosed(ordStatus) &&
      leavesQty > 0,
  );
}

const isLive = ({ ordStatus }: OrderReport): boolean => ordStatus !== "HELD";

/** Where a leg leaves: its limit, or the trigger of its stop. */
export const levelOf = ({ role, price, stopPx }: OrderReport): Ticks | undefined =>
  role === "TAKE_PROFIT" ? price : stopPx;

/** The leader's exits close all that it holds, and the follower's do not. */
function isUncovered({ own, leaderLeavesQty }: Legs, { heldQty, leaderQty }: SharedPosition) {
  const leavesQty = own.reduce((sum, leg) => sum + leg.leavesQty, 0);
  if (leavesQty >= Math.abs(heldQty)) return false;
  return own.length === 0 || leaderLeavesQty >= Math.abs(leaderQty);
}

/**
 * Exits grow with an entry that still fills. Then only the levels of one pair can be moved; the rest
 * waits until the entry has ended.
 */
function isGrowing(
  { own: { working } }: MirrorView,
  contract: ContractCode,
  found: ReadonlyMap<LegRole, Legs>,
): boolean {
  const legs = working.filter((leg) => leg.role !== "ORDER" && leg.contract === contract);
  if (!legs.some((leg) => isEntryWorking(leg, { working }))) return false;
  const live = legs.filter(isLiveLeg);
  const isOfOne = ROLES.every((role) => live.filter((leg) => leg.role === role).length <= 1);
  const areThere = [...found.keys()].every((role) => live.some((leg) => leg.role === role));
  const areLive = legs.length === live.length;
  return !isOfOne || !areThere || !areLive;
}
