import { type ContractCode, parseContractCode } from "../../domain/contract.ts";
import type { OrderId } from "../../domain/ids.ts";
import { clOrdIdOf, type ClosedPosition, type Intent, type Outcome } from "../../domain/intent.ts";
import type { OrderReport } from "../../domain/order.ts";
import type { BrokerPosition } from "../ports.ts";
import { beforeSending, type LaneDeps, type LaneTask } from "./lane-deps.ts";

/** A close that is not terminal by then is not followed by another one. */
const CLOSES_WITHIN_MS = 3_000;
const MAX_ROUNDS = 3;

type FlattenIntent = Extract<Intent, { kind: "FLATTEN" }>;

/** What was done so far, and how many orders were sent for it. */
interface Progress {
  readonly closed: ClosedPosition[];
  readonly canceledOrderIds: OrderId[];
  sent: number;
}

/**
 * Closes positions and cancels what rests, reads the broker again, and goes round a bounded number
 * of times until nothing is left. Another close is sent only when the one before is terminal.
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

  const progress: Progress = { closed: [], canceledOrderIds: [], sent: 0 };
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const step = await flattenOnce(deps, task, intent, progress);
    if (step.kind === "ended") return step.outcome;
    if (step.kind === "clean") return done(progress, [], []);
    if (step.kind === "stuck") break;
  }
  const [positions, orders] = await readRest(task, intent);
  return done(progress, positions, orders);
}

type Step =
  | { readonly kind: "clean" | "again" | "stuck" }
  | { readonly kind: "ended"; readonly outcome: Outcome };

async function flattenOnce(
  deps: LaneDeps,
  task: LaneTask,
  intent: FlattenIntent,
  progress: Progress,
): Promise<Step> {
  const [positions, orders] = await readRest(task, intent);
  if (positions.length === 0 && orders.length === 0) return { kind: "clean" };

  const canceled = await cancelOrders(deps, task, orders, progress);
  if (canceled !== undefined) return { kind: "ended", outcome: canceled };
  for (const position of positions) {
    const step = await closeOne(deps, task, position, progress);
    if (step !== undefined) return step;
  }
  return { kind: "again" };
}

/** The positions and orders that this flatten is to end, as the broker has them now. */
async function readRest(
  { record, broker }: LaneTask,
  { root, cancelResting }: FlattenIntent,
): Promise<[readonly BrokerPosition[], readonly OrderReport[]]> {
  const inScope = ({ contract }: { contract: ContractCode }) =>
    root === undefined || rootOf(contract) === root;
  const [held, working] = await Promise.all([
    broker.positions(record.accountId),
    broker.workingOrders(record.accountId),
  ]);
  // Legs of an entry that has not filled wait with it; it ends them itself.
  const ends = (order: OrderReport) =>
    order.ordStatus !== "HELD" && (cancelResting || order.role !== "ORDER");
  return [held.filter(inScope), working.filter((order) => inScope(order) && ends(order))];
}

async function cancelOrders(
  deps: LaneDeps,
  task: LaneTask,
  orders: readonly OrderReport[],
  progress: Progress,
): Promise<Outcome | undefined> {
  const { record, broker } = task;
  if (orders.length === 0) return undefined;
  const refused = await beforeSending(deps, task, nextId(task, progress));
  if (refused !== undefined) return refused;

  const answers = await Promise.all(
    orders.map(async (order) => ({
      order,
      answer: await broker.cancelOrder(record.accountId, order.orderId),
    })),
  );
  for (const { order, answer } of answers) {
    if (answer.kind === "unknown" || answer.kind === "notSent") return answer;
    const ended = answer.kind === "accepted" || (await wentWithItsPair(task, order));
    if (ended) progress.canceledOrderIds.push(order.orderId);
  }
  return undefined;
}

/** A refused cancel means that the order has filled, or that the other leg's cancel ended it. */
async function wentWithItsPair(
  { record, broker }: LaneTask,
  { clOrdId }: OrderReport,
): Promise<boolean> {
  const order = clOrdId && (await broker.findOrder(record.accountId, clOrdId));
  return order?.ordStatus === "CANCELED";
}

/** Answers a step only when the flatten cannot simply go on. */
async function closeOne(
  deps: LaneDeps,
  task: LaneTask,
  { contract, netQty }: BrokerPosition,
  progress: Progress,
): Promise<Step | undefined> {
  const { record, broker } = task;
  const clOrdId = nextId(task, progress);
  const refused = await beforeSending(deps, task, clOrdId);
  if (refused !== undefined) return { kind: "ended", outcome: refused };

  const watched = deps.watch.watch(record.accountId, clOrdId);
  try {
    const answer = await broker.closePosition(record.accountId, contract, clOrdId);
    if (answer.kind === "rejected") return rejectedClose(progress, answer.reason);
    if (answer.kind !== "accepted") return { kind: "ended", outcome: answer };
    progress.closed.push({ contract, netQty, orderId: answer.orderId });
    const report = await watched.closedWithin(CLOSES_WITHIN_MS);
    const terminal = report !== undefined && report.leavesQty === 0;
    return terminal ? undefined : { kind: "stuck" };
  } finally {
    watched.stop();
  }
}

/** Nothing closed yet: the broker's refusal is the answer. Else what remains is reported. */
function rejectedClose({ closed }: Progress, reason: string): Step {
  if (closed.length > 0) return { kind: "stuck" };
  return { kind: "ended", outcome: { kind: "rejected", reason } };
}

function nextId({ record }: LaneTask, progress: Progress) {
  progress.sent += 1;
  return clOrdIdOf(record.intentId, progress.sent);
}

function done(
  { closed, canceledOrderIds }: Progress,
  positions: readonly BrokerPosition[],
  orders: readonly OrderReport[],
): Outcome {
  const remaining = positions.map(({ contract, netQty }) => ({ contract, netQty }));
  const remainingOrderIds = orders.map(({ orderId }) => orderId);
  return {
    kind: "done",
    result: { kind: "FLATTEN", closed, canceledOrderIds, remaining, remainingOrderIds },
  };
}

const rootOf = (contract: ContractCode): string => parseContractCode(contract)?.root ?? contract;

function otherThan(
  mustHold: string | undefined,
  held: readonly BrokerPosition[],
): string | undefined {
  if (mustHold === undefined) return undefined;
  return held.map(({ contract }) => rootOf(contract)).find((root) => root !== mustHold);
}

function mismatch(named: string, held: string): Outcome {
  const reason = `The alert names ${named}, but the account holds ${held}; nothing was closed`;
  return { kind: "denied", code: "SYMBOL_MISMATCH", reason };
}
