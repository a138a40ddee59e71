import { type AccountId, legIdOf, type OrderId } from "../../../domain/ids.ts";
import type { IntentRecord, Outcome } from "../../../domain/intent.ts";
import type { IntentResult } from "../../../domain/intent-result.ts";
import type { LegPlan } from "../../../domain/carried-plan.ts";
import type { OrderReport } from "../../../domain/order.ts";
import type { Broker, BrokerPosition } from "../../ports.ts";
import { readSnapshot, type Snapshot as AccountSnapshot } from "../read-snapshot.ts";
import { soughtLegs } from "./find-nameless.ts";
import type { Finding } from "./find-placed.ts";
import { exitSide, isWorking, liveLegs, nameOf, survivorIdOf } from "../legs/legs.ts";
import { growing } from "../legs/protect-outcomes.ts";

/** The exits of a plan's position as the broker has them now. */
interface Shown {
  readonly position: BrokerPosition | undefined;
  readonly legs: readonly OrderReport[];
  readonly snapshot: AccountSnapshot;
}

/** How a protection that was interrupted stands: its exits may stand, some of them, or the old ones. */
export async function findProtection(
  { accountId, plan }: Pick<IntentRecord, "accountId" | "plan">,
  broker: Broker,
): Promise<Finding> {
  if (plan === undefined) return { kind: "settled", outcome: unchanged() };
  const shown = await readLegs(accountId, plan, broker);
  const { position } = shown;
  const found = shownExits(plan, shown);
  if (position !== undefined && missingOf(plan, found).length > 0) {
    const { contract, side, orderQty } = plan;
    return {
      kind: "absent",
      afterwards: judge(plan, shown),
      waiting: missing(plan, shown),
      sought: soughtLegs({ contract, side, orderQty }, levelsMissing(plan, found)),
    };
  }
  if (position !== undefined && plan.putBackAfter !== undefined) {
    return { kind: "settled", outcome: putBack(plan, plan.putBackAfter) };
  }
  return { kind: "settled", outcome: outcomeNow(plan, shown, found) };
}

/** What the position has grown by since has no such exits. */
function outcomeNow(
  { contract, orderQty }: LegPlan,
  { position, snapshot }: Shown,
  { takeProfit, stopLoss }: ShownExits,
): Outcome {
  const held = Math.abs(position?.netQty ?? 0);
  const closes = { contract, orderQty: Math.min(held, orderQty ?? held) };
  const result = {
    kind: "PROTECT",
    ...closes,
    ...(takeProfit !== undefined && { takeProfitOrderId: takeProfit.orderId }),
    ...(stopLoss !== undefined && { stopLossOrderId: stopLoss.orderId }),
    ...(position !== undefined && growing(closes, snapshot)),
  } as const;
  return { kind: "done", result };
}

type Canceled = Extract<IntentResult, { kind: "CANCEL" }>;

/**
 * Whether the other leg stands once one of a pair is cancelled: then it ends as done. The leg is
 * known by its identifiers only, for another pair may have a leg at the same price.
 */
export async function findSurvivor(
  { intentId, accountId }: Pick<IntentRecord, "intentId" | "accountId">,
  plan: LegPlan,
  result: Canceled,
  broker: Broker,
): Promise<Finding> {
  const done: Outcome = { kind: "done", result };
  const role = plan.takeProfitPx === undefined ? ("STOP_LOSS" as const) : ("TAKE_PROFIT" as const);
  const again = await broker.findOrder(accountId, legIdOf(survivorIdOf(intentId), role));
  if (again !== undefined && (isWorking(again) || again.ordStatus === "FILLED")) {
    const replacedLeg = { role, orderId: again.orderId };
    return { kind: "settled", outcome: { kind: "done", result: { ...result, replacedLeg } } };
  }
  const { position, legs, snapshot } = await readLegs(accountId, plan, broker);
  if (position === undefined) return { kind: "settled", outcome: done };
  const { oldOrderIds = [], survivorClOrdId } = plan;
  if (snapshot.working.some((order) => oldOrderIds.includes(order.orderId) && isWorking(order))) {
    // Its end may be under way, and so may the new one.
    const waiting = "The other leg still stands under its old id; it is looked up again";
    return { kind: "absent", afterwards: done, waiting, sought: [] };
  }
  const old = survivorClOrdId && (await broker.findOrder(accountId, survivorClOrdId));
  if (old?.ordStatus === "FILLED") return { kind: "settled", outcome: done };
  return {
    kind: "absent",
    afterwards: interrupted(plan, legs),
    waiting: `The other leg is not at the broker, and ${listOf(legs)} is; it is looked up again`,
    // An exit that is thought to be gone is reported, and not placed again.
    sought: [],
  };
}

async function readLegs(accountId: AccountId, plan: LegPlan, broker: Broker): Promise<Shown> {
  const snapshot = await readSnapshot(accountId, broker, (code) => code === plan.contract);
  return {
    position: snapshot.positions.find(
      (position) => position.contract === plan.contract && exitSide(position) === plan.side,
    ),
    legs: liveLegs(snapshot.working, plan),
    snapshot,
  };
}

type Levels = Pick<LegPlan, "takeProfitPx" | "stopLossPx">;

interface ShownExits {
  readonly takeProfit: OrderReport | undefined;
  readonly stopLoss: OrderReport | undefined;
}

/**
 * The legs at the plan's prices, as large as planned unless the position is smaller by now. One that
 * was to make way is none of them, even at the same price.
 */
function shownExits(plan: LegPlan, { position, legs }: Shown): ShownExits {
  const { orderQty = 0, replaces = false, oldOrderIds = [] } = plan;
  const held = Math.abs(position?.netQty ?? 0);
  const least = Math.min(orderQty, held);
  const isMadeWayFor = ({ orderId }: OrderReport) => replaces && oldOrderIds.includes(orderId);
  return legsAt(
    plan,
    legs.filter((leg) => leg.leavesQty >= least && !isMadeWayFor(leg)),
  );
}

function legsAt({ takeProfitPx, stopLossPx }: Levels, legs: readonly OrderReport[]): ShownExits {
  return {
    takeProfit: legs.find(({ price }) => price !== undefined && price === takeProfitPx),
    stopLoss: legs.find(({ stopPx }) => stopPx !== undefined && stopPx === stopLossPx),
  };
}

function missingOf({ takeProfitPx, stopLossPx }: Levels, found: ShownExits): readonly string[] {
  return [
    ...(takeProfitPx !== undefined && found.takeProfit === undefined ? ["take-profit"] : []),
    ...(stopLossPx !== undefined && found.stopLoss === undefined ? ["stop-loss"] : []),
  ];
}

const levelsMissing = ({ takeProfitPx, stopLossPx }: Levels, found: ShownExits) => [
  found.takeProfit === undefined ? takeProfitPx : undefined,
  found.stopLoss === undefined ? stopLossPx : undefined,
];

/** Names what is not there, and what is: other words for another finding. */
function missing(plan: LegPlan, shown: Shown): string {
  const names = missingOf(plan, shownExits(plan, shown)).join(" and ");
  const instead = isAsBefore(plan, shown) ? "the old ones are" : `${listOf(shown.legs)} is`;
  return `The ${names} is not at the broker, and ${instead}; it is looked up again`;
}

/** The new levels are not all there: the old ones may be, or some of both, or none. */
function judge(plan: LegPlan, shown: Shown): Outcome {
  const hadNone = plan.canceled === "" && shown.legs.length === 0;
  return hadNone || isAsBefore(plan, shown) ? unchanged() : interrupted(plan, shown.legs);
}

function putBack({ canceled }: LegPlan, reason: string): Outcome {
  return { kind: "unprotected", canceled, reason, restored: true };
}

function isAsBefore({ before = {}, oldOrderIds = [] }: LegPlan, { legs }: Shown): boolean {
  const isThere = (id: OrderId) => legs.some(({ orderId }) => orderId === id);
  const areAtPrice = missingOf(before, legsAt(before, legs)).length === 0;
  return oldOrderIds.length > 0 && oldOrderIds.every(isThere) && areAtPrice;
}

/** An open position without the exits that were to stand is said to be unprotected, never done. */
function interrupted({ canceled }: LegPlan, legs: readonly OrderReport[]): Outcome {
  const unprotected = { kind: "unprotected", canceled, restored: false } as const;
  if (legs.length === 0) {
    return { ...unprotected, reason: "It was interrupted, and the broker shows no replacement" };
  }
  const reason = "It was interrupted, and the broker shows not all of the new levels";
  return { ...unprotected, reason, standing: listOf(legs) };
}

function listOf(legs: readonly OrderReport[]): string {
  const names = [...new Set(legs.map(nameOf))].map((name) => `a ${name}`);
  return names.length === 0 ? "no exit" : names.join(" and ");
}

const unchanged = (): Outcome => ({
  kind: "lost",
  reason: "The broker shows no new levels; the old ones are as they were",
});
