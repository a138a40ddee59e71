import type { AccountOrders, FoundMirror, Mirror } from "../../domain/copying/copy-mirror.ts";
import type { AccountId, IntentId } from "../../domain/ids.ts";
import { clOrdIdOf, type IntentRecord, isUnsettled } from "../../domain/intent.ts";
import { counted, type Fill } from "../../domain/order.ts";
import type { LeaderOrders } from "./leader-orders.ts";
import type { MirrorMemory } from "./mirror-memory.ts";
import type { AccountViews } from "../reads/ports.ts";
import { ACCEPT_WITHIN_MS, type IntentStore } from "../orders/ports.ts";

export interface FindMirrorsDeps {
  readonly intents: Pick<IntentStore, "find">;
  readonly views: Pick<AccountViews, "fills">;
  readonly leaderOrders: LeaderOrders;
  readonly memory: MirrorMemory;
}

/** Where mirrors are to be found: what works for their leader and for their follower. */
export interface MirrorPlace {
  readonly leader: AccountId;
  readonly leaderHas: AccountOrders;
  readonly follower: AccountId;
  /** Undefined while its broker cannot be asked. */
  readonly followerHas: AccountOrders | undefined;
  /** The store's clock, Unix ms. */
  readonly now: number;
}

/** The newest fills of an account, among which those of one order are looked for. */
const FILLS_LOOKED_AT = 500;
/** How long after an order has left the working ones its last report may come. */
const LAST_REPORT_WITHIN_MS = 500;
/** What was noted longer ago, and has no intent, never got one. */
const ACCEPTED_WITHIN_MS = 60_000;
/**
 * Nor did what is without one so long after its leader's order was found ended: it is accepted within
 * `ACCEPT_WITHIN_MS` of when that was seen working, or never (`mirror-pass.ts`).
 */
const ACCEPTED_ONCE_ENDED_MS = ACCEPT_WITHIN_MS + 1_000;

/** How each mirror stands, with the order of its leader. */
export async function findMirrors(
  deps: FindMirrorsDeps,
  place: MirrorPlace,
  mirrors: readonly Mirror[],
): Promise<readonly FoundMirror[]> {
  return await Promise.all(mirrors.map(async (mirror) => await findMirror(deps, place, mirror)));
}

async function findMirror(
  deps: FindMirrorsDeps,
  place: MirrorPlace,
  mirror: Mirror,
): Promise<FoundMirror> {
  const clOrdId = clOrdIdOf(mirror.copyId, 1);
  const own = place.followerHas?.working.find((order) => order.clOrdId === clOrdId);
  const isSent = deps.memory.wasSent(mirror.copyId);
  const leaders = await findLeaderOrder(deps, place, mirror);
  const found = { mirror, own, isSent, ...leaders };
  if (own !== undefined) return { ...found, ownCumQty: own.cumQty, isPending: false };
  const { follower } = place;
  const [record, fills] = await Promise.all([
    deps.intents.find(follower, mirror.copyId),
    filledOf(deps, follower, (fill) => fill.clOrdId === clOrdId),
  ]);
  // One that is not understood works all the same.
  const odd = place.followerHas?.opaque.find((order) => order.clOrdId === clOrdId);
  const isStill = odd !== undefined || isPending(record, { mirror, ...leaders }, place);
  return { ...found, ...(odd && { odd }), ownCumQty: fills, isPending: isStill };
}

async function findLeaderOrder(
  { leaderOrders, memory, ...deps }: FindMirrorsDeps,
  { leader, leaderHas }: MirrorPlace,
  { copyId, leaderOrderId }: Mirror,
): Promise<Pick<FoundMirror, "leaderCumQty" | "endedForMs">> {
  const works = leaderHas.working.find(({ orderId }) => orderId === leaderOrderId);
  if (works !== undefined) return { leaderCumQty: works.cumQty };
  const endedForMs = memory.endedFor(copyId) ?? 0;
  const ended = leaderOrders.findEnded(leader, leaderOrderId);
  if (ended !== undefined) return { leaderCumQty: ended.cumQty, endedForMs };
  const leaderCumQty = await filledOf(deps, leader, ({ orderId }) => orderId === leaderOrderId);
  if (leaderHas.opaque.some(({ orderId }) => orderId === leaderOrderId)) return { leaderCumQty };
  return endedForMs < LAST_REPORT_WITHIN_MS ? { leaderCumQty } : { leaderCumQty, endedForMs };
}

/** Whether it may come to work yet. */
function isPending(
  record: IntentRecord | undefined,
  { mirror, endedForMs = 0 }: Pick<FoundMirror, "mirror" | "endedForMs">,
  { now, followerHas }: MirrorPlace,
): boolean {
  if (record === undefined) {
    return now - mirror.notedAt < ACCEPTED_WITHIN_MS && endedForMs < ACCEPTED_ONCE_ENDED_MS;
  }
  if (isUnsettled(record.state)) return true;
  // What may work and cannot be seen is not given up.
  return followerHas === undefined && record.outcome?.kind === "done";
}

async function filledOf(
  { views }: Pick<FindMirrorsDeps, "views">,
  account: AccountId,
  isOf: (fill: Fill) => boolean,
): Promise<number> {
  const { items } = await views.fills(account, { limit: FILLS_LOOKED_AT });
  return counted(items)
    .filter(isOf)
    .reduce((sum, { lastQty }) => sum + lastQty, 0);
}

export interface UnsentMirror {
  readonly follower: AccountId;
  readonly copyId: IntentId;
  /** Why it is for nothing, in words. */
  readonly reason: string;
}

/** A mirror that never was at its broker, and will not be, is ended there before it is sent. */
export async function withdrawUnsent(
  { intents }: { readonly intents: Pick<IntentStore, "find" | "withdraw"> },
  { follower, copyId, reason }: UnsentMirror,
): Promise<void> {
  const record = await intents.find(follower, copyId);
  if (record?.state !== "PREPARED") return;
  await intents.withdraw(follower, copyId, { kind: "withdrawn", reason });
}
