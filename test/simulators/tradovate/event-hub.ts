import type { EntityEvent } from "./entities.ts";
import { obtain } from "../obtain.ts";
import type { Settings } from "./settings.ts";
import type { User, Users } from "./users.ts";

/** A socket that has asked to be told. */
export interface Subscriber {
  readonly accounts: ReadonlySet<number>;
  /** In lower case; undefined for all of them. */
  readonly types: ReadonlySet<string> | undefined;
  readonly send: (message: object) => void;
}

interface Told {
  readonly accountId: number;
  readonly event: EntityEvent;
}

/** What happened in one go, for one user. */
interface Batch {
  readonly events: Told[];
  isReleased: boolean;
}

/** What is sent once its time has come. */
interface Late {
  readonly at: number;
  readonly events: readonly Told[];
}

export interface HubDeps {
  readonly users: Users;
  readonly settings: (user: string) => Settings;
}

/**
 * Brings changes to the sockets of their owner, as the settings say: late, twice, out of order or
 * not at all. What happens in one go keeps together, and one user's batches keep their order.
 */
export class EventHub {
  readonly #deps: HubDeps;
  readonly #subscribers = new Map<number, Set<Subscriber>>();
  readonly #waiting = new Map<number, Batch[]>();
  readonly #late = new Map<number, Late[]>();
  readonly #losses = new Map<number, number>();
  #open: Map<number, Told[]> | undefined;

  constructor(deps: HubDeps) {
    this.#deps = deps;
  }

  subscribe(user: User, subscriber: Subscriber): () => void {
    const subscribers = obtain(this.#subscribers, user.id, () => new Set());
    subscribers.add(subscriber);
    return () => void subscribers.delete(subscriber);
  }

  /** The next so many events are never sent. */
  loseNext(user: User, count: number): void {
    this.#losses.set(user.id, count);
  }

  collect(accountId: number, event: EntityEvent): void {
    const user = this.#deps.users.ownerOf(accountId);
    if (user === undefined) return;
    if (this.#open !== undefined) {
      obtain(this.#open, user.id, () => []).push({ accountId, event });
      return;
    }
    this.#queue(user.id, { events: [{ accountId, event }], isReleased: true });
    this.#flush(user.id);
  }

  /** Runs what may change things. The events of `held` wait for the function that is returned. */
  run<T>(
    held: User | undefined,
    act: () => T,
  ): { readonly result: T; readonly release: () => void } {
    if (this.#open !== undefined) return { result: act(), release: () => undefined };
    const open = new Map<number, Told[]>();
    this.#open = open;
    try {
      const result = act();
      return { result, release: this.#close(open, held) };
    } finally {
      this.#open = undefined;
      for (const userId of open.keys()) this.#flush(userId);
    }
  }

  #close(open: ReadonlyMap<number, Told[]>, held: User | undefined): () => void {
    for (const [userId, events] of open) {
      if (userId !== held?.id) this.#queue(userId, { events, isReleased: true });
    }
    const events = held === undefined ? undefined : open.get(held.id);
    if (held === undefined || events === undefined) return () => undefined;
    const batch: Batch = { events, isReleased: false };
    this.#queue(held.id, batch);
    return () => {
      batch.isReleased = true;
      this.#flush(held.id);
    };
  }

  #queue(userId: number, batch: Batch): void {
    obtain(this.#waiting, userId, () => []).push(batch);
  }

  #flush(userId: number): void {
    const waiting = this.#waiting.get(userId) ?? [];
    while (waiting[0]?.isReleased === true) {
      const batch = waiting.shift();
      const user = this.#deps.users.byId(userId);
      if (batch !== undefined && user !== undefined) this.#deliver(user, batch.events);
    }
  }

  #deliver(user: User, events: readonly Told[]): void {
    const settings = this.#deps.settings(user.name);
    const told = this.#disturb(user, events, settings);
    const { delayMs, riskCheckMs = 0 } = settings.events;
    const asked = riskCheckMs === 0 ? 0 : lengthOfAsked(told);
    this.#schedule(user, told.slice(0, asked), delayMs);
    this.#schedule(user, told.slice(asked), delayMs + (asked === 0 ? 0 : riskCheckMs));
  }

  /** Sends in order, nothing before its time. */
  #schedule(user: User, events: readonly Told[], ms: number): void {
    if (events.length === 0) return;
    const late = obtain(this.#late, user.id, () => []);
    late.push({ at: performance.now() + ms, events });
    if (late.length === 1) this.#drain(user, late);
  }

  #drain(user: User, late: Late[]): void {
    for (let next = late[0]; next !== undefined; next = late[0]) {
      const waitMs = next.at - performance.now();
      if (waitMs > 0) {
        setTimeout(() => this.#drain(user, late), waitMs).unref();
        return;
      }
      this.#send(user, next.events, this.#deps.settings(user.name));
      late.shift();
    }
  }

  #disturb(user: User, events: readonly Told[], settings: Settings): readonly Told[] {
    let left = this.#losses.get(user.id) ?? 0;
    const kept = events.filter(({ event }) => {
      if (!settings.tellsEvents) return false;
      if (settings.losesEvents.includes(event.entityType)) return false;
      left -= 1;
      return left < 0;
    });
    this.#losses.set(user.id, Math.max(0, left));
    const repeated = kept.flatMap((each) =>
      settings.repeatsCreated && each.event.eventType === "Created" ? [each, each] : [each],
    );
    if (!settings.fillsFirst) return repeated;
    const isFill = ({ event }: Told) => event.entityType === "fill";
    return [...repeated.filter(isFill), ...repeated.filter((each) => !isFill(each))];
  }

  #send(user: User, events: readonly Told[], { entityArrays }: Settings): void {
    for (const subscriber of this.#subscribers.get(user.id) ?? []) {
      for (const { accountId, event } of events) {
        if (!subscriber.accounts.has(accountId)) continue;
        if (subscriber.types?.has(event.entityType.toLowerCase()) === false) continue;
        const { entity, ...rest } = event;
        const d = { ...rest, entity: entityArrays ? [entity] : entity };
        subscriber.send({ e: "props", d });
      }
    }
  }
}

/** How many events a new order begins with before anyone has looked at it: it, its command, its version. */
function lengthOfAsked(events: readonly Told[]): number {
  const [first] = events;
  const isNew = first?.event.entityType === "order" && first.event.eventType === "Created";
  if (!isNew) return 0;
  return events.findLastIndex(isVersionOf(first.event.entity.id)) + 1;
}

function isVersionOf(id: number): (told: Told) => boolean {
  return ({ event }) =>
    event.entityType === "orderVersion" && event.eventType === "Created" && event.entity.id === id;
}
