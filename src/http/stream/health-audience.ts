import {
  type ConnectionStatus,
  type ConnectionWhy,
  isSameWhy,
} from "../../domain/connection-status.ts";
import type { AccountId, ConnectionId } from "../../domain/ids.ts";
import type { ChangeKind } from "../../trading/changes.ts";
import { type EventStream, toEvent } from "./event-stream.ts";
import { presentTime } from "../present/figures.ts";

/** What a stream hears: how connections stand, or that and whatever else changes. */
export type Hearing = "health" | "everything";

/** How long a client waits before it comes back, in ms. */
const GREETING = "retry: 3000\n\n";

/** However much goes on, what has changed is told once in so long. */
const CHANGES_EVERY_MS = 1_000;
/** Of more accounts than this it is only told that some of them have changed. */
const MOST_NAMED = 200;

interface Standing {
  readonly status: ConnectionStatus;
  readonly why: ConnectionWhy | undefined;
}

/** Everyone who hears of one user's connections and accounts: each item is written once, for all. */
export class HealthAudience {
  readonly #now: () => number;
  readonly #statuses = new Map<ConnectionId, Standing>();
  readonly #streams = new Map<EventStream, Hearing>();
  readonly #changes = new Map<AccountId | undefined, Set<ChangeKind>>();
  #unsent = "";
  #changesTimer: NodeJS.Timeout | undefined;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** A connection that was not heard of before is a snapshot; the same status for the same reason is told once. */
  readonly hear = (
    connectionId: ConnectionId,
    status: ConnectionStatus,
    why?: ConnectionWhy,
  ): void => {
    const before = this.#statuses.get(connectionId);
    if (before?.status === status && isSameWhy(before.why, why)) return;
    this.#statuses.set(connectionId, { status, why });
    if (this.#streams.size === 0) return;
    // A broker's restart changes many at once: they leave together, and count as one write.
    if (this.#unsent === "") setImmediate(() => this.#flush());
    const type = before === undefined ? "snapshot" : "status";
    this.#unsent += this.#item(type, connectionId, { status, why });
  };

  /** The first change is told at once, and what follows it within the second together. */
  readonly hearChange = (account: AccountId | undefined, what: readonly ChangeKind[]): void => {
    const known = this.#changes.get(account) ?? new Set();
    this.#changes.set(account, known);
    for (const kind of what) known.add(kind);
    this.#changesTimer ??= setTimeout(() => this.#tellChanges()).unref();
  };

  /** Greets the stream with the state of each connection; from then on it hears every change. */
  add(stream: EventStream, hearing: Hearing): void {
    // What waits for the others is in this one's snapshots already.
    this.#flush();
    const snapshots = [...this.#statuses].map(([connectionId, standing]) =>
      this.#item("snapshot", connectionId, standing),
    );
    stream.send(Buffer.from(GREETING + snapshots.join("")));
    this.#streams.set(stream, hearing);
  }

  remove(stream: EventStream): void {
    this.#streams.delete(stream);
    if (this.#streams.size === 0) this.#forgetChanges();
  }

  #tellChanges(): void {
    if (this.#changes.size === 0) return void (this.#changesTimer = undefined);
    const item = toEvent({ type: "changed", changes: this.#namedChanges(), ts: this.#now() });
    this.#changes.clear();
    const items = Buffer.from(item);
    for (const [stream, hearing] of this.#streams) if (hearing === "everything") stream.send(items);
    this.#changesTimer = setTimeout(() => this.#tellChanges(), CHANGES_EVERY_MS).unref();
  }

  #namedChanges() {
    if (this.#changes.size > MOST_NAMED) {
      const what = new Set([...this.#changes.values()].flatMap((kinds) => [...kinds]));
      return [{ accountId: null, what: [...what] }];
    }
    return [...this.#changes].map(([account, what]) => ({
      accountId: account ?? null,
      what: [...what],
    }));
  }

  #forgetChanges(): void {
    clearTimeout(this.#changesTimer);
    this.#changesTimer = undefined;
    this.#changes.clear();
  }

  #item(type: "snapshot" | "status", connectionId: ConnectionId, { status, why }: Standing) {
    const { reason, retryAt } = why ?? {};
    return toEvent({
      type,
      connectionId,
      status,
      ...(reason !== undefined && { reason }),
      ...(retryAt !== undefined && { retryAt: presentTime(retryAt) }),
      ts: this.#now(),
    });
  }

  #flush(): void {
    if (this.#unsent === "") return;
    const items = Buffer.from(this.#unsent);
    this.#unsent = "";
    for (const stream of this.#streams.keys()) stream.send(items);
  }
}
