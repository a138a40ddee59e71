import type { ContractCode } from "../../domain/contracts/contract.ts";
import { clOrdIdOf, type Intent, type Outcome } from "../../domain/intent.ts";
import { ticks } from "../../domain/contracts/price.ts";
import { type AccountSnapshot, exitCuts, exposureOf } from "../../domain/exposure.ts";
import {
  type Bracket,
  isClosed,
  isOpaque,
  levelOf,
  type OrderReport,
  sign,
  understood,
  type WorkingOrder,
} from "../../domain/order.ts";
import {
  checkQty,
  hasValues,
  mayFillSooner,
  type OrderValues,
  withValues,
} from "../../domain/order-change.ts";
import { changed } from "./settle/find-change.ts";
import { readHeld, requireRead } from "./read-snapshot.ts";
import { type Drafted, type Guarded, judgeDraft } from "./guard-order.ts";
import { MOVED } from "./send-order.ts";
import { isCurrentForEntry, readView, type View } from "./view.ts";
import { beforeSending, type LaneDeps, type LaneTask } from "./lane-deps.ts";

type Modify = Extract<Intent, { kind: "MODIFY" }>;

/**
 * Changes one working order. Of an order that adds risk, whatever may make it fill sooner or more of it is
 * held to everything that a new entry is held to. What only makes it smaller or takes it away from the
 * market always passes, and so does every change of an exit that stays one. Answers `held` when it must
 * not be sent before earlier outcomes are known.
 */
export async function runModify(
  deps: LaneDeps,
  task: LaneTask,
  intent: Modify,
): Promise<Outcome | "parked"> {
  const { record, context, broker } = task;
  const { orderId, change } = intent;
  const news = deps.watch.newsOf(record.accountId);
  const working = await broker.workingOrders(record.accountId);
  const order = working.find((one) => one.orderId === orderId);
  if (order === undefined) return gone();
  // What it is now is not known, so neither is what the change would make of it.
  if (isOpaque(order)) return { kind: "rejected", reason: `${order.problem}; nothing was changed` };
  if (isClosed(order.ordStatus)) return gone();
  // Sent again it would lose its place in the queue. An unknown change may still move it, though.
  if (context.unknown.length === 0 && hasValues(order, change)) return changed(order);
  const impossible = change.orderQty === undefined ? undefined : checkQty(change.orderQty, order);
  if (impossible !== undefined) return denied(`qty ${impossible}`);

  const guarded = await guardChange(deps, task, { order, change, all: working, news });
  if (guarded?.kind === "ended") return gone();
  if (guarded?.kind === "stop") return guarded.outcome;
  if (guarded?.kind === "park") return "parked";
  const adding = guarded?.adds === true ? guarded : undefined;
  const clOrdId = clOrdIdOf(record.intentId, 1);
  const refused = await beforeSending(deps, task, { clOrdId, entry: adding?.terms });
  if (refused !== undefined) return refused;
  // More risk needs a current view; a person can ask again.
  if (adding !== undefined && !isCurrentForEntry(deps, task, adding.view)) return MOVED;

  const answer = await broker.modifyOrder(record.accountId, { orderId, ...change });
  if (answer.kind !== "accepted") return answer;
  return changed((await readAgain(task, intent)) ?? withValues(order, change));
}

/** An order that is to be changed, among all that works. */
interface Changing {
  readonly order: OrderReport;
  readonly change: OrderValues;
  readonly all: readonly WorkingOrder[];
  /** The account's news number before they were read. */
  readonly news: number;
}

/**
 * How the order as it would stand is judged; undefined where that is free. The position is read after
 * the orders: what fills in between is counted twice, and never missed.
 */
async function guardChange(
  deps: LaneDeps,
  task: LaneTask,
  changing: Changing,
): Promise<(Guarded & { readonly view: View }) | typeof ENDED | undefined> {
  const { order, change, all, news } = changing;
  if (!mayFillSooner(order, change)) return undefined;
  const isMeant = (code: ContractCode) => code === order.contract;
  const held = await readHeld(task.record.accountId, task.broker);
  requireRead(held, isMeant);
  const others = understood(all).filter(({ orderId }) => orderId !== order.orderId);
  const opaque = all.filter(isOpaque);
  const bracket = bracketOf(changing, others);
  const mayStay = !grows(changing) && bracket === undefined;
  if (mayStay && staysExit(changing, { ...held, opaque })) return undefined;
  const snapshot = { ...held, working: others, opaque };
  // Its own fills are in the position once that is read again.
  let newest: OrderReport | undefined = order;
  const read = async () => {
    const { working, ...rest } = await readView(deps, task, isMeant);
    newest = working.find(({ orderId }) => orderId === order.orderId);
    return { ...rest, working: working.filter((one) => one !== newest) };
  };
  const draft = () =>
    newest === undefined
      ? ENDED
      : { order: { ...newest, ...change, ...(bracket !== undefined && { bracket }) } };
  const drafting = { view: { ...snapshot, news, allNews: news }, read, draft };
  const judged = await judgeDraft<Drafted, typeof ENDED>(deps, task, drafting);
  return "guarded" in judged ? { ...judged.guarded, view: judged.view } : judged;
}

/** The order has filled, or ended, while its change was judged. */
const ENDED = { kind: "ended" } as const;

const grows = ({ order, change: { orderQty = 0 } }: Changing): boolean => orderQty > order.orderQty;

/**
 * Whether the order goes on closing a position, as the kill switch sees it: of rivals the stops stay, and
 * then the oldest. A leg that is left without a position is ended by others.
 */
function staysExit(
  { order, change, all }: Changing,
  rest: Omit<AccountSnapshot, "working">,
): boolean {
  if (order.role !== "ORDER") return true;
  const working = understood(all).map((one) => (one === order ? withValues(one, change) : one));
  const exposure = exposureOf(order.contract, { ...rest, working });
  const cuts = exitCuts(exposure, [exposure.expectedQty]);
  return !cuts.some((cut) => cut.order.orderId === order.orderId);
}

/**
 * The legs that wait for the order to fill, as far as its risk is judged by them; undefined without any.
 * Whether a stop moves along with its entry only the broker knows: the further one counts.
 */
function bracketOf(
  { order, change }: Changing,
  others: readonly OrderReport[],
): Bracket | undefined {
  const legs = others.filter(({ parentOrderId }) => parentOrderId === order.orderId);
  if (legs.length === 0) return undefined;
  const stopPx = legs.find(({ role }) => role === "STOP_LOSS")?.stopPx;
  if (stopPx === undefined) return {};
  const levels = [levelOf(order), levelOf({ ...order, ...change })];
  const distances = levels.flatMap((level) =>
    level === undefined ? [] : [(level - stopPx) * sign(order.side)],
  );
  if (distances.length === 0) return { stopLoss: { by: "price", price: stopPx } };
  return { stopLoss: { by: "distance", distance: ticks(Math.max(0, ...distances)) } };
}

/**
 * The broker has confirmed the change: where a read fails now, the answer holds what is known. So it does
 * where another order goes by the same identifier, as legs that an adapter has placed again do.
 */
async function readAgain(
  { record, broker }: LaneTask,
  { orderId, clOrdId }: Modify,
): Promise<OrderReport | undefined> {
  try {
    const found = await broker.findOrder(record.accountId, clOrdId);
    return found?.orderId === orderId ? found : undefined;
  } catch {
    return undefined;
  }
}

const gone = (): Outcome => ({
  kind: "rejected",
  reason: "The order works no more: it has filled or ended, and nothing was changed",
});

const denied = (reason: string): Outcome => ({ kind: "denied", code: "VALIDATION_FAILED", reason });
