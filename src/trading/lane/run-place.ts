import type { ContractCode } from "../../domain/contracts/contract.ts";
import { closingHalf, closingPart, exitContract } from "../../domain/contracts/exit-contract.ts";
import { fitBracket } from "../../domain/fit-bracket.ts";
import { clOrdIdOf, type Intent, type Outcome } from "../../domain/intent.ts";
import type { NewOrderSingle } from "../../domain/order.ts";
import { closableBy, exposureOf, type Exposure } from "../../domain/exposure.ts";
import { answerFor, turnOf } from "./adjust/turned-order.ts";
import { runAdjust } from "./run-adjust.ts";
import { findPlaced } from "./settle/find-placed.ts";
import { guardEntry, type Guarded } from "./guard-order.ts";
import { readSnapshot } from "./read-snapshot.ts";
import { beforeSending, type LaneDeps, type LaneTask } from "./lane-deps.ts";
import { type Sending, sendOrder, type SentOrder } from "./send-order.ts";
import { dryRunDone, WAITS } from "./dry-run.ts";

type PlaceIntent = Extract<Intent, { kind: "PLACE" }>;

/** A store that has taken another one's place need not have the same clock. */
const CLOCK_SLACK_MS = 2_000;

/**
 * Sends one order, and waits for its end where the end comes at once. One at the market that turns
 * around what is held in another month closes that first. Answers `held` when it must not be sent
 * before earlier outcomes are known.
 */
export async function runPlace(
  deps: LaneDeps,
  task: LaneTask,
  intent: PlaceIntent,
): Promise<Outcome | "parked"> {
  if (task.record.test === true) return await dryRunPlace(deps, task, intent);
  const earlier = await findEarlier(deps, task);
  if (earlier !== undefined) return earlier;
  const ready = await decide(deps, task, intent);
  if (ready.kind === "stop") return await sendClosing(deps, task, ready);
  if (ready.kind === "park") return "parked";
  if (ready.kind === "turn") return await runTurn(deps, task, intent);

  const outcome = await send(deps, task, ready);
  if (task.isBegun) return outcome;
  // Some guards are asked with the write-ahead.
  return await sendClosing(deps, task, { outcome, closing: ready.closing });
}

async function send(
  deps: LaneDeps,
  task: LaneTask,
  { order, problem, ...sending }: Sendable,
): Promise<SentOrder> {
  const exitPlan =
    problem === undefined ? undefined : { closes: [], cancels: [], leftOut: problem };
  const sent = await sendOrder(deps, task, order, { ...sending, ...(exitPlan && { exitPlan }) });
  if (sent.kind !== "done" || problem === undefined) return sent;
  const problems = [problem, ...(sent.result.problems ?? [])];
  return { kind: "done", result: { ...sent.result, problems } };
}

/** Of an order that may not leave, what closes goes all the same. */
async function sendClosing<Stopped extends Outcome>(
  deps: LaneDeps,
  task: LaneTask,
  { outcome, closing }: { readonly outcome: Stopped; readonly closing: Closing | undefined },
): Promise<Stopped | SentOrder> {
  const part = closing?.(outcome);
  return part === undefined ? outcome : await send(deps, task, part);
}

async function runTurn(
  deps: LaneDeps,
  task: LaneTask,
  intent: PlaceIntent,
): Promise<Outcome | "parked"> {
  const outcome = await runAdjust(deps, task, turnOf(intent));
  return outcome === "parked" ? outcome : answerFor(task.record, outcome);
}

async function dryRunPlace(
  deps: LaneDeps,
  task: LaneTask,
  intent: PlaceIntent,
): Promise<Outcome | "parked"> {
  const ready = await decide(deps, task, intent);
  if (ready.kind === "turn") return await runTurn(deps, task, intent);
  if (ready.kind === "park") {
    return dryRunDone([WAITS, { kind: "order", order: intent.order, adds: true }]);
  }
  const sendable = ready.kind === "stop" ? ready.closing?.(ready.outcome) : ready;
  if (sendable === undefined) return ready.kind === "stop" ? ready.outcome : dryRunDone([]);
  const { clOrdId: _, ...order } = sendable.order;
  const { problem } = sendable;
  return dryRunDone([
    { kind: "order", order, adds: sendable.entry !== undefined },
    ...(problem === undefined ? [] : [{ kind: "withhold", reason: problem } as const]),
  ]);
}

/** An order as it may leave. */
interface Sendable extends Omit<Sending, "exitPlan"> {
  readonly order: NewOrderSingle;
  /** What of it is not carried out, in words. */
  readonly problem?: string | undefined;
}

/** What of an order goes where all of it may not; nothing where it closes nothing. */
type Closing = (refused: Outcome) => Sendable | undefined;

type Decision =
  | Extract<Guarded, { kind: "park" }>
  | (Extract<Guarded, { kind: "stop" }> & { readonly closing: Closing | undefined })
  | { readonly kind: "turn" }
  | (Sendable & { readonly kind: "send"; readonly closing: Closing | undefined });

/** Whether the order may leave, and for which contract, by what the broker shows of the account now. */
async function decide(
  { describe, defaultLimits }: LaneDeps,
  task: LaneTask,
  { order: asked, isFrontMonth }: PlaceIntent,
): Promise<Decision> {
  const { record, broker } = task;
  const snapshot = await readSnapshot(record.accountId, broker);
  // A contract that was named is used exactly as given (specification 2.3).
  const aim = isFrontMonth === true ? exitContract(asked, snapshot.positions) : undefined;
  if (aim?.kind === "turn" && asked.ordType === "MARKET") return { kind: "turn" };
  const symbolOf = (code: ContractCode) => describe(code).symbol;
  const aimed =
    aim?.kind === "turn"
      ? closingPart(asked, aim.held, symbolOf)
      : { order: { ...asked, contract: aim?.contract ?? asked.contract } };
  const { contract } = aimed.order;
  const order = { ...aimed.order, clOrdId: clOrdIdOf(record.intentId, 1) };
  const exposure = exposureOf(contract, snapshot);
  const fitted = fitBracket(order, exposure);
  const fitting = { ...aimed, ...(fitted.kind === "fits" ? fitted : { order }) };

  const guarded = await guardEntry(task, fitting.order, snapshot, defaultLimits);
  if (guarded.kind === "park") return guarded;
  const closing = closingOf(task, fitting.order, exposure, symbolOf);
  if (guarded.kind === "stop") return { ...guarded, closing };
  // After the guard: what waits for earlier outcomes may find something else held by then.
  if (fitted.kind === "unfit") {
    const { reason } = fitted;
    const outcome = { kind: "denied", code: "POSITION_HELD", reason } as const;
    return { kind: "stop", outcome, closing: undefined };
  }
  return {
    ...fitting,
    kind: "send",
    held: exposure.netQty,
    closing,
    ...(guarded.adds && { entry: guarded.limits }),
  };
}

/** A newer target says what is to be held, and may be reached by now: nothing is closed beside it. */
function closingOf(
  { context }: LaneTask,
  order: NewOrderSingle,
  exposure: Exposure,
  symbolOf: (contract: ContractCode) => string,
): Closing | undefined {
  const qty = closableBy(order, exposure);
  if (context.targetFollows || qty === 0 || qty === order.orderQty) return undefined;
  return (refused) => {
    if (refused.kind === "done") return undefined;
    const told = { symbol: symbolOf(order.contract), refusal: refused.reason };
    return { ...closingHalf(order, qty, told), held: exposure.netQty };
  };
}

/**
 * A store that fell back to what it knew a while ago may show an order as unsent that is at the
 * broker. Only what was accepted before this session can be one, and is looked for.
 */
async function findEarlier(deps: LaneDeps, task: LaneTask): Promise<Outcome | undefined> {
  const { record, broker, connection } = task;
  if (record.acceptedAt >= connection.session.beganAt + CLOCK_SLACK_MS) return undefined;
  const clOrdId = clOrdIdOf(record.intentId, 1);
  const outcome = await findPlaced(record, clOrdId, broker);
  // It was sent: its record has the identifier again, or reconciliation would call it nobody's.
  if (outcome !== undefined) await beforeSending(deps, task, { clOrdId });
  return outcome;
}
