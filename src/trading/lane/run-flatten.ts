import { type ContractCode, rootOfCode } from "../../domain/contract.ts";
import type { ClOrdId, OrderId } from "../../domain/ids.ts";
import {
  clOrdIdOf,
  type ClosedPosition,
  type Intent,
  type LostExits,
  type Outcome,
} from "../../domain/intent.ts";
import { isClosed, type OrderReport, sign } from "../../domain/order.ts";
import type { BrokerPosition, CommandFailure } from "../ports.ts";
import { isMeant } from "../resolve.ts";
import { readStanding } from "./read-standing.ts";
import { beforeSending, type LaneDeps, type LaneTask } from "./lane-deps.ts";

/** A close that is not terminal by then is not followed by another one. */
const CLOSES_WITHIN_MS = 3_000;
const MAX_ROUNDS = 3;

type FlattenIntent = Extract<Intent, { kind: "FLATTEN" }>;

/** What is open or resting and is to be ended. */
interface Rest {
  readonly positions: readonly BrokerPosition[];
  readonly orders: readonly OrderReport[];
}

/** One close that was sent. */
interface Close {
  readonly contract: ContractCode;
  readonly clOrdId: ClOrdId;
  /** What was held: +1 long, -1 short. */
  readonly direction: number;
  orderId?: OrderId;
  cumQty: number;
  /** Until then another close could turn the position around. */
  isOver: boolean;
}

/** What was done so far. One failure never keeps the others from being ended. */
interface Progress {
  readonly closes: Close[];
  readonly canceled: Map<OrderId, OrderReport>;
  /** Why an order that was to be cancelled was not, in the broker's words. */
  readonly refusals: Map<OrderId, string>;
  readonly failures: CommandFailure[];
  sent: number;
}

/**
 * Closes positions and cancels what rests, reads the broker again, and goes round a bounded number
 * of times until nothing is left. Whatever fails, everything else is still tried, and what remains
 * is part of the answer.
 */
export async function runFlatten(
  deps: LaneDeps,
  task: LaneTask,
  intent: FlattenIntent,
): Promise<Outcome> {
  const { record, broker } = task;
  const held = await broker.positions(record.accountId);
  const other = otherThan(intent.mustHold, held);
  if (other !== undefined) return mismatch(intent.mustHold ?? "", other);

  const progress: Progress = {
    closes: [],
    canceled: new Map(),
    refusals: new Map(),
    failures: [],
    sent: 0,
  };
  let rest = await readRest(task, intent, progress);
  for (let round = 0; round < MAX_ROUNDS && !isClean(rest); round += 1) {
    const refused = await flattenOnce(deps, task, rest, progress);
    if (refused !== undefined && progress.sent === 1) return refused;
    // A broker that cannot be read now leaves the outcome unknown: it throws.
    await lookAtCloses(task, progress);
    rest = await readRest(task, intent, progress);
  }
  return toOutcome(deps, rest, progress);
}

/** Answers an outcome only when the write-ahead refuses: then nothing more may be sent. */
async function flattenOnce(
  deps: LaneDeps,
  task: LaneTask,
  { positions, orders }: Rest,
  progress: Progress,
): Promise<Outcome | undefined> {
  const canceled = await cancelOrders(deps, task, orders, progress);
  if (canceled !== undefined) return canceled;
  for (const position of positions) {
    if (isUnderWay(progress, position.contract)) continue;
    const refused = await closeOne(deps, task, position, progress);
    if (refused !== undefined) return refused;
  }
  return undefined;
}

/** The positions and orders that this flatten is to end, as the broker has them now. */
async function readRest(
  { record, broker }: LaneTask,
  { cancelResting, ...meant }: FlattenIntent,
  { closes }: Progress,
): Promise<Rest> {
  const inScope = ({ contract }: { contract: ContractCode }) => isMeant(contract, meant);
  const { positions: held, working } = await readStanding(record.accountId, broker);
  const isOwnClose = ({ clOrdId }: OrderReport) =>
    clOrdId !== undefined && closes.some((close) => close.clOrdId === clOrdId);
  // Beside an exit that is still being filled at the market, a close would turn the position around.
  const isExit = ({ contract, side, ordType }: OrderReport) =>
    ordType === "MARKET" &&
    held.some((one) => one.contract === contract && one.netQty * sign(side) < 0);
  // Its legs go with the position, and what it fills later would have none.
  const isHalfFilled = ({ orderId }: OrderReport) =>
    working.some((leg) => leg.parentOrderId === orderId && leg.ordStatus !== "HELD");
  // Legs of an entry that has not filled wait with it; it ends them itself.
  const ends = (order: OrderReport) =>
    order.ordStatus !== "HELD" &&
    !isOwnClose(order) &&
    (cancelResting || order.role !== "ORDER" || isExit(order) || isHalfFilled(order));
  return {
    positions: held.filter(inScope),
    orders: working.filter((order) => inScope(order) && ends(order)),
  };
}

async function cancelOrders(
  deps: LaneDeps,
  task: LaneTask,
  orders: readonly OrderReport[],
  progress: Progress,
): Promise<Outcome | undefined> {
  const { record, broker } = task;
  if (orders.length === 0) return undefined;
  const refused = await beforeSending(deps, task, { clOrdId: nextId(task, progress) });
  if (refused !== undefined) return refused;

  await Promise.all(
    orders.map(async (order) => {
      const answer = await broker.cancelOrder(record.accountId, order.orderId);
      if (answer.kind === "accepted" || (await wentWithItsPair(task, order))) {
        progress.canceled.set(order.orderId, order);
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
  { clOrdId }: OrderReport,
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
): Promise<Outcome | undefined> {
  const { record, broker } = task;
  const clOrdId = nextId(task, progress);
  const refused = await beforeSending(deps, task, { clOrdId });
  if (refused !== undefined) return refused;

  const direction = Math.sign(netQty);
  const close: Close = { contract, clOrdId, direction, cumQty: 0, isOver: false };
  progress.closes.push(close);
  const watched = deps.watch.watch(record.accountId, clOrdId);
  try {
    const answer = await broker.closePosition(record.accountId, contract, clOrdId);
    if (answer.kind !== "accepted") {
      progress.failures.push(answer);
      close.isOver = answer.kind !== "unknown";
      return undefined;
    }
    close.orderId = answer.orderId;
    note(close, await watched.closedWithin(CLOSES_WITHIN_MS), progress);
    return undefined;
  } finally {
    watched.stop();
  }
}

/** A close that found too few to trade with goes on meanwhile; it is followed, never doubled. */
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

const isUnderWay = ({ closes }: Progress, contract: ContractCode): boolean =>
  closes.some((close) => close.contract === contract && !close.isOver);

function nextId({ record }: LaneTask, progress: Progress) {
  progress.sent += 1;
  return clOrdIdOf(record.intentId, progress.sent);
}

const isClean = ({ positions, orders }: Rest): boolean =>
  positions.length === 0 && orders.length === 0;

/** "Not sent" and "rejected" are said only when nothing at all was carried out. */
function toOutcome({ describe }: LaneDeps, rest: Rest, progress: Progress): Outcome {
  const { closes, canceled, failures } = progress;
  const unknown = failures.find(({ kind }) => kind === "unknown");
  if (unknown !== undefined && !isClean(rest)) return unknown;
  const [failure] = failures;
  const underWay = closes.filter(({ isOver }) => !isOver);
  const closed = closes.flatMap(closedBy);
  const untouched = closed.length === 0 && canceled.size === 0 && underWay.length === 0;
  if (failure !== undefined && untouched && !isClean(rest)) return failure;

  const unprotected = lostExits(rest, progress);
  return {
    kind: "done",
    result: {
      kind: "FLATTEN",
      closed,
      canceledOrderIds: [...canceled.keys()],
      remaining: rest.positions.map(({ contract, netQty }) => ({ contract, netQty })),
      remainingOrderIds: rest.orders.map(({ orderId }) => orderId),
      problems: isClean(rest) ? [] : problemsOf(rest, progress, describe),
      ...(unprotected.length > 0 && { unprotected }),
    },
  };
}

function problemsOf(
  rest: Rest,
  progress: Progress,
  describe: LaneDeps["describe"],
): readonly string[] {
  const { closes, failures, refusals } = progress;
  const symbolOf = (contract: ContractCode) => describe(contract).symbol;
  return [
    ...failures.map(({ reason }) => reason),
    ...rest.orders.flatMap(({ orderId }) => refusals.get(orderId) ?? []),
    ...closes
      .filter(({ isOver }) => !isOver)
      .map(({ contract }) => `The close of ${symbolOf(contract)} is still being filled`),
    ...lostExits(rest, progress).map(
      ({ contract }) => `${symbolOf(contract)} is still held, and its exits are cancelled`,
    ),
  ];
}

/** Exits make way for the close; where that was refused, the position stands without them. */
function lostExits({ positions }: Rest, progress: Progress): readonly LostExits[] {
  return positions.flatMap(({ contract }) => {
    if (isUnderWay(progress, contract)) return [];
    const roles = [...progress.canceled.values()]
      .filter((order) => order.contract === contract)
      .map(({ role }) => role);
    const exits = (["TAKE_PROFIT", "STOP_LOSS"] as const).filter((exit) => roles.includes(exit));
    return exits.length === 0 ? [] : [{ contract, exits }];
  });
}

function closedBy({ contract, orderId, direction, cumQty }: Close): readonly ClosedPosition[] {
  if (orderId === undefined || cumQty === 0) return [];
  return [{ contract, netQty: direction * cumQty, orderId }];
}

function otherThan(
  mustHold: string | undefined,
  held: readonly BrokerPosition[],
): string | undefined {
  if (mustHold === undefined) return undefined;
  return held.map(({ contract }) => rootOfCode(contract)).find((root) => root !== mustHold);
}

function mismatch(named: string, held: string): Outcome {
  const reason = `The alert names ${named}, but the account holds ${held}; nothing was closed`;
  return { kind: "denied", code: "SYMBOL_MISMATCH", reason };
}
