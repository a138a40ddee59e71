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
/** What decides whether an order is there is asked before entries are sent. */
const PURPOSE: Purpose = "load";

/**
 * The order that goes by the identifier, in any state, as far as the broker shows it: by the hub, among
 * what was placed in the last week, and among what is open from before. Undefined where it shows none;
 * one that is still being taken in may be in no list, so that this alone proves nothing. Throws
 * `BrokerReadError`.
 */
export async function findOrder(
  session: SessionView,
  account: string,
  name: ClOrdId,
  now: number,
): Promise<ProjectXOrder | undefined> {
  const known = newestOf(session.store.ordersOf(account), name);
  if (known !== undefined) return await asOfNow(session, known);
  const ids = { accountId: toWireId(account) };
  const since = { startTimestamp: new Date(now - HISTORY_MS).toISOString() };
  await learnListed(session, account, name, ["Order/search", { ...ids, ...since }]);
  const placed = newestOf(session.store.ordersOf(account), name);
  if (placed !== undefined) return placed;
  await learnListed(session, account, name, ["Order/searchOpen", ids]);
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
async function asOfNow(session: SessionView, order: ProjectXOrder): Promise<ProjectXOrder> {
  const { id, accountId, status } = order;
  if (hasEnded(status) || status === ORDER_STATUS.suspended) return order;
  return (await session.learnAgain(accountId, id)) ?? session.store.order(id) ?? order;
}

/** Takes over what a list has under the name; the rest of it is nothing new. */
async function learnListed(
  session: SessionView,
  account: string,
  name: ClOrdId,
  [path, body]: readonly [string, object],
): Promise<void> {
  const answer = await session.requests.read(path, body, PURPOSE);
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
