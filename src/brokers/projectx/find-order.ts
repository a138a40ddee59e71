import { type ClOrdId, clOrdId } from "../../domain/ids.ts";
import { BrokerReadError } from "../../trading/ports.ts";
import { clOrdIdOf, readLegTag } from "./leg-tags.ts";
import { hasEnded, isRecord, listOf, toWireId } from "./parse.ts";
import type { Purpose } from "./requests.ts";
import type { SessionView } from "./session-view.ts";
import { ORDER_STATUS, type ProjectXOrder } from "./wire.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
/** An intent is settled or given up long before. */
const HISTORY_MS = 7 * DAY_MS;
/** Which order is looked for. */
export interface OrderLook {
  readonly account: string;
  /** Unix ms. */
  readonly now: number;
  readonly purpose: Purpose;
}

/**
 * The order that goes by the identifier, in any state, as far as the broker shows it: by the hub, among
 * what was placed in the last week, and among what is open from before. Undefined where it shows none;
 * one that is still being taken in may be in no list, so that this alone proves nothing. Throws
 * `BrokerReadError`.
 */
export async function findOrder(
  session: SessionView,
  name: ClOrdId,
  look: OrderLook,
): Promise<ProjectXOrder | undefined> {
  const { account, now, purpose } = look;
  const known = newestOf(session.store.ordersOf(account), name);
  if (known !== undefined) return await asOfNow(session, known, purpose);
  const ids = { accountId: toWireId(account) };
  const since = { startTimestamp: new Date(now - HISTORY_MS).toISOString() };
  await learnListed(session, name, look, ["Order/search", { ...ids, ...since }]);
  const placed = newestOf(session.store.ordersOf(account), name);
  if (placed !== undefined) return placed;
  await learnListed(session, name, look, ["Order/searchOpen", ids]);
  return newestOf(session.store.ordersOf(account), name);
}

/**
 * A leg that was placed again under another tag goes by the name of the first one; by its own tag it is
 * found too.
 */
function newestOf(orders: readonly ProjectXOrder[], name: ClOrdId): ProjectXOrder | undefined {
  return orders
    .filter(({ customTag }) => isCalled(customTag, name))
    .toSorted((one, other) => attemptOf(one) - attemptOf(other))
    .at(-1);
}

const isCalled = (tag: string | undefined, name: ClOrdId): boolean =>
  tag !== undefined && (tag === name || clOrdIdOf(tag) === name);

const attemptOf = ({ customTag = "" }: ProjectXOrder): number =>
  readLegTag(clOrdId(customTag))?.attempt ?? 1;

/** What waits for its entry is shown by the hub alone. */
async function asOfNow(
  session: SessionView,
  order: ProjectXOrder,
  purpose: Purpose,
): Promise<ProjectXOrder> {
  const { id, accountId, status } = order;
  if (hasEnded(status) || status === ORDER_STATUS.suspended) return order;
  return (await session.learnAgain(accountId, id, purpose)) ?? session.store.order(id) ?? order;
}

/** Takes over what a list has under the name; the rest of it is nothing new. */
async function learnListed(
  session: SessionView,
  name: ClOrdId,
  { account, purpose }: OrderLook,
  [path, body]: readonly [string, object],
): Promise<void> {
  // Whether an order is there decides what may be sent, and no word of the hub answers that.
  const answer = await session.requests.read(path, body, purpose === "read" ? "entry" : purpose);
  const listed = listOf(answer, "orders");
  if (listed === undefined) throw new BrokerReadError("ProjectX's answer lists no orders");
  for (const order of listed) {
    if (!isRecord(order) || typeof order["customTag"] !== "string") continue;
    if (!isCalled(order["customTag"], name)) continue;
    session.takeListed(account, order);
    // It is there, and that is all that can be said of it.
    if (newestOf(session.store.ordersOf(account), name) === undefined) {
      throw new BrokerReadError("ProjectX lists the order, and it cannot be read");
    }
  }
}
