import type { SentCancel } from "../../../domain/carried-plan.ts";
import type { ClOrdId, OrderId } from "../../../domain/ids.ts";
import type { IntentRecord } from "../../../domain/intent.ts";
import type { Broker } from "../../ports.ts";

/** What was cancelled of what was to be, as far as it was said or the broker shows it. */
export async function findCanceled(
  { exitPlan, outcome, accountId }: IntentRecord,
  broker: Pick<Broker, "findOrder">,
): Promise<Map<OrderId, SentCancel>> {
  const soFar = outcome?.kind === "unknown" ? outcome.soFar : undefined;
  const said = new Set(soFar && "canceledOrderIds" in soFar ? soFar.canceledOrderIds : []);
  const isCanceled = async (clOrdId: ClOrdId | undefined) =>
    clOrdId !== undefined && (await broker.findOrder(accountId, clOrdId))?.ordStatus === "CANCELED";
  const canceled = new Map<OrderId, SentCancel>();
  for (const cancel of exitPlan?.cancels ?? []) {
    const { orderId, clOrdId } = cancel;
    if (said.has(orderId) || (await isCanceled(clOrdId))) canceled.set(orderId, cancel);
  }
  return canceled;
}
