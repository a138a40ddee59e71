import type { Outcome } from "../../../domain/intent.ts";
import type { LegPlan } from "../../../domain/carried-plan.ts";
import { isEntryWorking } from "../../../domain/legs.ts";
import type { Bracket, OrderReport } from "../../../domain/order.ts";
import type { BrokerPosition } from "../../ports.ts";
import type { LaneDeps, LaneTask } from "../lane-deps.ts";
import type { Snapshot } from "../read-snapshot.ts";
import { dryRunDone } from "../dry-run.ts";
import { canChange, changeLegs, changesOf } from "./change-legs.ts";
import { isLeftOver } from "./filled-siblings.ts";
import { describeLeg, describeLegs, exitSide, liveLegs } from "./legs.ts";
import { changedLevels, levelsFor, levelsOf, problemOf, targetDoubt } from "./protect-levels.ts";
import { growing, invalid } from "./protect-outcomes.ts";
import { replaceLegs } from "./replace-legs.ts";

/** A position, and what the broker showed with it. */
export interface PositionNow {
  readonly position: BrokerPosition;
  readonly snapshot: Snapshot;
  /** The take-profit that works is not placed again. */
  readonly dropsTarget?: boolean;
}

/**
 * Brings the exits of a position where they were asked for, for its full size. A level that is not
 * given stays as it is. A pair that is there already is changed in place, so that the position is
 * never without its stop; otherwise all that is there makes way for one new pair. Old removed and new
 * refused is said loudly (specification 3.2; "Rules for money" 7). A take-profit that may lie beyond the
 * market is not sent, and never keeps the stop from it.
 */
export async function protectOpenPosition(
  deps: LaneDeps,
  task: LaneTask,
  bracket: Bracket,
  { position, snapshot, dropsTarget = false }: PositionNow,
): Promise<Outcome> {
  const { contract } = position;
  const { working } = snapshot;
  const side = exitSide(position);
  const old = liveLegs(working, { contract, side });
  const before = levelsOf(old);
  const asked = levelsFor(bracket, position);
  if (asked === undefined) return invalid(NO_AVERAGE, position);
  const { takeProfitPx, ...others } = { ...before, ...asked };
  const plan: LegPlan = {
    contract,
    side,
    orderQty: Math.abs(position.netQty),
    ...others,
    ...(takeProfitPx !== undefined && !dropsTarget && { takeProfitPx }),
    before,
    oldOrderIds: old.map(({ orderId }) => orderId),
    canceled: describeLegs(deps, old),
  };
  const inPlace = canChange(old, plan) && !(await hasLeftOver(task, old));
  if (!inPlace && old.some((leg) => isEntryWorking(leg, { working }))) {
    return invalid(GROWING, position);
  }
  const sent = inPlace ? changedLevels(before, asked) : plan;
  const quote = deps.quoteOf(task.record.accountId, contract);
  const check = { position, levels: plan, sent, quote };
  const problem = problemOf(deps, check);
  if (problem !== undefined) return invalid(problem, position);
  const doubt = targetDoubt(deps, check);
  if (doubt !== undefined) {
    return await protectWithoutTarget(deps, task, bracket, { position, snapshot, doubt });
  }
  if (task.record.test === true) {
    return dryRunDone([{ kind: "protect", contract, levels: bracketOf(plan) }]);
  }

  const outcome = inPlace
    ? await changeLegs(deps, task, changesOf(old, plan), plan)
    : await replaceLegs(deps, task, old, { plan: { ...plan, replaces: true }, position });
  if (outcome.kind !== "done" || outcome.result.kind !== "PROTECT") return outcome;
  return { kind: "done", result: { ...outcome.result, ...growing(outcome.result, snapshot) } };
}

/** The stop alone, and why the take-profit is not there. */
async function protectWithoutTarget(
  deps: LaneDeps,
  task: LaneTask,
  { stopLoss, takeProfit }: Bracket,
  { doubt, ...now }: PositionNow & { readonly doubt: string },
): Promise<Outcome> {
  const { position, snapshot } = now;
  const { contract, netQty } = position;
  if (stopLoss === undefined || task.record.test === true) return invalid(doubt, position);
  // One that works may lie beyond the market by now, and is not placed again with the new stop.
  const dropsTarget = takeProfit === undefined;
  const outcome = await protectOpenPosition(deps, task, { stopLoss }, { ...now, dropsTarget });
  if (outcome.kind !== "done") return outcome;
  const old = levelsOf(liveLegs(snapshot.working, { contract, side: exitSide(position) }));
  const { stopLossPx: stopPx, takeProfitPx } = { ...old, ...levelsFor({ stopLoss }, position) };
  const price = dropsTarget ? undefined : takeProfitPx;
  const leavesQty = Math.abs(netQty);
  const describe = (leg: Pick<OrderReport, "role" | "price" | "stopPx">) =>
    describeLeg(deps, { contract, leavesQty, ...leg });
  const standing = [
    ...(stopPx === undefined ? [] : [describe({ role: "STOP_LOSS", stopPx })]),
    ...(price === undefined ? [] : [describe({ role: "TAKE_PROFIT", price })]),
  ].join(" and ");
  return {
    kind: "unprotected",
    canceled: "",
    reason: doubt,
    restored: false,
    missing: ["TAKE_PROFIT"],
    standing,
  };
}

/** Where all the exits are to stand, by their prices. */
function bracketOf({ takeProfitPx, stopLossPx }: LegPlan): Bracket {
  return {
    ...(takeProfitPx !== undefined && { takeProfit: { by: "price", price: takeProfitPx } }),
    ...(stopLossPx !== undefined && { stopLoss: { by: "price", price: stopLossPx } }),
  };
}

const NO_AVERAGE =
  "the broker does not tell the average price of the position, so a distance counts from nothing: give prices";

/** Legs that are replaced grow no more: what the entry still fills would have no exit. */
const GROWING =
  "an entry is still being filled and its exits grow with it: change the levels that it has, or cancel its rest first";

/** What goes on under its old identifier would be ended for the fill of the pair's other leg. */
async function hasLeftOver(
  { record, broker, connection }: LaneTask,
  legs: readonly OrderReport[],
): Promise<boolean> {
  const [leg] = legs;
  if (connection.nativeOco || leg === undefined || legs.length > 1) return false;
  return await isLeftOver(record.accountId, leg, broker);
}
