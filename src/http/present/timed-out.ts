import { ACTION_OF, STATUS_OF } from "../words.ts";
import type { DescribeContract } from "../../trading/orders/describe-contract.ts";
import { presentAverage } from "./figures.ts";
import { presentLegIds } from "./order.ts";
import type { Achieved } from "./outcome.ts";

/** What became of an entry whose time was over, and of what was left of it. */
export function presentTimedOut(
  { record: { accountId, intentId, intent }, result }: Achieved<"TIMEOUT">,
  describe: DescribeContract,
) {
  const { entry, contract, canceledOrderIds, order, problems } = result;
  const terms = describe(contract);
  const asked = intent.kind === "TIMEOUT" ? intent.bracket : undefined;
  return {
    accountId,
    symbol: terms.symbol,
    entry: { orderId: entry.orderId ?? null, filledQty: entry.cumQty ?? null },
    canceledOrders: canceledOrderIds,
    market:
      order === undefined
        ? null
        : {
            orderId: order.orderId,
            action: ACTION_OF[order.side],
            qty: order.orderQty,
            status: STATUS_OF[order.ordStatus],
            filledQty: order.cumQty,
            averagePrice: presentAverage(order.avgPx, terms),
            bracket: presentLegIds(order, asked),
          },
    problems,
    intentId,
  };
}
