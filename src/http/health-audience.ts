import type { ConnectionStatus } from "../domain/connection-status.ts";
import type { ConnectionId } from "../domain/ids.ts";
import { type EventStream, toEvent } from "./event-stream.ts";

/** How long a client waits before it comes back, in ms. */
const GREETING = "retry: 3000\n\n";

/** Everyone who hears of one user's connections: each item is written once, for all of them. */
export class HealthAudience {
  readonly #now: () => number;
  readonly #statuses = new Map<ConnectionId, ConnectionStatus>();
  readonly #streams = new Set<EventStream>();
  #unsent = "";

  constructor(now: () => number) {
    this.#now = now;
  }

  /** A connection that was not heard of before is a snapshot; the same status twice is told once. */
  readonly hear = (connectionId: ConnectionId, status: ConnectionStatus): void => {
    const before = this.#statuses.get(connectionId);
    if (before === status) return;
    this.#statuses.set(connectionId, status);
    if (this.#streams.size === 0) return;
    // A broker's restart changes many at once: they leave together, and count as one write.
    if (this.#unsent === "") setImmediate(() => this.#flush());
    const type = before === undefined ? "snapshot" : "status";
    this.#unsent += toEvent({ type, connectionId, status, ts: this.#now() });
  };

  /** Greets the stream with the state of each connection; from then on it hears every change. */
  add(stream: EventStream): void {
    // What waits for the others is in this one's snapshots already.
    this.#flush();
    const ts = this.#now();
    const snapshots = [...this.#statuses].map(([connectionId, status]) =>
      toEvent({ type: "snapshot", connectionId, status, ts }),
    );
    stream.send(Buffer.from(GREETING + snapshots.join("")));
    this.#streams.add(stream);
  }

  remove(stream: EventStream): void {
    this.#streams.delete(stream);
  }

  #flush(): void {
    if (this.#unsent === "") return;
    const items = Buffer.from(this.#unsent);
    this.#unsent = "";
    for (const stream of this.#streams) stream.send(items);
  }
}
