import { hasEnded, isOlder } from "./order-status.ts";
import { isRecord } from "./frames.ts";
import { hasAccountsId, isEntityType, isId, parseEntity } from "./parse.ts";
import type {
  TradovateCommand,
  TradovateEntities,
  TradovateEntityType,
  TradovatePosition,
  TradovatePropsEvent,
} from "./wire.ts";

const MOST_UNREADABLE = 100;
/** How it stands with what a list has no more. */
const GONE = { account: { active: false }, position: { netPos: 0 } } as const;
/** What may hold or open something, whoever's it is. */
type Stray = "position" | "order";

/** By what an entity is looked up besides its own id. */
const OWNER_OF: {
  readonly [Type in TradovateEntityType]?: (entity: TradovateEntities[Type]) => number;
} = {
  orderVersion: ({ orderId }) => orderId,
  command: ({ orderId }) => orderId,
  executionReport: ({ commandId }) => commandId,
  commandReport: ({ commandId }) => commandId,
  fill: ({ orderId }) => orderId,
};

/** The entities of one type. */
interface Shelf<Entity> {
  readonly byId: Map<number, Entity>;
  readonly byGroup: Map<number, Set<number>>;
  /** Changed by an event of their own: a repeated `Created` is older than what is kept. */
  readonly updated: Set<number>;
  readonly deleted: Set<number>;
}

/** What could not be read, and whose it is, as far as even that could. */
export class UnreadableEntityError extends Error {
  override readonly name = "UnreadableEntityError";
}

/** An entity that an event has changed. */
export type Change<Type extends TradovateEntityType = TradovateEntityType> = {
  readonly [One in Type]: { readonly type: One; readonly entity: TradovateEntities[One] };
}[Type];

/** What an account holds, and what of that cannot be read as it stands now. */
export interface Holdings {
  readonly positions: readonly TradovatePosition[];
  readonly unread: readonly UnreadPosition[];
}

/** A position of which not all could be read. */
export interface UnreadPosition {
  readonly id: number;
  readonly accountId: number;
  readonly contractId: number | undefined;
}

/**
 * What the broker has said of its entities in one session, by their ids. Hearing the same thing
 * again changes nothing, and an order or command that has ended stays so. Entities may come in any
 * order among themselves; of one entity the broker's order counts.
 */
export class EntityStore {
  readonly #shelves: { [Type in TradovateEntityType]?: Shelf<TradovateEntities[Type]> } = {};
  readonly #orderByName = new Map<string, number>();
  readonly #onUnreadable: (error: UnreadableEntityError) => void;
  /** Positions that could not be read, by their ids, and whose they are. */
  readonly #unreadPositions = new Map<number, UnreadPosition>();
  /** By who was asked for it; undefined for an order that nobody has a name of. */
  readonly #recalled = new Map<number, string | undefined>();
  /** What could not be read and names no account, by its type and id. */
  readonly #strays = new Map<string, Stray>();
  /** Orders of which the broker, when it was asked, had no more than was told. */
  readonly #askedFor = new Set<number>();
  #horizon = 0;

  /** In words, each thing once; more than so many say nothing new. */
  readonly #unreadable = new Set<string>();

  /** Hears of what could not be read; all else goes on. */
  constructor(onUnreadable: (error: UnreadableEntityError) => void = () => undefined) {
    this.#onUnreadable = onUnreadable;
  }

  /** What could not be read, in words. */
  get unreadable(): readonly string[] {
    return [...this.#unreadable];
  }

  /** Something held or working of which not even the account can be read: it may be anybody's. */
  get stray(): Stray | undefined {
    return this.#strays.values().next().value;
  }

  holdingsOf(account: number): Holdings {
    const isOwn = ({ accountId }: { readonly accountId: number }) => accountId === account;
    const unread = [...this.#unreadPositions.values()].filter(isOwn);
    const isRead = ({ id }: TradovatePosition) => !this.#unreadPositions.has(id);
    return { positions: this.all("position").filter(isOwn).filter(isRead), unread };
  }

  /** No id of the first snapshot is larger; what is newer was made during this session. */
  get horizon(): number {
    return this.#horizon;
  }

  get<Type extends TradovateEntityType>(
    type: Type,
    id: number,
  ): TradovateEntities[Type] | undefined {
    return this.#shelf(type).byId.get(id);
  }

  all<Type extends TradovateEntityType>(type: Type): readonly TradovateEntities[Type][] {
    return [...this.#shelf(type).byId.values()];
  }

  /** What belongs to an order, or to a command, oldest first. */
  of<Type extends TradovateEntityType>(
    type: Type,
    owner: number,
  ): readonly TradovateEntities[Type][] {
    const { byId, byGroup } = this.#shelf(type);
    const ids = [...(byGroup.get(owner) ?? [])].sort((a, b) => a - b);
    return ids.map((id) => byId.get(id)).filter((entity) => entity !== undefined);
  }

  /** What is known of an order, as far as to see whether it has become more. */
  extentOf(order: number): string {
    const commands = this.of("command", order);
    const masters = [order, ...commands.map(({ id }) => id)];
    const reports = masters.flatMap((id) => [
      ...this.of("commandReport", id),
      ...this.of("executionReport", id),
    ]);
    const parts = [commands, this.of("orderVersion", order), this.of("fill", order), reports];
    const lengths = parts.map(({ length }) => length);
    return [this.get("order", order)?.ordStatus, ...lengths].join(" ");
  }

  /** The broker was asked for what belongs to an order, and has no more of it. */
  settleParts(order: number): void {
    this.#askedFor.add(order);
  }

  /** Whether nothing of an order is still to come: of what the snapshot had, all was told. */
  arePartsSettled(order: number): boolean {
    return order <= this.#horizon || this.#askedFor.has(order);
  }

  /** The order that was placed under an identifier; the newest where it was used twice. */
  named(clOrdId: string): number | undefined {
    return this.#orderByName.get(clOrdId);
  }

  /** What an order was placed as; undefined where nobody says that it was ours. */
  nameOf(order: number): string | undefined {
    const name = this.#placing(order)?.clOrdId ?? this.#recalled.get(order);
    return name === "" ? undefined : name;
  }

  /** Whether it is certain what an order was placed as: an order without a name may be anybody's. */
  isNameSettled(order: number): boolean {
    return this.#placing(order) !== undefined || this.#recalled.has(order);
  }

  /** The broker was asked for the name of an order and has none: it is as others recall, or foreign. */
  recall(order: number, name: string | undefined): void {
    this.#recalled.set(order, name);
    if (name !== undefined) this.#orderByName.set(name, order);
  }

  #placing(order: number): TradovateCommand | undefined {
    return this.of("command", order).find(({ commandType }) => commandType === "New");
  }

  /** Takes the snapshot that a session begins with. */
  load(snapshot: Readonly<Record<string, unknown>>): void {
    for (const [type, name] of COLLECTIONS) this.begin(type, snapshot[name]);
  }

  /** Takes a list as a part of the snapshot; one that is none is passed over. */
  begin(type: TradovateEntityType, list: unknown): void {
    if (list !== undefined && list !== null && !Array.isArray(list)) {
      this.#note(`the list of every ${type}`, `The ${type} list is no list`);
      return;
    }
    for (const { entity } of this.merge(type, list)) {
      this.#horizon = Math.max(this.#horizon, entity.id);
    }
  }

  /** Takes what a list said: it may be older than what events have told since. */
  merge(type: TradovateEntityType, list: unknown): readonly Change[] {
    if (list === undefined || list === null) return [];
    if (!Array.isArray(list)) throw new UnreadableEntityError(`The ${type} list is no list`);
    return (list as readonly unknown[]).flatMap((entity) =>
      this.#take({ type, value: entity, isUpdate: false }),
    );
  }

  /**
   * Takes a list as the whole truth: what it says counts more than what was told before, and what it
   * lacks is there no more. Accounts are inactive then, positions flat.
   */
  replace(type: "account" | "position", list: readonly unknown[]): readonly Change[] {
    const listed = new Set(list.map((value) => (isRecord(value) ? value["id"] : undefined)));
    const gone = this.all(type).filter(({ id }) => !listed.has(id));
    if (type === "position") this.#forgetUnlisted(listed);
    const values = [...list, ...gone.map((entity) => ({ ...entity, ...GONE[type] }))];
    return values.flatMap((value) => this.#take({ type, value, isUpdate: true }));
  }

  /** Takes one event; what it is not known for is of no interest. */
  apply({ entityType, eventType, entity }: TradovatePropsEvent): readonly Change[] {
    if (!isEntityType(entityType)) return [];
    const type = entityType;
    const values: readonly unknown[] = Array.isArray(entity) ? entity : [entity];
    if (eventType === "Deleted") return values.flatMap((value) => this.#delete(type, value));
    const isUpdate = eventType === "Updated";
    return values.flatMap((value) => this.#take({ type, value, isUpdate }));
  }

  /** Forgets the oldest orders that have ended, when there are too many; answers which. */
  prune(most: number): readonly number[] {
    const { byId } = this.#shelf("order");
    if (byId.size <= most) return [];
    const ended = this.all("order").filter(({ ordStatus }) => hasEnded(ordStatus));
    const gone = ended
      .map(({ id }) => id)
      .sort((a, b) => a - b)
      .slice(0, byId.size - Math.trunc(most / 2));
    for (const id of gone) this.#forgetOrder(id);
    return gone;
  }

  #forgetOrder(id: number): void {
    const recalled = this.#recalled.get(id) ?? "";
    if (this.#orderByName.get(recalled) === id) this.#orderByName.delete(recalled);
    this.#recalled.delete(id);
    this.#askedFor.delete(id);
    for (const { id: command, clOrdId = "" } of this.of("command", id)) {
      this.#forgetGroup("commandReport", command);
      this.#forgetGroup("executionReport", command);
      if (this.#orderByName.get(clOrdId) === id) this.#orderByName.delete(clOrdId);
    }
    for (const { id: fill } of this.of("fill", id)) this.#forget("fillFee", fill);
    for (const type of ["command", "orderVersion", "fill"] as const) this.#forgetGroup(type, id);
    this.#forget("order", id);
  }

  #forgetGroup(type: TradovateEntityType, owner: number): void {
    const { byGroup } = this.#shelf(type);
    for (const id of byGroup.get(owner) ?? []) this.#forget(type, id);
    byGroup.delete(owner);
  }

  #forget(type: TradovateEntityType, id: number): void {
    const { byId, updated } = this.#shelf(type);
    byId.delete(id);
    updated.delete(id);
  }

  #take<Type extends TradovateEntityType>(heard: {
    readonly type: Type;
    readonly value: unknown;
    readonly isUpdate: boolean;
  }): readonly Change<Type>[] {
    const { type, value, isUpdate } = heard;
    const entity = parseEntity(type, value);
    if (entity === undefined) {
      this.#passOver(type, value);
      return [];
    }
    if (type === "position") this.#unreadPositions.delete(entity.id);
    this.#strays.delete(`${type} ${entity.id}`);
    const shelf = this.#shelf(type);
    const known = shelf.byId.get(entity.id);
    if (shelf.deleted.has(entity.id)) return [];
    const wasUpdated = shelf.updated.has(entity.id);
    if (known !== undefined && isOlder({ type, entity, known, isUpdate, wasUpdated })) return [];
    shelf.byId.set(entity.id, entity);
    if (isUpdate) shelf.updated.add(entity.id);
    const owner = OWNER_OF[type]?.(entity);
    if (owner !== undefined) addTo(shelf.byGroup, owner, entity.id);
    if ("commandType" in entity) this.#name(entity);
    return [{ type, entity }];
  }

  /**
   * One entity that cannot be read ends nobody's session. A position is noted, since an account must
   * not count as flat for it; a fill is missed by its position; all else is missed by its order.
   */
  #passOver(type: TradovateEntityType, value: unknown): void {
    const { id, accountId, contractId, ordStatus, netPos } = isRecord(value) ? value : {};
    const what = `${type} ${String(id)}`;
    if (type === "position") {
      if (netPos === 0) this.#unreadPositions.delete(Number(id));
      else if (isId(id) && isId(accountId)) {
        const contract = isId(contractId) ? contractId : this.get("position", id)?.contractId;
        this.#unreadPositions.set(id, { id, accountId, contractId: contract });
      } else this.#strays.set(what, type);
    }
    if (type === "order") {
      if (typeof ordStatus === "string" && hasEnded(ordStatus)) this.#strays.delete(what);
      else this.#strays.set(what, type);
    }
    this.#note(what, `The broker sent no whole ${type} (id ${String(id)})`);
  }

  /** Whatever could not be read of them, they are no more. */
  #forgetUnlisted(listed: ReadonlySet<unknown>): void {
    for (const id of this.#unreadPositions.keys()) {
      if (!listed.has(id)) this.#unreadPositions.delete(id);
    }
  }

  #note(what: string, words: string): void {
    if (this.#unreadable.has(what)) return;
    if (this.#unreadable.size < MOST_UNREADABLE) this.#unreadable.add(what);
    this.#onUnreadable(new UnreadableEntityError(words));
  }

  #name({ commandType, clOrdId, orderId }: TradovateCommand): void {
    if (commandType !== "New" || clOrdId === undefined) return;
    this.#orderByName.set(clOrdId, Math.max(orderId, this.#orderByName.get(clOrdId) ?? 0));
  }

  #delete<Type extends TradovateEntityType>(type: Type, value: unknown): readonly Change<Type>[] {
    const shelf = this.#shelf(type);
    const { id: deleted = 0 } = (value as { id?: number } | null) ?? {};
    if (type === "position") this.#unreadPositions.delete(deleted);
    this.#strays.delete(`${type} ${deleted}`);
    const entity = shelf.byId.get(deleted);
    if (entity === undefined) return [];
    shelf.byId.delete(entity.id);
    if (!hasAccountsId(type)) shelf.deleted.add(entity.id);
    const owner = OWNER_OF[type]?.(entity);
    if (owner !== undefined) shelf.byGroup.get(owner)?.delete(entity.id);
    return [{ type, entity }];
  }

  #shelf<Type extends TradovateEntityType>(type: Type): Shelf<TradovateEntities[Type]> {
    return (this.#shelves[type] ??= {
      byId: new Map(),
      byGroup: new Map(),
      updated: new Set(),
      deleted: new Set(),
    });
  }
}

/** The orders that a change says something of. */
export function ordersOf(store: EntityStore, { type, entity }: Change): readonly number[] {
  if (type === "order") return [entity.id];
  if (type === "fillFee") {
    const fill = store.get("fill", entity.id);
    return fill === undefined ? [] : [fill.orderId];
  }
  if (type === "commandReport") {
    return [store.get("command", entity.commandId)?.orderId ?? entity.commandId];
  }
  if (!("orderId" in entity)) return [];
  // The change of a leg that waits may be confirmed under its entry's number.
  const command = "commandId" in entity ? store.get("command", entity.commandId) : undefined;
  return [entity.orderId, ...(command === undefined ? [] : [command.orderId])];
}

/** The names that a snapshot gives its lists. */
const COLLECTIONS: readonly (readonly [TradovateEntityType, string])[] = [
  ["account", "accounts"],
  ["cashBalance", "cashBalances"],
  ["marginSnapshot", "marginSnapshots"],
  ["userAccountAutoLiq", "userAccountAutoLiqs"],
  ["accountRiskStatus", "accountRiskStatuses"],
  ["currency", "currencies"],
  ["position", "positions"],
  ["order", "orders"],
  ["contract", "contracts"],
  ["contractMaturity", "contractMaturities"],
  ["product", "products"],
  ["command", "commands"],
  ["commandReport", "commandReports"],
  ["executionReport", "executionReports"],
  ["orderVersion", "orderVersions"],
  ["fill", "fills"],
  ["fillFee", "fillFees"],
];

function addTo(groups: Map<number, Set<number>>, owner: number, id: number): void {
  const known = groups.get(owner);
  if (known === undefined) groups.set(owner, new Set([id]));
  else known.add(id);
}
