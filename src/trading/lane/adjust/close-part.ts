import { isClosed, sign } from "../../../domain/order.ts";
import type { Aim } from "../../../domain/alert.ts";
import type { PreparedOrder } from "../../../domain/order-ticket.ts";
import { isDemand } from "../closing/going-on.ts";
import type { RestPosition } from "../closing/read-rest.ts";
import { beginClose, endUnfilled, nextId, planOf, standsAs } from "../closing/progress.ts";
import type { LaneDeps, LaneTask } from "../lane-deps.ts";
import { netQtyOf } from "../read-snapshot.ts";
import { BEING_CLOSED, CLOSED_MEANWHILE, leftToClose, sendOrder } from "../send-order.ts";
import type { View } from "../view.ts";
import { type AdjustRun, fail } from "./adjust-answer.ts";

/** At the market; the exits of what stays open are cut to its size. */
export async function closePart(
  deps: LaneDeps,
  task: LaneTask,
  order: PreparedOrder,
  { aim, run, snapshot }: { readonly aim: Aim; readonly run: AdjustRun; readonly snapshot: View },
): Promise<void> {
  const { progress } = run;
  const { contract, side, orderQty } = order;
  // It remains, should it not be closed now.
  const part: readonly RestPosition[] = snapshot.positions.filter(
    (one) => one.contract === contract,
  );
  const leave = (qty = orderQty) => {
    const left = part.map((one) => ({ ...one, netQty: -sign(side) * qty }));
    run.left = { ...run.left, positions: [...run.left.positions, ...left] };
  };
  const market = deps.marketOf(task.connection, contract);
  if (market.kind === "closed" && isDemand(task.record)) {
    progress.waits.set(contract, market.opensAt);
    return leave();
  }
  const clOrdId = nextId(task, progress);
  // A sell closes what is long.
  const { beside } = part[0] ?? {};
  const close = beginClose(progress, {
    contract,
    clOrdId,
    direction: -sign(side),
    ...(beside !== undefined && { lots: beside.lots }),
  });
  const shown = netQtyOf(snapshot, contract);
  const held = shown + Math.sign(shown) * (beside?.qty ?? 0);
  const decided = { order: { ...order, clOrdId }, held, view: snapshot };
  // A target says how much stays, whatever has closed the rest.
  const staysQty = aim.to === "position" ? Math.abs(aim.netQty) : 0;
  const sparedQty = staysQty + (beside?.qty ?? 0);
  const again = async () => await leftToClose(deps, task, decided, sparedQty);
  const sent = await sendOrder(deps, task, decided, { exitPlan: planOf(progress), again });
  if (sent.kind !== "done") {
    endUnfilled(close, sent.kind, progress);
    if (sent === BEING_CLOSED && isDemand(task.record)) {
      run.problems.push(sent.reason);
      return leave();
    }
    if (sent === CLOSED_MEANWHILE && aim.to !== "order") {
      run.problems.push(CLOSED_BY_OTHERS);
      return;
    }
    if (sent.kind === "rejected" || sent.kind === "notSent") leave();
    fail(run, "A part was to be closed", sent);
    return;
  }
  run.problems.push(...(sent.result.problems ?? []));
  const { orderId, cumQty, ordStatus } = sent.result.order;
  if (cumQty > 0 || !isClosed(ordStatus)) progress.taken.add(contract);
  Object.assign(close, {
    orderId,
    cumQty,
    isOver: isClosed(ordStatus),
    order: standsAs(sent.result.order),
  });
  const { orderQty: sentQty = orderQty } = sent.result;
  if (cumQty >= sentQty) return;
  const how = isClosed(ordStatus) ? "were closed" : "are closed yet, and the rest is on its way";
  run.problems.push(`Of ${sentQty} that were to be closed ${cumQty} ${how}`);
  if (isClosed(ordStatus)) leave(sentQty - cumQty);
  if (isClosed(ordStatus) && cumQty === 0) {
    run.failed ??= { kind: "rejected", reason: "The broker ended the close unfilled" };
  }
}

const CLOSED_BY_OTHERS = "Something else has closed what was to be closed here";
