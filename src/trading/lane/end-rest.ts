import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { OrderId } from "../../domain/ids.ts";
import { type ClosedPosition, clOrdIdOf, type Outcome } from "../../domain/intent.ts";
import type { ExitPlan, SentCancel, SentClose } from "../../domain/carried-plan.ts";
import {
  isClosed,
  isOpaque,
  type OpaqueOrder,
  type OrderReport,
  sign,
  type WorkingOrder,
} from "../../domain/order.ts";
import { waitsForEntry } from "../../domain/legs.ts";
import { isFilling, isUnread, type OpaquePosition } from "../../domain/exposure.ts";
import type { BrokerPosition, CommandFailure } from "../ports.ts";
import { exitBy } from "../reads/protection.ts";
import { readAsFarAsShown } from "./read-snapshot.ts";
import { beforeSending, type LaneDeps, type LaneTask, type Refusal } from "./lane-deps.ts";

/** No other close is sent after one that is not terminal within this. */
const CLOSES_WITHIN_MS = 3_000;
const MAX_ROUNDS = 3;

/** What of an account is to be ended. */
export interface Scope {
  readonly isMeant: (contract: ContractCode) => boolean;
  /** The whole account, including what names no contract. */
  readonly isWhole: boolean;
  /** Cancel every resting order in scope, or only the legs of what is closed. */
  readonly cancelResting: boolean;
}

/** What is open or resting and is to be ended. */
export interface Rest {
  readonly positions: readonly BrokerPosition[];
  readonly orders: readonly OrderReport[];
  /** Orders that are not understood; they can be cancelled by their ids. */
  readonly opaque: readonly OpaqueOrder[];
  /** Of these, the ones that stay because it is not known whether they are in scope; they are reported. */
  readonly unclear: readonly OpaqueOrder[];
  /** Positions that cannot be read, let alone closed. */
  readonly opaquePositions: readonly OpaquePosition[];
}

export const NOTHING_LEFT: Rest = {
  positions: [],
  orders: [],
  opaque: [],
  unclear: [],
  opaquePositions: [],
};

/** One close that was sent, or is about to be. */
export interface Close extends SentClose {
  orderId?: OrderId;
  cumQty: number;
  /** Before that, another close could turn the position around. */
  isOver: boolean;
  /** Given for a close that was sent as an order. */
  order?: NonNullable<ClosedPosition["order"]>;
}

/** What was done so far. One failure never stops the others from being ended. */
export interface Progress {
  /** Whether it was begun before and continues. */
  readonly goesOn: boolean;
  readonly closes: Close[];
  /** How many closes the broker certainly never got; `closes` does not have them. */
  unsent: number;
  /** What was to be cancelled, and is. */
  readonly cancels: Map<OrderId, SentCancel>;
  readonly canceled: Map<OrderId, SentCancel>;
  /** Why an order could not be cancelled, in the broker's words. */
  readonly refusals: Map<OrderId, string>;
  readonly failures: CommandFailure[];
  sent: number;
  aim?: ExitPlan["aim"];
  opens?: ExitPlan["opens"];
}

/** What is left in the end, and why no more may be sent, where that is so. */
export interface Ended {
  readonly rest: Rest;
  readonly refused?: Refusal;
}

export const newProgress = (): Progress => ({
  goesOn: false,
  closes: [],
  unsent: 0,
  cancels: new Map(),
  canceled: new Map(),
  refusals: new Map(),
  failures: [],
  sent: 0,
});

const doneBy = ({ sent, canceled, failures }: Progress): number =>
  sent + canceled.size + failures.length;

export const isClean = ({ positions, orders, opaque }: Rest): boolean =>
  positions.length === 0 && orders.length === 0 && opaque.length === 0;

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
  let rest = await readRest(task, scope, progress);
  let refused: Refusal | undefined;
  for (let round = 0; round < MAX_ROUNDS && !isClean(rest); round += 1) {
    const before = doneBy(progress);
    refused = await endOnce(deps, task, { scope, rest }, progress);
    if (refused !== undefined && !task.isBegun) break;
    // What continues was looked up just now, and waits.
    if (progress.goesOn && doneBy(progress) === before) break;
    await lookAtCloses(task, progress);
    rest = await readRest(task, scope, progress);
    // What continues is retried later, not at once.
    if (progress.goesOn && progress.failures.some(({ kind }) => kind === "notSent")) break;
  }
  return { rest, ...(refused !== undefined && { refused }) };
}

/** Returns an outcome only when the write-ahead refuses: then nothing more may be sent. */
async function endOnce(
  deps: LaneDeps,
  task: LaneTask,
  { scope, rest }: { readonly scope: Scope; readonly rest: Rest },
  progress: Progress,
): Promise<Refusal | undefined> {
  const kept = protecting(deps, rest);
  const first = rest.orders.filter((order) => !kept.includes(order));
  const canceled = await cancelOrders(deps, task, [...first, ...rest.opaque], progress);
  if (canceled !== undefined) return canceled;
  const { positions, orders } = await onceFilled(deps, task, { scope, rest }, progress);
  for (const position of positions) {
    const { contract } = position;
    const isFillingStill = fillingOf(orders).some((order) => order.contract === contract);
    if (isUnderWay(progress, contract) || isFillingStill) continue;
    if (!deps.isTrading(contract) && wasRefused(progress, contract)) continue;
    const refused = await closeOne(deps, task, position, progress);
    if (refused !== undefined) return refused;
  }
  const isTaken = ({ contract }: OrderReport) =>
    progress.closes.some(
      (close) => close.contract === contract && close.orderId !== undefined && !hasFailed(close),
    );
  return await cancelOrders(deps, task, kept.filter(isTaken), progress);
}

/** Exits of positions that perhaps cannot be closed now: they stay until the broker takes a close. */
function protecting({ isTrading }: LaneDeps, { positions, orders }: Rest): readonly OrderReport[] {
  return orders.filter((order) => {
    const { contract, side, role } = order;
    const netQty = positions.find((held) => held.contract === contract)?.netQty ?? 0;
    const isExit = sign(side) * netQty < 0 && (role !== "ORDER" || exitBy(order) !== undefined);
    return isExit && !isTrading(contract);
  });
}

const wasRefused = ({ closes }: Progress, contract: ContractCode): boolean =>
  closes.some((close) => close.contract === contract && hasFailed(close));

/** Whether it ended and closed nothing. */
const hasFailed = ({ isOver, cumQty }: Close): boolean => isOver && cumQty === 0;

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
  return await readRest(task, scope, progress);
}

/** Waits, within bounds, until none of the orders works any more. */
export async function untilGone(
  { watch }: LaneDeps,
  { record: { accountId }, broker }: LaneTask,
  orders: readonly OrderReport[],
): Promise<void> {
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
  } finally {
    for (const order of watched) order.stop();
  }
}

const fillingOf = (orders: readonly OrderReport[]): readonly OrderReport[] =>
  orders.filter((order) => isFilling(order, orders));

/** The positions and orders in scope, as the broker has them now. */
export async function readRest(
  { record, broker }: LaneTask,
  { isMeant, isWhole, cancelResting }: Scope,
  { closes }: Pick<Progress, "closes">,
): Promise<Rest> {
  const snapshot = await readAsFarAsShown(record.accountId, broker);
  const { positions: held, working, opaque, opaquePositions } = snapshot;
  const isOwnClose = ({ clOrdId }: OrderReport) =>
    clOrdId !== undefined && closes.some((close) => close.clOrdId === clOrdId);
  // Its legs are cancelled with the position, so what it fills later would have none.
  const isHalfFilled = ({ orderId }: OrderReport) =>
    working.some((leg) => leg.parentOrderId === orderId && leg.ordStatus !== "HELD");
  const goesWithPosition = (order: OrderReport) =>
    order.role !== "ORDER" || isFilling(order, working) || isHalfFilled(order);
  // Legs of an entry that has not filled wait for it, and end with it.
  const ends = (order: OrderReport) =>
    !waitsForEntry(order) &&
    !isOwnClose(order) &&
    // A position that cannot be closed keeps its exits.
    !(order.role !== "ORDER" && isUnread(order.contract, snapshot)) &&
    (cancelResting || (order.ordStatus !== "HELD" && goesWithPosition(order)));
  const isOther = ({ contract }: OpaqueOrder) => contract !== undefined && !isMeant(contract);
  const endsUnread = ({ contract }: OpaqueOrder) =>
    cancelResting && (isWhole || contract !== undefined);
  const unread = opaque.filter((order) => !isOther(order));
  return {
    positions: held.filter(({ contract }) => isMeant(contract)),
    orders: working.filter((order) => isMeant(order.contract) && ends(order)),
    opaque: unread.filter(endsUnread),
    unclear: unread.filter((order) => !endsUnread(order)),
    opaquePositions: opaquePositions.filter(
      ({ contract }) => contract === undefined || isMeant(contract),
    ),
  };
}

/** Cancels all of them at once. Returns an outcome only when the write-ahead refuses. */
export async function cancelOrders(
  deps: LaneDeps,
  task: LaneTask,
  orders: readonly WorkingOrder[],
  progress: Progress,
): Promise<Refusal | undefined> {
  const { record, broker } = task;
  if (orders.length === 0) return undefined;
  const isStored = progress.goesOn && orders.every(({ orderId }) => progress.cancels.has(orderId));
  for (const order of orders) progress.cancels.set(order.orderId, cancelOf(order));
  if (!isStored) {
    const clOrdId = nextId(task, progress);
    const refused = await beforeSending(deps, task, { clOrdId, exitPlan: planOf(progress) });
    if (refused !== undefined) return refused;
  }

  await Promise.all(
    orders.map(async (order) => {
      const answer = await broker.cancelOrder(record.accountId, order.orderId);
      if (answer.kind === "accepted" || (await wentWithItsPair(task, order))) {
        progress.canceled.set(order.orderId, cancelOf(order));
      } else if (answer.kind === "rejected") {
        progress.refusals.set(order.orderId, answer.reason);
      } else {
        progress.failures.push(answer);
      }
    }),
  );
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
  { contract, netQty }: BrokerPosition,
  progress: Progress,
): Promise<Refusal | undefined> {
  const { record, broker } = task;
  const clOrdId = nextId(task, progress);
  const close = beginClose(progress, { contract, clOrdId, direction: Math.sign(netQty) });
  const refused = await beforeSending(deps, task, { clOrdId, exitPlan: planOf(progress) });
  if (refused !== undefined) {
    close.isOver = true;
    return refused;
  }
  const watched = deps.watch.watch(record.accountId, clOrdId);
  try {
    const answer = await broker.closePosition(record.accountId, contract, clOrdId);
    if (answer.kind !== "accepted") {
      progress.failures.push(answer);
      endUnfilled(close, answer.kind, progress);
      return undefined;
    }
    close.orderId = answer.orderId;
    note(close, await watched.closedWithin(CLOSES_WITHIN_MS), progress);
    return undefined;
  } finally {
    watched.stop();
  }
}

/** The last known state of an order that closes. */
export const standsAs = ({
  ordStatus,
  avgPx,
}: Pick<OrderReport, "ordStatus" | "avgPx">): NonNullable<Close["order"]> => ({
  ordStatus,
  ...(avgPx !== undefined && { avgPx }),
});

/** Must be called before the write-ahead, which stores it with everything that was sent before. */
export function beginClose({ closes }: Progress, sent: SentClose): Close {
  const close = { ...sent, cumQty: 0, isOver: false };
  closes.push(close);
  return close;
}

/** Forgets what was certainly not sent: it would be looked up once for each attempt. */
export function endUnfilled(close: Close, answer: Outcome["kind"], progress: Progress): void {
  close.isOver = answer !== "unknown";
  if (answer !== "notSent") return;
  progress.closes.splice(progress.closes.indexOf(close), 1);
  progress.unsent += 1;
}

/** What is stored with each order that is sent. */
export function planOf({ closes, unsent, cancels, aim, opens }: Progress): ExitPlan {
  return {
    closes: closes.map(({ contract, clOrdId, direction }) => ({ contract, clOrdId, direction })),
    ...(unsent > 0 && { unsent }),
    cancels: [...cancels.values()],
    ...(aim !== undefined && { aim }),
    ...(opens !== undefined && { opens }),
  };
}

function cancelOf(order: WorkingOrder): SentCancel {
  const { orderId, clOrdId, contract } = order;
  const named = {
    orderId,
    ...(clOrdId !== undefined && { clOrdId }),
    ...(contract !== undefined && { contract }),
  };
  if (isOpaque(order)) return named;
  const { role, side } = order;
  const exit = role === "ORDER" ? exitBy(order) : undefined;
  return { ...named, role, ...(exit !== undefined && { closes: { side, exit } }) };
}

/** A close that found too little liquidity keeps working; it is followed, never sent twice. */
async function lookAtCloses({ record, broker }: LaneTask, progress: Progress): Promise<void> {
  for (const close of progress.closes) {
    if (close.isOver) continue;
    note(close, await broker.findOrder(record.accountId, close.clOrdId), progress);
  }
}

function note(close: Close, report: OrderReport | undefined, { failures }: Progress): void {
  if (report === undefined) return;
  close.orderId ??= report.orderId;
  close.cumQty = report.cumQty;
  close.isOver = isClosed(report.ordStatus);
  if (close.isOver && report.ordStatus !== "FILLED") {
    failures.push({ kind: "rejected", reason: report.text ?? "The close was refused" });
  }
}

/** Whether a close in the contract was sent that may still fill. */
export const isUnderWay = ({ closes }: Pick<Progress, "closes">, contract: ContractCode): boolean =>
  closes.some((close) => close.contract === contract && !close.isOver);

/** The next of the intent's identifiers, the same on every run. */
export function nextId({ record }: LaneTask, progress: Progress) {
  progress.sent += 1;
  return clOrdIdOf(record.intentId, progress.sent);
}
