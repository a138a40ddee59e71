import { intentIdOf } from "../../../domain/ids.ts";
import { isGoingOn, isUnsettled } from "../../../domain/intent.ts";
import { endsAtOnce, type OrderReport } from "../../../domain/order.ts";
import type { LaneDeps, LaneTask } from "../lane-deps.ts";
import type { Close, Progress } from "./progress.ts";
import { isExitOf, type Rest } from "./read-rest.ts";

/** Besides those for its exits: the close, another try, and what is read between. */
const REQUESTS_OF_A_CLOSE = 6;

/** The exits that stay until the broker has taken a close. */
interface Way {
  readonly kept: readonly OrderReport[];
  /** Whether the broker's limits allow for all the cancels, a close each, and the way back of the exits. */
  readonly hasRoom: boolean;
}

/**
 * Exits of positions that perhaps cannot be closed now stay until the broker takes a close. So do those of what
 * was refused before, and all of them without room for the cancels, a close and the way back.
 */
export function makeWay(
  { marketOf }: LaneDeps,
  { record, connection, broker }: LaneTask,
  {
    rest: { positions, orders, opaque },
    progress,
  }: {
    readonly rest: Pick<Rest, "positions" | "orders" | "opaque">;
    readonly progress: Progress;
  },
): Way {
  const exits = orders.filter((order) => isExitOf(positions, order));
  const cancels = orders.length + opaque.length;
  const requests = cancels + exits.length + REQUESTS_OF_A_CLOSE * positions.length;
  const hasRoom = positions.length === 0 || cancels === 0 || broker.hasRoomFor(requests);
  if (!hasRoom) return { kept: exits, hasRoom };
  // An exit that goes on lets them make way once: some brokers take no close beside them.
  const madeWay = (contract: Close["contract"]) =>
    isGoingOn(record.state) &&
    [...progress.cancels.values()].some((cancel) => cancel.contract === contract && cancel.leg);
  const kept = exits.filter(
    ({ contract }) =>
      progress.tried.has(contract) ||
      madeWay(contract) ||
      marketOf(connection, contract).kind !== "open",
  );
  return { kept, hasRoom };
}

/**
 * Closes of other exits that go on as well. They are waited for: two exits that cancel each other's closes would
 * close nothing.
 */
export async function othersCloses(
  { intents }: LaneDeps,
  { record }: LaneTask,
  { orders }: Rest,
): Promise<readonly OrderReport[]> {
  const closes: OrderReport[] = [];
  for (const order of orders) {
    const id = order.clOrdId === undefined ? undefined : intentIdOf(order.clOrdId);
    if (order.role !== "ORDER" || !endsAtOnce(order) || id === undefined) continue;
    const other = await intents.find(record.accountId, id);
    if (other === undefined || !isUnsettled(other.state)) continue;
    if (other.intent.kind === "FLATTEN" || other.intent.kind === "ADJUST") closes.push(order);
  }
  return closes;
}
