import type { ConnectionId } from "../domain/ids.ts";
import { type Member, spread } from "../domain/spread.ts";
import type { ConnectionLeases } from "../trading/connections/connection-leases.ts";

const MEET_EVERY_MS = 1_000;
/** Who wants to know it sooner asks no more often than this. */
const NEWS_MS = 100;
/** Who could not take a connection over is not asked to for this long. */
const FAILED_FOR_MS = 10 * 60_000;

interface SharingDeps {
  readonly leases: Pick<ConnectionLeases, "meet" | "part">;
  /** How many connections this process owns at most. */
  readonly most?: number | undefined;
  /** Whether it owns as many by now. */
  readonly isFull: () => boolean;
  /** All that there are. */
  readonly connections: () => readonly ConnectionId[];
  /** Called each time the others were met. */
  readonly onMet: () => void;
  /** Called when other members are there than before, or other connections. */
  readonly onSpread: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Which connections this process is to own, of all that there are, beside the others that own some. It
 * only says who goes first: what one owns is settled by the leases alone.
 */
export class ConnectionSharing {
  readonly #deps: SharingDeps;
  readonly #failedAt = new Map<ConnectionId, number>();
  #name: Member["name"] | undefined;
  #others: readonly Member[] = [];
  /** What the spread was made of. */
  #known = "";
  #owners: ReadonlyMap<ConnectionId, Member["name"]> = new Map();
  #withoutRoom = 0;
  /** Since when the same processes are there for the same connections; undefined: not known. */
  #sameSince: number | undefined;
  #meeting: Promise<void> | undefined;
  #metAt = -Infinity;
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: SharingDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#timer ??= setInterval(() => void this.meet(), MEET_EVERY_MS);
    void this.meet();
  }

  /** Asks who is there, unless that was asked just now. */
  async meet(): Promise<void> {
    if (this.#isStopped || performance.now() - this.#metAt < NEWS_MS) return;
    this.#meeting ??= this.#meetNow().finally(() => {
      this.#meeting = undefined;
      this.#metAt = performance.now();
    });
    await this.#meeting;
  }

  /** Whether others that are to own a connection have had the time to hear of it. */
  get isSettled(): boolean {
    const since = this.#sameSince;
    return since !== undefined && performance.now() - since >= MEET_EVERY_MS;
  }

  /** False where another one is to own it, and where the others are not known. */
  isOurs(connection: ConnectionId): boolean {
    const owner = this.#owners.get(connection);
    return owner !== undefined && owner === this.#name;
  }

  /** Whether another process of that name is there. */
  isThere(name: Member["name"]): boolean {
    return this.#others.some((other) => other.name === name);
  }

  /** How many connections the limits of all processes leave without one. */
  get withoutRoom(): number {
    return this.#withoutRoom;
  }

  /** It could not be taken over here: others come first from now on, for a while. */
  noteFailure(connection: ConnectionId): void {
    this.#failedAt.set(connection, performance.now());
  }

  forgetFailure(connection: ConnectionId): void {
    this.#failedAt.delete(connection);
  }

  /** Whether another one may take it over: it has room, and has not failed to. */
  othersMay(connection: ConnectionId): boolean {
    return this.#others.some((other) => mayTake(other, connection));
  }

  /** Whether another one is to own it, and may take it over. */
  isTheirs(connection: ConnectionId): boolean {
    const owner = this.#owners.get(connection);
    return this.#others.some((other) => other.name === owner && mayTake(other, connection));
  }

  /** The others take what this one leaves. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#isStopped = true;
    await this.#meeting;
    await this.#deps.leases.part().catch(this.#deps.onError);
  }

  async #meetNow(): Promise<void> {
    const { leases, most, isFull, onMet, onError } = this.#deps;
    try {
      const failed = this.#failed();
      const { name, members } = await leases.meet({
        ...(most !== undefined && { most, isFull: isFull() }),
        failed,
      });
      this.#share(name, members);
    } catch (error) {
      // What was known of the others may not hold any more: nothing is handed over.
      this.#sameSince = undefined;
      onError(error);
      return;
    }
    onMet();
  }

  #share(name: string, members: readonly Member[]): void {
    this.#name = name;
    this.#others = members.filter((member) => member.name !== name);
    const connections = this.#deps.connections();
    // Who is full is no news: nothing else is to own anything for it.
    const told = members.toSorted(byName).map(({ name: of, most, failed }) => [of, most, failed]);
    const known = JSON.stringify([connections, told]);
    if (known !== this.#known) this.#sameSince = undefined;
    this.#sameSince ??= performance.now();
    if (known === this.#known) return;
    this.#known = known;
    this.#owners = spread(connections, members);
    this.#withoutRoom = connections.length - this.#owners.size;
    this.#deps.onSpread();
  }

  #failed(): readonly ConnectionId[] {
    const since = performance.now() - FAILED_FOR_MS;
    for (const [connection, at] of this.#failedAt) {
      if (at < since) this.#failedAt.delete(connection);
    }
    return [...this.#failedAt.keys()];
  }
}

const mayTake = ({ isFull, failed = [] }: Member, connection: ConnectionId): boolean =>
  isFull !== true && !failed.includes(connection);

const byName = (a: Member, b: Member): number => (a.name < b.name ? -1 : 1);
