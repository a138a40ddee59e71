import type { Outcome } from "../../../domain/intent.ts";
import type { LegPlan } from "../../../domain/carried-plan.ts";
import { type OrderChange, type OrderReport, understood } from "../../../domain/order.ts";
import type { Ticks } from "../../../domain/contracts/price.ts";
import type { CommandFailure } from "../../ports.ts";
import { beforeSending, type LaneDeps, type LaneTask } from "../lane-deps.ts";
import { describeLeg, readPosition, isWorking, legsIdOf, linkedLeg, nameOf } from "./legs.ts";
import { idsOf, noPosition, protectedBy } from "./protect-outcomes.ts";

/** A leg that stays, and what is to become of it; no change is needed where there is none. */
export interface LegChange {
  readonly leg: OrderReport;
  readonly change?: Omit<OrderChange, "orderId">;
}

/**
 * Whether the levels that are to stand are those of one pair, or of one leg, that is there already.
 * A bracket's leg closes no more than what its entry filled: a larger one must be another order.
 */
export function canChange(legs: readonly OrderReport[], plan: LegPlan): boolean {
  const [first, second] = legs;
  if (first === undefined || legs.length > 2) return false;
  if (second !== undefined && linkedLeg(first, [second]) === undefined) return false;
  const wanted = [plan.takeProfitPx, plan.stopLossPx].filter((level) => level !== undefined);
  const mayGrow = (leg: OrderReport) =>
    leg.parentOrderId === undefined || leg.leavesQty >= (plan.orderQty ?? 0);
  return wanted.length === legs.length && legs.every(mayGrow);
}

/** What is to change of each leg: the stop's comes first. */
export function changesOf(legs: readonly OrderReport[], plan: LegPlan): readonly LegChange[] {
  const rank = ({ role }: OrderReport) => (role === "STOP_LOSS" ? 0 : 1);
  return legs
    .toSorted((one, other) => rank(one) - rank(other))
    .map((leg) => {
      const change = { ...levelChange(leg, plan), ...sizeChange(leg, plan.orderQty) };
      return Object.keys(change).length === 0 ? { leg } : { leg, change };
    });
}

function levelChange(
  { role, price, stopPx }: OrderReport,
  { takeProfitPx, stopLossPx }: LegPlan,
): { price?: Ticks; stopPx?: Ticks } {
  if (role === "STOP_LOSS") {
    return stopLossPx === undefined || stopLossPx === stopPx ? {} : { stopPx: stopLossPx };
  }
  return takeProfitPx === undefined || takeProfitPx === price ? {} : { price: takeProfitPx };
}

function sizeChange({ cumQty, leavesQty }: OrderReport, qty = leavesQty): { orderQty?: number } {
  return qty === leavesQty ? {} : { orderQty: cumQty + qty };
}

/**
 * Moves the legs to where the plan has them, one after the other, by the broker's own modify. If one
 * moved and the next is refused, the first is put back, in one attempt.
 */
export async function changeLegs(
  deps: LaneDeps,
  task: LaneTask,
  legs: readonly LegChange[],
  plan: LegPlan,
): Promise<Outcome> {
  const { record } = task;
  const isNeeded = legs.some(({ change }) => change !== undefined);
  if (isNeeded) {
    const clOrdId = legsIdOf(record, 1);
    const refused = await beforeSending(deps, task, { clOrdId, plan });
    if (refused !== undefined) return refused;
    const failed = await carryOut(deps, task, legs, plan);
    if (failed !== undefined) return failed;
  }
  const { orderQty = 0 } = plan;
  // An exit may have filled meanwhile. What is now larger than the position, the leg keeper cuts.
  const left = isNeeded ? await readPosition(task, plan) : { netQty: orderQty };
  if (left === undefined) return noPosition(deps, plan.contract);
  if (isNeeded && !(await areStanding(task, legs))) return ENDED;
  const netQty = Math.min(orderQty, Math.abs(left.netQty));

  return protectedBy({ contract: plan.contract, netQty }, idsOf(legs.map(({ leg }) => leg)));
}

/** Brokers have been reported to end a pair over the change of one leg; some adapters place it again. */
const ENDED: Outcome = {
  kind: "unknown",
  reason: "The broker took the change, and does not show all the legs any more",
};

async function areStanding({ record, broker }: LaneTask, legs: readonly LegChange[]) {
  const working = understood(await broker.workingOrders(record.accountId));
  const standing = new Set(working.filter(isWorking).map(({ orderId }) => orderId));
  return legs.every(({ leg }) => standing.has(leg.orderId));
}

/** Answers an outcome only when not everything was carried out. */
async function carryOut(
  deps: LaneDeps,
  task: LaneTask,
  legs: readonly LegChange[],
  plan: LegPlan,
): Promise<Outcome | undefined> {
  const moved: LegChange[] = [];
  for (const one of legs) {
    const answer = await modify(task, one);
    if (answer.kind === "accepted") {
      if (one.change !== undefined) moved.push(one);
    } else if (answer.kind === "unknown" || (answer.kind === "notSent" && moved.length === 0)) {
      return answer;
    } else {
      return await undo(deps, task, { legs, moved, failure: answer }, plan);
    }
  }
  return undefined;
}

async function modify({ record, broker }: LaneTask, { leg, change }: LegChange) {
  if (change === undefined) return { kind: "accepted" } as const;
  const { orderId } = leg;
  return await broker.modifyOrder(record.accountId, { orderId, ...change });
}

interface HalfDone {
  readonly legs: readonly LegChange[];
  readonly moved: readonly LegChange[];
  readonly failure: CommandFailure;
}

/** A leg that was refused may just have closed the position. */
async function undo(
  deps: LaneDeps,
  task: LaneTask,
  { legs, moved, failure }: HalfDone,
  plan: LegPlan,
): Promise<Outcome> {
  const [first] = moved;
  const back = first && (await modify(task, { leg: first.leg, change: inverseOf(first) }));
  if (first !== undefined && back?.kind === "accepted") {
    const reason = `${failure.reason}; the ${nameOf(first.leg)} was put back, so nothing has changed`;
    return { kind: "rejected", reason };
  }
  if (first !== undefined && back?.kind === "unknown") {
    const reason = `${failure.reason}; whether the ${nameOf(first.leg)} was put back is not known`;
    return { kind: "unknown", reason };
  }
  if ((await readPosition(task, plan)) === undefined) return noPosition(deps, plan.contract);
  if (first === undefined || back === undefined || back.kind === "accepted") return failure;
  const standing = legs.map((one) =>
    describeLeg(deps, moved.includes(one) ? changed(one) : one.leg),
  );
  return {
    kind: "unprotected",
    canceled: describeLeg(deps, first.leg),
    reason: `${failure.reason}; putting the ${nameOf(first.leg)} back failed too: ${back.reason}`,
    restored: false,
    standing: standing.join(" and "),
  };
}

/** The values that a changed leg had before. */
function inverseOf({ leg, change = {} }: LegChange): Omit<OrderChange, "orderId"> {
  const { price, stopPx, orderQty } = leg;
  return {
    ...(change.price !== undefined && price !== undefined && { price }),
    ...(change.stopPx !== undefined && stopPx !== undefined && { stopPx }),
    ...(change.orderQty !== undefined && { orderQty }),
  };
}

function changed({ leg, change }: LegChange): OrderReport {
  const next = { ...leg, ...change };
  return { ...next, leavesQty: next.orderQty - next.cumQty };
}
