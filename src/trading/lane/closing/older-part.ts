import { firstFillAt, lotsOf, type OrderKey, type Trip } from "../../../domain/book/lots.ts";
import { type ClOrdId, intentIdOf } from "../../../domain/ids.ts";
import type { ContractCode } from "../../../domain/contracts/contract.ts";
import type { IntentRecord } from "../../../domain/intent.ts";
import { type OpaqueOrder, type OrderReport, sign } from "../../../domain/order.ts";
import type { BrokerPosition } from "../../ports.ts";
import { type LaneDeps, type LaneTask, STORE_CLOCK_SLACK_MS } from "../lane-deps.ts";
import { hasClosed, type Progress } from "./progress.ts";
import type { Rest, RestPosition } from "./read-rest.ts";

/**
 * The part of the rest that was there, or asked for, when the exit was accepted. An exit that goes on for minutes
 * or days closes nothing that was opened since, and nothing of a contract for which a newer target says where it
 * is to be. Contracts without a known owner are the oldest. Throws `StoreError`, and `BrokerReadError`.
 */
export async function withoutNewer(
  deps: LaneDeps,
  task: LaneTask,
  { rest, progress }: { readonly rest: Rest; readonly progress: Progress },
): Promise<Rest> {
  const positions = await olderPositions(deps, task, rest.positions, progress);
  // An exit of what stays is no part of it, whatever its age; one of what goes is.
  const isMeant = async (order: OrderReport): Promise<boolean> => {
    const { contract, side, clOrdId, role } = order;
    if (progress.replaced.has(contract)) return false;
    const held = rest.positions.find((one) => one.contract === contract);
    const part = positions.find((one) => one.contract === contract);
    const isExit = held !== undefined && sign(side) * held.netQty < 0;
    if (isExit && part === undefined) return false;
    if (isExit && role !== "ORDER" && part?.beside === undefined) return true;
    const isByHandLater = order.transactTimeAt > task.record.acceptedAt + STORE_CLOCK_SLACK_MS;
    return !((await isLater(deps, task.record, clOrdId)) ?? isByHandLater);
  };
  const orders: OrderReport[] = [];
  for (const order of rest.orders) if (await isMeant(order)) orders.push(order);
  const opaque: OpaqueOrder[] = [];
  for (const order of rest.opaque) {
    if ((await isLater(deps, task.record, order.clOrdId)) !== true) opaque.push(order);
  }
  return { ...rest, positions, orders, opaque };
}

type Accepted = Pick<IntentRecord, "accountId" | "intentId" | "acceptedAt">;

/** The positions of it alone. */
async function olderPositions(
  deps: LaneDeps,
  task: LaneTask,
  positions: readonly BrokerPosition[],
  progress: Progress,
): Promise<readonly RestPosition[]> {
  const older: RestPosition[] = [];
  for (const position of positions) {
    const { contract } = position;
    const isReplaced = await hasNewerTarget(deps, task.record, contract);
    if (isReplaced) progress.replaced.add(contract);
    const part = isReplaced
      ? undefined
      : await olderPart(deps, task.record, position, hasClosed(progress, contract));
    if (part !== undefined) older.push(part);
  }
  return older;
}

async function hasNewerTarget(
  { intents, copies }: LaneDeps,
  { accountId, intentId, copy }: IntentRecord,
  contract: ContractCode,
): Promise<boolean> {
  if (await intents.targetFollows(accountId, intentId, contract)) return true;
  // Only the newest of several copies into one contract counts.
  return copy !== undefined && (await copies.isOld(accountId, contract, copy));
}

/**
 * The part of a position that was opened before an intent was accepted; undefined for none. `mayBeLate`: some of it
 * was closed by that intent, which the position may not show yet.
 */
export async function olderPart(
  deps: Pick<LaneDeps, "intents" | "books" | "elapsed">,
  record: Accepted,
  position: BrokerPosition,
  mayBeLate = false,
): Promise<RestPosition | undefined> {
  const { contract, netQty } = position;
  const { accountId, acceptedAt } = record;
  const trip = await deps.books.read(accountId, contract, acceptedAt);
  let newer = 0;
  let known = 0;
  const older: OrderKey[] = [];
  for (const { owner, side, leftQty } of lotsOf(trip, deps.elapsed(), netQty).lots) {
    if (owner === undefined || leftQty === 0 || sign(side) * netQty < 0) continue;
    const isNewer = (await isLater(deps, record, owner)) ?? isFilledLater(trip, owner, acceptedAt);
    if (isNewer) newer += leftQty;
    else {
      older.push(owner);
      known += leftQty;
    }
  }
  // Its own closes may be shown late: only contracts that are known to be left are closed then.
  const isLate = mayBeLate && newer > 0;
  const most = Math.max(0, Math.abs(netQty) - newer);
  const qty = Math.abs(netQty) - (isLate ? Math.min(most, known) : most);
  if (qty === Math.abs(netQty)) return undefined;
  if (qty === 0) return position;
  return { ...position, netQty: netQty - Math.sign(netQty) * qty, beside: { qty, lots: older } };
}

/** Undefined of what is not ours: the broker's own number says nothing. */
async function isLater(
  { intents }: Pick<LaneDeps, "intents">,
  { accountId, intentId }: Accepted,
  name: ClOrdId | OrderKey | undefined,
): Promise<boolean | undefined> {
  const of = name === undefined ? undefined : intentIdOf(name as ClOrdId);
  if (of === undefined) return undefined;
  return await intents.follows(accountId, of, intentId);
}

/** Placed by hand: by the broker's clock, which is not the store's. */
const isFilledLater = (trip: Trip, owner: OrderKey, acceptedAt: number): boolean =>
  (firstFillAt(trip, owner) ?? 0) > acceptedAt + STORE_CLOCK_SLACK_MS;
