import type { Outcome, DryRunStep } from "../../domain/intent.ts";
import type { WorkingOrder } from "../../domain/order.ts";
import type { Rest } from "./end-rest.ts";

/** How a test ends that would have been carried out: with what would have been done. */
export const dryRunDone = (steps: readonly DryRunStep[]): Outcome => ({
  kind: "done",
  result: { kind: "TEST", steps },
});

/** What ending all of it would do, in its order. */
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

/** Why an entry that is held would not be sent at once. */
export const WAITS: DryRunStep = {
  kind: "wait",
  reason: "The outcome of something earlier is not known yet; entries wait until it is",
};
