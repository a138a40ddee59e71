import { randomUUID } from "node:crypto";
import type { Keys } from "../keys.ts";
import { askInParts } from "../../domain/ask-in-parts.ts";
import { translateStoreErrors } from "../store-error.ts";
import type { RedisClient } from "../redis/redis-client.ts";

/** The form in which everything lies in the store. A change that an older gateway cannot read raises it. */
export const STORE_FORMAT = 5;
/** The form of a store that does not say which it is in. */
const FIRST_FORMAT = 1;

/** Which store this is. Written at the first start, and never changed. */
export interface StoreIdentity {
  readonly id: string;
  readonly format: number;
  /** Not all of it lies in this form yet: an upgrade has begun. */
  readonly isUpgrading?: true;
  /** It has every mark of a Cluster: one that is missing from now on is lost. */
  readonly isMarked?: true;
}

/** What a store says of itself. */
export interface StoreFacts {
  readonly identity: StoreIdentity | undefined;
  /** A gateway has worked with it: one from before stores had identities writes none. */
  readonly isUsed: boolean;
}

/** Throws `StoreError`. */
export async function readStoreFacts(redis: RedisClient, keys: Keys): Promise<StoreFacts> {
  const [text, users] = await translateStoreErrors(
    Promise.all([redis.get(keys.storeIdentity), redis.exists(keys.users)]),
  );
  return { identity: text === null ? undefined : parseIdentity(text), isUsed: users > 0 };
}

/** Of several processes that start together the first one's holds. */
export async function writeIdentity(
  redis: RedisClient,
  keys: Keys,
  { isUsed }: Pick<StoreFacts, "isUsed">,
): Promise<StoreIdentity> {
  const format = isUsed ? FIRST_FORMAT : STORE_FORMAT;
  const fresh: StoreIdentity = { id: randomUUID(), format };
  await translateStoreErrors(redis.set(keys.storeIdentity, JSON.stringify(fresh), "NX"));
  const { identity } = await readStoreFacts(redis, keys);
  return identity ?? fresh;
}

/** What cannot be read belongs to nobody that is known. */
export function parseIdentity(text: string): StoreIdentity {
  try {
    const { id, format, isUpgrading, isMarked } = JSON.parse(text) as Partial<StoreIdentity>;
    if (typeof id === "string" && Number.isInteger(format)) {
      return {
        id,
        format: Number(format),
        ...(isUpgrading && { isUpgrading }),
        ...(isMarked && { isMarked }),
      };
    }
  } catch {
    // It is told from every other one below.
  }
  return { id: "unreadable", format: Number.POSITIVE_INFINITY };
}

/** The store that is expected; `nameless` where one was used and nobody noted which. */
export type RememberedStore = StoreIdentity | "nameless" | undefined;

const EMPTIED =
  "The store is empty, and it was not before: its data are gone, or this is another Redis";

/**
 * Why this store must not be used; undefined where it may. A gateway asks at its start and each
 * second. Versions of one form may run side by side. One of a newer form does not start beside one of
 * an earlier form that owns a connection; if the two meet all the same, the earlier one stands still
 * within a second.
 */
export function refuseStore(
  { identity, isUsed }: StoreFacts,
  remembered: RememberedStore,
): string | undefined {
  if (identity !== undefined && identity.format > STORE_FORMAT) {
    return "The store was written by a newer gateway, in a form that this one cannot read";
  }
  if (remembered === undefined) return undefined;
  if (identity === undefined && !isUsed) return EMPTIED;
  if (remembered === "nameless" || identity?.id === remembered.id) return undefined;
  return identity === undefined
    ? "The store does not say which one it is any more: a part of it is gone"
    : "This is another store than the one that was used before";
}

/** So many that each node of a Cluster has some. */
const MARKS = Array.from({ length: 256 }, (_, at) => at);
/** In as many looks each of them is asked for. */
const TURNS = 4;

/** Whether a Cluster has every mark, or those of one turn of several. Throws `StoreError`. */
export async function hasMarkers(redis: RedisClient, keys: Keys, turn?: number): Promise<boolean> {
  const asked = MARKS.filter((at) => turn === undefined || at % TURNS === turn % TURNS);
  const found = await askInParts(asked, (at) =>
    translateStoreErrors(redis.exists(keys.marker(at))),
  );
  return found.every((count) => count > 0);
}

/** Until the identity says that they are there, none that is missing is lost. Throws `StoreError`. */
export async function writeMarkers(
  redis: RedisClient,
  keys: Keys,
  identity: StoreIdentity,
): Promise<StoreIdentity> {
  await askInParts(MARKS, (at) => translateStoreErrors(redis.set(keys.marker(at), "1")));
  const marked: StoreIdentity = { ...identity, isMarked: true };
  await translateStoreErrors(redis.set(keys.storeIdentity, JSON.stringify(marked)));
  return marked;
}
