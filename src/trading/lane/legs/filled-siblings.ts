import { type AccountId, legIdOf, legOf, type OrderId, sentIdOf } from "../../../domain/ids.ts";
import { areOnePair, isLiveLeg } from "../../../domain/legs.ts";
import { isClosed, type OrderReport } from "../../../domain/order.ts";
import type { Broker } from "../../ports.ts";

/** What is known so far of legs that stand alone. */
export interface Siblings {
  /** Legs that have filled while the other one of their pair was there. */
  filled: readonly OrderReport[];
  /** Legs whose other one was looked up: the answer is final, since it is never placed again. */
  lookedUp: ReadonlySet<OrderId>;
}

/**
 * Finds legs whose fill was not reported. A broker that does not link the legs of a pair shows a leg
 * that is left like one that never had another, so the other is looked up by its identifier, once.
 * Throws `BrokerReadError`; what was not found out by then is looked up the next time.
 */
export async function learnFilledSiblings(
  account: AccountId,
  { working, siblings }: { readonly working: readonly OrderReport[]; readonly siblings: Siblings },
  broker: Pick<Broker, "findOrder">,
): Promise<void> {
  const legs = working.filter(isLiveLeg);
  const isLive = (id: OrderId) => legs.some(({ orderId }) => orderId === id);
  const lookedUp = new Set([...siblings.lookedUp].filter(isLive));
  siblings.lookedUp = lookedUp;

  for (const leg of legs) {
    const isKnown = [...working, ...siblings.filled].some(
      (other) => other.orderId !== leg.orderId && other.role !== "ORDER" && areOnePair(leg, other),
    );
    if (isKnown || lookedUp.has(leg.orderId)) continue;
    const sibling = await findSibling(account, leg, broker);
    if (sibling?.ordStatus === "FILLED") siblings.filled = [...siblings.filled, sibling];
    // One that still works by this answer was missing from the other by mistake.
    if (sibling === undefined || isClosed(sibling.ordStatus)) lookedUp.add(leg.orderId);
  }
}

/**
 * Whether a leg is what is left of a pair whose other leg has filled: where the broker links nothing
 * it is about to be ended for that, whatever else it is made of.
 */
export async function isLeftOver(
  account: AccountId,
  leg: OrderReport,
  broker: Pick<Broker, "findOrder">,
): Promise<boolean> {
  return (await findSibling(account, leg, broker))?.ordStatus === "FILLED";
}

async function findSibling(
  account: AccountId,
  { clOrdId }: OrderReport,
  broker: Pick<Broker, "findOrder">,
): Promise<OrderReport | undefined> {
  const role = clOrdId && legOf(clOrdId);
  if (clOrdId === undefined || role === undefined) return undefined;
  const other = role === "TAKE_PROFIT" ? "STOP_LOSS" : "TAKE_PROFIT";
  return await broker.findOrder(account, legIdOf(sentIdOf(clOrdId), other));
}
