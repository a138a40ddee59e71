import {
  ORDER_STATUS,
  type ProjectXAccount,
  type ProjectXEntities,
  type ProjectXEntityType,
  type ProjectXOrder,
  type ProjectXPosition,
  type ProjectXTrade,
} from "./wire.ts";
import { readLegTag } from "./leg-tags.ts";
import { hasEnded, isRecord, parseEntity, parseInstant, toId } from "./parse.ts";

const MOST_UNREADABLE = 100;

/** Something that was told and could not be read. */
export class UnreadableEntityError extends Error {
  override readonly name = "UnreadableEntityError";
}

/** An entity that what was heard has changed. */
export type Change<Type extends ProjectXEntityType = ProjectXEntityType> = {
  readonly [One in Type]: { readonly type: One; readonly entity: ProjectXEntities[One] };
}[Type];

/**
 * What the broker has said of its entities in one session, by their ids. Hearing the same thing again
 * changes nothing, and an order that has ended stays so. Things may come in any order.
 */
export class EntityStore {
  readonly #accounts = new Map<string, ProjectXAccount>();
  readonly #orders = new Map<string, ProjectXOrder>();
  readonly #trades = new Map<string, ProjectXTrade>();
  /** By account and contract: a position may get another id when it is opened anew. */
  readonly #positions = new Map<string, ProjectXPosition>();
  readonly #ordersOf = new Map<string, Set<string>>();
  readonly #childrenOf = new Map<string, Set<string>>();
  readonly #tradesOf = new Map<string, Set<string>>();
  readonly #byTag = new Map<string, string>();
  /** By account and the entry's tag. */
  readonly #legsFor = new Map<string, Set<string>>();
  /** In words, each thing once; more than so many say nothing new. */
  readonly #unreadable = new Set<string>();
  readonly #listeners = new Set<(changes: readonly Change[]) => void>();
  readonly #onTrouble: (error: UnreadableEntityError) => void;
  readonly #onUnreadable: (account: string | undefined) => void;

  /**
   * `onTrouble` hears once of each thing that could not be read, and `onUnreadable` each time, with whose
   * it is, as far as even that could be read; all else goes on.
   */
  constructor(
    onTrouble: (error: UnreadableEntityError) => void = () => undefined,
    onUnreadable: (account: string | undefined) => void = () => undefined,
  ) {
    this.#onTrouble = onTrouble;
    this.#onUnreadable = onUnreadable;
  }

  /** What could not be read, in words. */
  get unreadable(): readonly string[] {
    return [...this.#unreadable];
  }

  account(id: string): ProjectXAccount | undefined {
    return this.#accounts.get(id);
  }

  accounts(): readonly ProjectXAccount[] {
    return [...this.#accounts.values()];
  }

  order(id: string): ProjectXOrder | undefined {
    return this.#orders.get(id);
  }

  /** In the order in which they were heard of. */
  ordersOf(account: string): readonly ProjectXOrder[] {
    return this.#all(this.#ordersOf.get(account), this.#orders);
  }

  /** The order that was placed with the tag; none of another account. */
  byTag(account: string, tag: string): ProjectXOrder | undefined {
    return this.order(this.#byTag.get(`${account} ${tag}`) ?? "");
  }

  /** Orders whose tags say that they are exits of the entry with that tag, whoever has placed them. */
  legsFor(account: string, entryTag: string): readonly ProjectXOrder[] {
    return this.#all(this.#legsFor.get(`${account} ${entryTag}`), this.#orders);
  }

  /** The legs that the broker has linked to an entry. */
  childrenOf(order: string): readonly ProjectXOrder[] {
    return this.#all(this.#childrenOf.get(order), this.#orders);
  }

  /** Rows that hold nothing are left out; rows whose size cannot be read are among them. */
  positionsOf(account: string): readonly ProjectXPosition[] {
    return [...this.#positions.values()].filter((one) => one.accountId === account);
  }

  /** Those that stand, oldest first. */
  tradesOf(order: string): readonly ProjectXTrade[] {
    return this.everyTradeOf(order).filter(({ voided }) => !voided);
  }

  /** Those that were taken back too, oldest first. */
  everyTradeOf(order: string): readonly ProjectXTrade[] {
    return [...this.#all(this.#tradesOf.get(order), this.#trades)].sort(byTime);
  }

  trade(id: string): ProjectXTrade | undefined {
    return this.#trades.get(id);
  }

  /** Every trade of an account, those that were taken back too, oldest first. */
  tradesIn(account: string): readonly ProjectXTrade[] {
    return [...this.#trades.values()].filter((trade) => trade.accountId === account).sort(byTime);
  }

  /** Hears of every change, once each is in; the result ends it. */
  onChange(listener: (changes: readonly Change[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Takes what the hub or an answer says of one entity; `isGone` says that it is there no more. */
  apply(type: ProjectXEntityType, value: unknown, isGone = false): readonly Change[] {
    const changes = this.#take(type, value, isGone);
    if (changes.length > 0) for (const listener of this.#listeners) listener(changes);
    return changes;
  }

  /** What was made with a tag that another order has: the newer one counts. */
  #name(order: ProjectXOrder): void {
    const { customTag: tag, accountId } = order;
    if (tag === undefined) return;
    this.#byTag.set(`${accountId} ${tag}`, order.id);
    const leg = readLegTag(tag);
    if (leg !== undefined) addTo(this.#legsFor, `${accountId} ${leg.entry}`, order.id);
  }

  #take(type: ProjectXEntityType, value: unknown, isGone: boolean): readonly Change[] {
    switch (type) {
      case "account":
        return this.#takeAccount(value, isGone);
      case "order":
        return this.#takeOrder(value);
      case "position":
        return this.#takePosition(value, isGone);
      case "trade":
        return this.#takeTrade(value, isGone);
    }
  }

  #takeAccount(value: unknown, isGone: boolean): readonly Change[] {
    const told = parseEntity("account", value);
    if (told === undefined) return this.#passOver("account", value);
    const known = this.#accounts.get(told.id);
    const entity = isGone ? toGone(told) : { ...known, ...told };
    return this.#keep("account", this.#accounts, told.id, entity);
  }

  #takeOrder(value: unknown): readonly Change[] {
    const told = parseEntity("order", value);
    if (told === undefined) return this.#passOver("order", value);
    const known = this.#orders.get(told.id);
    const entity = known === undefined ? told : newerOf(known, told);
    addTo(this.#ordersOf, entity.accountId, entity.id);
    const { parentOrderId: entry } = entity;
    if (entry !== undefined) addTo(this.#childrenOf, entry, entity.id);
    this.#name(entity);
    return this.#keep("order", this.#orders, entity.id, entity);
  }

  #takePosition(value: unknown, isGone: boolean): readonly Change[] {
    const told = parseEntity("position", value);
    if (told === undefined) return this.#passOver("position", value);
    const key = keyOf(told);
    if (isGone || isFlat(told)) {
      const known = this.#positions.get(key);
      if (known === undefined) return [];
      this.#positions.delete(key);
      return [{ type: "position", entity: { ...known, type: 0, size: 0 } }];
    }
    return this.#keep("position", this.#positions, key, told);
  }

  /** What the hub tells of a trade, and what an answer does, complete each other. */
  #takeTrade(value: unknown, isGone: boolean): readonly Change[] {
    const told = parseEntity("trade", value);
    if (told === undefined) return this.#passOver("trade", value);
    const known = this.#trades.get(told.id);
    const voided = told.voided || isGone || known?.voided === true;
    addTo(this.#tradesOf, told.orderId, told.id);
    return this.#keep("trade", this.#trades, told.id, { ...known, ...told, voided });
  }

  #keep<Type extends ProjectXEntityType>(
    type: Type,
    shelf: Map<string, ProjectXEntities[Type]>,
    key: string,
    entity: ProjectXEntities[Type],
  ): readonly Change[] {
    const known = shelf.get(key);
    shelf.set(key, entity);
    if (known !== undefined && isSame(known, entity)) return [];
    return [{ type, entity } as Change];
  }

  /** One entity that cannot be read ends nobody's session. */
  #passOver(type: ProjectXEntityType, value: unknown): readonly Change[] {
    const fields = isRecord(value) ? value : {};
    const what = `${type} ${toId(fields["id"]) ?? "without a number"}`;
    this.#onUnreadable(toId(fields["accountId"]));
    if (this.#unreadable.has(what) || this.#unreadable.size >= MOST_UNREADABLE) return [];
    this.#unreadable.add(what);
    this.#onTrouble(new UnreadableEntityError(`ProjectX sent no whole ${what}`));
    return [];
  }

  /** Forgets those orders that have ended first, when there are too many; answers which. */
  prune(most: number): readonly string[] {
    if (this.#orders.size <= most) return [];
    // A list of the past may be heard after what has happened since.
    const ended = [...this.#orders.values()]
      .filter(({ status }) => hasEnded(status))
      .sort((one, other) => saidAt(one) - saidAt(other));
    const gone = ended.slice(0, this.#orders.size - Math.trunc(most / 2));
    for (const order of gone) this.#forget(order);
    return gone.map(({ id }) => id);
  }

  #forget({ id, accountId, customTag, parentOrderId = "" }: ProjectXOrder): void {
    const tag = `${accountId} ${customTag ?? ""}`;
    if (this.#byTag.get(tag) === id) this.#byTag.delete(tag);
    const legsFor = `${accountId} ${readLegTag(customTag ?? "")?.entry ?? ""}`;
    this.#legsFor.get(legsFor)?.delete(id);
    if (this.#legsFor.get(legsFor)?.size === 0) this.#legsFor.delete(legsFor);
    for (const trade of this.#tradesOf.get(id) ?? []) this.#trades.delete(trade);
    this.#tradesOf.delete(id);
    this.#childrenOf.delete(id);
    this.#childrenOf.get(parentOrderId)?.delete(id);
    this.#ordersOf.get(accountId)?.delete(id);
    this.#orders.delete(id);
  }

  /**
   * Takes a list of an account's positions as the whole truth: what it lacks is not held. A row that
   * cannot be read may be anything, and stays as one of which nothing is known.
   */
  replacePositions(account: string, list: readonly unknown[]): void {
    const rows = list.map((row, place) => {
      const told = parseEntity("position", row);
      return told ?? { id: `row-${place + 1}`, accountId: account };
    });
    const keys = new Set(rows.map(keyOf));
    const gone = this.positionsOf(account).filter((one) => !keys.has(keyOf(one)));
    for (const one of gone) this.apply("position", one, true);
    for (const row of rows) this.apply("position", row);
  }

  #all<Entity>(ids: ReadonlySet<string> | undefined, from: ReadonlyMap<string, Entity>) {
    return [...(ids ?? [])].flatMap((id) => from.get(id) ?? []);
  }
}

/** It may hold something still; what it has is said no more. */
const toGone = ({ id, name, simulated }: ProjectXAccount): ProjectXAccount => ({
  id,
  name,
  canTrade: false,
  ...(simulated !== undefined && { simulated }),
});

/** A row that holds nothing; one whose size cannot be read may hold anything. */
const isFlat = ({ size }: ProjectXPosition): boolean => size === 0;

const keyOf = ({ id, accountId, contractId }: ProjectXPosition): string =>
  `${accountId} ${contractId ?? `#${id}`}`;

const byTime = (a: ProjectXTrade, b: ProjectXTrade): number =>
  parseInstant(a.creationTimestamp) - parseInstant(b.creationTimestamp) ||
  Number(a.id) - Number(b.id);

/** How far an order has come, for what is told with one and the same time. */
function stageOf({ status }: ProjectXOrder): number {
  if (hasEnded(status)) return 3;
  if (status === ORDER_STATUS.open || status === ORDER_STATUS.pendingCancellation) return 2;
  return status === ORDER_STATUS.suspended || status === ORDER_STATUS.pending ? 1 : 0;
}

/**
 * Of two tellings of an order the later one, completed by what only the other says: the hub names links
 * that no answer names. It is never taken back in time, whatever comes late.
 */
function newerOf(known: ProjectXOrder, told: ProjectXOrder): ProjectXOrder {
  if (isOlder(told, known)) return { ...told, ...known };
  const { size, ...rest } = told;
  // What ends with nothing left to do was for something.
  const isEmpty = size === undefined || (size === 0 && hasEnded(told.status));
  return { ...known, ...rest, ...(!isEmpty && { size }) };
}

const saidAt = ({ updateTimestamp, creationTimestamp }: ProjectXOrder): number =>
  parseInstant(updateTimestamp ?? creationTimestamp);

function isOlder(told: ProjectXOrder, known: ProjectXOrder): boolean {
  if (hasEnded(known.status) !== hasEnded(told.status)) return hasEnded(known.status);
  const [at, knownAt] = [saidAt(told), saidAt(known)];
  if (at !== knownAt) return at < knownAt;
  if (stageOf(told) !== stageOf(known)) return stageOf(told) < stageOf(known);
  return (told.fillVolume ?? 0) < (known.fillVolume ?? 0);
}

function isSame(a: object, b: object): boolean {
  const [left, right] = [Object.entries(a), Object.entries(b)];
  const of = new Map<string, unknown>(right);
  return left.length === right.length && left.every(([name, value]) => of.get(name) === value);
}

function addTo(groups: Map<string, Set<string>>, key: string, id: string): void {
  const group = groups.get(key) ?? new Set();
  groups.set(key, group.add(id));
}
