import type { AccountId, ClOrdId, IntentId } from "../../../domain/ids.ts";
import { type IntentRecord, isUnsettled } from "../../../domain/intent.ts";
import { isClosed, type OrderReport } from "../../../domain/order.ts";
import type { NamedOrder, Trip } from "../../../domain/book/lots.ts";
import type { Broker } from "../../ports.ts";

/** The intents that a plan derives, the same in every process. */
export type PlanIntentId = (plan: IntentId, what: "pair" | "close", nth: number) => IntentId;

export interface PlanReads {
  readonly account: AccountId;
  readonly broker: Pick<Broker, "findOrder">;
  readonly intentIdOf: PlanIntentId;
  readonly find: (account: AccountId, intent: IntentId) => Promise<IntentRecord | undefined>;
  /** Orders that work no more stay as they are. */
  readonly ended: Map<ClOrdId, OrderReport>;
  /** So do intents that have ended. */
  readonly settled: Map<IntentId, IntentRecord>;
  /** These may have no record yet. */
  readonly submitting: ReadonlySet<IntentId>;
  /** The book of its contract. */
  readonly trip: Trip;
  /** Other plans of the contract learn the names of this one's orders. */
  readonly noteNames: (orders: readonly NamedOrder[]) => void;
  /** A steady clock, ms. */
  readonly elapsed: number;
}

/** An order by its identifier; one that has ended is not asked for again. */
export async function orderOf(
  { account, broker, ended }: PlanReads,
  id: ClOrdId,
): Promise<OrderReport | undefined> {
  const known = ended.get(id);
  if (known !== undefined) return known;
  const order = await broker.findOrder(account, id);
  if (order !== undefined && isClosed(order.ordStatus)) ended.set(id, order);
  return order;
}

export async function recordOf(
  { account, find, settled }: PlanReads,
  id: IntentId,
): Promise<IntentRecord | undefined> {
  const known = settled.get(id);
  if (known !== undefined) return known;
  const record = await find(account, id);
  if (record !== undefined && !isUnsettled(record.state)) settled.set(id, record);
  return record;
}
