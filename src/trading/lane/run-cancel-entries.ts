import { type AccountId, legOf, type OrderId } from "../../domain/ids.ts";
import {
  soFarOf,
  clOrdIdOf,
  type Intent,
  type IntentRecord,
  type Outcome,
} from "../../domain/intent.ts";
import type { IntentResult } from "../../domain/intent-result.ts";
import {
  isForeign,
  type OpaqueOrder,
  type OrderReport,
  type WorkingOrder,
} from "../../domain/order.ts";
import {
  type ExitCut,
  exitCuts,
  type Exposure,
  exposuresOf,
  isUnread,
} from "../../domain/exposure.ts";
import type { LostExits } from "../../domain/working-exits.ts";
import type { Broker } from "../ports.ts";
import { exitBy } from "../reads/protection.ts";
import { netQtyOf, readAsFarAsShown, readHeld } from "./read-snapshot.ts";
import { isMeant } from "../orders/resolve.ts";
import { endingSteps, dryRunDone } from "./dry-run.ts";
import { beforeSending, type LaneDeps, type LaneTask } from "./lane-deps.ts";
import { untilKnown } from "./until-known.ts";

type Scope = Omit<Extract<Intent, { kind: "CANCEL_ENTRIES" }>, "kind">;

/** An order of which nothing, or only a part, may go on working. */
interface Ending {
  readonly order: WorkingOrder;
  /** Of an exit that is larger than the position: what it becomes. */
  readonly orderQty?: number;
  /** What the position loses where it goes as a whole all the same. */
  readonly exits?: LostExits;
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
    const { entries } = await readEntries(record.accountId, scope, broker);
    const orders = entries.filter(({ orderQty }) => orderQty === undefined);
    return dryRunDone(endingSteps({ positions: [], orders: orders.map(({ order }) => order) }));
  }
  // One that goes on needs no write-ahead: an order can be cancelled only once.
  if (record.state === "PREPARED") {
    const refused = await beforeSending(deps, task, { clOrdId: clOrdIdOf(record.intentId, 1) });
    if (refused !== undefined) return refused;
  }
  return untilKnown(task, await cancelEntries(record, scope, broker));
}

async function cancelEntries(
  { accountId, outcome }: IntentRecord,
  scope: Scope,
  broker: Broker,
): Promise<Outcome> {
  const { entries, unclear } = await readEntries(accountId, scope, broker);
  const soFar = soFarOf(outcome);
  const canceledOrderIds = soFar?.kind === "CANCEL_ENTRIES" ? [...soFar.canceledOrderIds] : [];
  const unprotected = soFar?.kind === "CANCEL_ENTRIES" ? [...(soFar.unprotected ?? [])] : [];
  const failures = [...unclear];
  const refused = new Map<OrderId, string>();
  for (const ending of entries) {
    const { orderId } = ending.order;
    const ended = await end(accountId, ending, broker);
    if (ended.kind === "canceled") {
      canceledOrderIds.push(orderId);
      if (ending.exits !== undefined) unprotected.push(ending.exits);
    }
    if (ended.kind === "refused") refused.set(orderId, ended.reason);
    if (ended.kind === "open") failures.push(ended.reason);
  }
  // Most of what is refused has filled or gone; what still rests is tried again, as all else is.
  const left = refused.size === 0 ? [] : (await readEntries(accountId, scope, broker)).entries;
  failures.push(...left.flatMap(({ order }) => refused.get(order.orderId) ?? []));
  const result: IntentResult = {
    kind: "CANCEL_ENTRIES",
    canceledOrderIds,
    ...(unprotected.length > 0 && { unprotected }),
  };
  const [failure] = failures;
  if (failure === undefined) return { kind: "done", result };
  const reason = `Not every resting entry is cancelled: ${failure}`;
  return { kind: "unknown", reason, soFar: result };
}

type Ended =
  | { readonly kind: "canceled" | "smaller" }
  /** `refused`: mostly it has filled or gone. `open`: not known yet. */
  | { readonly kind: "refused" | "open"; readonly reason: string };

/**
 * What cannot be made smaller is cancelled like everything else that could open a position. It
 * stays until the broker has confirmed that: without it the position could be unprotected.
 */
async function end(
  accountId: AccountId,
  { order: { orderId }, orderQty }: Ending,
  broker: Broker,
): Promise<Ended> {
  if (orderQty !== undefined) {
    const changed = await broker.modifyOrder(accountId, { orderId, orderQty });
    if (changed.kind === "accepted") return { kind: "smaller" };
    if (changed.kind !== "rejected") return { kind: "open", reason: changed.reason };
  }
  const answer = await broker.cancelOrder(accountId, orderId);
  if (answer.kind === "accepted") return { kind: "canceled" };
  return { kind: answer.kind === "rejected" ? "refused" : "open", reason: answer.reason };
}

interface RestingEntries {
  readonly entries: readonly Ending[];
  /** Why orders were left of which it cannot be said whether they are entries, in words. */
  readonly unclear: readonly string[];
}

/**
 * The resting orders that could open or grow a position, by what the broker shows now. Beside a
 * position that cannot be read an order may be its exit, and stays. Throws `BrokerReadError`.
 */
export async function readEntries(
  accountId: AccountId,
  scope: Scope,
  broker: Broker,
): Promise<RestingEntries> {
  // An exit that fills between the readings is no larger than what was held before them.
  const before = await readHeld(accountId, broker);
  const snapshot = await readAsFarAsShown(accountId, broker);
  const all = exposuresOf(snapshot).filter(({ contract }) => isMeant(contract, scope));
  const isClear = ({ contract }: Exposure) =>
    !isUnread(contract, before) && !isUnread(contract, snapshot);
  const isPlain = (order: OrderReport) =>
    order.role === "ORDER" && (scope.includesForeign === true || !isForeign(order));
  const mayEnterThere = all.some((one) => !isClear(one) && one.working.some(isPlain));
  const unread = [...before.opaquePositions, ...snapshot.opaquePositions];
  const entries = all
    .filter(isClear)
    .flatMap((exposure) => {
      const { contract, netQty, expectedQty } = exposure;
      const stays = [netQtyOf(before, contract), netQty, expectedQty];
      return [
        ...exitCuts(exposure, stays).filter(({ order }) => !isForeign(order)),
        // Orders that a person placed by hand are theirs, unless all orders are meant.
        ...(scope.includesForeign === true ? foreignCuts(exposure, stays) : []),
      ];
    })
    .map(({ order, leavesQty }) => ({
      order,
      ...(leavesQty > 0 && {
        orderQty: order.cumQty + leavesQty,
        exits: { contract: order.contract, exits: exitsOf(order) },
      }),
    }));
  const opaque = snapshot.opaque.filter((order) => mayEnter(order, scope));
  return {
    entries: [...entries, ...opaque.map((order) => ({ order }))],
    unclear: mayEnterThere ? [...new Set(unread.map(({ problem }) => problem))] : [],
  };
}

/**
 * Orders by hand that may open a position by themselves. An exit among them stays beside its rivals: two of them may
 * be a pair that only their person knows, and without the one the other may go.
 */
function foreignCuts(exposure: Exposure, stays: readonly number[]): readonly ExitCut[] {
  return exposure.working.filter(isForeign).flatMap((order) => {
    const alone = { ...exposure, working: [{ ...order, role: "ORDER" as const }] };
    return exitCuts(alone, stays).map((cut) => ({ ...cut, order }));
  });
}

function exitsOf(order: OrderReport): LostExits["exits"] {
  const exit = exitBy(order);
  return exit === undefined ? [] : [exit];
}

/** What an order of ours that is not understood may do is not known; only exits are known by name. */
function mayEnter(order: OpaqueOrder, scope: Scope): boolean {
  const { contract, clOrdId } = order;
  if (clOrdId === undefined || isForeign(order) || legOf(clOrdId) !== undefined) return false;
  return contract === undefined ? isMeantByAll(scope) : isMeant(contract, scope);
}

const isMeantByAll = ({ root, contract }: Scope): boolean =>
  root === undefined && contract === undefined;
