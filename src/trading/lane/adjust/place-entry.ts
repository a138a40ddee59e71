import { onlyCloses, exposureOf } from "../../../domain/exposure.ts";
import type { NewOrderSingle } from "../../../domain/order.ts";
import type { PreparedOrder } from "../../../domain/order-ticket.ts";
import { refuseTargets } from "../exits/planned-bracket.ts";
import { type Drafted, judgeDraft } from "../guard-order.ts";
import type { LaneDeps, LaneTask } from "../lane-deps.ts";
import { netQtyOf } from "../read-snapshot.ts";
import {
  type Decided,
  isDecided,
  leftToClose,
  MOVED,
  sendOrder,
  type SentOrder,
  type Stopped,
} from "../send-order.ts";
import { sizeAsAsked } from "../size-entry.ts";
import { readView, type View } from "../view.ts";
import { type AdjustIntent, isMeantBy } from "../../../domain/adjust.ts";
import { type Adjusting, fail } from "./adjust-answer.ts";
import { NOT_PLACED, UNSURE } from "./adjust-words.ts";
import { entryIdOf } from "./entry-id.ts";

/** The account as it is now, for what an adjustment is about. */
export const readFor = (deps: LaneDeps, task: LaneTask, intent: AdjustIntent): Promise<View> =>
  readView(deps, task, (contract) => isMeantBy(intent, contract));

/** The order that opens, by a view; undefined where that is no time for it. */
export type EntryBy = (view: View) => PreparedOrder | undefined;

/** Places the order that opens or grows, guarded by what is shown when it leaves. */
export async function placeEntry(
  adjusting: Adjusting,
  planned: PreparedOrder,
  shown: View,
  entryBy: EntryBy,
): Promise<void> {
  const { deps, task, intent, run, unplanned } = adjusting;
  const { accountId, intentId } = task.record;
  const refusal = unplanned ?? refuseTargets(intent.handling?.exitPlan, planned);
  if (refusal !== undefined && !onlyCloses(planned, exposureOf(planned.contract, shown))) {
    fail(run, NOT_PLACED, refusal);
    return;
  }
  // Orders before it took their time: age, switches and earlier outcomes are read again.
  const context = task.isBegun ? await deps.intents.loadForLane(accountId, intentId) : task.context;
  if (context === undefined) throw new Error(`intent ${intentId} is gone while it is carried out`);
  const now = { ...task, context };
  const read = async () => await readFor(deps, task, intent);
  const decide = async (view: View) => await decideEntry(adjusting, now, { view, read, entryBy });
  const { handling, aim } = intent;
  // Any other aim has closed before, and a newer target may keep just what is held.
  const closesInPart = aim.to === "order" && !context.targetFollows;
  const first = await decide(shown);
  const mayClose = closesInPart && !isDecided(first) && first !== UNSURE;
  const order = { ...planned, clOrdId: entryIdOf(intentId) };
  const decided = mayClose ? await decidePart(deps, task, { order }, first) : first;
  if (!isDecided(decided)) {
    fail(run, NOT_PLACED, isDecided(first) ? decided : first);
    return;
  }
  const again = async () => {
    if (decided.entry === undefined) return await leftToClose(deps, task, decided);
    const next = await decide(await read());
    if (isDecided(next) || !closesInPart) return next;
    const part = await decidePart(deps, task, decided, next);
    return isDecided(part) ? part : next;
  };
  const wasBegun = task.isBegun;
  const whole = await sendOrder(deps, task, decided, { handling, again, closesInPart });
  // Some guards are checked with the write-ahead only.
  const isRefused = whole.kind !== "done" && !wasBegun && !task.isBegun;
  const sent = isRefused && closesInPart ? await sendPart(deps, task, decided, whole) : whole;
  if (sent.kind !== "done") {
    fail(run, NOT_PLACED, sent);
    return;
  }
  run.problems.push(...(sent.result.problems ?? []));
  const { side, contract } = planned;
  const { orderQty = decided.order.orderQty } = sent.result;
  run.entry = { contract, order: { ...sent.result.order, side, orderQty } };
}

/** The part of a refused order that closes a position. */
async function decidePart(
  deps: LaneDeps,
  task: LaneTask,
  { order: whole }: Pick<Decided, "order">,
  { reason }: Stopped,
): Promise<Decided | Stopped> {
  const { bracket: _, ...order } = whole;
  return await leftToClose(deps, task, { order, problem: reason });
}

async function sendPart(
  deps: LaneDeps,
  task: LaneTask,
  decided: Decided,
  refused: Stopped,
): Promise<SentOrder> {
  const decide = async () => await decidePart(deps, task, decided, refused);
  const part = await decide();
  if (!isDecided(part)) return refused;
  return await sendOrder(deps, task, part, { again: decide });
}

async function decideEntry(
  { deps, intent }: Adjusting,
  task: LaneTask,
  {
    view: first,
    read,
    entryBy,
  }: { readonly view: View; readonly read: () => Promise<View>; readonly entryBy: EntryBy },
): Promise<Decided | Stopped> {
  const planned = entryBy(first);
  if (planned === undefined) return MOVED;
  const sized = await sizeAsAsked(deps, task, intent, { entry: planned, shown: first, read });
  if (sized.kind === "park") return UNSURE;
  if (sized.kind === "stop") return sized.outcome;
  const clOrdId = entryIdOf(task.record.intentId);
  const isSized = intent.handling?.size !== undefined;
  const draft = (view: View) => {
    const order = entryBy(view);
    if (order === undefined) return MOVED;
    return { order: { ...order, clOrdId, ...(isSized && { orderQty: sized.order.orderQty }) } };
  };
  const drafting = { view: sized.view, read, draft };
  const judged = await judgeDraft<Drafted<NewOrderSingle>, Stopped>(deps, task, drafting);
  if (!("guarded" in judged)) return judged;
  const {
    draft: { order },
    guarded,
    view,
  } = judged;
  if (guarded.kind === "park") return UNSURE;
  if (guarded.kind === "stop") return guarded.outcome;
  const held = netQtyOf(view, order.contract);
  const entry = guarded.adds ? guarded.terms : undefined;
  return { order, held, entry, problem: sized.problem, view };
}
