import type { ContractCode } from "../../../domain/contracts/contract.ts";
import { closableBy, exposureOf, onlyCloses } from "../../../domain/exposure.ts";
import { fitBracket } from "../../../domain/fit-bracket.ts";
import { type ClOrdId, type IntentId, intentIdOf } from "../../../domain/ids.ts";
import { clOrdIdOf, type Outcome } from "../../../domain/intent.ts";
import type { IntentResult } from "../../../domain/intent-result.ts";
import {
  counted,
  isClosed,
  isOpaque,
  type NewOrderSingle,
  type OrderReport,
  type WorkingOrder,
  sign,
} from "../../../domain/order.ts";
import { type Drafted, judgeDraft } from "../guard-order.ts";
import { olderPart } from "../closing/older-part.ts";
import { beforeSending, type LaneDeps, type LaneTask, type Refusal } from "../lane-deps.ts";
import { netQtyOf, readSnapshot } from "../read-snapshot.ts";
import {
  type Decided,
  isDecided,
  leftToClose,
  sendOrder,
  type SentOrder,
  type Stopped,
} from "../send-order.ts";
import { CLOCK_SLACK_MS } from "../settle/find-nameless.ts";
import { sizeOrder } from "../size-order.ts";
import { isCurrent, readQuietly, readView, type View } from "../view.ts";
import type { TimeoutIntent } from "./ports.ts";

type TimedOut = Extract<IntentResult, { kind: "TIMEOUT" }>;

/** How long the broker is waited for until it shows the entry as ended. */
const ENDS_WITHIN_MS = 3_000;
/** An entry rests for a day at most until its time is over. */
const RESTS_FOR_MS = 90_000_000;

/** The identifier of what is sent at the market; the cancel has the one before. */
export const restIdOf = (intentId: IntentId): ClOrdId => clOrdIdOf(intentId, 2);

/**
 * Cancels an entry that has rested for too long, waits until the broker shows it as ended, and sends
 * what is left of it at the market where that is asked. One that has ended by itself is left alone. It
 * goes on after an interruption until its order at the market is written ahead: an order can be
 * cancelled only once, and until then nothing of it was sent. `isProvenGone` is given where it goes on,
 * and says whether an entry that the broker does not show is gone for good.
 */
export async function runTimeout(
  deps: LaneDeps,
  task: LaneTask,
  intent: TimeoutIntent,
  isProvenGone: (missed: string) => boolean = () => false,
): Promise<Outcome> {
  const { record } = task;
  if (record.test === true) throw new Error("no test comes of an order's timeout");
  const entry = await findEntry(task, intent);
  const isBegun = record.state !== "PREPARED";
  if (entry === undefined) {
    if (!isBegun) return { kind: "notSent", reason: NOT_SHOWN };
    return isProvenGone(NOT_SHOWN) ? gone(intent) : { kind: "unknown", reason: NOT_SHOWN };
  }
  if (hasEnded(entry)) {
    return isBegun ? await afterwards(deps, task, intent, entry) : endedBefore(intent, entry);
  }
  // One that goes on needs no write-ahead: an order can be cancelled only once.
  if (!isBegun) {
    const refused = await beforeSending(deps, task, { clOrdId: clOrdIdOf(record.intentId, 1) });
    if (refused !== undefined) return refused;
  }
  return await cancelEntry(deps, task, intent, entry);
}

async function cancelEntry(
  deps: LaneDeps,
  task: LaneTask,
  intent: TimeoutIntent,
  entry: WorkingOrder,
): Promise<Outcome> {
  const { accountId } = task.record;
  const watched = deps.watch.watch(accountId, intent.clOrdId);
  try {
    const answer = await task.broker.cancelOrder(accountId, entry.orderId);
    if (answer.kind === "unknown") return answer;
    // Of one that goes on an earlier cancel may still be carried out.
    if (answer.kind === "notSent") {
      return task.record.state === "PREPARED" ? answer : { kind: "unknown", reason: answer.reason };
    }
    if (answer.kind === "accepted" && !isOpaque(entry)) await watched.closedWithin(ENDS_WITHIN_MS);
    const ended = await findEntry(task, intent);
    if (isOpaque(entry) && answer.kind === "accepted") return unread(intent, entry);
    if (ended === undefined) return { kind: "unknown", reason: NOT_SHOWN };
    if (hasEnded(ended)) {
      // The one cancel that was asked for was refused: whoever has ended it, it was not this.
      const isOthers = answer.kind === "rejected" && task.record.state === "PREPARED";
      if (isOthers) return endedBefore(intent, ended);
      return await afterwards(deps, task, intent, ended);
    }
    if (answer.kind === "rejected" && !isEnding(ended)) return answer;
    return { kind: "unknown", reason: "The entry is cancelled, and the broker does not show it" };
  } finally {
    watched.stop();
  }
}

/** What is done about what is left of an entry that has ended since its time was over. */
async function afterwards(
  deps: LaneDeps,
  task: LaneTask,
  intent: TimeoutIntent,
  entry: OrderReport,
): Promise<Outcome> {
  const canceled = done(intent, entry);
  // One that the broker has ended for another reason is not what was asked for.
  if (entry.ordStatus !== "CANCELED" || intent.then === "cancel") return canceled;
  const filled = await filledOf(task, entry);
  const orderQty = entry.orderQty - filled;
  const told = { ...canceled.result, entry: { ...canceled.result.entry, cumQty: filled } };
  if (orderQty <= 0) return { kind: "done", result: told };
  const { sent, problem: cut } = await sendRest(deps, task, intent, { orderQty, filled });
  if (sent.kind === "unknown") return sent;
  if (sent.kind !== "done") {
    const problem = `The ${orderQty} that were left of it were not sent at the market: ${sent.reason}`;
    return { kind: "done", result: { ...told, problems: [problem] } };
  }
  const { order, orderQty: placedQty = orderQty, problems = [] } = sent.result;
  return {
    kind: "done",
    result: {
      ...told,
      order: { ...order, side: intent.side, orderQty: placedQty },
      problems: [...(cut === undefined ? [] : [cut]), ...problems],
    },
  };
}

/** What is left of an entry, and what of it has filled. */
interface Rest {
  readonly orderQty: number;
  readonly filled: number;
}

/** What became of the order at the market, and why it was for fewer than were left. */
interface SentRest {
  readonly sent: SentOrder;
  readonly problem?: string | undefined;
}

async function sendRest(
  deps: LaneDeps,
  task: LaneTask,
  intent: TimeoutIntent,
  rest: Rest,
): Promise<SentRest> {
  const { accountId, intentId } = task.record;
  // What was cancelled before took its time: age, switches and earlier outcomes are read again.
  const context = await deps.intents.loadForLane(accountId, intentId);
  if (context === undefined) throw new Error(`intent ${intentId} is gone while it is carried out`);
  const { contract, side, onlyCloses = false } = intent;
  const isLate = context.now >= context.record.entryExpiresAt;
  if (isLate && !onlyCloses) return { sent: TOO_LATE };
  const bracket = onlyCloses ? undefined : intent.bracket;
  const asked: NewOrderSingle = {
    clOrdId: restIdOf(intentId),
    contract,
    side,
    orderQty: rest.orderQty,
    ordType: "MARKET",
    timeInForce: "DAY",
    ...(bracket !== undefined && { bracket }),
  };
  if (onlyCloses) return await closeRest(deps, { ...task, context }, intent, asked);
  const sized = await cutByRisk(deps, task, intent, { asked, filled: rest.filled });
  if (sized.kind === "stop") return { sent: sized.outcome };
  const { order, problem } = sized;
  const sent = await sendAsked(deps, { ...task, context }, intent, order);
  if (sent.kind !== "done") return { sent, problem };
  const { result } = sent;
  return { sent: { kind: "done", result: { orderQty: order.orderQty, ...result } }, problem };
}

/**
 * One that only closed when it was sent closes at most what is left of the contracts that were there then.
 * A stop or another exit may have closed them since, and what was opened later is not its own.
 */
async function closeRest(
  deps: LaneDeps,
  task: LaneTask,
  { clOrdId, contract }: TimeoutIntent,
  asked: NewOrderSingle,
): Promise<SentRest> {
  const { accountId } = task.record;
  const id = intentIdOf(clOrdId);
  const order = id && (await deps.intents.find(accountId, id));
  if (order === undefined) return { sent: UNSURE_OF_LOTS };
  const isMeant = (code: ContractCode) => code === contract;
  const read = async () => {
    const view = await readView(deps, task, isMeant);
    const exposure = exposureOf(contract, view);
    const held = view.positions.find((position) => position.contract === contract);
    const older = held && (await olderPart(deps, order, held));
    const orderQty = Math.min(closableBy(asked, exposure), Math.abs(older?.netQty ?? 0));
    return { view, held: exposure.netQty, orderQty };
  };
  const decide = async (): Promise<Decided | Stopped> => {
    const isNeeded = (one: Awaited<ReturnType<typeof read>>) => one.orderQty === 0;
    const { view, held, orderQty } = await readQuietly(deps, task, { read, isNeeded, isMeant });
    const isHeld = -sign(asked.side) * held > 0;
    if (orderQty === 0) return isHeld || !isCurrent(deps, task, view) ? CHANGING : CLOSED_SINCE;
    const problem =
      orderQty === asked.orderQty
        ? undefined
        : `Only ${orderQty} are held still, and ${asked.orderQty} were left of it`;
    return { order: { ...asked, orderQty }, held, problem, view };
  };
  const decided = await decide();
  if (!isDecided(decided)) return { sent: decided };
  const sent = await sendOrder(deps, task, decided, { again: decide });
  if (sent.kind !== "done") return { sent };
  return { sent: { kind: "done", result: { orderQty: decided.order.orderQty, ...sent.result } } };
}

/**
 * One that was sized by its risk is so again: at the market its stop may be much further away than it
 * was from the entry's own price. What has filled counts as if it had been entered here.
 */
async function cutByRisk(
  deps: LaneDeps,
  { broker, record: { accountId } }: LaneTask,
  { handling }: TimeoutIntent,
  { asked, filled }: { readonly asked: NewOrderSingle; readonly filled: number },
): Promise<CutOrder> {
  const rule = handling?.size;
  if (rule === undefined) return { kind: "order", order: asked };
  const shown = await readSnapshot(accountId, broker, (code) => code === asked.contract);
  if (onlyCloses(asked, exposureOf(asked.contract, shown))) return { kind: "order", order: asked };
  const isFlat = shown.positions.every(({ netQty }) => netQty === 0);
  const sized = await sizeOrder(deps, accountId, asked, { rule, isFlat });
  if (sized.kind === "stop") return sized;
  const orderQty = Math.min(asked.orderQty, Math.max(0, sized.orderQty - filled));
  if (orderQty === asked.orderQty) return { kind: "order", order: asked };
  const why = `from the market ${sized.orderQty} in all may be held for a risk of ${sized.risk}, and ${filled} have filled`;
  if (orderQty === 0) return { kind: "stop", outcome: tooRisky(why) };
  const problem = `Of the ${asked.orderQty} that were left only ${orderQty} go at the market: ${why}`;
  return { kind: "order", order: { ...asked, orderQty }, problem };
}

type CutOrder =
  | { readonly kind: "order"; readonly order: NewOrderSingle; readonly problem?: string }
  | { readonly kind: "stop"; readonly outcome: Refusal };

const tooRisky = (reason: string): Refusal => ({ kind: "denied", code: "RISK_TOO_SMALL", reason });

/** As an entry like every other, by what is shown and holds now. */
async function sendAsked(
  deps: LaneDeps,
  task: LaneTask,
  { handling }: TimeoutIntent,
  asked: NewOrderSingle,
): Promise<SentOrder> {
  const { contract } = asked;
  const read = () => readView(deps, task, (code) => code === contract);
  const decide = async (): Promise<Decided | Stopped> => {
    const drafting = { view: await read(), read, draft: draftOf(asked) };
    const judged = await judgeDraft<Drafted<NewOrderSingle>, Stopped>(deps, task, drafting);
    if (!("guarded" in judged)) return judged;
    const { draft, guarded, view } = judged;
    if (guarded.kind === "park") return UNSURE;
    if (guarded.kind === "stop") return guarded.outcome;
    const entry = guarded.adds ? guarded.terms : undefined;
    return { order: draft.order, held: netQtyOf(view, contract), entry, view };
  };
  const decided = await decide();
  if (!isDecided(decided)) return decided;
  const again = async () =>
    decided.entry === undefined ? await leftToClose(deps, task, decided) : await decide();
  return await sendOrder(deps, task, decided, { handling, again });
}

/** The order with its bracket where that fits what is shown. */
const draftOf =
  (asked: NewOrderSingle) =>
  (view: View): { readonly order: NewOrderSingle } | Stopped => {
    const fitted = fitBracket(asked, exposureOf(asked.contract, view));
    return fitted.kind === "fits" ? fitted : { kind: "notSent", reason: fitted.reason };
  };

/** A late fill is always believed, whichever of the two shows it. */
async function filledOf({ record, broker }: LaneTask, entry: OrderReport): Promise<number> {
  const since = record.acceptedAt - RESTS_FOR_MS - CLOCK_SLACK_MS;
  const fills = await broker.fills(record.accountId, since);
  const own = counted(fills).filter(({ orderId }) => orderId === entry.orderId);
  return Math.max(
    entry.cumQty,
    own.reduce((sum, { lastQty }) => sum + lastQty, 0),
  );
}

/** In any state; one that works and is not understood can be cancelled by its number. */
async function findEntry(
  { record: { accountId }, broker }: LaneTask,
  { clOrdId }: TimeoutIntent,
): Promise<WorkingOrder | undefined> {
  const found = await broker.findOrder(accountId, clOrdId);
  if (found !== undefined) return found;
  const working = await broker.workingOrders(accountId);
  return working.find((order) => order.clOrdId === clOrdId);
}

const hasEnded = (entry: WorkingOrder): entry is OrderReport =>
  !isOpaque(entry) && isClosed(entry.ordStatus);

const isEnding = (entry: WorkingOrder): boolean =>
  !isOpaque(entry) && entry.ordStatus === "PENDING_CANCEL";

function endedBefore(intent: TimeoutIntent, entry: OrderReport): Outcome {
  return { kind: "done", result: { ...done(intent, entry).result, canceledOrderIds: [] } };
}

function done({ kind, contract }: TimeoutIntent, entry: OrderReport) {
  const { orderId, cumQty, ordStatus } = entry;
  const result: TimedOut = {
    kind,
    contract,
    entry: { orderId, cumQty },
    canceledOrderIds: ordStatus === "CANCELED" ? [orderId] : [],
    problems: [],
  };
  return { kind: "done", result } as const;
}

/** How much of it is filled is not known, and so not how much would be left. */
function unread({ kind, contract, then }: TimeoutIntent, { orderId }: WorkingOrder): Outcome {
  const problems = then === "market" ? [UNREAD] : [];
  const result = { kind, contract, entry: { orderId }, canceledOrderIds: [orderId], problems };
  return { kind: "done", result };
}

function gone({ kind, contract }: TimeoutIntent): Outcome {
  return {
    kind: "done",
    result: { kind, contract, entry: {}, canceledOrderIds: [], problems: [GONE] },
  };
}

const NOT_SHOWN = "The broker does not show the entry";
const GONE =
  "The broker shows the entry no more; whether it was cancelled or had ended before is not known, and nothing was sent at the market";
const UNREAD =
  "The broker does not say enough of the entry to know what was left of it: nothing was sent at the market";
const TOO_LATE = {
  kind: "expired",
  reason: "its time was over for longer than an entry may wait",
} as const;
const CLOSED_SINCE = {
  kind: "notSent",
  reason: "what it was to close is closed already",
} as const;
const CHANGING = {
  kind: "notSent",
  reason: "what it was to close changes still, or is not its own: look at what is held",
} as const;
const UNSURE_OF_LOTS = {
  kind: "notSent",
  reason: "the exit is not stored any more, so that its contracts are not known",
} as const;
const UNSURE = {
  kind: "notSent",
  reason: "the outcome of an earlier order is not known",
} as const;
