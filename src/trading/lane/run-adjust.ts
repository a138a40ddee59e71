import {
  type AdjustIntent,
  type AdjustSteps,
  closingAim,
  isMeantBy,
  leftOf,
  planAdjust,
  positionsFor,
} from "../../domain/adjust.ts";
import { exitsIn } from "../../domain/asked-exits.ts";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { OpenPosition } from "../../domain/contracts/exit-contract.ts";
import { isGoingOn, type Outcome } from "../../domain/intent.ts";
import { isClosed, type OrderReport } from "../../domain/order.ts";
import type { PreparedOrder } from "../../domain/order-ticket.ts";
import { exposureOf, isFilling, onlyCloses } from "../../domain/exposure.ts";
import { type Adjusting, answerAdjust, fail, newRun, nothingToDo } from "./adjust/adjust-answer.ts";
import { cancelAfter, cancelOverdue, cutExits } from "./adjust/last-cancels.ts";
import { NOT_COVERED, NOT_PLACED, STILL_FILLING, INTERRUPTED } from "./adjust/adjust-words.ts";
import { decideAdjust, isNotOpen } from "./adjust/decide-adjust.ts";
import { findBegun } from "./adjust/find-begun.ts";
import { placeEntry, readFor } from "./adjust/place-entry.ts";
import { partOfRest } from "./adjust/part-of-rest.ts";
import { protectAsAsked } from "./adjust/protect-as-asked.ts";
import { endLate, isToEnd, judgeArrival, runOf } from "./adjust/strategy-order.ts";
import { dryRunAdjust } from "./adjust/dry-run-adjust.ts";
import { cancelOrders, endRest, untilGone } from "./closing/end-rest.ts";
import { makeWay } from "./closing/making-way.ts";
import { refuseClosed } from "./closing/going-on.ts";
import { withoutNewer } from "./closing/older-part.ts";
import { isTaken, isUnderWay, type Close, type Progress } from "./closing/progress.ts";
import { closePart } from "./adjust/close-part.ts";
import { isClean, NOTHING_LEFT } from "./closing/read-rest.ts";
import { type WithBracket, withPlannedBracket } from "./exits/planned-bracket.ts";
import type { LaneDeps, LaneTask } from "./lane-deps.ts";
import type { Snapshot } from "./read-snapshot.ts";
import { awaitsOutcome, nothingYet, untilKnown } from "./until-known.ts";
import { readQuietly, type View } from "./view.ts";

/**
 * Brings the position in one symbol where it is to be: cancels what rests where that is asked, then
 * closes what is to go, protects what stands then, and opens or grows only what is left to do once
 * the broker shows the closes as done. A close is an exit and always passes; the order after it is
 * guarded like every other entry, by what is shown then. Answers `held` when it must not be begun
 * before earlier outcomes are known.
 */
export async function runAdjust(
  deps: LaneDeps,
  task: LaneTask,
  asked: AdjustIntent,
): Promise<Outcome | "parked"> {
  const isTest = task.record.test === true;
  const begun = isTest ? undefined : await findBegun(deps, task);
  if (begun !== undefined) return begun;
  const arrival = await judgeArrival(deps, task, asked);
  if (isToEnd(arrival)) return await endLate(task, asked, arrival);
  const planned = await plannedIntent(deps, task, asked);
  const whole = planned.kind === "order" ? planned.order : asked;
  const read = async () => await decideBy(deps, task, whole);
  const { snapshot, intent, decision } = await readQuietly(deps, task, {
    read,
    isNeeded: findsNothing,
    isMeant: (contract) => isMeantBy(whole, contract),
  });
  if (decision.kind === "stop") return mayYetOpen(task, decision.outcome);
  const { steps } = "steps" in decision ? decision : {};
  const closing = steps === undefined ? [] : closedBy(steps, snapshot);
  const closed = refuseClosed(deps, task, closing);
  if (isTest) {
    return closed ?? (await dryRunAdjust(deps, task, intent, { decision, snapshot, closing }));
  }
  if (decision.kind === "park") return "parked";
  const run = runOf(intent, snapshot, arrival);
  if (decision.kind === "nothing") {
    return untilKnown(task, await nothingToDo(task, intent, decision.problem, run));
  }

  if (closed !== undefined) return closed;
  const unplanned = planned.kind === "stop" ? planned.outcome : undefined;
  const adjusting = { deps, task, intent, run, unplanned };
  await carryOut(adjusting, decision.steps, snapshot);
  return await answer(adjusting);
}

async function decideBy(deps: LaneDeps, task: LaneTask, whole: AdjustIntent) {
  const snapshot = await readFor(deps, task, whole);
  const intent = await partOfRest(deps, task, whole, snapshot);
  return { snapshot, intent, decision: decideAdjust(deps, task, intent, snapshot) };
}

const findsNothing = ({ decision }: Awaited<ReturnType<typeof decideBy>>): boolean =>
  decision.kind === "nothing" || (decision.kind === "stop" && isUnheld(decision.outcome));

const isUnheld = (outcome: Outcome): boolean =>
  outcome.kind === "denied" && isNotOpen(outcome.code);

/** The positions of which something is to be closed. */
function closedBy({ closes, reduce }: AdjustSteps, { positions }: Snapshot): Snapshot["positions"] {
  const all = [...closes, ...(reduce === undefined ? [] : [reduce])];
  const contracts = new Set<ContractCode>(all.map(({ contract }) => contract));
  return positions.filter(({ contract }) => contracts.has(contract));
}

/** With the exits of its plan as the bracket of the order that opens. */
async function plannedIntent(
  deps: LaneDeps,
  task: LaneTask,
  intent: AdjustIntent,
): Promise<WithBracket<AdjustIntent>> {
  const { contract, terms, handling } = intent;
  const plan = handling?.exitPlan;
  const planned = await withPlannedBracket(deps, task, plan, { ...terms, contract });
  if (planned.kind === "stop") return planned;
  const { contract: _, ...order } = planned.order;
  return { kind: "order", order: { ...intent, terms: order } };
}

/**
 * Goes on with what closes of an adjustment that was interrupted, or that waits. An order that was to
 * follow is not sent any more: it is old by now.
 */
export async function goOnAdjusting(
  deps: LaneDeps,
  task: LaneTask,
  intent: AdjustIntent,
  progress: Progress,
): Promise<Outcome> {
  const { onlyWhen: _, ...whole } = intent;
  const aim = leftOf(progress.aim ?? intent.aim, closedQty(progress));
  const left = { ...whole, aim: aim ?? intent.aim };
  const adjusting = { deps, task, intent: left, run: newRun(progress) };
  const { run } = adjusting;
  // A close of so many that still fills is a part: what it is about to take looks like less held, and the rest like all.
  const isFilling = aim?.to === "close" && "qty" in aim && progress.closes.some(isOpen);
  if (aim !== undefined && !isFilling) {
    const read = async () => await planOlder(adjusting, progress);
    const isOver = ({ plan }: Awaited<ReturnType<typeof read>>) => plan.kind !== "steps";
    const isMeant = (contract: ContractCode) => isMeantBy(left, contract);
    const { snapshot, plan } = await readQuietly(deps, task, { read, isNeeded: isOver, isMeant });
    if (plan.kind === "steps") await carryOut(adjusting, plan, snapshot);
    if (plan.kind === "refuse") {
      const { code, reason } = plan;
      if (plan.contradicts === true) run.contradicts = true;
      // Somebody else has closed the position while the exit waited, or was refused.
      const isSeen = isGoingOn(task.record.state) && code === "NO_POSITION";
      if (isUnsent(progress) && !isSeen) run.failed = { kind: "denied", code, reason };
      if (code !== "NO_POSITION") run.problems.push(reason);
    }
  }
  await cancelOverdue(adjusting, () => readOlder(deps, task, left, progress));
  if (progress.opens === true) {
    run.problems.push(`${NOT_PLACED}: ${INTERRUPTED.reason}`);
    if (isUnsent(progress)) run.failed ??= INTERRUPTED;
  }
  return await answer(adjusting);
}

async function planOlder({ deps, task, intent }: Adjusting, progress: Progress) {
  const snapshot = await readOlder(deps, task, intent, progress);
  const plan = planAdjust(intent, snapshot, (contract) => deps.describe(contract).symbol);
  return { snapshot, plan };
}

/** Holds only the part of each position that an adjustment which goes on is to close. */
async function readOlder(
  deps: LaneDeps,
  task: LaneTask,
  intent: AdjustIntent,
  progress: Progress,
): Promise<View> {
  const snapshot = await readFor(deps, task, intent);
  if (!progress.goesOn) return snapshot;
  const { positions, working } = snapshot;
  const rest = { ...NOTHING_LEFT, positions, orders: working };
  const older = await withoutNewer(deps, task, { rest, progress });
  return { ...snapshot, positions: older.positions, working: older.orders };
}

/** It is over once all of it is closed, or nothing can still come that is to be closed too. */
async function answer({ deps, task, intent, run }: Adjusting): Promise<Outcome> {
  const outcome = mayYetOpen(task, await answerAdjust(deps, task, intent, run));
  const { progress } = run;
  const left = leftOf(progress.aim ?? intent.aim, closedQty(progress));
  return left === undefined ? outcome : untilKnown(task, outcome);
}

/** An exit that finds nothing now is not refused while an earlier order may still open it. */
function mayYetOpen(task: LaneTask, outcome: Outcome): Outcome {
  return isUnheld(outcome) && awaitsOutcome(task) ? nothingYet : outcome;
}

/** The broker had no order of it. */
const isUnsent = ({ closes }: Progress): boolean =>
  closes.every(({ orderId }) => orderId === undefined);

const isOpen = ({ isOver }: Close): boolean => !isOver;

const closedQty = ({ closes }: Progress): number =>
  closes.reduce((total, { cumQty }) => total + cumQty, 0);

async function carryOut(adjusting: Adjusting, steps: AdjustSteps, snapshot: View): Promise<void> {
  note(adjusting, steps);
  const { deps, task, run } = adjusting;
  const { progress } = run;
  const rest = { ...NOTHING_LEFT, positions: snapshot.positions, orders: steps.cancels };
  const { kept } = makeWay(deps, task, { rest, progress });
  const cancels = steps.cancels.filter((order) => !kept.includes(order));
  if (cancels.length === 0) await carryOutMoves(adjusting, steps, snapshot, kept);
  else {
    const refused = await cancelOrders(deps, task, cancels, progress);
    if (refused === undefined) await goOn(adjusting, { ...steps, cancels }, kept);
    else return fail(run, "Nothing was cancelled", refused);
  }
}

/** What is stored with the first thing that is sent, so that it can go on from there. */
function note({ intent, run: { progress } }: Adjusting, steps: AdjustSteps): void {
  if (progress.goesOn) return;
  const aim = closingAim(intent.aim, steps);
  if (aim !== undefined) progress.aim = aim;
  if (steps.entry !== undefined) progress.opens = true;
}

/** An order that was to be cancelled may have filled instead: what is left to do is planned anew. */
async function goOn(
  adjusting: Adjusting,
  { cancels }: AdjustSteps,
  before: readonly OrderReport[],
): Promise<void> {
  const { deps, task, run } = adjusting;
  await untilGone(deps, task, cancels);
  const snapshot = await readOlder(deps, task, adjusting.intent, run.progress);
  const plan = planAdjust(adjusting.intent, snapshot, (contract) => deps.describe(contract).symbol);
  const isLeft = (order: OrderReport) =>
    !isClosed(order.ordStatus) && cancels.some(({ orderId }) => orderId === order.orderId);
  const planned = plan.kind === "steps" ? plan.cancels : [];
  const rest = { ...NOTHING_LEFT, positions: snapshot.positions, orders: planned };
  const { kept } = makeWay(deps, task, { rest, progress: run.progress });
  const again = planned.filter((order) => !kept.includes(order));
  const orders = [...new Set([...snapshot.working.filter(isLeft), ...again])];
  run.left = { ...NOTHING_LEFT, orders };

  if (plan.kind === "steps") {
    note(adjusting, plan);
    await carryOutMoves(adjusting, plan, snapshot, byId([...before, ...kept]));
  }
  if (plan.kind === "nothing" && plan.problem !== undefined) run.problems.push(plan.problem);
  if (plan.kind !== "refuse") return;
  const { code, reason } = plan;
  if (plan.contradicts === true) run.contradicts = true;
  fail(run, "Only resting orders were cancelled", { kind: "denied", code, reason });
}

/** Each order once, as it was read last. */
const byId = (orders: readonly OrderReport[]): readonly OrderReport[] => [
  ...new Map(orders.map((order) => [order.orderId, order])).values(),
];

/** `kept` are exits that go once what they close is closed. */
async function carryOutMoves(
  adjusting: Adjusting,
  steps: AdjustSteps,
  snapshot: View,
  kept: readonly OrderReport[],
): Promise<void> {
  const { run } = adjusting;
  if (steps.problem !== undefined) run.problems.push(steps.problem);
  if (steps.contradicts === true) run.contradicts = true;
  await closeBefore(adjusting, steps, snapshot);
  // Before anything is opened: there they would close that.
  const { canceled } = run.progress;
  await cancelAfter(
    adjusting,
    kept.filter(
      ({ orderId, contract }) => isTaken(run.progress, contract) && !canceled.has(orderId),
    ),
  );
  if (steps.protect !== undefined) await protectStanding(adjusting, steps.protect);
  const { entry } = steps;
  if (entry !== undefined) {
    if (run.progress.goesOn) run.problems.push(`${NOT_PLACED}: ${INTERRUPTED.reason}`);
    else await enterAfter(adjusting, steps, entry, snapshot);
  }
  if (run.failed === undefined) await cutExits(adjusting, steps);
}

async function closeBefore(
  adjusting: Adjusting,
  { closes, reduce }: AdjustSteps,
  snapshot: View,
): Promise<void> {
  const { deps, task, run } = adjusting;
  if (closes.length > 0) {
    await closeWholly(adjusting, new Set(closes.map(({ contract }) => contract)));
  }
  if (reduce === undefined || isUnderWay(run.progress, reduce.contract)) return;
  // It could close what is not held yet, and the position would be turned around.
  const isFillingStill =
    !onlyCloses(reduce, exposureOf(reduce.contract, snapshot)) ||
    run.left.orders.some(
      (order) => order.contract === reduce.contract && isFilling(order, snapshot.working),
    );
  if (isFillingStill) fail(run, "Nothing was closed", STILL_FILLING);
  else await closePart(deps, task, reduce, { aim: adjusting.intent.aim, run, snapshot });
}

async function enterAfter(
  adjusting: Adjusting,
  { closes, reduce }: AdjustSteps,
  entry: PreparedOrder,
  snapshot: View,
): Promise<void> {
  const { task, run } = adjusting;
  const isUndone = run.failed !== undefined || !isClean(run.left);
  // A way out waits for no entry that would not be cancelled.
  const isExit = closes.length === 0 && onlyCloses(entry, exposureOf(entry.contract, snapshot));
  if (isUndone && !isExit) {
    run.problems.push("The order was not placed, because what was to come before it is not done");
    return;
  }
  const isFirst = closes.length === 0 && reduce === undefined;
  if (isFirst) {
    const anew = (view: View) => (view === snapshot ? entry : entryBy(adjusting, view));
    return await placeEntry(adjusting, entry, snapshot, anew);
  }
  const { deps, intent } = adjusting;
  const isFlat = ({ positions }: View) => positionsFor(intent, positions).length === 0;
  const shown = await readFor(deps, task, intent);
  if (!isFlat(shown)) {
    run.problems.push("The order was not placed, because something is still held in the symbol");
    return;
  }
  return await placeEntry(adjusting, entry, shown, (view) => (isFlat(view) ? entry : undefined));
}

/** The order that opens, where that is all that is left to do. */
function entryBy({ deps, intent }: Adjusting, view: View): PreparedOrder | undefined {
  const plan = planAdjust(intent, view, (contract) => deps.describe(contract).symbol);
  const isMore = plan.kind !== "steps" || plan.closes.length > 0 || plan.reduce !== undefined;
  return isMore ? undefined : plan.entry;
}

/** With their legs. */
async function closeWholly(
  { deps, task, run }: Adjusting,
  contracts: ReadonlySet<ContractCode>,
): Promise<void> {
  const isMeant = (contract: ContractCode) => contracts.has(contract);
  const scope = { isMeant, isWhole: false, cancelResting: false };
  const { rest, refused } = await endRest(deps, task, scope, run.progress);
  if (refused !== undefined) fail(run, "Not everything was closed", refused);
  run.left = { ...rest, orders: [...run.left.orders, ...rest.orders] };
}

/** What stands has its exits before anything is added to it; where they cannot be placed nothing is. */
async function protectStanding(
  { deps, task, intent, run }: Adjusting,
  { contract }: OpenPosition,
): Promise<void> {
  const { bracket = {} } = intent.terms;
  const outcome = await protectAsAsked(deps, task, intent, contract);
  if (outcome.kind === "dryRun") throw new Error("a test carries nothing out");
  if (outcome.kind === "standing") {
    run.exits = outcome;
    if (outcome.growsTo !== undefined) run.problems.push(NOT_COVERED);
    return;
  }
  fail(run, "Its take-profit and stop-loss are not as asked", outcome);
  const isGone = outcome.kind === "denied" && outcome.code === "NO_POSITION";
  const isOpen = isGone || outcome.kind === "unknown";
  const { missing = exitsIn(bracket) } = outcome.kind === "unprotected" ? outcome : {};
  if (!isOpen) run.exits = { kind: "missing", contract, exits: missing };
}
