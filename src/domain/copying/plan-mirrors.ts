import { exitsOnlyIn } from "./copy-drift.ts";
import { type FoundMirror, mirroredQty, type MirrorStep, type MirrorView } from "./copy-mirror.ts";
import { isOnePrice, mirroredBracket, mirroredPrices } from "./copy-prices.ts";
import { copiedContract } from "./copy-target.ts";
import type { ContractCode } from "../contracts/contract.ts";
import { isLeaderExit, MirrorRoom, opposes, opposesLeader } from "./mirror-room.ts";
import { ORDER_PRICES } from "../declared/order-types.ts";
import { endsAtOnce, type OrderPrices, type OrderReport } from "../order.ts";

/**
 * What brings a follower's orders to what its leader's working orders ask. Orders that nobody
 * mirrored are never touched. What is not sure follows from positions, which may be told late: it is
 * to be seen twice.
 */
export function planMirrors(view: MirrorView): readonly MirrorStep[] {
  const room = new MirrorRoom(view);
  const orders = view.leader.working.filter(isMirrorable).toSorted(byAge);
  const orderOf = ({ mirror }: FoundMirror) =>
    orders.find(({ orderId }) => orderId === mirror.leaderOrderId);
  const given = view.mirrors.filter(({ mirror }) => mirror.isEnded === true);
  const mirrors = view.mirrors.filter((found) => !given.includes(found)).toSorted(byNoting);

  const ended = mirrors.filter((found) => orderOf(found) === undefined);
  const known = mirrors.filter((found) => orderOf(found) !== undefined);
  // Before any of them: what one filled ahead is no reason for another one to end.
  for (const found of known) room.count(found.mirror, orderOf(found)?.leavesQty ?? 0);
  const steps = [
    ...planLeaving(given, "It was to be cancelled before"),
    ...ended.flatMap((found) => planEnded(view, found, room)),
    ...known.flatMap((found) => planStanding(view, found, room, orderOf(found))),
    ...orders.flatMap((order) => planNew(view, order, room)),
  ];
  return steps.filter(
    (step) => !("own" in step) || step.isSure || !view.isBusy(step.mirror.contract),
  );
}

/** What a follower that follows no more has left of its mirrors. */
export function planLeaving(
  mirrors: readonly FoundMirror[],
  reason = "The follower follows this leader's orders no more",
): readonly MirrorStep[] {
  return mirrors.flatMap((found) => cancelOf(found, reason));
}

function cancelOf(
  { mirror, own, odd }: FoundMirror,
  reason: string,
  isSure = true,
): readonly MirrorStep[] {
  const order = own ?? odd;
  if (order === undefined || (own !== undefined && isInBetween(own))) return [];
  return [{ kind: "cancel", mirror, own: order, reason, isSure }];
}

/** What ends at once is copied as fills, and exits beside a position by their levels. */
const isMirrorable = (order: OrderReport): boolean => order.role === "ORDER" && !endsAtOnce(order);

const byAge = (one: OrderReport, other: OrderReport): number =>
  one.transactTimeAt - other.transactTimeAt;

/** Who came first keeps what it has. */
const byNoting = ({ mirror: one }: FoundMirror, { mirror: other }: FoundMirror): number =>
  one.notedAt - other.notedAt || (one.copyId < other.copyId ? -1 : 1);

/** Something is being done to it at the broker. */
const isInBetween = ({ ordStatus }: OrderReport): boolean =>
  ordStatus === "PENDING_NEW" || ordStatus === "PENDING_CANCEL";

/** The leader's order works no more. What it filled, the mirror may still fill for a while. */
function planEnded(view: MirrorView, found: FoundMirror, room: MirrorRoom): readonly MirrorStep[] {
  const { mirror, own, ownCumQty, leaderCumQty, endedForMs } = found;
  if (endedForMs === undefined || (own !== undefined && isInBetween(own))) return [];
  const cancel = (reason: string, isSure = true) => cancelOf(found, reason, isSure);
  const { contract, side } = mirror;
  const whyNoEntry = whyNoEntryIn(view, contract);
  const why = view.rest ?? whyNoEntry;
  if (why !== undefined && !opposes(side, contract, view)) return cancel(why);
  if (view.rest !== undefined) return [];
  const isExit = whyNoEntry !== undefined;
  const qty = mirroredQty(view.follower, mirror, leaderCumQty) - ownCumQty;
  if (qty <= 0) return cancel("The leader's order works no more");
  if (endedForMs >= view.fillsForMs) {
    return cancel("The leader's order has filled, and this one did not in time");
  }
  if (own === undefined) return [];
  const { leavesQty } = own;
  const most = Math.min(qty, leavesQty);
  const granted = room.take({ contract, side, qty: most, leaderLeavesQty: 0, isExit });
  if (granted === 0) return cancel("It leads away from what the follower is to hold", false);
  if (granted === leavesQty) return [];
  const values = { orderQty: own.cumQty + granted };
  const isSure = granted === qty;
  return [{ kind: "change", mirror, own, values, isExit, isTooLarge: true, isSure }];
}

function planStanding(
  view: MirrorView,
  found: FoundMirror,
  room: MirrorRoom,
  leaderOrder: OrderReport | undefined,
): readonly MirrorStep[] {
  const { mirror, own } = found;
  if (leaderOrder === undefined) return [];
  const { contract, side } = mirror;
  const cancel = (reason: string, isSure = true) => cancelOf(found, reason, isSure);
  const whyNoEntry = whyNoEntryIn(view, contract);
  const why = view.rest ?? whyNoEntry;
  if (why !== undefined && !opposes(side, contract, view)) return cancel(why);
  if (view.rest !== undefined || own === undefined) return [];
  const copied = copiedContract(view.follower, leaderOrder.contract, view.cycleOf);
  if (copied.kind === "none") return cancel(copied.reason);
  if (copied.contract !== contract) return cancel("The leader's contract is another one here now");
  const isExit = whyNoEntry !== undefined || isLeaderExit(leaderOrder, view);
  const qty = mirroredQty(view.follower, mirror, leaderOrder.orderQty) - own.cumQty;
  if (qty <= 0) return cancel("By its size the follower has no part of what is left");
  const granted = room.take({ contract, side, qty, leaderLeavesQty: 0, isExit });
  if (granted === 0) return cancel("There is nothing left that it could bring closer", false);
  if (isInBetween(own) || isInBetween(leaderOrder)) return [];
  return planChange(view, { mirror, own, leaderOrder, granted, isWhole: granted === qty, isExit });
}

interface Changing {
  readonly mirror: FoundMirror["mirror"];
  readonly own: OrderReport;
  readonly leaderOrder: OrderReport;
  readonly granted: number;
  /** Nothing but the leader's order itself decides how much it is. */
  readonly isWhole: boolean;
  readonly isExit: boolean;
}

function planChange(view: MirrorView, changing: Changing): readonly MirrorStep[] {
  const { mirror, own, leaderOrder, granted, isWhole, isExit } = changing;
  const { leavesQty, cumQty, contract } = own;
  const prices = changedPrices(own, mirroredPrices(view, leaderOrder, contract));
  const isLess = isWhole && granted < leavesQty;
  const isResized = granted !== leavesQty && (isLess || !view.isBusy(contract));
  const size = isResized ? { orderQty: cumQty + granted } : {};
  const isRepriced = Object.keys(prices).length > 0;
  // A price must not wait for a quantity that is to be seen twice, nor for one that is refused.
  const goesTogether = isLess || !isRepriced;
  const values = goesTogether ? { ...prices, ...size } : prices;
  if (Object.keys(values).length === 0) return [];
  const isSure = isWhole || isRepriced;
  const isTooLarge = granted < leavesQty;
  return [{ kind: "change", mirror, own, values, leaderOrder, isExit, isTooLarge, isSure }];
}

/** A trailing stop moves its own trigger. */
function changedPrices(own: OrderReport, wanted: OrderPrices): OrderPrices {
  const trails = own.ordType === "TRAILING_STOP";
  const changed = ORDER_PRICES.filter((name) => {
    const isItsOwn = trails && name === "stopPx";
    return !isItsOwn && wanted[name] !== undefined && wanted[name] !== own[name];
  });
  return Object.fromEntries(changed.map((name) => [name, wanted[name]])) as OrderPrices;
}

function planNew(view: MirrorView, order: OrderReport, room: MirrorRoom): readonly MirrorStep[] {
  const found = view.mirrors.find(({ mirror }) => mirror.leaderOrderId === order.orderId);
  if (found !== undefined && !isToSendAgain(view, found)) return [];
  if (isInBetween(order)) return [];
  const skip = (reason: string): readonly MirrorStep[] =>
    found === undefined ? [{ kind: "skip", leaderOrder: order, reason }] : [];
  if (view.rest !== undefined) return skip(view.rest);
  const copied = copiedContract(view.follower, order.contract, view.cycleOf);
  if (copied.kind === "none") return skip(copied.reason);
  const { contract } = copied;
  if (!isOnePrice(view, order.contract, contract)) {
    return skip(`A price of ${order.contract} is none of ${contract}: its fills are copied`);
  }
  const filledBefore = found?.mirror.filledBefore ?? order.cumQty;
  const qty = mirroredQty(view.follower, { filledBefore }, order.orderQty);
  if (qty === 0) return skip(NO_PART);
  const whyNoEntry = whyNoEntryIn(view, contract) ?? tooOld(view, order);
  if (whyNoEntry !== undefined && !opposesLeader(order, view)) return skip(whyNoEntry);
  const isExit = whyNoEntry !== undefined || isLeaderExit(order, view);
  if (view.isBusy(contract)) return [];
  const { side } = order;
  const leaderLeavesQty = found === undefined ? order.leavesQty : 0;
  const granted = room.take({ contract, side, qty, leaderLeavesQty, isExit });
  // Of an exit that finds nothing to close now, there may be something later.
  if (granted === 0) return isExit ? [] : skip(NO_PART);
  return [placeStep(view, { order, contract, granted, isExit, mirror: found?.mirror })];
}

const NO_PART = "By its size and cap the follower has no part of it";

/** It was noted, and the process that was to hand it on may have ended before. */
function isToSendAgain(
  { now, maxAgeMs }: MirrorView,
  { mirror, own, isSent }: FoundMirror,
): boolean {
  return !isSent && own === undefined && mirror.isEnded !== true && now - mirror.notedAt < maxAgeMs;
}

const whyNoEntryIn = ({ follower }: MirrorView, contract: ContractCode): string | undefined =>
  exitsOnlyIn(follower, follower.joining.includes(contract));

function tooOld(
  { brokerNow, maxAgeMs }: MirrorView,
  { transactTimeAt }: OrderReport,
): string | undefined {
  const ageMs = brokerNow - transactTimeAt;
  if (ageMs <= maxAgeMs) return undefined;
  const [age, most] = [ageMs, maxAgeMs].map((ms) => Math.floor(ms / 1_000));
  return `It was ${age} s old when it was seen, and entries are copied for ${most} s: only exits pass`;
}

function placeStep(
  view: MirrorView,
  {
    order: leaderOrder,
    contract,
    granted,
    isExit,
    mirror,
  }: {
    readonly order: OrderReport;
    readonly contract: ContractCode;
    readonly granted: number;
    readonly isExit: boolean;
    readonly mirror: FoundMirror["mirror"] | undefined;
  },
): MirrorStep {
  const { side, ordType, timeInForce } = leaderOrder;
  const prices = mirroredPrices(view, leaderOrder, contract);
  const bracket = isExit ? undefined : mirroredBracket(view, leaderOrder, contract);
  const order = {
    contract,
    side,
    orderQty: granted,
    ordType,
    timeInForce,
    ...prices,
    ...(bracket !== undefined && { bracket }),
  };
  return { kind: "place", leaderOrder, order, isExit, ...(mirror && { mirror }) };
}
