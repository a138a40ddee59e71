import type { WantedEntry, WantedLeg } from "./bracket-book.ts";
import { type LegRole, legTag } from "../leg-tags.ts";
import { toPrice } from "../../price-numbers.ts";
import type { SessionView } from "../session-view.ts";
import { ORDER_STATUS, ORDER_TYPE, type ProjectXOrder } from "../wire.ts";

type Session = Pick<SessionView, "store" | "contracts">;

/** Where a leg that waits will go: no word of the broker's says it. */
export function tellLevel(
  { store, contracts }: Session,
  { contractId }: WantedEntry,
  { orderId: id, level }: WantedLeg,
  role: LegRole,
): void {
  const order = store.order(id ?? "");
  const size = contracts.byId(contractId)?.tickSize;
  if (level === undefined || size === undefined) return;
  const name = role === "TAKE_PROFIT" ? "limitPrice" : "stopPrice";
  const price = toPrice(level, size);
  const isWaiting = order?.status === ORDER_STATUS.suspended;
  if (isWaiting && order[name] !== price) store.apply("order", { ...order, [name]: price });
}

/** Legs that wait for an entry are in no list: they are there as long as it is. */
export function showWaiting(session: Session, wanted: WantedEntry, entry: ProjectXOrder): void {
  const { account, contractId, side, size, tag } = wanted;
  for (const [role, leg] of wanted.legs) {
    if (leg.orderId === undefined || leg.isEnded) continue;
    if (session.store.order(leg.orderId) !== undefined) continue;
    session.store.apply("order", {
      id: leg.orderId,
      accountId: account,
      contractId,
      status: ORDER_STATUS.suspended,
      type: role === "TAKE_PROFIT" ? ORDER_TYPE.limit : ORDER_TYPE.stop,
      side: side === "BUY" ? 1 : 0,
      size: entry.size ?? size,
      customTag: legTag({ entry: tag, role, attempt: 1 }),
      parentOrderId: entry.id,
    });
    tellLevel(session, wanted, leg, role);
  }
}
