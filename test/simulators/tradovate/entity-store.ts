import { obtain } from "../obtain.ts";
import type { Entities, Entity, EntityType, EventType } from "./entities.ts";

/** Ids of one capture, from which ours go on: twelve digits, above 2^31 and below 2^53. */
const FIRST_ID = 516_124_640_014;

/** Who may see an entity: an account's owner, or everyone. */
export const EVERYONE = 0;

export interface StoreDeps {
  readonly now: () => number;
  /** How much later than it came to be an account's entity is found by reads. */
  readonly lagMs: (accountId: number) => number;
  /** Called for whatever belongs to an account, in the order in which it happens. */
  readonly onChange: (
    accountId: number,
    change: { entityType: EntityType; eventType: EventType; entity: Entity },
  ) => void;
}

interface Kept {
  entity: Entity;
  readonly accountId: number;
  readonly visibleFrom: number;
}

/** All entities, by type and owner, under one growing sequence of ids. */
export class EntityStore {
  readonly #deps: StoreDeps;
  readonly #byId = new Map<EntityType, Map<number, Kept>>();
  readonly #byOwner = new Map<string, Map<number, Kept>>();
  #lastId = FIRST_ID - 1;

  constructor(deps: StoreDeps) {
    this.#deps = deps;
  }

  get lastId(): number {
    return this.#lastId;
  }

  nextId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** Puts in what has no event: what was there before anyone looked. */
  seed<T extends EntityType>(type: T, entity: Entities[T], accountId = EVERYONE): Entities[T] {
    this.#put(type, { entity, accountId, visibleFrom: 0 });
    return entity;
  }

  create<T extends EntityType>(type: T, accountId: number, entity: Entities[T]): Entities[T] {
    const visibleFrom = this.#deps.now() + this.#deps.lagMs(accountId);
    this.#put(type, { entity, accountId, visibleFrom });
    this.#deps.onChange(accountId, { entityType: type, eventType: "Created", entity });
    return entity;
  }

  /** The entity with the new values; the old object stays as it was told. */
  update<T extends EntityType>(type: T, id: number, patch: Partial<Entities[T]>): Entities[T] {
    const kept = this.#typed(type).get(id);
    if (kept === undefined) throw new Error(`There is no ${type} ${id}`);
    kept.entity = { ...kept.entity, ...patch };
    const { entity, accountId } = kept;
    this.#deps.onChange(accountId, { entityType: type, eventType: "Updated", entity });
    return entity as Entities[T];
  }

  /** Takes away what may come again under the same id. */
  remove(type: EntityType, id: number): void {
    const kept = this.#typed(type).get(id);
    if (kept === undefined) return;
    const { entity, accountId } = kept;
    this.#typed(type).delete(id);
    this.#owned(type, accountId).delete(id);
    this.#deps.onChange(accountId, { entityType: type, eventType: "Deleted", entity });
  }

  /** Whatever the lag: for the broker's own use. */
  get<T extends EntityType>(type: T, id: number): Entities[T] | undefined {
    return this.#typed(type).get(id)?.entity as Entities[T] | undefined;
  }

  ownerOf(type: EntityType, id: number): number | undefined {
    return this.#typed(type).get(id)?.accountId;
  }

  /** What the owner of these accounts is shown now, oldest first. */
  visible<T extends EntityType>(type: T, accounts: ReadonlySet<number>): Entities[T][] {
    const now = this.#deps.now();
    const owned = [EVERYONE, ...accounts].flatMap((id) => [...this.#owned(type, id).values()]);
    return owned
      .filter(({ visibleFrom }) => visibleFrom <= now)
      .map(({ entity }) => entity as Entities[T])
      .sort((a, b) => a.id - b.id);
  }

  find<T extends EntityType>(
    type: T,
    id: number,
    accounts: ReadonlySet<number>,
  ): Entities[T] | undefined {
    const kept = this.#typed(type).get(id);
    if (kept === undefined || kept.visibleFrom > this.#deps.now()) return undefined;
    const isShown = kept.accountId === EVERYONE || accounts.has(kept.accountId);
    return isShown ? (kept.entity as Entities[T]) : undefined;
  }

  #put(type: EntityType, kept: Kept): void {
    this.#typed(type).set(kept.entity.id, kept);
    this.#owned(type, kept.accountId).set(kept.entity.id, kept);
  }

  #typed(type: EntityType): Map<number, Kept> {
    return obtain(this.#byId, type, () => new Map());
  }

  #owned(type: EntityType, accountId: number): Map<number, Kept> {
    return obtain(this.#byOwner, `${type} ${accountId}`, () => new Map());
  }
}
