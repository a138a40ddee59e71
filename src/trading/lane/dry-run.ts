import type { Outcome } from "../../domain/intent.ts";
import type { DryRunStep } from "../../domain/intent-result.ts";
import type { WorkingOrder } from "../../domain/order.ts";
import type { Rest } from "./closing/read-rest.ts";

/** The outcome of a dry run that would have been carried out: what would have been done. */
export const dryRunDone = (steps: readonly DryRunStep[]): Outcome => ({
  kind: "done",
  result: { kind: "TEST", steps },
});

/** The steps of ending all of it, in their order. */
export function endingSteps({
  positions,
  orders,
}: {
  readonly positions: Rest["positions"];
  readonly orders: readonly WorkingOrder[];
}): readonly DryRunStep[] {
  return [
    ...orders.map(({ orderId, contract }) => ({
      kind: "cancel" as const,
      orderId,
      ...(contract !== undefined && { contract }),
    })),
    ...positions.map(({ contract, netQty }) => ({ kind: "close", contract, netQty }) as const),
  ];
}

/** Why a parked entry would not be sent at once. */
export const WAITS: DryRunStep = {
  kind: "wait",
  reason: "The outcome of something earlier is not known yet; entries wait until it is",
};

/** Of an order that waits and is sized by its risk. */
export const SIZED_THEN: DryRunStep = {
  kind: "wait",
  reason:
    "How many contracts its risk allows is worked out then, by the price and the account's worth",
};
