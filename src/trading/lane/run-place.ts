import { clOrdIdOf, type Outcome } from "../../domain/intent.ts";
import type { NewOrderSingle } from "../../domain/order.ts";
import type { PreparedOrder } from "../../domain/order-ticket.ts";
import { endsAtOnce } from "../../domain/risk.ts";
import { findPlaced, placed } from "./find-placed.ts";
import { guardOrder } from "./guard-order.ts";
import { beforeSending, type LaneDeps, type LaneTask } from "./lane-deps.ts";

/** How long the lane waits for an order that is filled or cancelled at once. */
const CLOSES_WITHIN_MS = 3_000;
/** A store that has taken another one's place need not have the same clock. */
const CLOCK_SLACK_MS = 2_000;

/**
 * Sends one order, and waits for its end where the end comes at once. Answers `held` when it must
 * not be sent before earlier outcomes are known.
 */
export async function runPlace(
  deps: LaneDeps,
  task: LaneTask,
  prepared: PreparedOrder,
): Promise<Outcome | "held"> {
  const { record, context, broker } = task;
  const earlier = await findEarlier(deps, task);
  if (earlier !== undefined) return earlier;
  const guarded = await guardOrder(context, prepared, broker, deps.defaultLimits);
  if (guarded.kind === "stop") return guarded.outcome;
  if (guarded.kind === "hold") return "held";

  const order: NewOrderSingle = { ...prepared, clOrdId: clOrdIdOf(record.intentId, 1) };
  const entry = guarded.adds ? guarded.limits : undefined;
  const refused = await beforeSending(deps, task, { clOrdId: order.clOrdId, entry });
  if (refused !== undefined) return refused;

  const watched = deps.watch.watch(record.accountId, order.clOrdId);
  try {
    const answer = await broker.submitOrder(record.accountId, order);
    if (answer.kind !== "accepted") return answer;
    const report = endsAtOnce(order)
      ? await watched.closedWithin(CLOSES_WITHIN_MS)
      : watched.latest();
    return placed(order, answer, report);
  } finally {
    watched.stop();
  }
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
