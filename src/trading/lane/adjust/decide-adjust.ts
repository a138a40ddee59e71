import {
  type AdjustIntent,
  type AdjustPlan,
  type AdjustSteps,
  mayOpen,
  planAdjust,
} from "../../../domain/adjust.ts";
import type { DenialCode } from "../../../domain/denials.ts";
import type { Outcome } from "../../../domain/intent.ts";
import type { OrderReport } from "../../../domain/order.ts";
import type { PreparedOrder } from "../../../domain/order-ticket.ts";
import { OVERTAKEN, overtakingOf } from "../../../domain/overtaking.ts";
import { closingHalf } from "../../../domain/contracts/exit-contract.ts";
import { closableBy, exposureOf, isFilling } from "../../../domain/exposure.ts";
import { type Guarded, type GuardedBy, guardOrder, refusePlanned } from "../guard-order.ts";
import { namelessLeft } from "./adjust-answer.ts";
import type { LaneDeps, LaneTask } from "../lane-deps.ts";
import { netQtyOf, type Snapshot } from "../read-snapshot.ts";
import { refuseImpossible } from "../refuse-impossible.ts";
import type { LaneContext } from "../ports.ts";

/** How an adjustment goes on, by what the broker shows of the account now. */
export type Decision =
  /** Nothing is to be done. */
  | { readonly kind: "nothing"; readonly problem?: string }
  | { readonly kind: "stop"; readonly outcome: Outcome }
  /** Nothing may be sent yet; the steps are what would be, where they are known. */
  | { readonly kind: "park"; readonly steps?: AdjustSteps }
  | {
      readonly kind: "go";
      readonly steps: AdjustSteps;
      /** What the guard says of the entry; without a pass only the closes before it are due. */
      readonly entry?: Exclude<Guarded, { kind: "park" }>;
    };

/**
 * What opens or grows a position is guarded before anything else is touched: it waits as a whole
 * while an earlier outcome is unknown. Where only the entry may not leave, the closes and exits
 * before it do.
 */
export function decideAdjust(
  deps: GuardedBy & Pick<LaneDeps, "describe">,
  { context, connection }: Pick<LaneTask, "context" | "connection">,
  intent: AdjustIntent,
  snapshot: Snapshot,
): Decision {
  // Its closes too: the newer target speaks of all that is held, and may be reached by now.
  if (context.targetFollows && isReplaceable(intent)) return { kind: "stop", outcome: OVERTAKEN };
  const plan = planAdjust(intent, snapshot, (contract) => deps.describe(contract).symbol);
  if (plan.kind !== "steps") return withoutSteps(context, intent, snapshot, plan);
  if (awaitsPosition(plan, snapshot)) return { kind: "park", steps: plan };
  if (plan.entry === undefined) {
    const waits = movesNothing(plan) && mayYetChange(context, intent);
    return { kind: waits ? "park" : "go", steps: plan };
  }
  const impossible =
    refuseImpossible(connection, plan.entry) ??
    refuseTurning(deps, context, { entry: plan.entry, snapshot, plan });
  const guarded: Guarded =
    impossible === undefined
      ? guardOrder(context, plan.entry, snapshotAfter(plan, snapshot), deps)
      : { kind: "stop", outcome: impossible };
  const { closes, reduce, protect } = plan;
  const closesNothing = closes.length === 0 && reduce === undefined;
  if (guarded.kind === "park") {
    // What it closes waits no longer than an entry may.
    const isLate = !closesNothing && context.now >= context.record.entryExpiresAt;
    return isLate ? { kind: "go", steps: plan } : { kind: "park", steps: plan };
  }
  const isAlone = closesNothing && protect === undefined;
  if (guarded.kind === "stop" && isAlone) {
    // A newer target may be reached already.
    if (context.targetFollows) return guarded;
    return closingHalfOf(deps, intent, plan.entry, { plan, snapshot, guarded });
  }
  return { kind: "go", steps: plan, entry: guarded };
}

/** The part of a refused order that closes is sent all the same. */
function closingHalfOf(
  { describe }: Pick<LaneDeps, "describe">,
  { aim, handling }: AdjustIntent,
  entry: PreparedOrder,
  {
    plan,
    snapshot,
    guarded,
  }: {
    readonly plan: AdjustSteps;
    readonly snapshot: Snapshot;
    readonly guarded: Extract<Guarded, { kind: "stop" }>;
  },
): Decision {
  const { contract, orderQty } = entry;
  const qty = closableBy(entry, exposureOf(contract, snapshot));
  const isWhole = qty === 0 || qty === orderQty;
  if (aim.to !== "order" || handling?.size !== undefined || isWhole) return guarded;
  const told = { symbol: describe(contract).symbol, refusal: guarded.outcome.reason };
  const { order, problem } = closingHalf(entry, qty, told);
  return { kind: "go", steps: { ...plan, entry: order, problem } };
}

/** The other side of what a plan takes out is not opened, in whichever month that is held. */
function refuseTurning(
  { exits }: GuardedBy,
  context: LaneContext,
  {
    entry: { side },
    snapshot: { positions },
    plan: { closes },
  }: {
    readonly entry: PreparedOrder;
    readonly snapshot: Snapshot;
    readonly plan: AdjustSteps;
  },
) {
  return positions
    .filter(({ contract }) => closes.some((close) => close.contract === contract))
    .map(({ contract, netQty }) => refusePlanned(exits, context, { contract, side, held: netQty }))
    .find((refusal) => refusal !== undefined);
}

/** Of an order as it was written only what opens is an entry. */
const isReplaceable = ({ aim }: AdjustIntent): boolean => mayOpen(aim) && aim.to !== "order";

/** What it is to protect is being filled, and nothing of it is held yet; no exit waits for that. */
function awaitsPosition({ protect, cancels, closes, reduce }: AdjustSteps, snapshot: Snapshot) {
  const hasExits = cancels.length > 0 || closes.length > 0 || reduce !== undefined;
  return protect !== undefined && !hasExits && netQtyOf(snapshot, protect.contract) === 0;
}

/** Once all before it is known something else may be held, and its order be due. */
const mayYetChange = ({ unknown, parkedBefore }: LaneContext, { aim }: AdjustIntent): boolean =>
  (unknown.length > 0 || parkedBefore) && mayOpen(aim);

/** Only what rests is cancelled: what is held is as it is to be, for now. */
const movesNothing = ({ closes, reduce, protect }: AdjustSteps): boolean =>
  closes.length === 0 && reduce === undefined && protect === undefined;

/** What waits for earlier outcomes may find something else held by then. */
function withoutSteps(
  context: LaneContext,
  intent: AdjustIntent,
  { positions }: Snapshot,
  plan: Exclude<AdjustPlan, AdjustSteps>,
): Decision {
  if (mayYetChange(context, intent)) return { kind: "park" };
  if (plan.kind === "nothing") return plan;
  const { code, contradicts } = plan;
  if (context.parkedBefore && isNotOpen(code) && !endsUnsent(intent)) return { kind: "park" };
  const left = code === "NO_POSITION" ? namelessLeft(intent, positions) : [];
  const reason = [plan.reason, ...left].join(". ");
  const against = contradicts === true && { contradicts };
  return { kind: "stop", outcome: { kind: "denied", code, reason, ...against } };
}

/** Nothing is held that it could close. */
export const isNotOpen = (code: DenialCode): boolean =>
  code === "NO_POSITION" || code === "POSITION_MISMATCH";

/** Whether an earlier entry that waits is over for it; a part of what that opens is closed after it. */
function endsUnsent(intent: AdjustIntent): boolean {
  return overtakingOf(intent)?.isConditional === false;
}

/** The account as it is to be when the entry's turn comes. */
export function snapshotAfter({ cancels, closes }: AdjustSteps, snapshot: Snapshot): Snapshot {
  const isClosed = (contract: string) => closes.some((close) => close.contract === contract);
  // With a position its legs go, and what is being filled beside it.
  const goesWithIt = (order: OrderReport) =>
    isClosed(order.contract) && (order.role !== "ORDER" || isFilling(order, snapshot.working));
  const isGone = (order: OrderReport) =>
    cancels.some(({ orderId }) => orderId === order.orderId) || goesWithIt(order);
  return {
    positions: snapshot.positions.filter(({ contract }) => !isClosed(contract)),
    opaquePositions: snapshot.opaquePositions,
    opaque: snapshot.opaque,
    working: snapshot.working.filter((order) => !isGone(order)),
  };
}
