import type { OrderId } from "../../../domain/ids.ts";
import type { IntentRecord, Outcome } from "../../../domain/intent.ts";
import { isClosed, isOpaque } from "../../../domain/order.ts";
import type { Broker } from "../../ports.ts";
import { survivorIdOf } from "../legs/legs.ts";
import { findSurvivor } from "./find-legs.ts";
import { CLOCK_SLACK_MS } from "./find-nameless.ts";
import type { Finding } from "./find-placed.ts";

/**
 * What became of a cancel whose answer was lost. An order that filled first was not cancelled, and
 * its caller holds a position: it ends as rejected, like a cancel that came too late. Of an order
 * that the broker shows nowhere it takes two look-ups to say so.
 */
export async function findCancel(
  record: IntentRecord,
  orderId: OrderId,
  broker: Broker,
): Promise<Finding> {
  switch (await endingOf(record, orderId, broker)) {
    case "working":
      return {
        kind: "absent",
        afterwards: lost("The broker did not cancel the order; it is still working"),
        waiting: "The order is still working; the cancellation may be under way",
        sought: [],
      };
    case "filled":
      return { kind: "settled", outcome: { kind: "rejected", reason: "It had filled before" } };
    case "canceled":
      return await findLeft(record, orderId, broker);
    case "gone": {
      const left = await findLeft(record, orderId, broker);
      return left.kind === "absent" ? left : { ...GONE, afterwards: left.outcome };
    }
    case "unclear": {
      const left = await findLeft(record, orderId, broker);
      return left.kind === "absent" ? left : { ...GONE, afterwards: lost(UNCLEAR) };
    }
  }
}

const GONE = {
  kind: "absent",
  waiting: "The broker shows the order no more; it is looked up again",
  sought: [],
} as const;

const UNCLEAR =
  "The broker shows the order no more; whether it was cancelled or had ended before is not known";

/** Gone: it worked when its cancel was sent, and has filled nothing since. Unclear: it may have. */
type Ending = "working" | "filled" | "canceled" | "gone" | "unclear";

async function endingOf(record: IntentRecord, orderId: OrderId, broker: Broker): Promise<Ending> {
  const { intentId, accountId, clOrdIds, plan, sentAt = record.acceptedAt } = record;
  // The other leg is written ahead only after the broker has confirmed that this one is cancelled.
  if (clOrdIds.includes(survivorIdOf(intentId))) return "canceled";
  const working = await broker.workingOrders(accountId);
  const shown = working.find((one) => one.orderId === orderId);
  if (shown !== undefined && (isOpaque(shown) || !isClosed(shown.ordStatus))) return "working";

  const all = await broker.fills(accountId, sentAt - CLOCK_SLACK_MS);
  const fills = all.filter((fill) => fill.orderId === orderId);
  const clOrdId =
    plan?.canceledClOrdId ?? fills.find((fill) => fill.clOrdId !== undefined)?.clOrdId;
  const order = clOrdId && (await broker.findOrder(accountId, clOrdId));
  if (order === undefined) return plan === undefined || fills.length > 0 ? "unclear" : "gone";
  if (!isClosed(order.ordStatus)) return "working";
  return order.ordStatus === "FILLED" ? "filled" : "canceled";
}

/** What a cancel leaves behind: nothing, or the other leg of a pair. */
async function findLeft(record: IntentRecord, orderId: OrderId, broker: Broker): Promise<Finding> {
  const { plan } = record;
  const result = { kind: "CANCEL", orderId } as const;
  const hasSurvivor = plan?.takeProfitPx !== undefined || plan?.stopLossPx !== undefined;
  return plan !== undefined && hasSurvivor
    ? await findSurvivor(record, plan, result, broker)
    : { kind: "settled", outcome: { kind: "done", result } };
}

const lost = (reason: string): Outcome => ({ kind: "lost", reason });
