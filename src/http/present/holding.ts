import type { ClosedPosition } from "../../domain/intent-result.ts";
import type { DescribeContract } from "../../trading/orders/describe-contract.ts";
import type { Achieved } from "./outcome.ts";

/** One position in the words of the API; `netQty` is never 0. */
export function presentHolding(
  { contract, netQty }: { contract: Parameters<DescribeContract>[0]; netQty: number },
  describe: DescribeContract,
) {
  return { symbol: describe(contract).symbol, qty: Math.abs(netQty), side: sideOf(netQty) };
}

/** What was closed, each with the order that closed it. */
export const presentClosed = (closed: readonly ClosedPosition[], describe: DescribeContract) =>
  closed.map((position) => ({
    ...presentHolding(position, describe),
    orderId: position.orderId,
  }));

export const sideOf = (netQty: number): "long" | "short" => (netQty > 0 ? "long" : "short");

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
