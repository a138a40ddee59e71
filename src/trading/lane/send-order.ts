import type { IntentResult, Outcome } from "../../domain/intent.ts";
import type { AccountLimits } from "../../domain/limits.ts";
import type { NewOrderSingle } from "../../domain/order.ts";
import { endsAtOnce } from "../../domain/risk.ts";
import { placed } from "./settle/find-placed.ts";
import { beforeSending, type LaneDeps, type LaneTask } from "./lane-deps.ts";

/** How long the lane waits for an order that is filled or cancelled at once. */
const CLOSES_WITHIN_MS = 3_000;

type Placed = Extract<IntentResult, { kind: "PLACE" }>;

/** How sending one order ended. */
export type SentOrder =
  | { readonly kind: "done"; readonly result: Placed }
  | Exclude<Outcome, { kind: "done" }>;

/**
 * Sends one order after its write-ahead, and waits for its end where the end comes at once. `entry`
 * is given for what adds risk.
 */
export async function sendOrder(
  deps: LaneDeps,
  task: LaneTask,
  order: NewOrderSingle,
  entry: AccountLimits | undefined,
): Promise<SentOrder> {
  const { record, broker } = task;
  const { clOrdId } = order;
  const refused = await beforeSending(deps, task, { clOrdId, entry });
  if (refused !== undefined) return refused;

  const watched = deps.watch.watch(record.accountId, clOrdId);
  try {
    const sentAt = deps.elapsed();
    const answer = await broker.submitOrder(record.accountId, order);
    if (answer.kind !== "accepted") return answer;
    const ackMs = Math.round(deps.elapsed() - sentAt);
    const report = endsAtOnce(order)
      ? await watched.closedWithin(CLOSES_WITHIN_MS)
      : watched.latest();
    return withAck(placed(order, answer, report), ackMs);
  } finally {
    watched.stop();
  }
}

function withAck(sent: SentOrder, ackMs: number): SentOrder {
  if (sent.kind !== "done") return sent;
  const { result } = sent;
  return { kind: "done", result: { ...result, order: { ...result.order, ackMs } } };
}
