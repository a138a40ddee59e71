import type { IntentRecord, Outcome } from "../../../domain/intent.ts";
import type { Broker } from "../../ports.ts";
import { type Finding, findSent } from "../settle/find-placed.ts";
import type { TimeoutIntent } from "./ports.ts";
import { restIdOf } from "./run-timeout.ts";

/**
 * What became of the order at the market that was to follow an entry whose time was over. It is looked
 * up and never sent again; the entry's own end was confirmed before it was written ahead.
 */
export async function findTimedOut(
  record: IntentRecord,
  intent: TimeoutIntent,
  broker: Broker,
): Promise<Finding> {
  const { contract, kind, clOrdId, bracket } = intent;
  const restId = restIdOf(record.intentId);
  const [found, entry, rest] = await Promise.all([
    findSent(record, restId, { contract, ...(bracket !== undefined && { bracket }) }, broker),
    broker.findOrder(record.accountId, clOrdId),
    broker.findOrder(record.accountId, restId),
  ]);
  const told = {
    kind,
    contract,
    entry: entry === undefined ? {} : { orderId: entry.orderId, cumQty: entry.cumQty },
    canceledOrderIds: entry === undefined ? [] : [entry.orderId],
  };
  const without = (reason: string): Outcome => ({
    kind: "done",
    result: { ...told, problems: [`What was left of it is not at the market: ${reason}`] },
  });
  if (found?.kind === "done") {
    const { order, problems = [] } = found.result;
    const orderQty = rest?.orderQty ?? order.cumQty;
    const result = { ...told, order: { ...order, side: intent.side, orderQty }, problems };
    return { kind: "settled", outcome: { kind: "done", result } };
  }
  if (found !== undefined) return { kind: "settled", outcome: without(found.reason) };
  return {
    kind: "absent",
    afterwards: without("the broker proved that it never had the order"),
    waiting: "The broker does not show the order at the market; it is looked up again",
    sought: [{ contract, side: intent.side, ordType: "MARKET", timeInForce: "DAY" }],
  };
}
