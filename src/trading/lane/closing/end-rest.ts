import type { ContractCode } from "../../../domain/contracts/contract.ts";
import type { OrderId } from "../../../domain/ids.ts";
import type { SentCancel, TakenLeg } from "../../../domain/carried-plan.ts";
import { areOnePair } from "../../../domain/legs.ts";
import { isFilling } from "../../../domain/exposure.ts";
import { isClosed, isOpaque, type OrderReport, type WorkingOrder } from "../../../domain/order.ts";
import { exitBy } from "../../reads/protection.ts";
import { beforeSending, type LaneDeps, type LaneTask, type Refusal } from "../lane-deps.ts";
import { isDemand } from "./going-on.ts";
import { makeWay, othersCloses } from "./making-way.ts";
import { orAsReported } from "../order-watch.ts";
import { giveBack, isTakenFrom, lacksStop } from "./give-back.ts";
import { withoutNewer } from "./older-part.ts";
import {
  beginClose,
  type Close,
  doneBy,
  endUnfilled,
  hasFailed,
  isTaken,
  isUnderWay,
  nextId,
  note,
  planOf,
  type Progress,
} from "./progress.ts";
import {
  fillingOf,
  isClean,
  readRest,
  type Rest,
  type RestPosition,
  type Scope,
} from "./read-rest.ts";
import { netQtyOf } from "../read-snapshot.ts";
import { readQuietly, readView, type View } from "../view.ts";

/** No other close is sent after one that is not terminal within this. */
const CLOSES_WITHIN_MS = 3_000;
const MAX_ROUNDS = 3;

/** What is left in the end, and why no more may be sent, where that is so. */
export interface Ended {
  readonly rest: Rest;
  readonly refused?: Refusal;
}

/**
 * Closes positions and cancels resting orders, reads the broker again, and repeats that a bounded
 * number of times until nothing is left. Whatever fails, everything else is still tried. Throws when
 * the broker cannot be read: the outcome is unknown then.
 */
export async function endRest(
  deps: LaneDeps,
  task: LaneTask,
  scope: Scope,
  progress: Progress,
): Promise<Ended> {
  let rest = await readLeft(deps, task, scope, progress);
  let refused: Refusal | undefined;
  for (let round = 0; round < MAX_ROUNDS && !isClean(rest); round += 1) {
    const before = doneBy(progress);
    refused = await endOnce(deps, task, { scope, rest }, progress);
    if (refused !== undefined && !task.isBegun) break;
    // It was read just now, and waits.
    if (doneBy(progress) === before) break;
    await lookAtCloses(task, progress);
    rest = await readLeft(deps, task, scope, progress);
    // What continues is retried later, not at once.
    if (progress.goesOn && progress.failures.some(({ kind }) => kind === "notSent")) break;
  }
  if (refused === undefined) refused = await giveBackWhatIsHeld(deps, task, rest, progress);
  return { rest, ...(refused !== undefined && { refused }) };
}

/** The rest gets its exits back where closes have filled a part only. */
async function giveBackWhatIsHeld(
  deps: LaneDeps,
  task: LaneTask,
  { positions }: Rest,
  progress: Progress,
): Promise<Refusal | undefined> {
  for (const { contract } of positions) {
    if (isUnderWay(progress, contract) || !isTakenFrom(progress, contract)) continue;
    // A refusal has given back already what the broker takes.
    if (progress.tried.has(contract)) continue;
    const refused = await giveBack(deps, task, contract, progress);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

/** An exit that went on for some time closes no contract that was opened since. */
async function readLeft(
  deps: LaneDeps,
  task: LaneTask,
  scope: Scope,
  progress: Progress,
): Promise<Rest> {
  const read = async () => await readRest(task, scope, progress);
  const { isMeant } = scope;
  const rest = await readQuietly(deps, task, { read, isNeeded: isClean, isMeant });
  return progress.goesOn ? await withoutNewer(deps, task, { rest, progress }) : rest;
}

/** Returns an outcome only when the write-ahead refuses: then nothing more may be sent. */
async function endOnce(
  deps: LaneDeps,
  task: LaneTask,
  { scope, rest }: { readonly scope: Scope; readonly rest: Rest },
  progress: Progress,
): Promise<Refusal | undefined> {
  const { kept, hasRoom } = makeWay(deps, task, { rest, progress });
  const stays = [...kept, ...(await othersCloses(deps, task, rest))];
  const due = [...rest.orders.filter((order) => !stays.includes(order)), ...rest.opaque];
  // The closes go before what only rests where there is no room for all of it.
  const first = due.filter(
    (order) => hasRoom || (!isOpaque(order) && isFilling(order, rest.orders)),
  );
  const canceled = await cancelOrders(deps, task, first, progress);
  if (canceled !== undefined) return canceled;
  const { positions, orders } = await onceFilled(deps, task, { scope, rest }, progress);
  for (const position of positions) {
    const { contract } = position;
    const isFillingStill = fillingOf(orders).some((order) => order.contract === contract);
    if (isUnderWay(progress, contract) || isFillingStill) continue;
    const market = deps.marketOf(task.connection, contract);
    if (market.kind === "closed" && isDemand(task.record)) {
      progress.waits.set(contract, market.opensAt);
      continue;
    }
    if (progress.tried.has(contract)) continue;
    const refused = await closeOrGiveBack(deps, task, position, { rest, progress });
    if (refused !== undefined) return refused;
  }
  const free = kept.filter(({ contract }) => isTaken(progress, contract));
  const later = due.filter((order) => !first.includes(order));
  return await cancelOrders(deps, task, [...free, ...later], progress);
}

/**
 * A close that is refused gives back the exits that made way for it. Those that were not gone by then may have
 * counted against it, so it is tried once more before.
 */
async function closeOrGiveBack(
  deps: LaneDeps,
  task: LaneTask,
  position: RestPosition,
  { rest, progress }: { readonly rest: Rest; readonly progress: Progress },
): Promise<Refusal | undefined> {
  const { contract } = position;
  const { failures } = progress;
  const before = failures.length;
  const refused = await closeOne(deps, task, position, progress);
  // The position may be shown late: a part is closed once in an attempt.
  const isRefused = progress.tried.has(contract);
  if (position.beside !== undefined) progress.tried.add(contract);
  if (refused !== undefined) return refused;
  if (!isRefused || !isTakenFrom(progress, contract)) return undefined;
  const taken = rest.orders.filter((order) => order.contract === contract);
  const failed = failures.length - before;
  if (await untilGone(deps, task, taken)) {
    progress.tried.delete(contract);
    const again = await closeOne(deps, task, position, progress);
    if (again !== undefined || !progress.tried.has(contract)) {
      // Only the exits stood against the close that the broker takes now.
      failures.splice(before, failed);
      return again;
    }
  }
  const unsent = await giveBack(deps, task, contract, progress);
  if (unsent !== undefined || !lacksStop(progress, contract)) return unsent;
  // The market has passed the stop: the position is closed at once, or has none.
  progress.tried.delete(contract);
  return await closeOne(deps, task, position, progress);
}

/**
 * A close beside an order that is still filling at the market would close the same contracts twice, or
 * leave what that order opens next. So nothing of its contract is closed until it has ended; what it
 * filled is then read again.
 */
async function onceFilled(
  deps: LaneDeps,
  task: LaneTask,
  { scope, rest }: { readonly scope: Scope; readonly rest: Rest },
  progress: Progress,
): Promise<Rest> {
  const filling = fillingOf(rest.orders);
  if (filling.length === 0) return rest;
  await untilGone(deps, task, filling);
  return await readLeft(deps, task, scope, progress);
}

/** Waits, within bounds, until none of the orders works any more. Returns whether one still did. */
export async function untilGone(
  { watch }: LaneDeps,
  { record: { accountId }, broker }: LaneTask,
  orders: readonly OrderReport[],
): Promise<boolean> {
  const named = orders.flatMap(({ clOrdId }) => clOrdId ?? []);
  const watched = named.map((clOrdId) => watch.watch(accountId, clOrdId));
  try {
    const working = await broker.workingOrders(accountId);
    const left = named.flatMap((clOrdId, index) => {
      const stillWorks = working.some(
        (one) => one.clOrdId === clOrdId && (isOpaque(one) || !isClosed(one.ordStatus)),
      );
      return stillWorks ? (watched[index] ?? []) : [];
    });
    await Promise.all(left.map((order) => order.closedWithin(CLOSES_WITHIN_MS)));
    return left.length > 0;
  } finally {
    for (const order of watched) order.stop();
  }
}

/** Cancels all of them at once. Returns an outcome only when the write-ahead refuses. */
export async function cancelOrders(
  deps: LaneDeps,
  task: LaneTask,
  orders: readonly WorkingOrder[],
  progress: Progress,
): Promise<Refusal | undefined> {
  const { record, broker, connection } = task;
  if (orders.length === 0) return undefined;
  const unstored = orders.filter(({ orderId }) => !progress.cancels.has(orderId));
  const isStored = progress.goesOn && unstored.length === 0;
  const pairOf = (order: WorkingOrder): OrderId | undefined =>
    isOpaque(order)
      ? undefined
      : orders.find((other) => !isOpaque(other) && other !== order && areOnePair(order, other))
          ?.orderId;
  const described = new Map(orders.map((order) => [order, cancelOf(order, pairOf(order))]));
  for (const [order, cancel] of described) progress.cancels.set(order.orderId, cancel);
  if (!isStored) {
    const clOrdId = nextId(task, progress);
    const refused = await beforeSending(deps, task, { clOrdId, exitPlan: planOf(progress) });
    if (refused !== undefined) {
      for (const { orderId } of unstored) progress.cancels.delete(orderId);
      return refused;
    }
  }

  const cancel = async (order: WorkingOrder): Promise<void> => {
    const answer = await broker.cancelOrder(record.accountId, order.orderId);
    if (answer.kind === "accepted" || (await wentWithItsPair(task, order))) {
      progress.canceled.set(order.orderId, described.get(order) ?? cancelOf(order));
    } else if (answer.kind === "rejected") {
      progress.refusals.set(order.orderId, answer.reason);
    } else {
      progress.failures.push(answer);
    }
  };
  // Without pairs of the broker's own the stop goes last, once the others are gone.
  const isLast = (order: WorkingOrder) =>
    !connection.nativeOco && !isOpaque(order) && order.role === "STOP_LOSS";
  await Promise.all(orders.filter((order) => !isLast(order)).map(cancel));
  await Promise.all(orders.filter(isLast).map(cancel));
  return undefined;
}

/** A refused cancel means that the order has filled, or that the other leg's cancel ended it. */
async function wentWithItsPair(
  { record, broker }: LaneTask,
  { clOrdId }: WorkingOrder,
): Promise<boolean> {
  if (clOrdId === undefined) return false;
  const order = await broker.findOrder(record.accountId, clOrdId).catch(() => undefined);
  return order?.ordStatus === "CANCELED";
}

async function closeOne(
  deps: LaneDeps,
  task: LaneTask,
  position: RestPosition,
  progress: Progress,
): Promise<Refusal | undefined> {
  const { record } = task;
  const { contract, netQty, beside } = position;
  const clOrdId = nextId(task, progress);
  const close = beginClose(progress, {
    contract,
    clOrdId,
    direction: Math.sign(netQty),
    ...(beside !== undefined && { lots: beside.lots }),
  });
  const refused = await beforeSending(deps, task, { clOrdId, exitPlan: planOf(progress) });
  if (refused !== undefined) {
    close.isOver = true;
    return refused;
  }
  const watched = deps.watch.watch(record.accountId, clOrdId);
  try {
    const left = beside === undefined ? position : await stillHeld(deps, task, position);
    if (left === undefined) {
      endUnfilled(close, "notSent", progress);
      return undefined;
    }
    const answer = await orAsReported(await sendClose(task, left, clOrdId), watched);
    if (answer.kind !== "accepted") {
      progress.failures.push(answer);
      endUnfilled(close, answer.kind, progress);
      if (answer.kind !== "unknown") progress.tried.add(contract);
      return undefined;
    }
    close.orderId = answer.orderId;
    note(close, await watched.closedWithin(CLOSES_WITHIN_MS), progress);
    if (hasFailed(close)) progress.tried.add(contract);
    else progress.taken.add(contract);
    return undefined;
  } finally {
    watched.stop();
  }
}

/** The part of a position that is to be closed, as it is held in the instant of sending. */
async function stillHeld(
  deps: LaneDeps,
  task: LaneTask,
  position: RestPosition,
): Promise<RestPosition | undefined> {
  const { contract, netQty, beside } = position;
  const side = Math.sign(netQty);
  const isMeant = (code: ContractCode) => code === contract;
  const read = async () => await readView(deps, task, isMeant);
  const leftOf = (one: View) => side * netQtyOf(one, contract) - (beside?.qty ?? 0);
  const isNeeded = (one: View) => leftOf(one) <= 0;
  const view = await readQuietly(deps, task, { read, isNeeded, isMeant });
  const qty = Math.min(Math.abs(netQty), leftOf(view));
  return qty > 0 ? { ...position, netQty: side * qty } : undefined;
}

/** All of a position by the broker's own means, and a part of it at the market. */
async function sendClose(
  { record: { accountId }, broker }: LaneTask,
  { contract, netQty, beside }: RestPosition,
  clOrdId: Close["clOrdId"],
) {
  if (beside === undefined) return await broker.closePosition(accountId, contract, clOrdId);
  return await broker.submitOrder(accountId, {
    clOrdId,
    contract,
    side: netQty > 0 ? "SELL" : "BUY",
    orderQty: Math.abs(netQty),
    ordType: "MARKET",
    timeInForce: "DAY",
  });
}

function cancelOf(order: WorkingOrder, pairOf?: OrderId): SentCancel {
  const { orderId, clOrdId, contract } = order;
  const named = {
    orderId,
    ...(clOrdId !== undefined && { clOrdId }),
    ...(contract !== undefined && { contract }),
  };
  if (isOpaque(order)) return named;
  const { role, side } = order;
  const exit = role === "ORDER" ? exitBy(order) : undefined;
  const leg = legOf(order, pairOf);
  return {
    ...named,
    role,
    ...(exit !== undefined && { closes: { side, exit } }),
    ...(leg !== undefined && { leg }),
  };
}

function legOf(order: OrderReport, pairOf: OrderId | undefined): TakenLeg | undefined {
  const { side, leavesQty, ordStatus, price, stopPx } = order;
  const exit = exitBy(order);
  const px = exit === "STOP_LOSS" ? stopPx : price;
  if (exit === undefined || px === undefined || ordStatus === "HELD") return undefined;
  return { exit, side, px, leavesQty, ...(pairOf !== undefined && { pairOf }) };
}

/** A close that found too little liquidity keeps working; it is followed, never sent twice. */
async function lookAtCloses({ record, broker }: LaneTask, progress: Progress): Promise<void> {
  for (const close of progress.closes) {
    if (close.isOver) continue;
    note(close, await broker.findOrder(record.accountId, close.clOrdId), progress);
  }
}
