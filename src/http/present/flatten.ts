import { presentClosed, presentHolding } from "./holding.ts";
import type { Achieved } from "./outcome.ts";
import type { DescribeContract } from "../../trading/orders/describe-contract.ts";

/** What a flatten closed and cancelled, and what it had to leave. */
export function presentFlatten(
  { record, result }: Achieved<"FLATTEN">,
  describe: DescribeContract,
) {
  return {
    accountId: record.accountId,
    closed: presentClosed(result.closed, describe),
    canceledOrders: result.canceledOrderIds,
    remaining: result.remaining.map((position) => presentHolding(position, describe)),
    remainingOrders: result.remainingOrderIds,
    problems: result.problems,
    intentId: record.intentId,
  };
}
