import { setTimeout as sleep } from "node:timers/promises";
import type { ConnectionStatus } from "../domain/connection-status.ts";
import type { ConnectionId } from "../domain/ids.ts";
import type { OwnedConnection, Ownership, ReportListener } from "../trading/ports.ts";
import type { ConnectionRecords } from "../trading/connection-records.ts";
import type { ConnectionLeases } from "../trading/store-ports.ts";
import type { BrokerAdapter } from "./broker-adapter.ts";
import { ConnectionSupervisor } from "./connection-supervisor.ts";
import { clock, HeldLease } from "./held-lease.ts";

/** A connection that can be owned, and how its adapter is made. */
export interface ConnectionPlan {
  readonly connectionId: ConnectionId;
  /** Called anew for each time of owning it: nothing of an earlier one is left. */
  readonly open: (ownership: Ownership) => BrokerAdapter | Promise<BrokerAdapter>;
}

export interface ConnectionOwnerDeps {
  readonly plan: ConnectionPlan;
  readonly leases: ConnectionLeases;
  /** Where it is kept that a person must act before the next login. */
  readonly records: Pick<ConnectionRecords, "stop" | "stopOf">;
  /** How many connections this process owns by now. */
  readonly ownedCount: () => number;
  /** Runs once per time of owning it, before anything is worked; resolves with what undoes it. */
  readonly onOwned: (connection: ConnectionId, ownership: Ownership) => Promise<() => void>;
  /** Runs once per time of owning it, when its adapter is made and no session has begun yet. */
  readonly onOpened: (connection: ConnectionId, adapter: BrokerAdapter) => Promise<void>;
  /** Runs after each session has begun, before the connection counts as connected. */
  readonly onSession: (adapter: BrokerAdapter, owned: Owned) => Promise<void>;
  readonly onStatus: (connection: ConnectionId, status: ConnectionStatus) => void;
  readonly onReport: ReportListener;
  readonly onError: (connection: ConnectionId, error: unknown) => void;
  /** A session that does not end by then is left behind: its lease is not ours any more. */
  readonly stopWithinMs?: number;
}

/** One time of owning a connection. */
export interface Owned {
  readonly connectionId: ConnectionId;
  readonly ownership: Ownership;
}

/** How often a process that waits for a lease looks whether it is free. */
const LOOK_MS = 250;
/** What has just gone wrong goes wrong again. */
const AFTER_FAILURE_MS = 2_000;
const STOP_WITHIN_MS = 10_000;
const PER_OWNED_MS = 100;
const MOST_POLITE_MS = 400;

interface Member {
  readonly adapter: BrokerAdapter;
  readonly supervisor: ConnectionSupervisor;
  readonly lease: HeldLease;
}

/**
 * Stands by for one connection: takes its lease when it is free, keeps its session up while the
 * lease is held, and lets go of both as soon as another process may have it.
 */
export class ConnectionOwner {
  readonly #deps: ConnectionOwnerDeps;
  readonly #stop = new AbortController();
  readonly #stopped: Promise<void>;
  #wake: () => void = () => undefined;
  #loop: Promise<void> | undefined;
  #member: Member | undefined;
  #retries = 0;

  constructor(deps: ConnectionOwnerDeps) {
    this.#deps = deps;
    const { signal } = this.#stop;
    this.#stopped = new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  get connectionId(): ConnectionId {
    return this.#deps.plan.connectionId;
  }

  /** Undefined while another process owns it, or nobody. */
  get owned(): OwnedConnection | undefined {
    if (this.#member === undefined) return undefined;
    const { adapter, supervisor, lease } = this.#member;
    const { cancelEndsLinkedLeg, nativeOco } = adapter.capabilities;
    const { status } = supervisor;
    return { broker: adapter, status, ownership: lease, cancelEndsLinkedLeg, nativeOco };
  }

  /** Sessions of this process that broke or could not begin, and were followed by another try. */
  get retries(): number {
    return this.#retries;
  }

  /**
   * Unix ms; undefined while another process owns it, before the broker's first word, and where the
   * adapter hears no heartbeats: the time of its last report would look like a silent broker.
   */
  get lastHeardAt(): number | undefined {
    const at = this.#member?.adapter.lastHeardAt?.();
    return at === undefined ? undefined : Date.now() - (performance.now() - at);
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** The lease may be free, or a person may have acted: look now. */
  look(): void {
    this.#wake();
    this.#member?.supervisor.look();
  }

  /** The store was away: what is kept there is compared with the broker once more. */
  resync(): void {
    this.#member?.supervisor.resync();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#wake();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.#letOthers();
      const lease = await this.#take();
      if (lease === undefined) await this.#untilNextLook(LOOK_MS);
      else await this.#own(lease);
    }
  }

  async #take(): Promise<HeldLease | undefined> {
    const { plan, leases, onError } = this.#deps;
    const { connectionId: connection } = plan;
    const since = clock();
    try {
      const epoch = await leases.hold(connection, "CONNECTING");
      if (epoch === undefined) return undefined;
      const status = () => this.#member?.supervisor.status ?? "CONNECTING";
      return new HeldLease({ connection, epoch, since, leases, status });
    } catch (error) {
      onError(connection, error);
      return undefined;
    }
  }

  async #own(lease: HeldLease): Promise<void> {
    const { plan, onOwned, onOpened, onError } = this.#deps;
    const { connectionId } = plan;
    let undo: (() => void) | undefined;
    let hasFailed = false;
    try {
      undo = await onOwned(connectionId, lease);
      const adapter = await plan.open(lease);
      await onOpened(connectionId, adapter);
      await this.#keepSession(adapter, lease);
    } catch (error) {
      hasFailed = true;
      onError(connectionId, error);
    } finally {
      undo?.();
      lease.drop();
    }
    // Who cannot take it over leaves it to another one, who perhaps can.
    if (hasFailed || this.#stop.signal.aborted) await this.#release();
    await this.#untilNextLook(hasFailed ? AFTER_FAILURE_MS * (0.5 + Math.random()) : LOOK_MS);
  }

  /** Until the lease is lost or the process stops. */
  async #keepSession(adapter: BrokerAdapter, lease: HeldLease): Promise<void> {
    const { leases, onStatus, onReport, onError, stopWithinMs = STOP_WITHIN_MS } = this.#deps;
    const { connectionId } = this;
    const supervisor = this.#supervise(adapter, lease);
    const unsubscribe = adapter.onReport(onReport);
    this.#member = { adapter, supervisor, lease };
    supervisor.start();
    await Promise.race([lease.lost, this.#stopped]);
    const late = sleep(stopWithinMs, "late", { ref: false });
    if ((await Promise.race([supervisor.stop(), late])) === "late") {
      onError(connectionId, new Error("The session does not end; it is left behind"));
      // Its own word would come too late, and is not listened to any more.
      onStatus(connectionId, "DISCONNECTED");
    }
    unsubscribe();
    this.#member = undefined;
    await leases.announce(connectionId).catch(() => undefined);
  }

  #supervise(adapter: BrokerAdapter, lease: HeldLease): ConnectionSupervisor {
    const { records, onSession, onStatus, onError } = this.#deps;
    const { connectionId } = this;
    // What a session says that was left behind would be taken for the word of the next one.
    const isPresent = () => this.#member?.lease === lease;
    return new ConnectionSupervisor({
      connectionId,
      adapter,
      mayRun: lease.isHeld,
      loginStop: {
        find: async () => await records.stopOf(connectionId),
        keep: async (stop) => await records.stop(connectionId, lease.epoch, stop),
      },
      onRetry: () => void (this.#retries += 1),
      onSession: async () => await onSession(adapter, { connectionId, ownership: lease }),
      onStatus: (status) => {
        if (!isPresent()) return;
        onStatus(connectionId, status);
        this.#publish(lease, status).catch((error: unknown) => onError(connectionId, error));
      },
      onError: (error) => {
        if (isPresent()) onError(connectionId, error);
      },
    });
  }

  async #release(): Promise<void> {
    const { leases, onError } = this.#deps;
    await leases
      .release(this.connectionId)
      .catch((error: unknown) => onError(this.connectionId, error));
  }

  /** The state goes with the lease, so that it never outlives its owner. */
  async #publish(lease: HeldLease, status: ConnectionStatus): Promise<void> {
    const { plan, leases } = this.#deps;
    if (!lease.isHeld()) return;
    await leases.hold(plan.connectionId, status);
    await leases.announce(plan.connectionId);
  }

  /** Of several processes the one that owns the least comes first. */
  async #letOthers(): Promise<void> {
    const waitMs = Math.min(this.#deps.ownedCount() * PER_OWNED_MS, MOST_POLITE_MS);
    if (waitMs > 0) await Promise.race([sleep(waitMs), this.#stopped]);
  }

  async #untilNextLook(waitMs: number): Promise<void> {
    const { signal } = this.#stop;
    if (signal.aborted) return;
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    await sleep(waitMs, undefined, { signal: woken.signal }).catch(() => undefined);
  }
}
