import { type AccountId, legOf, type OrderId } from "../../domain/ids.ts";
import { clOrdIdOf, type Intent, type Outcome } from "../../domain/intent.ts";
import { isForeign, type OpaqueOrder, type WorkingOrder } from "../../domain/order.ts";
import { riskyResting } from "../../domain/risk.ts";
import type { Broker } from "../ports.ts";
import { readStanding } from "./read-standing.ts";
import { isMeant } from "../resolve.ts";
import { endingSteps, tested } from "./tested.ts";
import { beforeSending, type LaneDeps, type LaneTask } from "./lane-deps.ts";

type Scope = Pick<Extract<Intent, { kind: "CANCEL_ENTRIES" }>, "root" | "contract">;

/**
 * Cancels every resting order, of the account or of one symbol, that could open or grow a position;
 * exits and legs stay.
 */
export async function runCancelEntries(
  deps: LaneDeps,
  task: LaneTask,
  scope: Scope,
): Promise<Outcome> {
  const { record, broker } = task;
  if (record.test === true) {
    const orders = await readEntries(record.accountId, scope, broker);
    return tested(endingSteps({ positions: [], orders }));
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
  for (const { orderId } of entries) {
    const answer = await broker.cancelOrder(accountId, orderId);
    if (answer.kind === "accepted") canceledOrderIds.push(orderId);
    // Refused means that it has filled or gone. Whatever else: it is tried again.
    if (answer.kind === "unknown" || answer.kind === "notSent") {
      return { kind: "unknown", reason: `Not every resting entry is cancelled: ${answer.reason}` };
    }
  }
  return { kind: "done", result: { kind: "CANCEL_ENTRIES", canceledOrderIds } };
}

async function readEntries(
  accountId: AccountId,
  scope: Scope,
  broker: Broker,
): Promise<readonly WorkingOrder[]> {
  const { positions, working: all, opaque } = await readStanding(accountId, broker);
  const working = all.filter(({ contract }) => isMeant(contract, scope));
  const contracts = new Set(working.map(({ contract }) => contract));
  const entries = [...contracts].flatMap((contract) => {
    const held = positions.find((position) => position.contract === contract)?.netQty ?? 0;
    const risky = riskyResting(
      held,
      working.filter((order) => order.contract === contract),
    );
    // What a person placed by hand is theirs.
    return risky.filter((order) => !isForeign(order));
  });
  return [...entries, ...opaque.filter((order) => mayEnter(order, scope))];
}

/** What an order of ours that is not understood may do is not known; only exits are known by name. */
function mayEnter(order: OpaqueOrder, scope: Scope): boolean {
  const { contract, clOrdId } = order;
  if (clOrdId === undefined || isForeign(order) || legOf(clOrdId) !== undefined) return false;
  return contract === undefined ? isMeantByAll(scope) : isMeant(contract, scope);
}

const isMeantByAll = ({ root, contract }: Scope): boolean =>
  root === undefined && contract === undefined;
