import type { ContractCode } from "../../../domain/contracts/contract.ts";
import type { Outcome } from "../../../domain/intent.ts";
import type { OrderId } from "../../../domain/ids.ts";
import type { OrderReport } from "../../../domain/order.ts";
import { qtyToProtect, type AccountSnapshot } from "../../../domain/exposure.ts";
import type { WorkingExits } from "../../../domain/working-exits.ts";
import type { TicketProblem } from "../../../domain/contracts/tick-reader.ts";
import type { BrokerPosition } from "../../ports.ts";
import type { LaneDeps } from "../lane-deps.ts";

/** The exits that stand at the broker now, by their ids. */
export interface WorkingExitIds {
  readonly takeProfitOrderId?: OrderId;
  readonly stopLossOrderId?: OrderId;
}

/** Of several in one role the first one's. */
export function idsOf(legs: readonly Pick<OrderReport, "role" | "orderId">[]): WorkingExitIds {
  const idOf = (role: OrderReport["role"]) => legs.find((leg) => leg.role === role)?.orderId;
  const takeProfitOrderId = idOf("TAKE_PROFIT");
  const stopLossOrderId = idOf("STOP_LOSS");
  return {
    ...(takeProfitOrderId !== undefined && { takeProfitOrderId }),
    ...(stopLossOrderId !== undefined && { stopLossOrderId }),
  };
}

export function protectedBy(
  { contract, netQty }: Pick<BrokerPosition, "contract" | "netQty">,
  { takeProfitOrderId, stopLossOrderId }: WorkingExitIds,
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

/** Of a position that is being filled: it may become larger than what its exits close. */
export function growing(
  { contract, orderQty }: WorkingExits,
  snapshot: AccountSnapshot,
): Pick<WorkingExits, "growsTo"> {
  const growsTo = Math.abs(qtyToProtect(contract, snapshot));
  return growsTo > orderQty ? { growsTo } : {};
}

/** There was none when the lane came to it, or an exit closed it while it was being protected. */
export function noPosition(
  { describe }: LaneDeps,
  contract: ContractCode | undefined,
): Extract<Outcome, { kind: "denied" }> {
  const where = contract === undefined ? "" : ` in ${describe(contract).symbol}`;
  const reason = `There is no open position${where}, so there is nothing to protect`;
  return { kind: "denied", code: "NO_POSITION", reason };
}

/** Levels that a position cannot have; without one, none was found that is meant. */
export const invalid = (
  problem: string,
  position?: Pick<BrokerPosition, "contract">,
): Extract<Outcome, { kind: "denied" }> => ({
  kind: "denied",
  code: "VALIDATION_FAILED",
  reason: `${problem}; nothing was changed`,
  ...(position !== undefined && { contract: position.contract }),
});

/** The same, for what is wrong with fields of the request. */
export function invalidFields(
  problems: readonly TicketProblem[],
  position?: Pick<BrokerPosition, "contract">,
): Extract<Outcome, { kind: "denied" }> {
  const all = problems.map(({ path, message }) => `${path} ${message}`);
  return { ...invalid(all.join("; "), position), details: problems };
}
