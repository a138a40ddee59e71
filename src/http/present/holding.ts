import type { ClosedPosition } from "../../domain/intent.ts";
import type { DescribeContract } from "../../trading/orders/describe-contract.ts";

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
