import { type AccountId, legOf, type OrderId } from "../../domain/ids.ts";
import { clOrdIdOf, type Intent, type Outcome } from "../../domain/intent.ts";
import { isForeign, type OpaqueOrder, type WorkingOrder } from "../../domain/order.ts";
import { exitCuts, reckonAll } from "../../domain/reckoning.ts";
import type { Broker } from "../ports.ts";
import { readStanding } from "./read-standing.ts";
import { isMeant } from "../resolve.ts";
import { endingSteps, tested } from "./tested.ts";
import { beforeSending, type LaneDeps, type LaneTask } from "./lane-deps.ts";

type Scope = Pick<Extract<Intent, { kind: "CANCEL_ENTRIES" }>, "root" | "contract">;

/** An order of which nothing, or only a part, may go on working. */
interface Ending {
  readonly order: WorkingOrder;
  /** Of an exit that is larger than the position: what it becomes. */
  readonly orderQty?: number;
}

/**
 * Cancels every resting order, of the account or of one symbol, that could open or grow a position;
 * exits and legs stay, each as far as it is one.
 */
export async function runCancelEntries(
  deps: LaneDeps,
  task: LaneTask,
  scope: Scope,
): Promise<Outcome> {
  const { record, broker } = task;
  if (record.test === true) {
    const endings = await readEntries(record.accountId, scope, broker);
    const orders = endings.filter(({ orderQty }) => orderQty === undefined);
    return tested(endingSteps({ positions: [], orders: orders.map(({ order }) => order) }));
  }
  const clOrdId = clOrdIdOf(record.intentId, 1);
  const refused = await beforeSending(deps, task, { clOrdId });
  return refused ?? (await cancelEntries(record.accountId, scope, broker));
}

/** May be run again after an interruption: an order can be cancelled only once. */
export async function cancelEntries(
  accountId: AccountId,
  scope: Scope,
  broker: Broker,
): Promise<Outcome> {
  const entries = await readEntries(accountId, scope, broker);
  const canceledOrderIds: OrderId[] = [];
  for (const ending of entries) {
    const { orderId } = ending.order;
    const isSmaller = await makeSmaller(accountId, ending, broker);
    if (isSmaller) continue;
    const answer = await broker.cancelOrder(accountId, orderId);
    if (answer.kind === "accepted") canceledOrderIds.push(orderId);
    // Refused means that it has filled or gone. Whatever else: it is tried again.
    if (answer.kind === "unknown" || answer.kind === "notSent") {
      return { kind: "unknown", reason: `Not every resting entry is cancelled: ${answer.reason}` };
    }
  }
  return { kind: "done", result: { kind: "CANCEL_ENTRIES", canceledOrderIds } };
}

/** What cannot be made smaller is cancelled like everything else that could open a position. */
async function makeSmaller(
  accountId: AccountId,
  { order: { orderId }, orderQty }: Ending,
  broker: Broker,
): Promise<boolean> {
  if (orderQty === undefined) return false;
  const answer = await broker.modifyOrder(accountId, { orderId, orderQty });
  return answer.kind === "accepted";
}

async function readEntries(
  accountId: AccountId,
  scope: Scope,
  broker: Broker,
): Promise<readonly Ending[]> {
  const standing = await readStanding(accountId, broker);
  const entries = reckonAll(standing)
    .filter(({ contract }) => isMeant(contract, scope))
    .flatMap((reckoning) => exitCuts(reckoning))
    // What a person placed by hand is theirs.
    .filter(({ order }) => !isForeign(order))
    .map(({ order, leavesQty }) => ({
      order,
      ...(leavesQty > 0 && { orderQty: order.cumQty + leavesQty }),
    }));
  const opaque = standing.opaque.filter((order) => mayEnter(order, scope));
  return [...entries, ...opaque.map((order) => ({ order }))];
}

/** What an order of ours that is not understood may do is not known; only exits are known by name. */
function mayEnter(order: OpaqueOrder, scope: Scope): boolean {
  const { contract, clOrdId } = order;
  if (clOrdId === undefined || isForeign(order) || legOf(clOrdId) !== undefined) return false;
  return contract === undefined ? isMeantByAll(scope) : isMeant(contract, scope);
}

const isMeantByAll = ({ root, contract }: Scope): boolean =>
  root === undefined && contract === undefined;
