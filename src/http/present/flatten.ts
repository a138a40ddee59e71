import type { DescribeContract } from "../../trading/gateway.ts";
import type { Achieved } from "./outcome.ts";

/** What a flatten closed and cancelled, and what it had to leave. */
export function presentFlatten(
  { record, result }: Achieved<"FLATTEN">,
  describe: DescribeContract,
) {
  return {
    accountId: record.accountId,
    closed: result.closed.map((position) => ({
      ...presentHolding(position, describe),
      orderId: position.orderId,
    })),
    canceledOrders: result.canceledOrderIds,
    remaining: result.remaining.map((position) => presentHolding(position, describe)),
    remainingOrders: result.remainingOrderIds,
    problems: result.problems,
    intentId: record.intentId,
  };
}

/** One position in the words of the API; `netQty` is never 0. */
export function presentHolding(
  { contract, netQty }: { contract: Parameters<DescribeContract>[0]; netQty: number },
  describe: DescribeContract,
) {
  return { symbol: describe(contract).symbol, qty: Math.abs(netQty), side: sideOf(netQty) };
}

export const sideOf = (netQty: number): "long" | "short" => (netQty > 0 ? "long" : "short");
