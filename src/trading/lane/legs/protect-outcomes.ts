import type { ContractCode } from "../../../domain/contract.ts";
import type { Outcome } from "../../../domain/intent.ts";
import type { OrderId } from "../../../domain/ids.ts";
import type { BrokerPosition } from "../../ports.ts";
import type { LaneDeps } from "../lane-deps.ts";

/** The exits that stand at the broker now, by their ids. */
export interface StandingIds {
  readonly takeProfitOrderId?: OrderId;
  readonly stopLossOrderId?: OrderId;
}

export function protectedBy(
  { contract, netQty }: Pick<BrokerPosition, "contract" | "netQty">,
  { takeProfitOrderId, stopLossOrderId }: StandingIds,
): Outcome {
  return {
    kind: "done",
    result: {
      kind: "PROTECT",
      contract,
      orderQty: Math.abs(netQty),
      ...(takeProfitOrderId !== undefined && { takeProfitOrderId }),
      ...(stopLossOrderId !== undefined && { stopLossOrderId }),
    },
  };
}

/** There was none when the lane came to it, or an exit closed it while it was being protected. */
export function noPosition({ describe }: LaneDeps, contract: ContractCode): Outcome {
  const { symbol } = describe(contract);
  const reason = `There is no open position in ${symbol} any more, so there is nothing to protect`;
  return { kind: "denied", code: "NO_POSITION", reason };
}

export const invalid = (problem: string): Outcome => ({
  kind: "denied",
  code: "VALIDATION_FAILED",
  reason: `${problem}; nothing was changed`,
});
