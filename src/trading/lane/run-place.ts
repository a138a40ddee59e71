import { isMeantBy } from "../../domain/adjust.ts";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import { closingPart, exitContract } from "../../domain/contracts/exit-contract.ts";
import { fitBracket, type Fitted } from "../../domain/fit-bracket.ts";
import { clOrdIdOf, type Intent, type Outcome } from "../../domain/intent.ts";
import type { NewOrderSingle } from "../../domain/order.ts";
import type { PreparedOrder } from "../../domain/order-ticket.ts";
import { closableBy, exposureOf, type Exposure, onlyCloses } from "../../domain/exposure.ts";
import { answerFor, turnOf } from "./adjust/turned-order.ts";
import { runAdjust } from "./run-adjust.ts";
import { findPlaced } from "./settle/find-placed.ts";
import { type WithBracket, withPlannedBracket } from "./exits/planned-bracket.ts";
import { type Guarded, judgeDraft, type Judged } from "./guard-order.ts";
import { beforeSending, type LaneDeps, type LaneTask, mayHaveBegun } from "./lane-deps.ts";
import { refuseImpossible } from "./refuse-impossible.ts";
import {
  closingOf,
  type Decided,
  leftToClose,
  MOVED,
  sendOrder,
  type SentOrder,
  type Stopped,
} from "./send-order.ts";
import { dryRunDone, SIZED_THEN, WAITS } from "./dry-run.ts";
import { holdsAgainst, refusedAgainst, sizeEntry } from "./size-entry.ts";
import { readView, type View } from "./view.ts";

type PlaceIntent = Extract<Intent, { kind: "PLACE" }>;

/**
 * Sends one order, and waits until it has ended where it ends at once. A market order that turns
 * around the position of another month closes that position first. Returns `parked` when it must not
 * be sent before earlier outcomes are known.
 */
export async function runPlace(
  deps: LaneDeps,
  task: LaneTask,
  intent: PlaceIntent,
): Promise<Outcome | "parked"> {
  if (task.record.test === true) return await dryRunPlace(deps, task, intent);
  const earlier = mayHaveBegun(task) ? await findEarlier(deps, task) : undefined;
  if (earlier !== undefined) return earlier;
  const ready = await decide(deps, task, intent);
  if (ready.kind === "stop") return await sendClosing(deps, task, intent, ready);
  if (ready.kind === "park") return "parked";
  if (ready.kind === "turn") return await runTurn(deps, task, intent);

  const outcome = await send(deps, task, intent, ready);
  if (task.isBegun) return outcome;
  // Some guards are checked with the write-ahead only.
  return await sendClosing(deps, task, intent, { outcome, closing: ready.closing });
}

async function send(
  deps: LaneDeps,
  task: LaneTask,
  intent: PlaceIntent,
  sendable: Sendable,
): Promise<SentOrder> {
  const { order, problem, sized } = sendable;
  const { handling } = intent;
  const exitPlan =
    problem === undefined ? undefined : { closes: [], cancels: [], leftOut: problem };
  const again = () =>
    sendable.entry === undefined
      ? leftToClose(deps, task, sendable)
      : decideAgain(deps, task, intent);
  const sending = { exitPlan, handling, again, closesInPart: true } as const;
  const sent = await sendOrder(deps, task, sendable, sending);
  const isAsAsked = sized === undefined && order.orderQty === intent.order.orderQty;
  if (sent.kind !== "done" || isAsAsked) return sent;
  const { problems = [] } = sent.result;
  const told = [...(sized?.problem === undefined ? [] : [sized.problem]), ...problems];
  return {
    kind: "done",
    result: {
      orderQty: order.orderQty,
      ...sent.result,
      ...(told.length > 0 && { problems: told }),
    },
  };
}

/** After news of the account: the entry as it is now, or the part of it that closes. */
async function decideAgain(
  deps: LaneDeps,
  task: LaneTask,
  intent: PlaceIntent,
): Promise<Sendable | Stopped> {
  const now = await decide(deps, task, intent);
  if (now.kind === "send") return now;
  if (now.kind === "stop") return now.closing?.(now.outcome) ?? now.outcome;
  return MOVED;
}

/** Sends the part of a refused order that closes a position. */
async function sendClosing<Refused extends SentOrder>(
  deps: LaneDeps,
  task: LaneTask,
  intent: PlaceIntent,
  { outcome, closing }: { readonly outcome: Refused; readonly closing: Closing | undefined },
): Promise<Refused | SentOrder> {
  if (outcome.kind === "done") return outcome;
  const part = closing?.(outcome);
  return part === undefined ? outcome : await send(deps, task, intent, part);
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
    if (intent.handling?.size !== undefined) return dryRunDone([WAITS, SIZED_THEN]);
    return dryRunDone([WAITS, { kind: "order", order: intent.order, adds: true }]);
  }
  const sendable = ready.kind === "stop" ? ready.closing?.(ready.outcome) : ready;
  if (sendable === undefined) return ready.kind === "stop" ? ready.outcome : dryRunDone([]);
  const { clOrdId: _, ...order } = sendable.order;
  const { problem, sized } = sendable;
  const told = [problem, sized?.problem].filter((one) => one !== undefined);
  return dryRunDone([
    { kind: "order", order, adds: sendable.entry !== undefined },
    ...told.map((reason) => ({ kind: "withhold", reason }) as const),
  ]);
}

/** An order as it may be sent. */
interface Sendable extends Decided {
  /** Given where its quantity was worked out here; why it is not what was asked for, in words. */
  readonly sized?: { readonly problem?: string } | undefined;
}

/** The part of a refused order that may be sent nevertheless; undefined where it closes nothing. */
type Closing = (refused: Stopped) => Sendable | undefined;

type Decision =
  | Extract<Guarded, { kind: "park" }>
  | (Extract<Guarded, { kind: "stop" }> & { readonly closing: Closing | undefined })
  | { readonly kind: "turn" }
  | (Sendable & { readonly kind: "send"; readonly closing: Closing | undefined });

/** Decides by the broker's current snapshot whether the order may be sent, and for which contract. */
async function decide(
  deps: LaneDeps,
  task: LaneTask,
  { order: written, isFrontMonth, handling }: PlaceIntent,
): Promise<Decision> {
  const impossible = refuseImpossible(task.connection, written);
  if (impossible !== undefined) return { kind: "stop", outcome: impossible, closing: undefined };
  const planned = await withPlannedBracket(deps, task, handling?.exitPlan, written);
  const bracketed = planned.kind === "order" ? planned.order : written;
  const { contract: named } = written;
  const meant = { contract: named, ...(isFrontMonth && { isFrontMonth }) };
  const isMeant = (code: ContractCode) => isMeantBy(meant, code);
  const read = async () => await readView(deps, task, isMeant);
  const shown = await read();
  const rule = handling?.size;
  // Its risk is counted by the stop that it would have. What it closes first needs none.
  if (planned.kind === "stop" && rule !== undefined) {
    const closes = written.ordType === "MARKET" && holdsAgainst(written, meant, shown);
    return closes ? { kind: "turn" } : { ...planned, closing: undefined };
  }
  const sized = rule && (await sizeEntry(deps, task, bracketed, { rule, meant, shown, read }));
  if (sized?.kind === "park") return sized;
  if (sized?.kind === "stop") return { ...sized, closing: undefined };
  if (sized?.kind === "against") {
    if (written.ordType === "MARKET") return { kind: "turn" };
    return { kind: "stop", outcome: refusedAgainst, closing: undefined };
  }
  const { order: asked, view } = sized ?? { order: bracketed, view: shown };
  const isFront = isFrontMonth === true;
  const draft = (now: View) => draftFrom(deps, task, { asked, isFront, planned }, now);
  const judged = await judgeDraft<Draft, Stop>(deps, task, { view, read, draft });
  return "guarded" in judged ? decidedBy(deps, task, judged, sized) : judged;
}

/** An order as it was asked for, with the bracket of its plan where that has one. */
interface AskedOrder {
  readonly asked: PreparedOrder;
  /** No month was named. */
  readonly isFront: boolean;
  readonly planned: WithBracket<PreparedOrder>;
}

interface Draft {
  readonly order: NewOrderSingle;
  readonly exposure: Exposure;
  readonly fitted: Fitted<NewOrderSingle>;
  /** Why it is for a part of what was asked, in words. */
  readonly cut: string | undefined;
}

type Stop = Extract<Decision, { kind: "stop" | "turn" }>;

/** The order in the contract that it is for, with a bracket where that fits what is held. */
function draftFrom(
  { describe }: LaneDeps,
  { record }: LaneTask,
  { asked, isFront, planned }: AskedOrder,
  view: View,
): Draft | Stop {
  // A contract that was named is used exactly as given (specification 2.3).
  const aim = isFront ? exitContract(asked, view.positions) : undefined;
  if (aim?.kind === "turn" && asked.ordType === "MARKET") return { kind: "turn" };
  const symbolOf = (code: ContractCode) => describe(code).symbol;
  const part = aim?.kind === "turn" ? closingPart(asked, aim.held, symbolOf) : undefined;
  const contract = part?.order.contract ?? (aim?.kind === "use" ? aim.contract : asked.contract);
  const clOrdId = clOrdIdOf(record.intentId, 1);
  const aimed: NewOrderSingle = { clOrdId, ...(part?.order ?? asked), contract };
  const exposure = exposureOf(contract, view);
  // An exit needs no plan.
  if (planned.kind === "stop" && !onlyCloses(aimed, exposure)) {
    return { ...planned, closing: undefined };
  }
  const fitted = fitBracket(aimed, exposure);
  const order = fitted.kind === "fits" ? fitted.order : aimed;
  return { order, exposure, fitted, cut: part?.problem };
}

function decidedBy(
  deps: LaneDeps,
  task: LaneTask,
  { draft: { order, exposure, fitted, cut }, guarded, view }: Judged<Draft>,
  sized: Sendable["sized"],
): Decision {
  if (guarded.kind === "park") return guarded;
  const closing = closingBy(deps, task, { order, exposure, view });
  if (guarded.kind === "stop") return { ...guarded, closing };
  // After the guard: an order that waits for earlier outcomes may find another position by then.
  if (fitted.kind === "unfit") {
    const { reason } = fitted;
    const outcome = { kind: "denied", code: "POSITION_HELD", reason } as const;
    return { kind: "stop", outcome, closing: undefined };
  }
  const { problem = cut } = fitted;
  const entry = guarded.adds ? guarded.terms : undefined;
  return { kind: "send", order, problem, sized, held: exposure.netQty, closing, entry, view };
}

/** Where a newer target follows, nothing is closed: that target may be reached already. */
function closingBy(
  deps: LaneDeps,
  { context }: LaneTask,
  { order, exposure, view }: Pick<Draft, "order" | "exposure"> & { readonly view: View },
): Closing | undefined {
  const qty = closableBy(order, exposure);
  if (context.targetFollows || qty === 0 || qty === order.orderQty) return undefined;
  return ({ reason }) => closingOf(deps, { order }, view, reason);
}

/**
 * Looks for an order that the store shows as unsent and that the broker may have nevertheless
 * (`mayHaveBegun`).
 */
async function findEarlier(deps: LaneDeps, task: LaneTask): Promise<Outcome | undefined> {
  const { record, broker } = task;
  const clOrdId = clOrdIdOf(record.intentId, 1);
  const outcome = await findPlaced(record, clOrdId, broker);
  // It was sent: without its identifier in the record, reconciliation would take it for a foreign order.
  if (outcome !== undefined) await beforeSending(deps, task, { clOrdId });
  return outcome;
}
