import { type FirstOrder, nameIn, type RunningPlan } from "../../../domain/exits/running-plan.ts";
import { firstStopOf } from "../../../domain/exits/plan-levels.ts";
import { isStop, stopQtyOf, targetQtyOf } from "../../../domain/exits/plan-steps.ts";
import { type ClOrdId, intentIdOf, type IntentId, legIdOf, sentIdOf } from "../../../domain/ids.ts";
import { clOrdIdOf } from "../../../domain/intent.ts";
import { isLiveLeg } from "../../../domain/legs.ts";
import { opposite, type OrderReport } from "../../../domain/order.ts";
import type { Snapshot } from "../read-snapshot.ts";
import { type PlanReads, orderOf } from "./plan-reads.ts";

interface PairFill {
  readonly all: number;
  readonly profit: number;
  readonly orders: readonly OrderReport[];
}

const NO_FILL: PairFill = { all: 0, profit: 0, orders: [] };

interface OwnLegs {
  readonly first: readonly OrderReport[];
  readonly firstFilledQty: number;
  readonly firstProfitQty: number;
  readonly pairs: readonly OrderReport[];
  readonly pairFills: readonly PairFill[];
  /** The same as `hasStood`, of each pair. */
  readonly pairStood: readonly boolean[];
  /** The orders of all of these, as far as the broker shows them. */
  readonly orders: readonly OrderReport[];
  readonly otherStopQty: number;
  readonly otherTargetQty: number;
  /** The stop that came with its entry works, or has worked; without a stop, the target. */
  readonly hasStood: boolean;
  readonly seen: Pick<RunningPlan, "firstOrders">;
}

export async function legsOf(
  reads: PlanReads,
  running: RunningPlan,
  { working }: Snapshot,
  {
    pairIds,
    isOthers,
  }: { readonly pairIds: readonly IntentId[]; readonly isOthers: (leg: OrderReport) => boolean },
): Promise<OwnLegs> {
  const side = opposite(running.side);
  const live = working.filter(
    (leg) => isLiveLeg(leg) && leg.contract === running.contract && leg.side === side,
  );
  const owner = (leg: OrderReport) => {
    const name = nameIn(running, leg);
    return name && intentIdOf(name);
  };
  const ofPair = (leg: OrderReport) => pairIds.some((id) => id === owner(leg));
  const pairs = live.filter(ofPair);
  const first = live.filter((leg) => !ofPair(leg) && isFirst(running, leg) && !isOthers(leg));
  const others = live.filter((leg) => !pairs.includes(leg) && !first.includes(leg));
  const firstOrders = ordersSeen(running, first);
  const hasStop = firstStopOf(running.plan) !== undefined;
  const firstFill = await firstFills(reads, { ...running, firstOrders }, first);
  const pairFills = await Promise.all(
    running.pairs.map(async ({ takeProfitPx, stopLossPx }, nth) => {
      const id = pairIds[nth];
      if (id === undefined) return NO_FILL;
      const has = { profit: takeProfitPx !== undefined, loss: stopLossPx !== undefined };
      return await fillsOf(reads, clOrdIdOf(id, 1), has);
    }),
  );
  const isShown = (leg: OrderReport) => isStop(leg) === hasStop && leg.ordStatus !== "REJECTED";
  return {
    first,
    firstFilledQty: firstFill.all,
    firstProfitQty: firstFill.profit,
    pairs,
    pairFills,
    pairStood: pairFills.map(
      ({ orders }, nth) =>
        orders.some(isShown) || pairs.some((leg) => owner(leg) === pairIds[nth] && isShown(leg)),
    ),
    orders: [
      ...[firstFill, ...pairFills].flatMap(({ orders }) => orders),
      ...[...first, ...pairs].filter((leg) => nameIn(running, leg) !== leg.clOrdId),
    ],
    otherStopQty: stopQtyOf(others),
    otherTargetQty: targetQtyOf(others),
    hasStood: [...first, ...firstFill.orders].some(isShown),
    seen: firstOrders.length > 0 ? { firstOrders } : {},
  };
}

/** The exits that came with a plan for a position, as they were seen first. */
function ordersSeen(
  { scope, firstOrders = [] }: RunningPlan,
  live: readonly OrderReport[],
): readonly FirstOrder[] {
  if (scope !== "position") return [];
  const isNew = (id: ClOrdId) => firstOrders.every(({ clOrdId }) => clOrdId !== id);
  const fresh = live.flatMap((leg): FirstOrder[] => {
    const { clOrdId, cumQty } = leg;
    if (clOrdId === undefined || !isNew(clOrdId)) return [];
    return [{ clOrdId, isStop: isStop(leg), cumQty }];
  });
  return [...firstOrders, ...fresh];
}

function isFirst(running: RunningPlan, leg: OrderReport): boolean {
  const { scope, clOrdId, firstLegs, firstOrders } = running;
  const name = nameIn(running, leg);
  if (scope === "entry") return name !== undefined && sentIdOf(name) === clOrdId;
  if (firstLegs?.includes(leg.orderId) === true) return true;
  return name !== leg.clOrdId && firstOrders?.some((one) => one.clOrdId === name) === true;
}

async function firstFills(
  reads: PlanReads,
  { clOrdId, plan, firstOrders = [] }: RunningPlan,
  live: readonly OrderReport[],
): Promise<PairFill> {
  if (clOrdId === undefined) {
    const fills = await Promise.all(
      firstOrders.map(async ({ clOrdId: id, isStop: isLoss, cumQty: before }) => {
        const order = live.find((leg) => leg.clOrdId === id) ?? (await orderOf(reads, id));
        const qty = Math.max(0, (order?.cumQty ?? before) - before);
        return { all: qty, profit: isLoss ? 0 : qty };
      }),
    );
    const sum = (of: "all" | "profit") => fills.reduce((total, fill) => total + fill[of], 0);
    return { all: sum("all"), profit: sum("profit"), orders: [] };
  }
  return await fillsOf(reads, clOrdId, {
    profit: plan.targets[0]?.at !== undefined,
    loss: firstStopOf(plan) !== undefined,
  });
}

async function fillsOf(
  reads: PlanReads,
  id: ClOrdId,
  has: { readonly profit: boolean; readonly loss: boolean },
): Promise<PairFill> {
  const [profit, loss] = await Promise.all([
    has.profit ? orderOf(reads, legIdOf(id, "TAKE_PROFIT")) : undefined,
    has.loss ? orderOf(reads, legIdOf(id, "STOP_LOSS")) : undefined,
  ]);
  const profitQty = profit?.cumQty ?? 0;
  const orders = [profit, loss].filter((order) => order !== undefined);
  return { all: profitQty + (loss?.cumQty ?? 0), profit: profitQty, orders };
}
